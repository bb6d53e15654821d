import {
  cartEvaluation,
  cartLineEvaluation,
  codeResult,
  DOMAIN_EVENTS,
  type DomainEventType,
  droppedAdjustment,
  IDENTITY_HEADER,
  modifier,
  priceSummary,
  redemptionClaim,
  RPC,
  shownEffect,
  concernedBy,
  subjectOf,
  ticketClaim,
} from '@event-commerce/contracts';
import { z } from 'zod';
import { createSchema } from 'zod-openapi';
import { ABOUT } from './about.ts';
import { ERROR_SCHEMA } from './error-answers.ts';
import { eventData, eventMessage, schemaRef } from './event-messages.ts';
import { type JsonSchema, SCHEMA_OPTIONS } from './schema-options.ts';

/** Named, because several schemas contain each of them. */
const SHARED_SCHEMAS = [
  cartEvaluation,
  cartLineEvaluation,
  redemptionClaim,
  codeResult,
  droppedAdjustment,
  shownEffect,
  modifier,
  priceSummary,
  ticketClaim,
];

/**
 * The AsyncAPI 3 document of the bus: domain events, and requests between services. Its servers are those of a
 * deployment: see `asyncApiServers`.
 */
export function asyncApiDocument() {
  const events = Object.keys(DOMAIN_EVENTS) as DomainEventType[];
  const endpoints = Object.entries(RPC).map(([name, { request, reply, ...endpoint }]) => ({
    name,
    ...endpoint,
    request: idOf(request),
    reply: idOf(reply),
  }));
  const replyChannel = (subject: string) => `${subject}.reply`;
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Event Commerce: events and requests on the bus',
      version: '1.0.0',
      description: INTRODUCTION,
      ...ABOUT,
      tags: [
        { name: 'events', description: 'What happened, published by the service where it happened.' },
        { name: 'requests', description: 'What one service asks another.' },
      ],
    },
    defaultContentType: 'application/json',
    servers: {},
    channels: {
      ...Object.fromEntries(
        events.map((type) => [
          subjectOf(type),
          {
            address: [subjectOf(type), ...concernedBy(type).map((name) => `{${name}}`)].join('.'),
            ...parametersOf(type),
            description: `Published by the ${DOMAIN_EVENTS[type].service} service. Stored in the stream DOMAIN_EVENTS.`,
            messages: { event: { $ref: `#/components/messages/${type}` } },
          },
        ]),
      ),
      ...Object.fromEntries(
        endpoints.flatMap(({ subject, summary, request, reply }) => [
          [subject, { address: subject, description: summary, messages: refsTo(request) }],
          [
            replyChannel(subject),
            {
              address: null,
              description: 'The reply inbox of the request.',
              messages: refsTo(reply, 'Refusal'),
            },
          ],
        ]),
      ),
    },
    operations: {
      ...Object.fromEntries(
        events.map((type) => [
          `publish.${type}`,
          {
            action: 'send',
            description: `The ${DOMAIN_EVENTS[type].service} service publishes it after the change that it is about is stored, at least once.`,
            tags: [{ name: 'events' }],
            channel: channelRef(subjectOf(type)),
            messages: [{ $ref: `${channelRef(subjectOf(type)).$ref}/messages/event` }],
          },
        ]),
      ),
      ...Object.fromEntries(
        endpoints.map(({ name, subject, timeoutMs, summary, request, reply }) => [
          `answer.${name}`,
          {
            action: 'receive',
            summary,
            tags: [{ name: 'requests' }],
            description: `One of the service's replicas answers. The caller waits ${timeoutMs} ms for the answer, and for each further part of a large one.`,
            channel: channelRef(subject),
            messages: [{ $ref: `${channelRef(subject).$ref}/messages/${request}` }],
            reply: {
              address: { location: '$message.header#/replyTo', description: 'The reply subject of the NATS message.' },
              channel: channelRef(replyChannel(subject)),
              messages: [reply, 'Refusal'].map((message) => ({
                $ref: `${channelRef(replyChannel(subject)).$ref}/messages/${message}`,
              })),
            },
          },
        ]),
      ),
    },
    components: {
      securitySchemes: {
        user: {
          type: 'userPassword',
          description: 'Each process has a user of its own, which may use only the subjects that it needs.',
        },
      },
      messages: {
        ...Object.fromEntries(events.map((type) => [type, eventMessage(type)])),
        ...Object.fromEntries(
          endpoints.flatMap(({ request, reply }) => [
            [request, { name: request, headers: requestHeaders(), payload: { $ref: schemaRef(request) } }],
            [reply, { name: reply, payload: dataOf({ $ref: schemaRef(reply) }) }],
          ]),
        ),
        Refusal: {
          name: 'Refusal',
          summary: 'Why the request was refused.',
          headers: REFUSAL_HEADERS,
          payload: REFUSAL,
        },
      },
      schemas: {
        ...schemasOf(
          Object.values(RPC).map(({ request }) => request),
          'input',
        ),
        ...schemasOf(
          [...Object.values(RPC).map(({ reply }) => reply), ...SHARED_SCHEMAS, ...eventData(events)],
          'output',
        ),
      },
    },
  };
}

