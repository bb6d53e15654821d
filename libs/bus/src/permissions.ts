import {
  CONSUMERS,
  DOMAIN_EVENTS,
  PROCESSES,
  type ProcessName,
  RPC,
  type RpcEndpoint,
  subjectsOf,
} from '@event-commerce/contracts';
import { BROADCAST, BROADCAST_LISTENERS } from './broadcast.ts';
import { durableName, inboxPrefixOf } from './names.ts';
import { readerName } from './read-events.ts';
import { DEAD_LETTER_PREFIX, DEAD_LETTER_STREAM, EVENT_STREAM } from './stream-settings.ts';

/**
 * The subjects that a process may publish to and subscribe to; `subject queue` allows a subject only as a member of
 * that group.
 */
interface Permissions {
  publish: string[];
  subscribe: string[];
}

/** The process that keeps the log of everything that happens. */
const LOG_KEEPER: ProcessName = 'activity';

/**
 * What `process` may do at the broker, and no more. Follows from who calls what (`RPC`), who consumes which events
 * (`CONSUMERS`) and who listens to which notices (`BROADCAST_LISTENERS`). In addition it may reply once to each message
 * it receives. A process may create a missing stream, so that a deleted one is recreated. Only the operator may change,
 * empty or delete one, and read messages without a consumer.
 */
export function permissionsOf(process: ProcessName): Permissions {
  const consumers = Object.entries(CONSUMERS).filter(([, consumer]) => consumer.process === process);
  const durables = consumers.flatMap(([name, { types }]) =>
    types.map((type) => ({ durable: durableName(name, type), subject: subjectsOf(type, process) })),
  );
  const endpoints: RpcEndpoint[] = Object.values(RPC);
  const notices = Object.entries(BROADCAST) as [keyof typeof BROADCAST, string][];
  const sends = Object.values(DOMAIN_EVENTS).some(({ service }) => service === process);
  return {
    publish: [
      ...(sends ? [`domain.${process}.>`] : []),
      ...consumers.map(([name]) => `${DEAD_LETTER_PREFIX}.${name}`),
      ...endpoints.filter(({ callers }) => callers.includes(process)).map(({ subject }) => subject),
      ...notices.filter(([, subject]) => subject.startsWith(`broadcast.${process}.`)).map(([, subject]) => subject),
      ...[EVENT_STREAM, DEAD_LETTER_STREAM].flatMap((stream) => [
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.STREAM.CREATE.${stream}`,
      ]),
      ...durables.flatMap(({ durable, subject }) => [
        `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.${subject}`,
        `$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${durable}`,
        `$JS.ACK.${EVENT_STREAM}.${durable}.>`,
        // The form of brokers with a JetStream domain: with the domain and the account.
        `$JS.ACK.*.*.${EVENT_STREAM}.${durable}.>`,
      ]),
      // The log keeper reads every event, and acknowledges none.
      ...(process === LOG_KEEPER
        ? [
            `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${readerName(process)}.domain.>`,
            `$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.${readerName(process)}`,
            `$JS.API.CONSUMER.INFO.${EVENT_STREAM}.${readerName(process)}`,
            `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${readerName(process)}`,
          ]
        : []),
    ],
    subscribe: [
      `${inboxPrefixOf(process)}.>`,
      ...endpoints
        .filter(({ subject }) => subject.startsWith(`rpc.${process}.`))
        .map(({ subject }) => `${subject} ${process}`),
      ...notices.filter(([notice]) => BROADCAST_LISTENERS[notice].includes(process)).map(([, subject]) => subject),
    ],
  };
}

/** The permissions of all processes as NATS configuration: one variable each, for `permissions: $MAY_CART`. */
export function natsPermissions(): string {
  const list = (subjects: string[]) => subjects.map((subject) => `\n    ${JSON.stringify(subject)}`).join('');
  const blocks = PROCESSES.map((process) => {
    const { publish, subscribe } = permissionsOf(process);
    const lines = [
      `  publish: [${list(publish)}\n  ]`,
      `  subscribe: [${list(subscribe)}\n  ]`,
      '  allow_responses: true',
    ];
    return `MAY_${process.toUpperCase()} {\n${lines.join('\n')}\n}\n`;
  });
  return [
    '# What each process may do at NATS. Made from libs/bus/src/permissions.ts: `npx vitest run permissions.test --update` writes it.\n',
    ...blocks,
  ].join('\n');
}
