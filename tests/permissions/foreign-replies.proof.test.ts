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
 * The broker lets the receiver of a message reply to whatever subject the message names. So processes reply only to
 * inboxes. Otherwise a sender could have them do what it may not do itself.
 */
describe.runIf(OUR_BROKER)('a process that names a JetStream call as the reply subject', () => {
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

  test('changes no stream with a request whose next part is to be sent there', async () => {
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

  test('changes no stream with a reply that says that its next part is there', async () => {
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

  test('changes no stream with a notice that is acknowledged there', async () => {
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