const INTRODUCTION = `
**Domain events** are CloudEvents 1.0 in structured JSON on \`domain.<service>.<entity>.<fact>\`, those of orders with the services that they concern, kept by JetStream in the stream \`DOMAIN_EVENTS\`. They are published at least once, with their id as \`Nats-Msg-Id\`, so that JetStream drops repeats within ten minutes; data is the resulting state with its version, so that a consumer applies it only if it is newer. Later releases add types, members and values: ignore those that you do not know. Data contains ids rather than names and texts: ask the API for more.

**Requests** travel on \`rpc.<service>.<operation>\` and are answered once by one replica. Each carries a signed identity and the scopes it needs: those of the caller, or of the sending process if no caller waits. The receiver checks both. A reply is \`{"data":...}\`, or an error with the header \`status\`. A body above 512 KiB travels in parts: its first message has the header \`body-bytes\`, and each further part answers a request to the reply subject of the one before.

Evaluations of one company may share a message. It has the header \`option-together\` instead of an identity, and begins with a line of JSON, \`[[bytes, {identityToken, requestId, traceparent, options}], ...]\`, which describes the bodies after it. Its reply begins with \`[[bytes, {status, retryAfterSeconds}], ...]\` in the same order, with \`null\` for a reply that did not fit and has to be requested alone.
`.trim();

const REFUSAL: JsonSchema = (() => {
  const { status: _status, ok: _ok, ...properties } = ERROR_SCHEMA['properties'] as Record<string, JsonSchema>;
  const error = { ...properties['error'], required: ['code', 'message'] };
  return { type: 'object', required: ['message', 'error'], properties: { ...properties, error } };
})();

const REFUSAL_HEADERS: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', description: 'The HTTP status of the same error.' },
    'retry-after': { type: 'string', description: 'Seconds to wait before retrying.' },
  },
};

function requestHeaders(): JsonSchema {
  return {
    type: 'object',
    required: [IDENTITY_HEADER, 'x-request-id'],
    properties: {
      [IDENTITY_HEADER]: {
        type: 'string',
        description: 'Identifies the caller. Signed by the gateway, or by the sending process if no caller waits.',
      },
      'x-request-id': { type: 'string' },
      traceparent: { type: 'string', description: 'W3C trace context.' },
      'option-dropped': { enum: ['all', 'candidates'] },
      'option-together': { type: 'string', description: 'How many evaluations share this message.' },
      'option-kept': {
        type: 'string',
        description:
          'For evaluations: the digest of the list that the sender has cached, or `none`. A long reply is then not JSON: its first line outlines the texts and the parts of that list.',
      },
    },
  };
}

/** The JSON Schemas of `schemas`, which have ids, and of the schemas they refer to, by name. */
function schemasOf(schemas: readonly z.ZodType[], io: 'input' | 'output'): Record<string, JsonSchema> {
  return Object.assign(
    {},
    ...schemas.map((schema) => createSchema(schema, { io, opts: SCHEMA_OPTIONS }).components),
  ) as Record<string, JsonSchema>;
}

function idOf(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined)
    throw new Error('every request and reply on the bus needs an id: the document uses it as the name');
  return id;
}

function dataOf(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data } };
}

function refsTo(...messages: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(messages.map((message) => [message, { $ref: `#/components/messages/${message}` }]));
}

function channelRef(subject: string): { $ref: string } {
  return { $ref: `#/channels/${subject}` };
}

/** The services at the end of an event's subject. */
function parametersOf(type: DomainEventType): object {
  const names = concernedBy(type);
  if (names.length === 0) return {};
  const parameters = names.map((name) => [
    name,
    { enum: [name, '-'], description: `\`${name}\` if the event concerns this service, else \`-\`.` },
  ]);
  return { parameters: Object.fromEntries(parameters) };
}
