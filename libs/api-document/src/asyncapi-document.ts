import {
  cancelClaimsReply,
  cancelClaimsRequest,
  cartEvaluation,
  cartLineEvaluation,
  cartRedemptionsReply,
  cartRedemptionsRequest,
  claim,
  claimReply,
  claimRequest,
  codeHolderReply,
  codeHolderRequest,
  codeResult,
  couponState,
  couponStateReply,
  couponStateRequest,
  DOMAIN_EVENTS,
  type DomainEventType,
  droppedAdjustment,
  effect,
  evaluateCartsReply,
  followCouponReply,
  evaluateCartsRequest,
  evaluateRequest,
  evaluation,
  IDENTITY_HEADER,
  KEY_ENVIRONMENTS,
  modifier,
  offering,
  offeringsReply,
  offeringsRequest,
  priceSummary,
  RPC,
  eventContextsReply,
  eventContextsRequest,
  ordersStandingReply,
  ordersStandingRequest,
  settleOrderReply,
  settleOrderRequest,
  subjectOf,
} from '@event-commerce/contracts';
import { z } from 'zod';
import { createSchema } from 'zod-openapi';
import { ERROR_SCHEMA } from './error-answers.ts';
import { type JsonSchema, SCHEMA_OPTIONS } from './schema-options.ts';

export type AsyncApiDocument = ReturnType<typeof asyncApiDocument>;

const REQUEST_SCHEMAS = {
  EvaluateRequest: evaluateRequest,
  EvaluateCartsRequest: evaluateCartsRequest,
  ClaimRequest: claimRequest,
  CancelClaimsRequest: cancelClaimsRequest,
  CartRedemptionsRequest: cartRedemptionsRequest,
  CodeHolderRequest: codeHolderRequest,
  FollowCouponRequest: couponState,
  CouponStateRequest: couponStateRequest,
  OfferingsRequest: offeringsRequest,
  EventContextsRequest: eventContextsRequest,
  OrdersStandingRequest: ordersStandingRequest,
  SettleOrderRequest: settleOrderRequest,
} satisfies Record<string, z.ZodType>;

const REPLY_SCHEMAS = {
  Evaluation: evaluation,
  EvaluateCartsReply: evaluateCartsReply,
  ClaimReply: claimReply,
  CancelClaimsReply: cancelClaimsReply,
  CartRedemptionsReply: cartRedemptionsReply,
  CodeHolderReply: codeHolderReply,
  FollowCouponReply: followCouponReply,
  CouponStateReply: couponStateReply,
  OfferingsReply: offeringsReply,
  EventContextsReply: eventContextsReply,
  OrdersStandingReply: ordersStandingReply,
  SettleOrderReply: settleOrderReply,
} satisfies Record<string, z.ZodType>;

/** Named, because more than one of the others holds it. */
const SHARED_SCHEMAS = {
  CartEvaluation: cartEvaluation,
  CartLineEvaluation: cartLineEvaluation,
  Claim: claim,
  CodeResult: codeResult,
  DroppedAdjustment: droppedAdjustment,
  Effect: effect,
  Modifier: modifier,
  Offering: offering,
  PriceSummary: priceSummary,
};

interface Endpoint {
  summary: string;
  requests: readonly (keyof typeof REQUEST_SCHEMAS)[];
  replies: readonly (keyof typeof REPLY_SCHEMAS)[];
}

