import { randomBytes } from 'node:crypto';
import { DEAD_LETTERS_KEPT_MS, EVENTS_KEPT_MS } from '@event-commerce/bus';
import {
  companyIdOf,
  type CustomerIdentity,
  customerHasPendingOrders,
  type EraseCustomerReply,
  type Erasure,
  type ErasureFound,
  erasureNotFound,
  type ErasureRemains,
  keyOfTenant,
  RPC,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type CallAsProcess,
  type Caller,
  jobsOn,
  type JobState,
  type JobStep,
  type Logger,
  newId,
} from '@event-commerce/service-kit';
import { BEGINNING } from '../log/domain/position.ts';
import type { LogRepository } from '../log/log.repository.ts';
import type { ActivityModels, ErasureDocument, ErasureInput, ErasureProgress } from '../models.ts';
import type { Seal } from '../seal.ts';
import type { LogEraser } from './erase-from-log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 90 * DAY_MS;
/** How long commerce keeps what failed attempts at orders held. */
const ATTEMPTS_KEPT_MS = 15 * 60 * 1000;
/** How long a request waits for its erasure to end. */
const WAIT_MS = 4_000;
/** How soon a service that has to wait is asked again. */
const AGAIN_AFTER_MS = 250;

/** Where a customer is erased, in this order: the log comes last, because the others publish what it keeps. */
const PARTS = [
  'orders',
  'carts',
  'groups',
  'redemptions',
  'activity',
] as const satisfies readonly (keyof ErasureFound)[];
type Part = (typeof PARTS)[number];

const ENDPOINTS = {
  orders: RPC.eraseFromOrders,
  carts: RPC.eraseFromCarts,
  groups: RPC.eraseFromGroups,
  redemptions: RPC.eraseFromRedemptions,
} as const;

export interface EraseDeps {
  log: LogRepository;
  seal: Seal;
  callAsProcess: CallAsProcess;
  eraseFromLog: LogEraser;
  clock: () => Date;
  logger: Logger;
}

export type Erasures = ReturnType<typeof createErasures>;

/** The erasures of customers: each asks one service after the other to erase, page by page. */
export function createErasures(
  { erasures: model }: Pick<ActivityModels, 'erasures'>,
  relay: Relay<ErasureDocument>,
  { log, seal, callAsProcess, eraseFromLog, clock, logger }: EraseDeps,
) {
  const erasePage = async (
    { id, tenant, input, progress: { pseudonym } }: JobState<ErasureInput, ErasureProgress>,
    part: Part,
    place: string,
  ): Promise<EraseCustomerReply> => {
    const customer = JSON.parse(seal.open(input.sealed, id)) as CustomerIdentity;
    const { startedAt, cause } = input;
    if (part === 'activity') return await eraseFromLog(tenant, { ids: customer.ids, pseudonym, startedAt }, place);
    const request = { tenant: keyOfTenant(tenant), customer, pseudonym, place, cause };
    return await callAsProcess(ENDPOINTS[part], request, `erase-${id}`);
  };

  const step = async (
    job: JobState<ErasureInput, ErasureProgress>,
  ): Promise<JobStep<ErasureProgress, ErasureRemains[]>> => {
    const [part, place] = partAndPlace(job.place);
    const { found, next, waits } = await erasePage(job, part, place);
    const counted = { ...job.progress.found, [part]: job.progress.found[part] + found };
    const progress = { ...job.progress, found: counted };
    if (next !== undefined) {
      return { place: `${part} ${next}`, progress, ...(waits === undefined ? {} : { afterMs: AGAIN_AFTER_MS }) };
    }
    const nextPart = PARTS[PARTS.indexOf(part) + 1];
    if (nextPart !== undefined) return { place: `${nextPart} `, progress };
    const now = clock();
    return { progress, result: remainsAfter(now), entry: outboxEntry('customer.erased', now, job.input.cause) };
  };

  const jobs = jobsOn({ name: 'erasing customers', model, relay, step, keptMs: KEPT_MS, clock, logger });

  return {
    loop: jobs.loop,

    /**
     * Erases the customer with this id or address; it may still run when this returns.
     *
     * @throws {PlatformError} CUSTOMER_HAS_PENDING_ORDERS
     */
    async start({ tenant, attempt, keyId, keyName, requestId }: Caller, customerId: string): Promise<Erasure> {
      const asked = { tenant: keyOfTenant(tenant), id: customerId };
      const { customer, pendingOrders } = await callAsProcess(RPC.findCustomer, asked, requestId);
      if (pendingOrders.length > 0) throw customerHasPendingOrders(pendingOrders);
      const id = attempt === undefined ? newId('ers') : `ers_${attempt.idSuffix}`;
      const startedAt = (await log.head())?.position ?? BEGINNING;
      const cause = { keyId, requestId, ...(keyName === undefined ? {} : { keyName }) };
      await jobs.start(id, tenant, {
        input: { sealed: seal.seal(JSON.stringify(customer), id), startedAt, cause },
        progress: {
          pseudonym: `erased_${randomBytes(16).toString('hex')}`,
          found: { orders: 0, carts: 0, groups: 0, redemptions: 0, activity: 0 },
        },
      });
      return shown(await jobs.settled(tenant, id, WAIT_MS), id);
    },

    /** @throws {PlatformError} ERASURE_NOT_FOUND */
    async find(tenant: Tenant, id: string): Promise<Erasure> {
      return shown(await jobs.find(tenant, id), id);
    },
  };
}

/** `PART PLACE`, or nothing at the beginning. */
function partAndPlace(place: string): [Part, string] {
  const part = PARTS.find((one) => place.startsWith(`${one} `)) ?? 'orders';
  return [part, place.slice(part.length + 1)];
}

/** What still names the customer after the last page, and until when. */
function remainsAfter(now: Date): ErasureRemains[] {
  const inMs = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return [
    { where: 'order-attempts', until: inMs(ATTEMPTS_KEPT_MS) },
    { where: 'event-stream', until: inMs(EVENTS_KEPT_MS) },
    { where: 'dead-letters', until: inMs(DEAD_LETTERS_KEPT_MS) },
  ];
}

function shown(job: ErasureDocument | undefined, id: string): Erasure {
  if (job === undefined) throw erasureNotFound(id);
  const { status, progress, result = [], created } = job;
  return { id, status, ...progress, remains: result, created: created.toISOString() };
}

/** The event of an erasure that is done. */
export function erasureEvent(entry: OutboxEntry, { _id, companyId, progress }: ErasureDocument) {
  return domainEvent(entry as OutboxEntry & { type: 'customer.erased' }, {
    subject: _id,
    tenant: companyId,
    data: { id: _id, companyId: companyIdOf(companyId), ...progress },
  });
}
