import { resolveSrv } from 'node:dns/promises';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
// Imported directly: all of telemetry would slow down every start.
import { whyUnreachable } from '@event-commerce/telemetry/why-unreachable';
import type { ServerName } from './server-names.ts';

const TITLES: Readonly<Record<ServerName, string>> = { mongo: 'MongoDB', nats: 'NATS', redis: 'Redis' };
const DEFAULT_PORTS: Readonly<Record<ServerName, number>> = { mongo: 27_017, nats: 4222, redis: 6379 };
/** Long enough for a server that was started at the same moment. */
const PATIENCE_MS = 5_000;
const ATTEMPT_MS = 2_000;
const PAUSE_MS = 200;

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves when something listens at one of the addresses in `url`.
 * @throws Error that names the server, its addresses and the setting, after 5 seconds
 */
export async function reachable(name: ServerName, variable: string, url: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const refused = (where: string, why: string): Error =>
    new Error(`${TITLES[name]} cannot be reached at ${where} (${why}). Start it, or set ${variable} to where it is.`);
  let addresses: Address[];
  try {
    addresses = await addressesOf(name, url);
  } catch (error) {
    throw refused(withoutPassword(url), whyUnreachable(error) ?? (error as Error).message);
  }
  const where = addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
  for (;;) {
    const failures = await Promise.all(addresses.map(listens));
    if (failures.includes(undefined)) return;
    if (performance.now() + PAUSE_MS > deadline) throw refused(where, failures[0] ?? '');
    await delay(PAUSE_MS);
  }
}

async function addressesOf(name: ServerName, url: string): Promise<Address[]> {
  const hosts = url.split(',').map((part) =>
    part
      .replace(/^[\w+]+:\/\//, '')
      .replace(/^.*@/, '')
      .replace(/[/?].*$/, ''),
  );
  if (url.startsWith('mongodb+srv://')) {
    const found = await resolveSrv(`_mongodb._tcp.${hosts[0] ?? ''}`);
    return found.map((record) => ({ host: record.name, port: record.port }));
  }
  return hosts.map((host) => {
    const { hostname, port } = new URL(`tcp://${host}`);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || DEFAULT_PORTS[name] };
  });
}

/** Why nothing listens there; undefined if something does. */
async function listens({ host, port }: Address): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: ATTEMPT_MS });
    const end = (failure?: string): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.on('connect', () => end());
    socket.on('timeout', () => end('no answer'));
    socket.on('error', (error) => end(whyUnreachable(error) ?? error.message));
  });
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
