import { renameSync, writeFileSync } from 'node:fs';
import { connectMongo, until } from '@event-commerce/service-kit';
import { type Infrastructure, type ServerName, serverNames } from '../../deploy/local/infrastructure.ts';

const CLOCK_WITHIN_MS = 10_000;
const CLOCK_TOLERANCE_MS = 60_000;

/** Atomically: the database exits if it finds the file empty. */
export function setClock(file: string, offMs: number): void {
  writeFileSync(`${file}.next`, `${offMs < 0 ? '-' : '+'}${Math.abs(offMs) / 1000}`);
  renameSync(`${file}.next`, file);
}

/** The database reads its clock file about once a second. */
export async function wrongBy(mongoUrl: string, clockFile: string, offMs: number): Promise<void> {
  setClock(clockFile, offMs);
  const mongo = await connectMongo(mongoUrl, { dbName: 'clock', appName: 'fault run' });
  try {
    await until('the database has the wrong time', CLOCK_WITHIN_MS, async () => {
      const told = await mongo
        .collection<{ _id: string; now: Date }>('clock')
        .findOneAndUpdate({ _id: 'now' }, { $currentDate: { now: true } }, { upsert: true, returnDocument: 'after' });
      return Math.abs((told?.now.getTime() ?? 0) - Date.now() - offMs) < CLOCK_TOLERANCE_MS;
    });
  } finally {
    await mongo.close();
  }
}

/** The faults of the servers, and how to undo them. */
export function serversOf({ servers }: Infrastructure) {
  const paused = new Set<ServerName>();
  const down = new Set<ServerName>();
  const resume = async (server: ServerName) => {
    await servers[server].resume();
    paused.delete(server);
  };
  const restart = async (server: ServerName) => {
    await servers[server].restart();
    paused.delete(server);
    down.delete(server);
  };
  return {
    async pause(server: ServerName) {
      paused.add(server);
      await servers[server].pause();
    },
    resume,
    async kill9(server: ServerName) {
      down.add(server);
      await servers[server].kill9();
    },
    restart,
    async restoreAll() {
      for (const server of serverNames) {
        if (down.has(server)) await restart(server);
        else if (paused.has(server)) await resume(server);
      }
    },
  };
}
