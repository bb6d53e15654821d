import {
  type CallOff,
  type CallOffInput,
  callOffNotFound,
  callOffRunning,
  type Cause,
  companyIdOf,
  type DomainEvent,
  invalidInput,
  keyOfTenant,
  OFFERINGS_OF_EVENT_MAX,
  RPC,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type CallAsProcess,
  type Caller,
  collectionOf,
  type IfMatch,
  jobsOn,
  type JobState,
  type JobStep,
  type Logger,
  newId,
  refuseOtherVersion,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import type { EventRecord, StoredCallOff } from '../events/domain/event-record.ts';
import type { WriteEventDeps } from '../events/move-instance.ts';
import { findEvent } from '../events/read-events.ts';
import type {
  CallOffInput as CallOffWork,
  CallOffJob,
  CallOffProgress,
  CallOffResult,
  EventsModels,
} from '../models.ts';
import type { OfferingRepository } from '../offerings/offering.repository.ts';
import { poolIdOf, type TicketPools } from '../tickets/ticket-pools.ts';
import { allCounts, NOTHING } from './domain/call-off-counts.ts';

const KEPT_MS = 365 * 24 * 60 * 60 * 1_000;
/** How long a request waits for the orders to be dealt with. */
const WAIT_MS = 4_000;
/** After this, orders that are being placed are looked for again. */
const AGAIN_AFTER_MS = 200;
/** A job's place is empty while it waits for orders that are being placed; then it is this and commerce's place. */
const ORDERS = 'orders ';

interface Deps extends WriteEventDeps {
  offerings: Pick<OfferingRepository, 'idsOf'>;
  pools: Pick<TicketPools, 'havePending'>;
  /** Resolves once no order claims tickets of the event's pool under an earlier status. */
  followEvent: (event: EventRecord) => Promise<void>;
  callAsProcess: CallAsProcess;
  logger: Logger;
}

export type CallOffs = ReturnType<typeof callOffs>;

/**
 * Calls events off. The event's document says so first, with its status: that stops the sale. Then a job has commerce
 * deal with the orders, page by page. It begins when no claim on the event's tickets is pending, so every order that
 * got some is written by then.
 */
export function callOffs(deps: Deps, { callOffs: model }: Pick<EventsModels, 'callOffs'>, relay: Relay<CallOffJob>) {
  const { events, offerings, pools, callAsProcess, clock, logger } = deps;
  const stored = collectionOf(model);

  const step = async ({
    id,
    tenant,
    input: { eventId, undone, cause },
    place,
    progress,
  }: JobState<CallOffWork, CallOffProgress>): Promise<JobStep<CallOffProgress, CallOffResult>> => {
    const { reason, cancelOrders } = progress;
    const offeringIds = await offerings.idsOf(tenant, eventId, OFFERINGS_OF_EVENT_MAX);
    if (place === '' && undone === undefined) {
      const poolIds = [
        poolIdOf('event', tenant, eventId),
        ...offeringIds.map((one) => poolIdOf('offering', tenant, one)),
      ];
      const isWaiting = await pools.havePending(poolIds);
      return isWaiting ? { place, progress, afterMs: AGAIN_AFTER_MS } : { place: ORDERS, progress };
    }
    const mode = cancelOrders ? 'cancel' : 'list';
    const { counts, next, emails } = await callAsProcess(
      RPC.callOffOrders,
      {
        tenant: keyOfTenant(tenant),
        callOff: { id, reason },
        eventId,
        offeringIds,
        mode: undone === undefined ? mode : 'stop',
        place: place.slice(ORDERS.length),
        cause,
      },
      `call-off-${id}`,
    );
    const counted = { ...progress, report: allCounts([progress.report, counts]) };
    if (next !== undefined) return { place: `${ORDERS}${next}`, progress: counted };
    const report = { ...counted.report, ...(emails === undefined ? {} : { emails }) };
    if (undone !== undefined) {
      await restore({ tenant, ...undone }, eventId, id);
      return { progress: { ...counted, report }, result: { undone: true } };
    }
    const entry = outboxEntry('event.call_off_finished', clock(), cause);
    return { progress: { ...counted, report }, result: {}, entry };
  };

  const jobs = jobsOn({ name: 'calling off', model, relay, step, keptMs: KEPT_MS, clock, logger });

  const isRunning = async (tenant: Tenant, id: string): Promise<boolean> =>
    (await jobs.find(tenant, id))?.status !== 'done';

  /** Starts the job of a call-off. Safe to repeat. */
  const begin = async (
    tenant: Tenant,
    eventId: string,
    { id, reason, cancelOrders }: Pick<StoredCallOff, 'id' | 'reason' | 'cancelOrders'>,
    { keyId, keyName, requestId }: Cause,
  ): Promise<void> => {
    const cause = {
      ...(keyId === undefined ? {} : { keyId }),
      ...(keyName === undefined ? {} : { keyName }),
      ...(requestId === undefined ? {} : { requestId }),
    };
    await jobs.start(id, tenant, {
      input: { eventId, cause },
      progress: { eventId, reason, cancelOrders, report: NOTHING },
    });
  };

  /** Resolves once no process sells by an earlier state of the event. */
  const makeKnown = async (event: EventRecord): Promise<void> => {
    await deps.announceEvent(event);
    await deps.followEvent(event);
  };

  /** Gives an event the status that it had before its call-off. Safe to repeat. */
  const restore = async (writer: Writer, eventId: string, id: string): Promise<void> => {
    const restored = await events.changeInTurn(writer.tenant, eventId, async () => {
      const record = await findEvent(deps, writer.tenant, eventId);
      const { callOff, timesZone } = record;
      if (callOff?.id !== id) return record;
      const { status: _status, ...own } = record.own;
      const before = callOff.statusBefore === undefined ? {} : { status: callOff.statusBefore };
      const next = { own: { ...own, ...before }, timesZone, callOff: undefined };
      return await events.replaceOwn(writer, record, next, { type: 'event.call_off_undone', callOff }, clock());
    });
    await makeKnown(restored);
  };

  /** The last call-off of the event. @throws {PlatformError} EVENT_NOT_FOUND, CALL_OFF_NOT_FOUND */
  const last = async (tenant: Tenant, eventId: string): Promise<CallOff> => {
    const [found] = await stored
      .find({ companyId: tenant, 'progress.eventId': eventId })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    if (found !== undefined) return shown(found);
    await findEvent(deps, tenant, eventId);
    throw callOffNotFound(eventId);
  };

  const settled = async (tenant: Tenant, eventId: string, id: string): Promise<CallOff> => {
    const job = await jobs.settled(tenant, id, WAIT_MS);
    if (job === undefined) throw callOffNotFound(eventId);
    return shown(job);
  };

  return {
    loop: jobs.loop,
    begin,
    last,
    isRunning,

    /**
     * Calls an event off; its orders may still be dealt with when this returns.
     *
     * @throws {PlatformError} EVENT_NOT_FOUND, VERSION_CONFLICT, CALL_OFF_RUNNING; VALIDATION_FAILED for a series
     */
    async callOff(caller: Caller, eventId: string, input: CallOffInput, ifMatch: IfMatch): Promise<CallOff> {
      const { tenant, attempt } = caller;
      const own = attempt === undefined ? newId('cof') : `cof_${attempt.idSuffix}`;
      const { record, id } = await events.changeInTurn(tenant, eventId, async () => {
        const found = await findEvent(deps, tenant, eventId);
        if (wasChangedBy(caller, found)) return { record: found, id: own };
        refuseSeries(found);
        refuseOtherVersion(ifMatch, 'event', found.version);
        const earlier = found.callOff;
        if (earlier !== undefined) {
          if (earlier.cancelOrders || !input.cancelOrders) return { record: found, id: earlier.id };
          if (await isRunning(tenant, earlier.id)) throw callOffRunning(eventId);
        }
        if ((await offerings.idsOf(tenant, eventId, OFFERINGS_OF_EVENT_MAX + 1)).length > OFFERINGS_OF_EVENT_MAX) {
          const most = `at most ${OFFERINGS_OF_EVENT_MAX} offerings can be called off`;
          throw invalidInput(
            'id',
            `has more offerings, and an event with ${most}; set its status, and cancel its orders`,
          );
        }
        const { own: fields, timesZone } = found;
        const statusBefore = earlier === undefined ? fields.status : earlier.statusBefore;
        const now = clock();
        const callOff: StoredCallOff = {
          id: own,
          ...input,
          created: now.toISOString(),
          ...(statusBefore === undefined ? {} : { statusBefore }),
        };
        const next = { own: { ...fields, status: 'cancelled' as const }, timesZone, callOff };
        const called = await events.replaceOwn(caller, found, next, { type: 'event.called_off', callOff }, now);
        return called && { record: called, id: own };
      });
      await makeKnown(record);
      if (record.callOff?.id === id) await begin(tenant, eventId, record.callOff, caller);
      return await settled(tenant, eventId, id);
    },

    /**
     * Ends a call-off, and restores the event's previous status; a few last orders may still be dealt with when this
     * returns.
     *
     * @throws {PlatformError} EVENT_NOT_FOUND, CALL_OFF_NOT_FOUND, VERSION_CONFLICT
     */
    async undo(caller: Caller, eventId: string, ifMatch: IfMatch): Promise<CallOff> {
      const { tenant, keyId, keyName, requestId } = caller;
      const record = await findEvent(deps, tenant, eventId);
      if (!wasChangedBy(caller, record)) refuseOtherVersion(ifMatch, 'event', record.version);
      const { callOff } = record;
      if (callOff === undefined) {
        const ended = await last(tenant, eventId);
        if (ended.status === 'undone') return ended;
        throw callOffNotFound(eventId);
      }
      const { id } = callOff;
      await begin(tenant, eventId, callOff, caller);
      const undone = { keyId, requestId, ...(keyName === undefined ? {} : { keyName }) };
      await stored.updateOne({ _id: id, status: 'running' }, { $set: { 'input.undone': undone } });
      const ended = await settled(tenant, eventId, id);
      // All orders had been dealt with before.
      if (ended.status === 'done') {
        await restore(caller, eventId, id);
        await stored.updateOne({ _id: id, status: 'done' }, { $set: { 'result.undone': true } });
      }
      return await settled(tenant, eventId, id);
    },
  };
}

function refuseSeries({ id, kind }: EventRecord): void {
  if (kind !== 'series') return;
  const message = `is a series, which is called off date by date: GET /v1/events?seriesId=${id} lists its instances`;
  throw invalidInput('id', message);
}

function shown({ _id: id, status, progress, result, created }: CallOffJob): CallOff {
  const { eventId, reason, cancelOrders, report } = progress;
  return {
    id,
    eventId,
    status: result?.undone === true ? 'undone' : status,
    reason,
    cancelOrders,
    report,
    created: created.toISOString(),
  };
}

/** The event of a call-off that is done. */
export function callOffEvent(entry: OutboxEntry, { _id, companyId, progress }: CallOffJob): DomainEvent {
  const { eventId, reason, cancelOrders, report } = progress;
  return domainEvent(entry as OutboxEntry & { type: 'event.call_off_finished' }, {
    subject: eventId,
    tenant: companyId,
    data: { id: eventId, companyId: companyIdOf(companyId), callOff: { id: _id, reason, cancelOrders }, report },
  });
}
