import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { until } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode, orderBody, type Reply } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Company, type Services, startServices } from '../harness/services.ts';

// What each operation of a purchase costs when nothing else happens: the commands that each service sends to its
// database, and what passes through the broker, until everything that follows from it is done. A change that adds one
// shows here. Under load most of them are shared by many operations.

/** Commands by service; requests between services, events, and deliveries of events to consumers. */
const COSTS = `
evaluate: pricing 1, request 1
cart change: cart 3, pricing 1, request 1, event 1
order of nothing scarce: commerce 4, events 1, pricing 1, request 2, event 1
order of a counted ticket: commerce 4, events 7, pricing 1, request 2, event 1, delivery 1
order with a redemption: commerce 4, events 1, pricing 7, request 2, event 2, delivery 2
pending order of both: commerce 4, events 7, pricing 6, request 2, event 1, delivery 2
evaluate with a budget: pricing 2, request 1
order that draws on a budget: commerce 4, events 1, pricing 10, request 2, event 2, delivery 2
confirming it: commerce 4, events 8, pricing 5, request 1, event 2, delivery 3
purchase: a new cart: cart 4, pricing 1, request 1, event 1
purchase: its coupon: cart 3, pricing 2, request 1, event 1
purchase: its order: cart 4, commerce 6, events 7, pricing 7, request 4, event 3, delivery 4
`;

/** The most that one replica of each service sends a minute while nothing happens, and pauses still grow. */
const AT_REST = { activity: 600, cart: 130, commerce: 150, events: 250, pricing: 190, upkeep: 400 };

/** How many more records of each kind there are when what is read at rest is measured again. */
const MANY = 10_000;
/** The largest collections, each with what differs between two records of it. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  'commerce orders': ['orderNumber'],
  'cart sessions': ['sessionId'],
  'events events': [],
  'events offerings': ['offeringId'],
  'events tickets': ['orderId'],
  'pricing redemptions': ['orderId'],
  'activity entries': [],
};
/** How much longer the fastest of some reads may take then: other work on the machine slows down most of them. */
const LONGER_MAX_MS = 10;
const TIMES = 8;

/** Longer than anything waits to share a message or a command with others. */
const QUIET_MS = 800;
/** How long to watch what is done without a cause: some of it is done every ten seconds. */
const REST_MS = 11_000;

type Counts = Map<string, number>;
/** All services but that of the log, which follows in batches of its own. */
const SERVICES = ['cart', 'commerce', 'events', 'pricing'] as const;
const MESSAGES = ['request', 'event', 'delivery', 'notice'] as const;

let services: Services;
let nats: NatsConnection;
let counts: Counts = new Map();
let lastMs = 0;
let atRest: Counts;
/** What is read at rest, each command once. */
const readAtRest = new Map<string, { database: mongoose.Connection; command: mongoose.mongo.Document }>();

beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 1, cart: 1, events: 1, activity: 1 },
    env: (service) => ({ MONGO_URL: withParameter(inject('mongoUrlOf')[service], 'monitorCommands=true') }),
  });
  const known = new Set<string>();
  let learning = true;
  const countCommand = ({ databaseName, command }: mongoose.mongo.CommandStartedEvent): void => {
    const service = databaseName.slice(services.prefix.length + 1);
    const shape = `${service} ${shapeOf(command)}`;
    if (learning) {
      known.add(shape);
      const { lsid: _lsid, $clusterTime: _time, $db: _db, ...plain } = command;
      if ('find' in command) readAtRest.set(shape, { database: databaseOf(service), command: plain });
    }
    if (learning || !known.has(shape)) count(service);
  };
  for (const connection of mongoose.connections.filter(({ name }) => name?.startsWith(services.prefix))) {
    const client = connection.getClient();
    if (client.options.monitorCommands) client.on('commandStarted', countCommand);
  }
  nats = await listen((kind) => count(kind));
  await delay(REST_MS);
  atRest = counts;
  counts = new Map();
  learning = false;
});
afterAll(async () => {
  await nats?.close();
  await services?.stop();
});

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
  if (what !== 'activity' && what !== 'upkeep') lastMs = performance.now();
}

