import { setTimeout as delay } from 'node:timers/promises';

interface Sample {
  status: number;
  beganMs: number;
  tookMs: number;
}

interface Traffic {
  readonly samples: readonly Sample[];
  /** Resolves when every request has its response. */
  stop(): Promise<void>;
}

/**
 * Clients that send one request after another, with a short pause in between, until they are stopped. A broken
 * connection counts as status 0.
 */
export function startTraffic(send: () => Promise<{ status: number }>, clients = 4, pauseMs = 25): Traffic {
  const samples: Sample[] = [];
  let running = true;
  const ended = Promise.all(
    Array.from({ length: clients }, async () => {
      while (running) {
        const beganMs = performance.now();
        const { status } = await send().catch(() => ({ status: 0 }));
        samples.push({ status, beganMs, tookMs: performance.now() - beganMs });
        await delay(pauseMs);
      }
    }),
  );
  return {
    samples,
    async stop() {
      running = false;
      await ended;
    },
  };
}

/** How often each status was seen: `200 x 40, 503 x 2`. */
export function statusesOf(samples: readonly { status: number }[]): string {
  const counts = Map.groupBy(samples, ({ status }) => status);
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, found]) => `${status === 0 ? 'no answer' : status} x ${found.length}`)
    .join(', ');
}

/** The slowest request that was in flight at any time between the two. */
export function slowestMs(samples: readonly Sample[], fromMs = 0, toMs = Infinity): number {
  const underWay = samples.filter(({ beganMs, tookMs }) => beganMs + tookMs >= fromMs && beganMs < toMs);
  return Math.max(0, ...underWay.map(({ tookMs }) => tookMs));
}

/**
 * Requests that depend on nothing: their latency is the machine's own. `/readyz` of a service depends on its stores.
 */
export function startControl(url: string, path: '/healthz' | '/readyz' = '/healthz'): Traffic {
  return startTraffic(async () => {
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    return response;
  });
}
