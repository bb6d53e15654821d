import { setImmediate as turn } from 'node:timers/promises';
import { keyOfTenant, tenantOf } from '@event-commerce/contracts';
import type { Relay } from '@event-commerce/outbox';
import { createLogger } from '@event-commerce/service-kit';
import { newCompanyId, newDatabase, proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import { positionOf } from '../src/log/domain/position.ts';
import { termsOf } from '../src/log/domain/terms.ts';
import { logRepository } from '../src/log/log.repository.ts';
import { type ActivityModels, activityModels, type EntryDocument, type WebhookDocument } from '../src/models.ts';
import { attemptSlots } from '../src/webhooks/attempt-slots.ts';
import { type DeliverDeps, webhookDelivery } from '../src/webhooks/deliver-to-webhook.ts';
import { deliveryRepository } from '../src/webhooks/delivery.repository.ts';
import { DOWN_AFTER_FAILURES } from '../src/webhooks/domain/retries.ts';
import { sealWith } from '../src/seal.ts';
import type { WebhookSender } from '../src/webhooks/send-webhook.ts';
import { webhookRepository } from '../src/webhooks/webhook.repository.ts';

let models: ActivityModels;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = activityModels(connection);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  return drop;
});

/** How an attempt ends. `lost`: the event arrives, and the response does not. `hang`: until the process ends. */
type Fate = 'well' | 'fail' | 'lost' | 'hang';

interface Life {
  /** The use of the database at which the process dies. */
  diesAt: number;
  /** Whether that use still takes effect. */
  isDone: boolean;
  /** Whether a second process delivers at the same time. */
  isTwice: boolean;
}

interface Plan {
  /** The subjects of the events that are there first, and of those that come one by one, as numbers. */
  first: number[];
  later: number[];
  fates: Fate[];
  /** How often attempts for the first subject fail in addition. */
  poison: number;
  lives: Life[];
}

const SUBJECTS = 4;
const subject = fc.nat({ max: SUBJECTS - 1 });
const plan: fc.Arbitrary<Plan> = fc.record({
  first: fc.array(subject, { maxLength: 25 }),
  later: fc.array(subject, { maxLength: 20 }),
  fates: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('well' as const) },
      { weight: 3, arbitrary: fc.constant('fail' as const) },
      { weight: 1, arbitrary: fc.constantFrom('lost' as const, 'hang' as const) },
    ),
    { maxLength: 60 },
  ),
  poison: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  lives: fc.array(
    fc.record({
      diesAt: fc.integer({ min: 1, max: 60 }),
      isDone: fc.boolean(),
      isTwice: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
    { maxLength: 6 },
  ),
});

/** Events that always fail, while others arrive. */
const GIVING_UP: Plan = {
  first: [0, 1, 0, 2, 3],
  later: Array.from({ length: 20 }, (_, n) => 1 + (n % 3)),
  fates: [],
  poison: 1_000,
  lives: [],
};

let lastSeq = 0;

/** One of two processes has nothing to do while the other one has just found an event. */
const ONE_IDLE: Plan = {
  first: [],
  later: [0],
  fates: [],
  poison: 0,
  lives: [{ diesAt: 9, isDone: false, isTwice: true }],
};