/** What `operation` and everything that follows from it cost, while what it needs is still in memory. */
async function costOf(operation: () => Promise<unknown>): Promise<string> {
  for (let times = 0; times < 2; times++) await operation();
  await quiet();
  counts = new Map();
  await operation();
  await quiet();
  return [...SERVICES, ...MESSAGES]
    .filter((what) => counts.has(what))
    .map((what) => `${what} ${counts.get(what)}`)
    .join(', ');
}

async function quiet(): Promise<void> {
  lastMs = performance.now();
  await until('nothing happens any more', 20_000, async () => performance.now() - lastMs > QUIET_MS);
}

test('an operation of a purchase sends these commands and messages, and no more', async () => {
  const company = services.newCompany();
  const sale = await createSale(company);
  const budgeted = await createBudgeted();
  await quiet();
  const order = (changes: Record<string, unknown>) => async (): Promise<string> => {
    const reply = await company.commerce.post('/orders', orderBody(company.companyId, changes));
    return created(reply).order.id;
  };
  const ofTicket = { contextId: sale.eventId, items: [{ offeringId: sale.offeringId, quantity: 1 }] };
  const pending = { expiresInSeconds: 3_600 };
  const held = { ...ofTicket, coupons: [sale.code], ...pending };
  const waiting = [await order(held)(), await order(held)(), await order(held)()];
  const cart = `cs-${randomUUID()}`;
  const carts = Array.from({ length: 3 }, () => `cs-${randomUUID()}`);
  /** The next of them, for each step of a purchase. */
  const inTurn = () => {
    let n = 0;
    return () => carts[n++] as string;
  };
  const [newCart, withoutCoupon, withCoupon] = [inTurn(), inTurn(), inTurn()];
  const operations: Record<string, () => Promise<unknown>> = {
    evaluate: async () => call(services.bus, RPC.evaluate, evaluationBody() as never, company.context()),
    'cart change': async () =>
      created(
        await company.cart.post(`/cart/sessions/${cart}/item`, { offeringId: 'off_1', quantity: 1, price: 5000 }),
      ),
    'order of nothing scarce': order({}),
    'order of a counted ticket': order(ofTicket),
    'order with a redemption': order({ coupons: [sale.openCode] }),
    'pending order of both': order(held),
    'evaluate with a budget': async () =>
      call(services.bus, RPC.evaluate, evaluationBody() as never, budgeted.context()),
    'order that draws on a budget': async () =>
      created(await budgeted.commerce.post('/orders', orderBody(budgeted.companyId))),
    'confirming it': async () => created(await company.commerce.post(`/orders/${waiting.pop()}/confirm`, {})),
    'purchase: a new cart': async () =>
      created(
        await company.cart.post(`/cart/sessions/${newCart()}/item`, { offeringId: sale.offeringId, quantity: 1 }),
      ),
    'purchase: its coupon': async () =>
      created(await company.cart.patch(`/cart/sessions/${withoutCoupon()}`, { coupons: [sale.code] })),
    'purchase: its order': async () =>
      order({ contextId: sale.eventId, items: undefined, cartSessionId: withCoupon() })(),
  };
  const lines: string[] = [];
  for (const [name, operation] of Object.entries(operations)) lines.push(`${name}: ${await costOf(operation)}`);
  expect(lines.join('\n')).toBe(COSTS.trim());
});

test('at rest, hardly anything is sent', () => {
  const perMinute = (what: string) => Math.round(((atRest.get(what) ?? 0) * 60_000) / REST_MS);
  const tooMany = Object.entries(AT_REST).filter(([what, max]) => perMinute(what) > max);
  expect(tooMany.map(([what, max]) => `${what}: ${perMinute(what)}, not ${max}`)).toEqual([]);
});

test('what is read at rest takes no longer because there are many records that do not concern it', async () => {
  expect(readAtRest.size).toBeGreaterThan(20);
  const before = await fastestReads();
  for (const [name, differing] of Object.entries(GROWING)) await multiply(name, differing);
  const slower = [...(await fastestReads())].flatMap(([shape, ms]) => {
    const few = before.get(shape) ?? 0;
    return ms <= few + LONGER_MAX_MS ? [] : [`${shape}: ${ms.toFixed(1)} ms, not ${few.toFixed(1)}`];
  });
  expect(slower).toEqual([]);
});

