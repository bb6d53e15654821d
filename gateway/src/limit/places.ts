import type { ServerResponse } from 'node:http';
import { PlatformError, type ServiceName } from '@event-commerce/contracts';

/** A company's requests to one service. */
interface Queue {
  underWay: number;
  waiting: (() => void)[];
}

export type Places = ReturnType<typeof createPlaces>;

/**
 * The requests to one service that this process has room for: `underWayMax` at once, and as many waiting as `inFlightMax` leaves.
 * No company has more than half of either, and those that wait take turns by company: a company that sends slow requests, or does
 * not read its answers, waits for itself.
 */
export function createPlaces(options: { service: ServiceName; underWayMax: number; inFlightMax: number }) {
  const inFlightMax = options.inFlightMax;
  const underWayMax = Math.min(options.underWayMax, inFlightMax);
  const share = (max: number): number => Math.ceil(max / 2);
  /** Those with requests in flight; whoever was given a place last comes last. */
  const queues = new Map<string, Queue>();
  let underWay = 0;
  let inFlight = 0;

  function next(): void {
    if (underWay >= underWayMax) return;
    for (const [company, queue] of queues) {
      if (queue.underWay >= share(underWayMax)) continue;
      const start = queue.waiting.shift();
      if (start === undefined) continue;
      queues.delete(company);
      queues.set(company, queue);
      start();
      return;
    }
  }

  return {
    /**
     * Calls `start` when there is a place for a request of `company`: at once, if there is one now. The place is free again when
     * `response` has been read by its client, or the client is gone.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE when too many wait already
     */
    take(company: string, response: ServerResponse, start: () => void): void {
      const queue = queues.get(company) ?? { underWay: 0, waiting: [] };
      if (inFlight >= inFlightMax || queue.underWay + queue.waiting.length >= share(inFlightMax)) {
        throw new PlatformError('SERVICE_UNAVAILABLE', `The ${options.service} service is busy; try again shortly.`, {
          retryAfterSeconds: 1,
        });
      }
      queues.set(company, queue);
      inFlight += 1;
      let started = false;
      const begin = (): void => {
        started = true;
        underWay += 1;
        queue.underWay += 1;
        start();
      };
      response.once('close', () => {
        inFlight -= 1;
        if (started) {
          underWay -= 1;
          queue.underWay -= 1;
        } else queue.waiting.splice(queue.waiting.indexOf(begin), 1);
        if (queue.underWay + queue.waiting.length === 0) queues.delete(company);
        next();
      });
      if (underWay < underWayMax && queue.underWay < share(underWayMax)) begin();
      else queue.waiting.push(begin);
    },
  };
}
