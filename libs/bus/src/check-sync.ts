import { reportRisks } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';

const TIMEOUT_MS = 2_000;

/** The part of a NATS server's `/varz` that says when it writes acknowledged messages to disk. */
interface Varz {
  jetstream?: { config?: { sync_always?: boolean; sync_interval?: number } };
}

/**
 * Warns if the NATS server with its monitoring at `url` acknowledges events before they are on disk; NATS does not tell
 * clients. Serving does not depend on it, so a failed request is only a warning too.
 */
export async function checkSync(bus: BusConnection, url: string): Promise<void> {
  let varz: Varz;
  try {
    const answer = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    varz = (await answer.json()) as Varz;
  } catch (err) {
    bus.logger.warn(
      { err, url },
      'NATS_MONITORING_URL does not respond: cannot tell whether events are written to disk in time',
    );
    return;
  }
  const { sync_always: always, sync_interval: intervalNs = 0 } = varz.jetstream?.config ?? {};
  if (always === true) return;
  const message =
    `NATS writes acknowledged events to disk every ${Math.round(intervalNs / 1e9)} s: a loss of power loses those since; ` +
    'set sync_interval: always in its jetstream block';
  reportRisks(bus.logger, 'nats-disk', [{ store: 'nats-disk', risk: 'sync-interval', message }]);
}
