/** The servers that the platform needs. */
export const serverNames = ['mongo', 'nats', 'redis'] as const;
export type ServerName = (typeof serverNames)[number];
