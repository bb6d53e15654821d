import { setImmediate as turn } from 'node:timers/promises';
import {
  CONSUMERS,
  DOMAIN_EVENTS,
  PROCESSES,
  type ProcessName,
  RPC,
  subjectOf,
  subjectsOf,
} from '@event-commerce/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { noteRefusals, type Refusals, tableOf } from './refusal-table.ts';
import { urlAsProcess } from '../../deploy/local/users.ts';
import {
  connectBus,
  DEAD_LETTER_STREAM,
  durableName,
  ensureStreams,
  EVENT_STREAM,
  inboxPrefixOf,
  permissionsOf,
} from '../../libs/bus/src/index.ts';

/** A broker that the environment named has its own users, if any. */
const OUR_BROKER = inject('natsUrls').length > 1;

/** What a compromised process might try: the subjects to publish to, and those to subscribe to. */
interface Attempt {
  what: string;
  publish?: (as: ProcessName) => string[];
  subscribe?: (as: ProcessName) => string[];
}

const endpoints = Object.values(RPC);
const durables = Object.entries(CONSUMERS).flatMap(([name, { process, types }]) =>
  types.map((type) => ({ process, subject: subjectsOf(type, process), durable: durableName(name, type) })),
);
const foreign = <T extends { process: ProcessName }>(all: T[], as: ProcessName) =>
  all.filter((one) => one.process !== as);
const others = (as: ProcessName) => PROCESSES.filter((name) => name !== as);
const STREAMS = [EVENT_STREAM, DEAD_LETTER_STREAM];

const ATTEMPTS: Attempt[] = [
  {
    what: "publish another's domain events",
    publish: (as) =>
      Object.keys(DOMAIN_EVENTS)
        .map((type) => subjectOf(type as keyof typeof DOMAIN_EVENTS))
        .filter((subject) => !subject.startsWith(`domain.${as}.`)),
  },
  {
    what: "send another's notices",
    publish: (as) => others(as).map((name) => `broadcast.${name}.anything`),
  },
  {
    what: "park events as another's consumer",
    publish: (as) =>
      Object.entries(CONSUMERS).flatMap(([name, { process }]) => (process === as ? [] : `dead-letter.${name}`)),
  },
  {
    what: 'send requests it never needs',
    publish: (as) =>
      endpoints
        .filter(({ callers }) => !(callers as readonly ProcessName[]).includes(as))
        .map(({ subject }) => subject),
  },
  {
    what: 'reply in the name of another',
    subscribe: (as) => endpoints.map(({ subject }) => subject).filter((subject) => !subject.startsWith(`rpc.${as}.`)),
  },
  {
    what: 'intercept requests for another of its replicas',
    subscribe: (as) => endpoints.map(({ subject }) => subject).filter((subject) => subject.startsWith(`rpc.${as}.`)),
  },
  {
    what: 'read the inboxes of others',
    subscribe: (as) => ['_INBOX.>', ...others(as).map((name) => `${inboxPrefixOf(name)}.>`)],
  },
  { what: 'hear everything', subscribe: () => ['>', '*.>', 'rpc.>', 'domain.>', '$JS.>', '$SYS.>'] },
  {
    what: 'write into the inboxes of others',
    publish: (as) => others(as).map((name) => `${inboxPrefixOf(name)}.abc.1`),
  },
  {
    what: 'change, empty or delete a stream',
    publish: () =>
      STREAMS.flatMap((stream) =>
        [
          'STREAM.UPDATE',
          'STREAM.PURGE',
          'STREAM.DELETE',
          'STREAM.MSG.DELETE',
          'STREAM.SNAPSHOT',
          'STREAM.RESTORE',
        ].map((call) => `$JS.API.${call}.${stream}`),
      ),
  },
  {
    what: 'create a stream of its own',
    publish: () => ['$JS.API.STREAM.CREATE.MINE', '$JS.API.STREAM.CREATE.KV_MINE'],
  },
  {
    what: 'read messages past the consumers',
    publish: () =>
      STREAMS.flatMap((stream) => [
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}.domain.commerce.order.placed`,
      ]),
  },
  {
    what: 'create a consumer of its own',
    publish: () =>
      STREAMS.flatMap((stream) => [
        `$JS.API.CONSUMER.CREATE.${stream}`,
        `$JS.API.CONSUMER.CREATE.${stream}.mine`,
        `$JS.API.CONSUMER.CREATE.${stream}.mine.domain.>`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.mine`,
      ]),
  },
  {
    what: 'make its consumer follow other events',
    publish: (as) =>
      durables.flatMap(({ process, durable }) =>
        process === as
          ? [
              `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}`,
              `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.domain.>`,
            ]
          : [],
      ),
  },
  {
    what: "use another's consumer",
    publish: (as) =>
      foreign(durables, as).flatMap(({ durable, subject }) => [
        `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.${subject}`,
        `$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`,
        `$JS.ACK.${EVENT_STREAM}.${durable}.1.1.1.1.0`,
      ]),
  },
  {
    what: 'delete or pause a consumer',
    publish: () =>
      durables.flatMap(({ durable }) =>
        ['DELETE', 'PAUSE'].map((call) => `$JS.API.CONSUMER.${call}.${EVENT_STREAM}.${durable}`),
      ),
  },
  {
    what: 'look around',
    publish: () => [
      '$JS.API.INFO',
      '$JS.API.STREAM.NAMES',
      '$JS.API.STREAM.LIST',
      `$JS.API.CONSUMER.NAMES.${EVENT_STREAM}`,
      '$SYS.REQ.SERVER.PING',
    ],
  },
];

