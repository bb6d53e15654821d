export { gatewayCommand } from './gateway-command.ts';
export { initdbCommand, postgresCommand } from './postgres-command.ts';
export type { KnownUser } from './known-user.ts';
