import type { ServerResponse } from 'node:http';
import { PlatformError, serviceBusy, type ServiceName } from '@event-commerce/contracts';

/** A company's requests to one service. */
interface Queue {
  inFlight: number;
  small: Lane;
  large: Lane;
  /** The large requests that the service has not responded to yet. */
  largeAtWork: number;
}

/** Small requests, or large ones. They do not wait for each other. */
interface Lane {
  /** How many places they have. */
  taken: number;
  waiting: QueuedRequest[];
}

/** A request that waits for places, or has them. */
interface QueuedRequest {
  company: string;
  queue: Queue;
  lane: Lane;
  /** How many places it takes, if that is known by now. */
  wanted: () => number | undefined;
  start: () => void;
  /** How many places it has; 0 while it waits. */
  places: number;
  waitTimer?: NodeJS.Timeout;
  isAnswered?: true;
  /** Its client has the response, or has disconnected. */
  isClosed?: true;
  /** What is to happen at its end; undefined after that. */
  atEnd: (() => void)[] | undefined;
  /** Set while the service works on it, if it is a large one. */
  atWork?: { sinceMs: number; timer: NodeJS.Timeout } | undefined;
}

/** A company counts as present for this long after its last request. */
const CONTENDED_MS = 1_000;
/**
 * While others send requests too, a service rests from the large requests of a company for as long as the last one
 * took, but at least for this time for each of its places.
 */
const REST_MS = 4;
const REST_MAX_MS = 50;
/** A large request that takes longer waits for something else, and no longer holds up those behind it. */
const AT_WORK_MAX_MS = 250;

export type Places = ReturnType<typeof createPlaces>;

/** The places of one request. */
export interface HeldPlaces {
  /**
   * To be called when the service has responded, or failed: a client that reads slowly keeps only the places, and one
   * that has disconnected keeps them until then. `places` is how many it turned out to need, if that is known.
   */
  answered: (places?: number) => void;
  /** Calls `then` once neither the client nor the service has anything of the request any more. */
  whenEnded: (then: () => void) => void;
}

/**
 * Admits requests to one service: there are `placesMax` places, and `inFlightMax` requests may have one or wait for
 * one. No company gets more than half of either. While others send requests too, it gets an eighth of the places for
 * its small requests and as many for its large ones, and of the large ones the service works on one at a time, with a
 * rest after each. No request takes more than that eighth. Companies that wait take turns, so large and slow requests
 * and unread responses delay only their own company.
 */
