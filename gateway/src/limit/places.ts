import type { ServerResponse } from 'node:http';
import { type PlatformError, serviceBusy, type ServiceName } from '@event-commerce/contracts';

/** A company's requests to one service. */
interface Queue {
  underWay: number;
  waiting: (() => void)[];
}

/** For so long a company counts as there after its last request. */
const CONTENDED_MS = 1_000;

export type Places = ReturnType<typeof createPlaces>;

/**
 * The requests to one service that this process has room for: `underWayMax` at once, and as many waiting as `inFlightMax` leaves.
 * No company has more than half of either, and while others send requests too, no more than an eighth of those under way. Those that
 * wait take turns by company: whoever sends slow requests, or does not read the responses, waits for itself.
 */
export function createPlaces(options: {
  service: ServiceName;
  underWayMax: number;
  inFlightMax: number;
  /** How long a request may wait for a place. */
  waitMaxMs: number;
}) {
  const inFlightMax = options.inFlightMax;
  const underWayMax = Math.min(options.underWayMax, inFlightMax);
  const inFlightShare = Math.ceil(inFlightMax / 2);
  let lastCompany: string | undefined;
  let contendedUntilMs = 0;
  /** Those with requests in flight; whoever was given a place last comes last. */
  const queues = new Map<string, Queue>();
  let underWay = 0;
  let inFlight = 0;

  const underWayShare = (): number => Math.ceil(underWayMax / (performance.now() < contendedUntilMs ? 8 : 2));

  function busy(): PlatformError {
    return serviceBusy(options.service);
  }

  /** Starts those that wait, one of each company in turn, as far as there are places. */
  function startWaiting(): void {
    const share = underWayShare();
    // A company that is served goes to the end of the map, and so comes again in the same loop.
    for (const [company, queue] of queues) {
      if (underWay >= underWayMax) return;
      if (queue.underWay >= share) continue;
      const start = queue.waiting.shift();
      if (start === undefined) continue;
      queues.delete(company);
      queues.set(company, queue);
      start();
    }
  }

  return {
    /**
     * Calls `start` when there is a place for a request of `company`: at once, if there is one now; with SERVICE_UNAVAILABLE when too
     * many wait already, or it has waited too long. The place is free again when `response` has been read by its client, or the
     * client is gone.
     */
    take(company: string, response: ServerResponse, start: (error?: PlatformError) => void): void {
      if (response.closed) {
        // The client left before: nothing would tell when its place is free again.
        start();
        return;
      }
      const queue = queues.get(company) ?? { underWay: 0, waiting: [] };
      if (inFlight >= inFlightMax || queue.underWay + queue.waiting.length >= inFlightShare) {
        start(busy());
        return;
      }
      queues.set(company, queue);
      inFlight += 1;
      lastCompany ??= company;
      if (company !== lastCompany) {
        lastCompany = company;
        contendedUntilMs = performance.now() + CONTENDED_MS;
      }
      let started = false;
      let timer: NodeJS.Timeout | undefined;
      const begin = (): void => {
        clearTimeout(timer);
        started = true;
        underWay += 1;
        queue.underWay += 1;
        start();
      };
      const leave = (): void => {
        clearTimeout(timer);
        const at = queue.waiting.indexOf(begin);
        if (at !== -1) queue.waiting.splice(at, 1);
      };
      response.once('close', () => {
        inFlight -= 1;
        if (started) {
          underWay -= 1;
          queue.underWay -= 1;
        } else leave();
        if (queue.underWay + queue.waiting.length === 0) queues.delete(company);
        startWaiting();
      });
      queue.waiting.push(begin);
      startWaiting();
      if (started) return;
      timer = setTimeout(() => {
        leave();
        start(busy());
      }, options.waitMaxMs);
    },
  };
}