/** How long the fastest of some runs of each read takes, ms. */
async function fastestReads(): Promise<Map<string, number>> {
  const fastest = new Map<string, number>();
  for (const [shape, { database, command }] of readAtRest) {
    for (let times = 0; times < TIMES; times++) {
      const sentMs = performance.now();
      await database.db?.command(command);
      fastest.set(shape, Math.min(performance.now() - sentMs, fastest.get(shape) ?? Infinity));
    }
  }
  return fastest;
}

function databaseOf(service: string): mongoose.Connection {
  const found = mongoose.connections.find(({ name }) => name === `${services.prefix}_${service}`);
  if (found === undefined) throw new Error(`no database of ${service}`);
  return found;
}

/** Writes MANY copies of a record of a collection, each with values of its own in `differing`. */
async function multiply(name: string, differing: readonly string[]): Promise<void> {
  const [service, collection] = name.split(' ') as [string, string];
  const documents = databaseOf(service).collection<{ _id: string }>(collection);
  const like = await documents.findOne({ status: { $nin: ['pending', 'held'] }, pendingAmendment: { $exists: false } });
  if (like === null) throw new Error(`no ${name}`);
  for (let done = 0; done < MANY; done += 1_000) {
    const copies = Array.from({ length: 1_000 }, () => {
      const own = randomUUID();
      return { ...like, _id: like._id + own, ...Object.fromEntries(differing.map((field) => [field, own])) };
    });
    await documents.insertMany(copies, { ordered: false });
  }
}

/** A sale of an event that counts its tickets, with a coupon of its own, and one for every event. */
async function createSale({ commerce, events, pricing }: Company) {
  const event = created(await events.post('/events', { name: 'Gala', capacity: 1_000 }));
  const price = { amount: 5000, currency: 'EUR' };
  const offering = created(
    await events.post(`/events/${event.id}/offerings`, { name: 'Ticket', price, capacity: 1_000 }),
  );
  const [code, openCode] = [newCode(), newCode()];
  created(await commerce.post('/coupons', { code, percentOff: 20, limit: 1_000, contextIds: [event.id] }));
  created(
    await pricing.post(
      '/pricing/adjustments',
      adjustmentBody(openCode, { conditions: { code: openCode, maxRedemptions: 1_000 } }),
    ),
  );
  return { eventId: event.id as string, offeringId: offering.id as string, code, openCode };
}

/** A company with a discount for every event that draws on a budget. */
async function createBudgeted(): Promise<Company> {
  const company = services.newCompany();
  const limit = { amount: 100_000_000, currency: 'EUR' };
  const { id: budgetId } = created(await company.pricing.post('/pricing/budgets', { name: 'Summer', limit }));
  const effect = { kind: 'percentage_off', percent: 10 };
  const targets = [{ urn: 'urn:v1::events:event/*' }];
  created(await company.pricing.post('/pricing/adjustments', { targets, conditions: { budgetId }, effect }));
  return company;
}

function created({ status, body }: Reply): any {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** Reports the kind of each message that the broker passes on, once for each receiver. */
async function listen(tell: (kind: string) => void): Promise<NatsConnection> {
  const { host, username, password } = new URL(natsUrlOfThisFile());
  const listener = await connect({ servers: host, ...(username === '' ? {} : { user: username, pass: password }) });
  listener.subscribe('>', { callback: (_error, message) => tell(kindOf(message)) });
  await listener.flush();
  return listener;
}

/** Each reply and acknowledgement answers one message. Pulls and heartbeats follow the clock. */
function kindOf({ subject, reply = '' }: Msg): string {
  if (subject.startsWith('domain.')) {
    if (!reply.startsWith('$JS.ACK')) return 'event';
    return reply.includes('activity-reader') ? 'activity' : 'delivery';
  }
  if (subject.startsWith('rpc.')) return 'request';
  if (subject.startsWith('broadcast.')) return 'notice';
  return 'upkeep';
}

/** The command without its values. */
function shapeOf(command: object): string {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape).slice(0, 1);
    if (value === null || typeof value !== 'object' || '_bsontype' in value || value instanceof Date) return 0;
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shape(of)]));
  };
  const { lsid: _lsid, txnNumber: _txnNumber, $clusterTime: _time, ...rest } = command as Record<string, unknown>;
  const [name = '', of] = Object.entries(rest)[0] ?? [];
  return `${name} ${String(of)} ${JSON.stringify(shape(rest))}`;
}

function withParameter(url: string, parameter: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${parameter}`;
}