const ENDPOINTS: Readonly<Record<keyof typeof RPC, Endpoint>> = {
  evaluate: {
    summary: 'Price one offering.',
    requests: ['EvaluateRequest'],
    replies: ['Evaluation'],
  },
  evaluateCarts: {
    summary:
      'Price whole carts, each by itself. The answer has one member for each cart, what it costs or why it has no price; with `withinMs`, for the first carts only that were priced in that time.',
    requests: ['EvaluateCartsRequest'],
    replies: ['EvaluateCartsReply'],
  },
  claim: {
    summary: 'Claim every redemption of an order: all, or none.',
    requests: ['ClaimRequest'],
    replies: ['ClaimReply'],
  },
  cancelClaims: {
    summary: 'Give back claims whose order was not written. Safe to repeat.',
    requests: ['CancelClaimsRequest'],
    replies: ['CancelClaimsReply'],
  },
  codeHolder: {
    summary: 'Whether an active adjustment holds a code, other than that of the coupon that asks.',
    requests: ['CodeHolderRequest'],
    replies: ['CodeHolderReply'],
  },
  followCoupon: {
    summary: "Make a coupon's adjustment follow the coupon before a change of it is answered.",
    requests: ['FollowCouponRequest'],
    replies: ['FollowCouponReply'],
  },
  offerings: {
    summary: 'What offerings cost. Unknown ids are left out of the answer.',
    requests: ['OfferingsRequest'],
    replies: ['OfferingsReply'],
  },
  cartRedemptions: {
    summary: "What makes a cart's price now, and so what an order of it redeems.",
    requests: ['CartRedemptionsRequest'],
    replies: ['CartRedemptionsReply'],
  },
  settleOrder: {
    summary: 'Whether an order whose claims nobody confirmed was written. The answer is final.',
    requests: ['SettleOrderRequest'],
    replies: ['SettleOrderReply'],
  },
  couponState: {
    summary: 'A coupon as it is now: asked when its event left out what the coupon applies to.',
    requests: ['CouponStateRequest'],
    replies: ['CouponStateReply'],
  },
  eventContexts: {
    summary:
      'Which series, venue and organizer events have. Unknown ids are left out; the series of instances come along.',
    requests: ['EventContextsRequest'],
    replies: ['EventContextsReply'],
  },
  ordersStanding: {
    summary: 'Which of some orders stand now: they were written, and not cancelled since.',
    requests: ['OrdersStandingRequest'],
    replies: ['OrdersStandingReply'],
  },
};