export function createPlaces(options: {
  service: ServiceName;
  placesMax: number;
  inFlightMax: number;
  /** How long a request may wait for a place. */
  waitMaxMs: number;
}) {
  const { service, inFlightMax, waitMaxMs } = options;
  const placesMax = Math.min(options.placesMax, inFlightMax);
  const inFlightShare = Math.ceil(inFlightMax / 2);
  const shareBesideOthers = Math.ceil(placesMax / 8);
  // Beside others, two requests of which nothing is known may be under way: eight first pages of 1 MiB kept a service
  // busy for a second.
  const unknownPlaces = Math.ceil(shareBesideOthers / 2);
  let lastCompany: string | undefined;
  let isContended = false;
  /** Refreshed whenever another company sends a request. */
  const contention = setTimeout(() => {
    isContended = false;
    startWaiting();
  }, CONTENDED_MS).unref();
  /** The queues of companies with requests in flight. The company that got a place last comes last. */
  const queues = new Map<string, Queue>();
  /** The companies from whose large requests the service rests. */
  const resting = new Set<string>();
  let placesTaken = 0;
  let inFlight = 0;

  /** Starts waiting requests, one of each company in turn, while there are places. */
  function startWaiting(): void {
    const share = isContended ? shareBesideOthers : Math.ceil(placesMax / 2);
    const fits = ({ taken, waiting: [next] }: Lane): boolean =>
      next !== undefined && (taken === 0 || taken + placesOf(next) <= share);
    // A company that is served moves to the end of the map, so the same loop reaches it again.
    for (const [company, queue] of queues) {
      if (placesTaken >= placesMax) return;
      const lane = [queue.small, queue.large].find(
        (one) => fits(one) && (one === queue.small || mayStartLarge(company, queue)),
      );
      const next = lane?.waiting.shift();
      if (next === undefined) continue;
      queues.delete(company);
      queues.set(company, queue);
      begin(next, placesOf(next));
    }
  }

  function placesOf({ wanted }: QueuedRequest): number {
    return Math.min(wanted() ?? unknownPlaces, shareBesideOthers);
  }

  function mayStartLarge(company: string, { largeAtWork }: Queue): boolean {
    return !isContended || (largeAtWork === 0 && !resting.has(company));
  }

  function rest(company: string, ms: number): void {
    resting.add(company);
    setTimeout(
      () => {
        resting.delete(company);
        startWaiting();
      },
      Math.min(ms, REST_MAX_MS),
    ).unref();
  }

  function begin(request: QueuedRequest, places: number): void {
    clearTimeout(request.waitTimer);
    const { queue, lane, start } = request;
    request.places = places;
    placesTaken += places;
    lane.taken += places;
    if (lane === queue.large) {
      const timer = setTimeout(() => noteAnswered(request), AT_WORK_MAX_MS);
      request.atWork = { sinceMs: performance.now(), timer };
      queue.largeAtWork += 1;
    }
    start();
  }

  function noteAnswered(request: QueuedRequest, places = request.places): void {
    const { company, queue, atWork } = request;
    if (atWork === undefined) return;
    clearTimeout(atWork.timer);
    request.atWork = undefined;
    queue.largeAtWork -= 1;
    if (isContended) rest(company, Math.max(performance.now() - atWork.sinceMs, places * REST_MS));
    else startWaiting();
  }

  function stopWaiting(request: QueuedRequest): void {
    clearTimeout(request.waitTimer);
    const { waiting } = request.lane;
    const at = waiting.indexOf(request);
    if (at !== -1) waiting.splice(at, 1);
  }

  /**
   * Ends a request whose client has the response, or has disconnected: not while the service works on it, which it does
   * for a client that has disconnected too.
   */
  function endIfOver(request: QueuedRequest): void {
    const { company, queue, lane, places, isAnswered, isClosed, atEnd } = request;
    if (atEnd === undefined || !isClosed || (places > 0 && !isAnswered)) return;
    request.atEnd = undefined;
    inFlight -= 1;
    queue.inFlight -= 1;
    placesTaken -= places;
    lane.taken -= places;
    if (places === 0) stopWaiting(request);
    if (queue.inFlight === 0) queues.delete(company);
    noteAnswered(request);
    for (const then of atEnd) then();
    startWaiting();
  }

  return {
    /**
     * Calls `start` with the places once the request has them: synchronously if they are free now; without places, and
     * with SERVICE_UNAVAILABLE, if too many wait already, or it has waited too long. `wanted` returns how many it takes,
     * if that is known by now, and is called whenever it may start. They are free again when the client has read
     * `response` or disconnected, and the service has answered. A request whose client has already disconnected is
     * refused: nobody wants it.
     */
    take(
      company: string,
      { isLarge, wanted }: { isLarge: boolean; wanted: () => number | undefined },
      response: ServerResponse,
      start: (places: HeldPlaces | null, error?: PlatformError) => void,
    ): void {
      if (response.closed) {
        start(null, new PlatformError('BAD_REQUEST', 'The client disconnected before its request was forwarded.'));
        return;
      }
      const queue = queues.get(company) ?? { inFlight: 0, small: newLane(), large: newLane(), largeAtWork: 0 };
      if (inFlight >= inFlightMax || queue.inFlight >= inFlightShare) {
        start(null, serviceBusy(service));
        return;
      }
      queues.set(company, queue);
      inFlight += 1;
      queue.inFlight += 1;
      lastCompany ??= company;
      if (company !== lastCompany) {
        lastCompany = company;
        isContended = true;
        contention.refresh();
      }
      const lane = isLarge ? queue.large : queue.small;
      const held: HeldPlaces = {
        answered: (of) => {
          request.isAnswered = true;
          noteAnswered(request, of);
          endIfOver(request);
        },
        whenEnded: (then) => {
          if (request.atEnd === undefined) then();
          else request.atEnd.push(then);
        },
      };
      const request: QueuedRequest = { company, queue, lane, wanted, start: () => start(held), places: 0, atEnd: [] };
      response.once('close', () => {
        request.isClosed = true;
        endIfOver(request);
      });
      lane.waiting.push(request);
      startWaiting();
      if (request.places === 0) {
        request.waitTimer = setTimeout(() => {
          stopWaiting(request);
          start(null, serviceBusy(service));
        }, waitMaxMs);
      }
    },
  };
}

function newLane(): Lane {
  return { taken: 0, waiting: [] };
}
