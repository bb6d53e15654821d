import type { ServerResponse } from 'node:http';
import { type PlatformError, serviceBusy, type ServiceName } from '@event-commerce/contracts';

/** A company's requests to one service. */
interface Queue {
  underWay: number;
  waiting: (() => void)[];
}

/** A company counts as present for this long after its last request. */
const CONTENDED_MS = 1_000;

export type Places = ReturnType<typeof createPlaces>;

/**
 * Admits requests to one service: `underWayMax` in flight, and as many waiting as `inFlightMax` leaves. No company gets
 * more than half of either, nor more than an eighth of those in flight while others send requests too. Companies that
 * wait take turns, so slow requests and unread responses delay only their own company.
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
  /** Those with requests in flight; the one that got a place last is last. */
  const queues = new Map<string, Queue>();
  let underWay = 0;
  let inFlight = 0;

  const underWayShare = (): number => Math.ceil(underWayMax / (performance.now() < contendedUntilMs ? 8 : 2));

  function busy(): PlatformError {
    return serviceBusy(options.service);
  }

  /** Starts waiting requests, one of each company in turn, while there are places. */
  function startWaiting(): void {
    const share = underWayShare();
    // A company that is served moves to the end of the map, so the same loop reaches it again.
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
     * Calls `start` when there is a place for a request of `company`: synchronously if there is one now; with
     * SERVICE_UNAVAILABLE if too many wait already, or it has waited too long. The place is free again when the client
     * has read `response` or disconnected.
     */
    take(company: string, response: ServerResponse, start: (error?: PlatformError) => void): void {
      if (response.closed) {
        // The client has already disconnected: no event would free its place.
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