const refusals: Refusals = new Map();

describe.runIf(OUR_BROKER)('a compromised process', () => {
  const logger = pino({ level: 'silent' });
  const operatorUrl = natsUrlOfThisFile();
  const connections = new Map<ProcessName, { nats: NatsConnection; violations: PermissionViolationError[] }>();
  let operator: Awaited<ReturnType<typeof connectBus>>;

  beforeAll(async () => {
    operator = await connectBus({ url: operatorUrl, name: 'operator', logger });
    await ensureStreams(operator, 1);
    for (const name of PROCESSES) {
      const { username: user, password: pass, host: servers } = new URL(urlAsProcess(operatorUrl, name));
      const nats = await connect({ servers, user, pass, inboxPrefix: inboxPrefixOf(name) });
      const violations: PermissionViolationError[] = [];
      connections.set(name, { nats, violations });
      void (async () => {
        for await (const status of nats.status()) {
          if (status.type === 'error' && status.error instanceof PermissionViolationError)
            violations.push(status.error);
        }
      })();
    }
  });

  afterAll(async () => {
    await Promise.all([...connections.values()].map(({ nats }) => nats.close()));
    await operator?.close();
    process.stdout.write(tableOf('Attempts refused by the broker, by process:', refusals));
  });

  describe.each(PROCESSES)('%s', (as) => {
    test.each(ATTEMPTS)('is not allowed to $what', async ({ what, publish = () => [], subscribe = () => [] }) => {
      const { nats, violations } = connections.get(as) as {
        nats: NatsConnection;
        violations: PermissionViolationError[];
      };
      violations.length = 0;
      const wanted = [
        ...publish(as).map((subject) => `publish ${subject}`),
        ...subscribe(as).map((subject) => `subscription ${subject}`),
      ];
      for (const subject of publish(as)) nats.publish(subject, '{}');
      // Rejects when it is refused.
      for (const subject of subscribe(as)) nats.subscribe(subject, { callback: () => {} });
      await allRefusals(nats);
      const refused = violations.map(({ operation, subject }) => `${operation} ${subject}`);
      expect(refused.toSorted()).toEqual(wanted.toSorted());
      noteRefusals(refusals, what, as, wanted.length);
    });

    test('may subscribe to what it needs', async () => {
      const { nats, violations } = connections.get(as) as {
        nats: NatsConnection;
        violations: PermissionViolationError[];
      };
      violations.length = 0;
      for (const allowed of permissionsOf(as).subscribe) {
        const [subject = '', queue] = allowed.split(' ');
        nats.subscribe(subject, { ...(queue === undefined ? {} : { queue }), callback: () => {} }).unsubscribe();
      }
      await allRefusals(nats);
      expect(violations).toEqual([]);
    });
  });

  test('cannot make its consumer follow other events by naming them only in the body', async () => {
    const { nats } = connections.get('cart') as { nats: NatsConnection };
    const own = durables.find(({ process }) => process === 'cart');
    const config = { durable_name: own?.durable, ack_policy: 'explicit', filter_subject: 'domain.>' };
    const body = JSON.stringify({ stream_name: EVENT_STREAM, config });
    const reply = await nats.request(`$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${own?.durable}.${own?.subject}`, body);
    expect(reply.json()).toMatchObject({ error: { code: 400 } });
  });

  test('leaves the streams as they were, and no consumer', async () => {
    const manager = await jetstreamManager(operator.nats);
    const streams = await manager.streams.list().next();
    expect(streams.map(({ config }) => config.name).toSorted()).toEqual(STREAMS.toSorted());
    for (const { state } of streams) expect(state).toMatchObject({ messages: 0, consumer_count: 0 });
  });
});

/** The broker reports a refusal before it replies to this; the listener hears of it one turn later. */
async function allRefusals(nats: NatsConnection): Promise<void> {
  await nats.flush();
  await turn();
}
