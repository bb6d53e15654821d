import type { ServerResponse } from 'node:http';
import { type PlatformError, serviceBusy, type ServiceName } from '@event-commerce/contracts';

/** A company's requests to one service. */
interface Queue {
  inFlight: number;
  small: Lane;
  large: Lane;
  /** The large requests that the service has not responded to yet. */
  largeAtWork: number;
}

/** Requests that take one place, or those that take several or might. They do not wait for each other. */
interface Lane {
  /** The places that they have. */
  underWay: number;
  waiting: Waiting[];
}

interface Waiting {
  places: number;
  begin: () => void;
}

/** A company counts as present for this long after its last request. */
const CONTENDED_MS = 1_000;
/** While others send requests too, the large requests of a company start no faster than this for each place: 16 MiB/s. */
const PLACE_MS = 4;

export type Places = ReturnType<typeof createPlaces>;

/** The places of one request. */
export interface Taken {
  /** To be called when the service has responded: a client that reads slowly keeps only the places. */
  answered(): void;
}

const NOTHING_TAKEN: Taken = { answered() {} };

/**
 * Admits requests to one service: there are `underWayMax` places, and `inFlightMax` requests may have one or wait for
 * one. No company gets more than half of either. While others send requests too, it gets an eighth of the places for
 * its small requests and as many for its large ones, and of the large ones the service works on one at a time, started at
 * a limited rate. No request takes more than that eighth. Companies that wait take turns, so large and slow requests and
 * unread responses delay only their own company.
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
  const shareBesideOthers = Math.ceil(underWayMax / 8);
  let lastCompany: string | undefined;
  let contendedUntilMs = 0;
  /** Those with requests in flight; the one that got a place last is last. */
  const queues = new Map<string, Queue>();
  /** When companies whose large requests were started lately may start the next one. */
  const nextLargeAtMs = new Map<string, number>();
  let underWay = 0;
  let inFlight = 0;

  const isContended = (): boolean => performance.now() < contendedUntilMs;

  function busy(): PlatformError {
    return serviceBusy(options.service);
  }

  /** Starts waiting requests, one of each company in turn, while there are places. */
  function startWaiting(): void {
    const share = isContended() ? shareBesideOthers : Math.ceil(underWayMax / 2);
    const fits = ({ underWay: taken, waiting: [next] }: Lane): boolean =>
      next !== undefined && (taken === 0 || taken + next.places <= share);
    // A company that is served moves to the end of the map, so the same loop reaches it again.
    for (const [company, queue] of queues) {
      if (underWay >= underWayMax) return;
      const lane = [queue.small, queue.large].find(
        (one) => fits(one) && (one === queue.small || mayStartLarge(company, queue)),
      );
      const next = lane?.waiting.shift();
      if (next === undefined) continue;
      queues.delete(company);
      queues.set(company, queue);
      next.begin();
    }
  }

  function mayStartLarge(company: string, { largeAtWork }: Queue): boolean {
    if (!isContended()) return true;
    return largeAtWork === 0 && performance.now() >= (nextLargeAtMs.get(company) ?? 0);
  }

  function noteLarge(company: string, places: number): void {
    const now = performance.now();
    const nextAtMs = Math.max(now, nextLargeAtMs.get(company) ?? 0) + places * PLACE_MS;
    nextLargeAtMs.set(company, nextAtMs);
    setTimeout(() => {
      if (nextLargeAtMs.get(company) === nextAtMs) nextLargeAtMs.delete(company);
      startWaiting();
    }, nextAtMs - now).unref();
  }

  return {
    /**
     * Calls `start` when there are the `wanted` places for a request of `company`, of which undefined means that it is not
     * known whether it is large: synchronously if there are now; with
     * SERVICE_UNAVAILABLE if too many wait already, or it has waited too long. They are free again when the client has
     * read `response` or disconnected.
     */
    take(
      company: string,
      wanted: number | undefined,
      response: ServerResponse,
      start: (error?: PlatformError) => void,
    ): Taken {
      if (response.closed) {
        // The client has already disconnected: no event would free its place.
        start();
        return NOTHING_TAKEN;
      }
      const queue = queues.get(company) ?? { inFlight: 0, small: newLane(), large: newLane(), largeAtWork: 0 };
      const places = Math.min(wanted ?? 1, shareBesideOthers);
      const lane = wanted === 1 ? queue.small : queue.large;
      if (inFlight >= inFlightMax || queue.inFlight >= inFlightShare) {
        start(busy());
        return NOTHING_TAKEN;
      }
      queues.set(company, queue);
      inFlight += 1;
      queue.inFlight += 1;
      lastCompany ??= company;
      if (company !== lastCompany) {
        lastCompany = company;
        contendedUntilMs = performance.now() + CONTENDED_MS;
      }
      let started = false;
      let atWork = false;
      let timer: NodeJS.Timeout | undefined;
      const waiting: Waiting = {
        places,
        begin: () => {
          clearTimeout(timer);
          started = true;
          underWay += places;
          lane.underWay += places;
          if (lane === queue.large) {
            atWork = true;
            queue.largeAtWork += 1;
            noteLarge(company, places);
          }
          start();
        },
      };
      const answered = (): void => {
        if (!atWork) return;
        atWork = false;
        queue.largeAtWork -= 1;
        startWaiting();
      };
      const leave = (): void => {
        clearTimeout(timer);
        const at = lane.waiting.indexOf(waiting);
        if (at !== -1) lane.waiting.splice(at, 1);
      };
      response.once('close', () => {
        inFlight -= 1;
        queue.inFlight -= 1;
        if (started) {
          underWay -= places;
          lane.underWay -= places;
        } else leave();
        if (queue.inFlight === 0) queues.delete(company);
        answered();
        startWaiting();
      });
      lane.waiting.push(waiting);
      startWaiting();
      if (!started) {
        timer = setTimeout(() => {
          leave();
          start(busy());
        }, options.waitMaxMs);
      }
      return { answered };
    },
  };
}

function newLane(): Lane {
  return { underWay: 0, waiting: [] };
}
