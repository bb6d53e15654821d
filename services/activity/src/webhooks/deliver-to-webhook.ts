import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@event-commerce/service-kit';
import type { DeliveryDocument, EntryDocument, WebhookDocument } from '../models.ts';
import { type LogRepository, toMessage } from '../log/log.repository.ts';
import type { Position } from '../log/domain/position.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { Arrived, DeliveryRepository } from './delivery.repository.ts';
import { DOWN_AFTER_FAILURES, PAUSED_AFTER_MS, probeDelayMs, TOLD_AFTER_MS } from './domain/retries.ts';
import type { Seal } from '../seal.ts';
import type { Outcome, WebhookSender } from './send-webhook.ts';
import type { WebhookRepository } from './webhook.repository.ts';

/** How many subjects are sent at once. Events of one subject are sent one after another. */
const LANES = 8;
/** How many events are sent before the cursor is stored: as many are repeated if the process dies. */
const PAGE = 100;
/** While this many events are undelivered, no later ones are read. */
const OPEN_MAX = 1_000;
const WAIT_MAX_MS = 60_000;
const AGAIN_AFTER_MS = 1_000;

export interface DeliverDeps {
  log: LogRepository;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  sender: WebhookSender;
  seal: Seal;
  slots: AttemptSlots;
  clock: () => Date;
  logger: Logger;
}

/** What is sent next about one subject: earlier events that are due again come first. */
interface Lane {
  due: DeliveryDocument[];
  entries: EntryDocument[];
}

/**
 * Sends the events of one webhook, until `stopped`. Each event is sent until it arrives or is given up, in order within
 * its subject: what comes after an event that failed waits for it, and other subjects do not.
 *
 * Everything up to the cursor has arrived, or has a document that says what becomes of it. It is raised only after
 * those documents are stored, and never lowered: so a process that dies, or two that deliver at once, repeat events and
 * lose none.
 *
 * An endpoint that fails many times in a row is down: then the cursor stands, one event at a time probes whether it is
 * back, and no event loses attempts.
 */
