import path from 'node:path';
import type { KnownUser } from './known-user.ts';

interface GatewayOptions {
  /** The port on 127.0.0.1 that clients connect to. */
  readonly port: number;
  /** The folder of PostgreSQL's socket. */
  readonly socketDir: string;
  readonly users: readonly KnownUser[];
}

/** How to start the gateway, which serves MongoDB's wire protocol and waits for PostgreSQL if that is not up yet. */
export function gatewayCommand({ port, socketDir, users }: GatewayOptions): {
  command: [string, ...string[]];
  env: NodeJS.ProcessEnv;
} {
  const script = path.join(import.meta.dirname, 'gateway.ts');
  return {
    command: [process.execPath, script, '--port', String(port), '--socket', socketDir],
    // In the environment, where no process list shows the passwords.
    env: { MONGO_USERS: JSON.stringify(users) },
  };
}