/** Carries out a plan until nothing is left to send, and returns what happened. */
async function carryOut({ first, later, fates, poison, lives }: Plan) {
  const tenant = tenantOf({ companyId: newCompanyId(), environment: 'live' });
  let skippedMs = 0;
  const clock = () => new Date(Date.now() + skippedMs);
  const log = logRepository(models);
  const deliveries = deliveryRepository(models, clock);
  const relay = { publish: () => undefined } as unknown as Relay<WebhookDocument>;
  const webhooks = webhookRepository(models, relay, clock);

  const entries: EntryDocument[] = [];
  const append = async (subjects: readonly number[]) => {
    const added = subjects.map((n): EntryDocument => {
      const seq = ++lastSeq;
      const about = { type: seq % 5 === 0 ? 'coupon.updated' : 'order.updated', subject: `subject ${n}`, related: [] };
      return {
        ...about,
        _id: `event-${seq}`,
        companyId: tenant,
        environment: 'live',
        position: positionOf(1, seq),
        terms: termsOf(about),
        at: clock(),
        data: '{}',
        bytes: 2,
      };
    });
    entries.push(...added);
    await log.append(added, { position: positionOf(1, lastSeq), streamCreated: 'once' }, clock());
  };
  await log.setHead({ position: positionOf(1, lastSeq), streamCreated: 'once' });
  const webhookId = `whk_${keyOfTenant(tenant)}`;
  const { _id: id } = (await webhooks.create(
    { tenant } as Parameters<typeof webhooks.create>[0],
    webhookId,
    { url: 'https://example.com', types: ['order.*'], status: 'active', wants: ['kind order'] },
    { secret: { sealed: sealWith(KEY).seal('whsec_AAAA', webhookId) }, position: positionOf(1, lastSeq) },
  )) as WebhookDocument;
  await append(first);

  /** What the endpoint received, in this order, and what it acknowledged. */
  const received: string[] = [];
  const acknowledged = new Set<string>();
  let failuresInRow = 0;

  /** One process, or two at once, until it dies, hangs or has nothing left to do. */
  const live = async ({ diesAt, isDone, isTwice }: Life): Promise<'ended' | 'idle'> => {
    const webhook = (await webhooks.find(tenant, id)) as WebhookDocument;
    const stop = new AbortController();
    const { promise: idle, resolve: becomesIdle } = Promise.withResolvers<'idle'>();
    const ended = new Promise<'ended'>((resolve) => stop.signal.addEventListener('abort', () => resolve('ended')));
    if (webhook.failingSince !== undefined) failuresInRow = DOWN_AFTER_FAILURES;

    let uses = 0;
    const mortal = <T extends object>(repository: T): T =>
      new Proxy(repository, {
        get: (target, method) => {
          const act = target[method as keyof T] as (...args: unknown[]) => unknown;
          // This only makes a document, without using the database.
          if (method === 'unarrived') return act;
          return async (...args: unknown[]) => {
            uses += 1;
            if (uses === diesAt && isDone) await act.apply(target, args);
            if (uses >= diesAt) {
              stop.abort();
              throw new Error('killed');
            }
            return await act.apply(target, args);
          };
        },
      });

    const sender: Pick<WebhookSender, 'send'> = {
      async send(_, message, { stopped } = {}) {
        const outcome = { attempt: { at: clock().toISOString(), durationMs: 1 }, isGone: false };
        const failed = { ...outcome, succeeded: false };
        if (stopped?.aborted) return failed;
        const isPoison = message.subject === 'subject 0' && poison-- > 0;
        const fate = isPoison ? 'fail' : (fates.shift() ?? 'well');
        if (fate === 'well' || fate === 'lost') received.push(message.id);
        if (fate === 'hang') {
          setTimeout(() => stop.abort(), 5);
          await ended;
          return failed;
        }
        for (let n = 0; n < message.id.length % 3; n++) await turn();
        if (fate === 'well') {
          failuresInRow = 0;
          acknowledged.add(message.id);
          return { ...outcome, succeeded: true };
        }
        failuresInRow += 1;
        // One that is down is probed after a second at the earliest, or at once by another process.
        if (failuresInRow > DOWN_AFTER_FAILURES) setTimeout(() => stop.abort(), 5);
        return failed;
      },
    };
    const processes = isTwice ? 2 : 1;
    let waiting = 0;
    const wake = {
      grownTo: () => 0,
      async after() {
        const dueAt = await deliveries.nextDueAt(id);
        const next = later.shift();
        if (next !== undefined) await append([next]);
        if (dueAt !== undefined) skippedMs += Math.max(0, dueAt.getTime() - clock().getTime());
        if (next !== undefined || dueAt !== undefined) return;
        // The other one may still be delivering.
        waiting += 1;
        if (waiting === processes) becomesIdle('idle');
        await ended;
      },
    };
    const deps: DeliverDeps = {
      log: mortal(log),
      webhooks: mortal(webhooks),
      deliveries: mortal(deliveries),
      sender: sender as WebhookSender,
      seal: sealWith(KEY),
      slots: attemptSlots({ max: 16, maxOfCompany: 8 }),
      clock,
      logger: createLogger({ service: 'test', level: 'silent' }),
    };
    const running = Array.from({ length: processes }, async () =>
      webhookDelivery(deps, webhook, wake).run(stop.signal),
    );
    const how = await Promise.race([idle, ended]);
    stop.abort();
    await Promise.all(running);
    return how;
  };

  const stored = async () =>
    new Map((await models.deliveries.find({ webhookId: id })).map((one) => [one.eventId, one]));
  const wanted = () => entries.filter(({ type }) => type === 'order.updated');

  /** Everything up to the cursor has arrived, or has a document. */
  const judgeCursor = async (): Promise<void> => {
    const documents = await stored();
    const cursor = (await webhooks.find(tenant, id))?.cursor ?? 0;
    const lost = wanted().filter(
      ({ _id, position }) => position <= cursor && !acknowledged.has(_id) && !documents.has(_id),
    );
    expect(lost.map(({ _id }) => _id)).toEqual([]);
  };

  for (let how = 'ended'; how === 'ended';) {
    how = await live(lives.shift() ?? { diesAt: Infinity, isDone: false, isTwice: false });
    await judgeCursor();
    if (lives.length > 0) how = 'ended';
  }
  return { wanted: wanted(), received, acknowledged, stored: await stored() };
}

const KEY = Buffer.alloc(32, 1);

test('whatever fails, hangs or dies, events arrive in order for each subject, and each arrives or is given up', async () => {
  let parked = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (one) => {
      const seen = await carryOut(structuredClone(one));
      const { wanted, received, acknowledged, stored } = seen;
      const isParked = ({ _id }: EntryDocument) => stored.get(_id)?.status === 'parked';
      parked += wanted.filter(isParked).length;
      expect(wanted.filter((entry) => !acknowledged.has(entry._id) && !isParked(entry))).toEqual([]);
      const firstArrivals = [...new Set(received)];
      for (const [, entries] of Map.groupBy(wanted, (entry) => entry.subject)) {
        const inLog = entries.map(({ _id }) => _id);
        const arrived = firstArrivals.filter((id) => inLog.includes(id));
        expect(arrived).toEqual(inLog.filter((id) => arrived.includes(id)));
      }
      expect(firstArrivals.filter((id) => !wanted.some(({ _id }) => _id === id))).toEqual([]);
    }),
    { numRuns: proofSize(8, 25), examples: [[GIVING_UP], [ONE_IDLE]] },
  );
  expect(parked, 'events that were given up').toBeGreaterThan(0);
}, 300_000);