export function webhookDelivery(deps: DeliverDeps, webhook: WebhookDocument, wake: Wake) {
  const { log, webhooks, deliveries, sender, slots, clock, logger } = deps;
  const { _id: id, companyId, wants } = webhook;
  const endpoint = { url: webhook.url, secrets: validSecrets(deps, webhook) };
  let { cursor } = webhook;
  let failingSince = webhook.failingSince;
  // One that was failing is probed first.
  let failuresInRow = failingSince === undefined ? 0 : DOWN_AFTER_FAILURES;
  let probes = 0;
  /** Whether there may be events after the cursor that the log no longer shows: not if it was read to its end. */
  let isBehind = true;
  const isDown = () => failuresInRow >= DOWN_AFTER_FAILURES;

  /** Undefined if it was stopped and its outcome is unknown. */
  const attempt = async (entry: EntryDocument, stopped: AbortSignal): Promise<Outcome | undefined> => {
    const outcome = await slots.during(companyId, async () => sender.send(endpoint, toMessage(entry), { stopped }));
    if (stopped.aborted && !outcome.succeeded) return undefined;
    if (outcome.succeeded) {
      failuresInRow = 0;
      probes = 0;
      if (failingSince !== undefined) {
        failingSince = undefined;
        await webhooks.noteSuccess(id);
      }
    } else {
      failuresInRow += 1;
      if (failingSince === undefined) {
        failingSince = clock();
        await webhooks.noteFailing(id, failingSince);
      }
      if (outcome.isGone) await webhooks.pause(id, 'The endpoint responded 410: it is gone for good.');
    }
    return outcome;
  };

  /** The entry of a delivery; undefined if the log no longer has it. */
  const entryOf = async ({ eventId, companyId: tenant }: DeliveryDocument) => log.find(tenant, eventId);

  const retry = async (due: DeliveryDocument, stopped: AbortSignal): Promise<boolean> => {
    const entry = await entryOf(due);
    if (entry === undefined) {
      // It was forgotten: there is nothing left to send.
      await deliveries.arrived(due, { at: clock().toISOString(), durationMs: 0 });
      return true;
    }
    const outcome = await attempt(entry, stopped);
    if (outcome?.succeeded) await deliveries.arrived(due, outcome.attempt);
    else if (outcome !== undefined && !isDown()) await deliveries.failed(due, outcome);
    return outcome?.succeeded === true;
  };

  /**
   * Sends what is next, several subjects at once, and stores what became of it. Returns how many events did not arrive.
   */
  const sendRound = async (
    lanes: readonly Lane[],
    { blocked, upTo }: { blocked: Set<string>; upTo: Position },
    stopped: AbortSignal,
  ): Promise<number> => {
    const arrived: Arrived[] = [];
    const unarrived: DeliveryDocument[] = [];
    const untried: EntryDocument[] = [];
    const queue = lanes.values();
    const sendLane = async ({ due, entries }: Lane): Promise<void> => {
      for (const one of due) {
        if (stopped.aborted || isDown() || !(await retry(one, stopped))) break;
      }
      for (const entry of entries) {
        if (blocked.has(entry.subject)) {
          unarrived.push(deliveries.unarrived(webhook, entry));
        } else if (stopped.aborted || isDown()) {
          untried.push(entry);
        } else {
          const outcome = await attempt(entry, stopped);
          if (outcome?.succeeded) arrived.push({ entry, attempt: outcome.attempt });
          else if (outcome === undefined || isDown()) untried.push(entry);
          else {
            unarrived.push(deliveries.unarrived(webhook, entry, outcome));
            blocked.add(entry.subject);
          }
        }
      }
    };
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (const lane of queue) await sendLane(lane);
      }),
    );
    await deliveries.add(unarrived);
    await deliveries.addArrived(webhook, arrived);
    const reached = Math.min(upTo, ...untried.map(({ position }) => position - 1));
    if (reached > cursor) {
      cursor = reached;
      if (arrived.length + unarrived.length > 0) await webhooks.advance(id, cursor);
    }
    // Wakes the events that waited for what has just arrived.
    if (lanes.some(({ due }) => due.length > 0)) await deliveries.wake(id);
    return unarrived.length + untried.length;
  };

  /**
   * Sends one event to an endpoint that is down, a different one each time: events that it never takes must not hide
   * that it takes others. Returns how long to wait; 0 if it is back.
   */
  const probe = async (stopped: AbortSignal): Promise<number> => {
    const [allDue, { found }] = await Promise.all([deliveries.due(id, PAGE, { always: true }), nextEntries(PAGE)]);
    const blocked = await deliveries.openSubjects(id, subjectsOf(found));
    const fresh = found.find(({ subject }) => !blocked.has(subject));
    const candidates: { entry?: EntryDocument; due?: DeliveryDocument }[] = [
      ...(fresh === undefined ? [] : [{ entry: fresh }]),
      ...allDue.map((one) => ({ due: one })),
    ];
    const { entry, due } = candidates[probes % candidates.length] ?? {};
    const next = due === undefined ? entry : await entryOf(due);
    if (next === undefined) {
      if (due !== undefined) await retry(due, stopped);
      // Nothing waits: the next event shows whether it is back.
      failuresInRow = 0;
      return 0;
    }
    const outcome = await attempt(next, stopped);
    if (outcome === undefined) return 0;
    if (outcome.succeeded) {
      if (due !== undefined) {
        await deliveries.arrived(due, outcome.attempt);
        await deliveries.wake(id);
      }
      // Any event but the first is repeated in its turn.
      if (entry !== undefined && entry === found[0]) {
        await deliveries.addArrived(webhook, [{ entry, attempt: outcome.attempt }]);
        cursor = entry.position;
        await webhooks.advance(id, cursor);
      }
      return 0;
    }
    await giveUpAfterLong();
    probes += 1;
    return probeDelayMs(probes);
  };

  const giveUpAfterLong = async (): Promise<void> => {
    if (failingSince === undefined) return;
    const failingMs = clock().getTime() - failingSince.getTime();
    if (failingMs > PAUSED_AFTER_MS) await webhooks.pause(id, 'No delivery succeeded for 72 hours.');
    else if (failingMs > TOLD_AFTER_MS) await webhooks.tellFailing(id);
  };

  const nextEntries = async (limit: number): Promise<{ found: EntryDocument[]; upTo: Position }> => {
    const grownTo = wake.grownTo();
    const [head, forgottenTo] = await Promise.all([
      grownTo > cursor ? grownTo : log.head().then((at) => at?.position ?? cursor),
      isBehind ? log.forgottenTo(companyId) : cursor,
    ]);
    const span = { after: Math.max(cursor, forgottenTo), upTo: head };
    const found = await log.read(companyId, { terms: [wants] }, span, { limit, direction: 'oldest-first' });
    isBehind = isDown() || found.length === limit;
    return { found, upTo: found.length === limit ? (found.at(-1)?.position ?? span.upTo) : span.upTo };
  };

  const round = async (stopped: AbortSignal): Promise<void> => {
    if (isDown()) {
      const waitMs = await probe(stopped);
      if (waitMs > 0) await delay(waitMs, undefined, { signal: stopped });
      return;
    }
    // Nearly always 0, and then nothing else is read about deliveries.
    const open = await deliveries.countOpen(id);
    const due = open === 0 ? [] : await deliveries.due(id, PAGE);
    // What waited for an event that a caller sent again, or that arrived just before the process died.
    if (open > 0 && due.length === 0 && (await deliveries.wake(id)) > 0) return;
    const { found, upTo } = open >= OPEN_MAX ? { found: [], upTo: cursor } : await nextEntries(PAGE);
    if (due.length === 0 && found.length === 0) {
      cursor = Math.max(cursor, upTo);
      const dueAt = open === 0 ? undefined : await deliveries.nextDueAt(id);
      const waitMs = Math.min(WAIT_MAX_MS, dueAt === undefined ? WAIT_MAX_MS : dueAt.getTime() - clock().getTime());
      await wake.after(cursor, Math.max(0, waitMs), stopped);
      return;
    }
    const blocked = open === 0 ? new Set<string>() : await deliveries.openSubjects(id, subjectsOf(found));
    const lanes = new Map<string, Lane>();
    const laneOf = (subject: string) => {
      const lane = lanes.get(subject) ?? { due: [], entries: [] };
      lanes.set(subject, lane);
      return lane;
    };
    for (const one of due) laneOf(one.subject).due.push(one);
    for (const entry of found) laneOf(entry.subject).entries.push(entry);
    const left = await sendRound([...lanes.values()], { blocked, upTo }, stopped);
    // Otherwise another round would read as much only to find nothing.
    if (open === 0 && left === 0 && found.length < PAGE) await wake.after(cursor, WAIT_MAX_MS, stopped);
  };

  return {
    async run(stopped: AbortSignal): Promise<void> {
      while (!stopped.aborted) {
        try {
          await round(stopped);
        } catch (err) {
          if (stopped.aborted) return;
          logger.warn({ err, webhookId: id }, 'delivering to a webhook failed; it is tried again');
          await delay(AGAIN_AFTER_MS, undefined, { signal: stopped }).catch(() => undefined);
        }
      }
    },
  };
}

function subjectsOf(entries: readonly EntryDocument[]): string[] {
  return entries.map(({ subject }) => subject);
}

/** The growth of the company's log. */
export interface Wake {
  /** How far it is known to reach; 0 if that is not known. */
  grownTo: () => Position;
  /** Waits until it may have grown beyond `position`. */
  after: (position: Position, waitMs: number, stopped: AbortSignal) => Promise<void>;
}

/** The secrets that sign now, newest first. */
export function validSecrets({ seal, clock }: Pick<DeliverDeps, 'seal' | 'clock'>, { _id, secrets }: WebhookDocument) {
  const now = clock();
  return secrets
    .filter(({ validUntil }) => validUntil === undefined || validUntil > now)
    .map(({ sealed }) => seal.open(sealed, _id));
}
