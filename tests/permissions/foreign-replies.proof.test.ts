import { internalError, RPC } from '@event-commerce/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { urlAsProcess } from '../../deploy/local/users.ts';
import {
  BROADCAST,
  type BusConnection,
  connectBus,
  DEAD_LETTER_STREAM,
  ensureStreams,
  EVENT_STREAM,
  inboxPrefixOf,
  onBroadcast,
  requestRaw,
  serve,
} from '../../libs/bus/src/index.ts';

/** A broker that the environment named has its own users, if any. */
const OUR_BROKER = inject('natsUrls').length > 1;

/**
 * The broker lets whoever receives a message reply to it, to whatever subject it names. So nobody may reply elsewhere
 * than to an inbox: it would do, with its own permissions or those that the reply gives it, what the sender may not.
 */
describe.runIf(OUR_BROKER)('a process that has another reply to a call of JetStream', () => {
  const logger = pino({ level: 'silent' });
  const connected: BusConnection[] = [];
  const as = async (name: string) => {
    const url = name === 'operator' ? natsUrlOfThisFile() : urlAsProcess(natsUrlOfThisFile(), name as 'cart');
    const bus = await connectBus({ url, name, logger });
    connected.push(bus);
    return bus;
  };
  let operator: BusConnection;
  let events: BusConnection;
  beforeAll(async () => {
    operator = await as('operator');
    events = await as('events');
  });
  afterAll(async () => Promise.all(connected.map(async (bus) => bus.close())));
  beforeEach(async () => ensureStreams(operator, 1));

  const streams = async () => {
    const manager = await jetstreamManager(operator.nats);
    return (await manager.streams.list().next()).map(({ config }) => config.name).toSorted();
  };
  const CALLS = [`$JS.API.STREAM.DELETE.${EVENT_STREAM}`, `$JS.API.STREAM.DELETE.${DEAD_LETTER_STREAM}`];
  const STREAMS = [EVENT_STREAM, DEAD_LETTER_STREAM].toSorted();

  const connectRaw = async (name: 'cart' | 'events') => {
    const { username: user, password: pass, host: servers } = new URL(urlAsProcess(natsUrlOfThisFile(), name));
    return await connect({ servers, user, pass, inboxPrefix: inboxPrefixOf(name) });
  };

  test('by a request that asks for its next part there changes no stream', async () => {
    const handled: string[] = [];
    const options = { group: 'events', inFlightMax: 10, toPlatformError: internalError };
    const stop = serve(events, RPC.offerings, options, ({ body }) => {
      handled.push(Buffer.from(body).toString());
      return '{}';
    });
    await events.subscribed();
    const cart = await connectRaw('cart');
    for (const reply of CALLS) {
      const announcing = headers();
      announcing.set('body-bytes', '2');
      cart.publish(RPC.offerings.subject, '{', { reply, headers: announcing });
      cart.publish(RPC.offerings.subject, '', { reply });
    }
    // An honest request comes after all of them.
    const asked = await requestRaw(await as('cart'), RPC.offerings, '{"n":1}', {
      requestId: 'req_1',
      identityToken: '',
    });
    expect(asked.status).toBe(200);
    await stop();
    await cart.close();
    expect(handled).toEqual(['{"n":1}']);
    expect(await streams()).toEqual(STREAMS);
  });

  test('by a reply that says that more of it is there changes no stream', async () => {
    const responder = await connectRaw('events');
    responder.subscribe(RPC.offerings.subject, {
      queue: 'events',
      callback: (_, message) => {
        const announcing = headers();
        announcing.set('body-bytes', '2');
        message.respond('{', { reply: CALLS[0] ?? '', headers: announcing });
      },
    });
    await responder.flush();
    const asking = requestRaw(await as('cart'), RPC.offerings, '{}', { requestId: 'req_1', identityToken: '' });
    await expect(asking).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await responder.close();
    expect(await streams()).toEqual(STREAMS);
  });

  test('by a notice that is acknowledged there changes no stream', async () => {
    const pricing = await as('pricing');
    const heard: string[] = [];
    onBroadcast(pricing, BROADCAST.eventChanged, (payload) => heard.push(payload), '');
    await pricing.subscribed();
    const compromised = await connectRaw('events');
    for (const reply of CALLS) compromised.publish(BROADCAST.eventChanged, 'x', { reply });
    await compromised.flush();
    await expect.poll(() => heard).toHaveLength(2);
    await pricing.nats.flush();
    await compromised.close();
    expect(await streams()).toEqual(STREAMS);
  });
});