/** The AsyncAPI 3 document of what travels on the bus: domain events, and requests between services. */
export function asyncApiDocument() {
  const events = Object.keys(DOMAIN_EVENTS) as DomainEventType[];
  const endpoints = Object.entries(ENDPOINTS).map(([name, endpoint]) => ({
    name: name as keyof typeof RPC,
    ...endpoint,
    ...RPC[name as keyof typeof RPC],
  }));
  const replyChannel = (subject: string) => `${subject}.reply`;
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Event Commerce: events and requests on the bus',
      version: '1.0.0',
      description: INTRODUCTION,
    },
    defaultContentType: 'application/json',
    servers: {
      nats: { host: 'localhost:4222', protocol: 'nats', description: 'NATS with JetStream, inside the platform.' },
    },
    channels: {
      ...Object.fromEntries(
        events.map((type) => [
          subjectOf(type),
          {
            address: subjectOf(type),
            description: `Published by the ${DOMAIN_EVENTS[type].service}. Kept in the stream DOMAIN_EVENTS.`,
            messages: { event: { $ref: `#/components/messages/${type}` } },
          },
        ]),
      ),
      ...Object.fromEntries(
        endpoints.flatMap(({ subject, summary, requests, replies }) => [
          [subject, { address: subject, description: summary, messages: refsTo(requests) }],
          [
            replyChannel(subject),
            {
              address: null,
              description: 'The inbox that the request names.',
              messages: { ...refsTo(replies), Refusal: { $ref: '#/components/messages/Refusal' } },
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
            channel: channelRef(subjectOf(type)),
            messages: [{ $ref: `${channelRef(subjectOf(type)).$ref}/messages/event` }],
          },
        ]),
      ),
      ...Object.fromEntries(
        endpoints.map(({ name, subject, timeoutMs, summary, requests, replies }) => [
          `answer.${name}`,
          {
            action: 'receive',
            summary,
            description: `One of the service's replicas answers. The caller waits ${timeoutMs} ms.`,
            channel: channelRef(subject),
            messages: requests.map((message) => ({ $ref: `${channelRef(subject).$ref}/messages/${message}` })),
            reply: {
              address: { location: '$message.header#/replyTo', description: 'The reply subject of the NATS message.' },
              channel: channelRef(replyChannel(subject)),
              messages: [...replies, 'Refusal'].map((message) => ({
                $ref: `${channelRef(replyChannel(subject)).$ref}/messages/${message}`,
              })),
            },
          },
        ]),
      ),
    },
    components: {
      messages: {
        ...Object.fromEntries(events.map((type) => [type, eventMessage(type)])),
        ...Object.fromEntries(
          endpoints.flatMap(({ requests, replies }) => [
            ...requests.map((name) => [name, { name, headers: requestHeaders(), payload: { $ref: schemaRef(name) } }]),
            ...replies.map((name) => [name, { name, payload: dataOf({ $ref: schemaRef(name) }) }]),
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
        ...namedSchemas(REQUEST_SCHEMAS, 'input'),
        ...namedSchemas({ ...REPLY_SCHEMAS, ...SHARED_SCHEMAS, ...eventData(events) }, 'output'),
      },
    },
  };
}

const INTRODUCTION = `
**Domain events** are CloudEvents 1.0 in structured JSON on \`domain.<service>.<entity>.<fact>\`, kept by JetStream in the stream \`DOMAIN_EVENTS\`. They are published at least once, with their id as \`Nats-Msg-Id\`, so that JetStream drops repeats within ten minutes; data is the resulting state with its version, so that a consumer applies it only if it is newer. Later releases add types, members and values: pass over those that you do not know. Data names ids rather than people and their texts: ask the API for more.

**Requests** travel on \`rpc.<service>.<operation>\` and are answered once by one replica. They carry, signed, the identity of the caller whose request they are part of and the scopes that it needs, or, where no caller waits, that of the process that asks. The receiver checks both. An answer is \`{"data":...}\`, a refusal an error with the header \`status\`. A body above 512 KiB travels in parts: its first message has the header \`body-bytes\`, and each further part answers a request to the reply subject of the one before.
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
    status: { type: 'string', description: 'The status that the same refusal has in HTTP.' },
    'retry-after': { type: 'string', description: 'Seconds after which to try again.' },
  },
};

const EVENT_ATTRIBUTES =
  'specversion id source type subject time datacontenttype companyid environment schemaversion data'.split(' ');

function eventMessage(type: DomainEventType) {
  const { service, schemaVersion } = DOMAIN_EVENTS[type];
  return {
    name: type,
    headers: {
      type: 'object',
      required: ['Nats-Msg-Id'],
      properties: { 'Nats-Msg-Id': { type: 'string', description: 'The id of the event.' } },
    },
    payload: {
      type: 'object',
      required: EVENT_ATTRIBUTES,
      properties: {
        specversion: { const: '1.0' },
        id: { type: 'string' },
        source: { const: `/${service}` },
        type: { const: type },
        subject: { type: 'string', description: 'The id of the entity that the fact is about.' },
        time: { type: 'string', format: 'date-time' },
        datacontenttype: { const: 'application/json' },
        companyid: { type: 'string' },
        environment: { enum: [...KEY_ENVIRONMENTS], description: "Which of the company's two worlds the fact is of." },
        schemaversion: { const: schemaVersion },
        traceparent: { type: 'string', description: 'W3C trace context.' },
        data: { $ref: schemaRef(dataName(type)) },
      },
    },
  };
}

/** The data of the events, each named once: events of one entity mostly have the same. */
function eventData(events: readonly DomainEventType[]): Record<string, z.ZodType> {
  return Object.fromEntries(events.map((type) => [dataName(type), DOMAIN_EVENTS[type].data]));
}

function dataName(type: DomainEventType): string {
  const { data } = DOMAIN_EVENTS[type];
  const [first] = Object.entries(DOMAIN_EVENTS).find(([, definition]) => definition.data === data) ?? [type];
  const shared = Object.values(DOMAIN_EVENTS).filter((definition) => definition.data === data).length > 1;
  const words = (shared ? (first.split('.')[0] ?? first) : type).split(/[._]/);
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Data`;
}

function requestHeaders(): JsonSchema {
  return {
    type: 'object',
    required: [IDENTITY_HEADER, 'x-request-id'],
    properties: {
      [IDENTITY_HEADER]: {
        type: 'string',
        description: 'Who asks: signed by the gateway, or, where no caller waits any more, by the process that asks.',
      },
      'x-request-id': { type: 'string' },
      traceparent: { type: 'string', description: 'W3C trace context.' },
      'option-of': { enum: ['cart'] },
      'option-dropped': { enum: ['all', 'candidates'] },
    },
  };
}

/** The JSON Schema of each of `schemas` and of what they refer to, by name. */
function namedSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const named = z.globalRegistry.get(schema)?.id === undefined ? schema.meta({ id: name }) : schema;
      const { components } = createSchema(named, { io, opts: SCHEMA_OPTIONS });
      return Object.entries(components as Record<string, JsonSchema>);
    }),
  );
}

function dataOf(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data } };
}

function refsTo(messages: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(messages.map((message) => [message, { $ref: `#/components/messages/${message}` }]));
}

function channelRef(subject: string): { $ref: string } {
  return { $ref: `#/channels/${subject}` };
}

function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}
