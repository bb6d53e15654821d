export const PROCESS_NAMES = ['pricing', 'commerce', 'cart', 'events', 'activity', 'gateway'] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];
