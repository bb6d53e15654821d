import { ALL_OPERATIONS, isRevalidated, type Operation, pageOfList, publicPath, TAGS } from '@event-commerce/contracts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameterObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { ERROR_SCHEMA, isIdempotent } from './error-answers.ts';
import { ABOUT } from './about.ts';
import { INTRODUCTION } from './introduction.ts';
import { failuresOf } from './openapi-failures.ts';
import { header, headersOf, HEADERS } from './openapi-headers.ts';
import { recordedAnswer } from './recorded-answers.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** The OpenAPI 3.1 document of the whole platform. Building it takes some milliseconds: keep the result. */
export function openApiDocument() {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const shared = new Map<string, ZodOpenApiResponseObject>();
  for (const operation of ALL_OPERATIONS) {
    (paths[publicPath(operation)] ??= {})[operation.method.toLowerCase()] = describe(operation, shared);
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Event Commerce',
        version: '1.0.0',
        summary: 'Price adjustments, coupons, carts, orders and events for companies that sell tickets.',
        description: INTRODUCTION,
        ...ABOUT,
      },
      servers: [{ url: '/', description: 'This platform.' }],
      security: [{ apiKey: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'eck_<live|test>_...',
            description: 'Your API key. It identifies your company, and determines what you may do.',
          },
        },
        parameters: PARAMETERS,
        headers: HEADERS,
        responses: Object.fromEntries(shared),
        schemas: { Error: ERROR_SCHEMA },
      },
    },
    SCHEMA_OPTIONS,
  );
}

const PARAMETERS: Record<string, ZodOpenApiParameterObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`.',
    schema: { type: 'string' },
  },
};

function describe(operation: Operation, shared: Map<string, ZodOpenApiResponseObject>): ZodOpenApiOperationObject {
  const { id, tag, summary, description, scope, orScope } = operation;
  const access =
    scope === undefined
      ? 'Needs no key.'
      : scope === 'any'
        ? 'Any key of the company.'
        : `Scope: ${[scope, orScope].flatMap((one) => (one === undefined ? [] : [`\`${one}\``])).join(' or ')}.`;
  const parts = [description, access];
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: parts.filter(Boolean).join('\n\n'),
    ...(scope === undefined ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: requestBodyOf(operation, operation.body) }),
    responses: { ...successesOf(operation), ...unchangedOf(operation), ...failuresOf(operation, shared) },
  };
}

function parametersOf(operation: Operation): NonNullable<ZodOpenApiOperationObject['parameters']> {
  const [first] = Object.values(operation.examples);
  const inPath = Object.entries(operation.params?.shape ?? {}).map(([name, schema]) =>
    schema.meta({ param: { in: 'path', name, example: first?.path?.[name] } }),
  );
  const inQuery = Object.entries(operation.query?.shape ?? {}).map(([name, schema]) =>
    schema.meta({ param: { in: 'query', name } }),
  );
  return [
    ...inPath,
    ...inQuery,
    ...(isIdempotent(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isRevalidated(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(operation.versioned === 'changes' ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ];
}

function requestBodyOf(operation: Operation, body: z.ZodType) {
  const examples = Object.entries(operation.examples).flatMap(([name, { summary, body: value }]) =>
    value === undefined ? [] : [[name, { summary, value }]],
  );
  const content = { schema: body, examples: Object.fromEntries(examples) };
  const types = ['application/json', ...(operation.method === 'PATCH' ? ['application/merge-patch+json'] : [])];
  return {
    required: !body.safeParse(undefined).success,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}

function successesOf(operation: Operation) {
  const { statuses, form, streams = {} } = operation.answer;
  const schema = envelopeOf(operation.answer);
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => {
      const answers = Object.entries(operation.examples).flatMap(([name, { summary }]) => {
        const recorded = recordedAnswer(operation.id, name);
        return String(recorded?.status) === status ? [[name, { summary, value: recorded?.body }]] : [];
      });
      const headers = {
        ...headersOf(operation.scope !== undefined),
        ...(isTagged(operation) ? { ETag: header('ETag') } : {}),
        ...(isIdempotent(operation) ? { 'Idempotent-Replayed': header('IdempotentReplayed') } : {}),
      };
      const content = { schema, ...(answers.length === 0 ? {} : { examples: Object.fromEntries(answers) }) };
      const streamed = Object.entries(streams).map(([type, what]) => [
        type,
        { schema: { type: 'string' as const, description: what } },
      ]);
      return [
        status,
        {
          description,
          headers,
          content: {
            ...(form === 'stream' ? {} : { 'application/json': content }),
            ...Object.fromEntries(streamed),
          },
        },
      ];
    }),
  );
}

/** Whether responses have an `ETag`: that of a GET, or of a record with its version. */
function isTagged(operation: Operation): boolean {
  const { versioned, answer } = operation;
  const isRecord = answer.data instanceof z.ZodObject && 'version' in answer.data.shape;
  return isRevalidated(operation) || (versioned !== undefined && isRecord);
}

function unchangedOf(operation: Operation): Record<string, ZodOpenApiResponseObject> {
  if (!isRevalidated(operation)) return {};
  const headers = { ...headersOf(operation.scope !== undefined), ETag: header('ETag') };
  return { 304: { description: 'Nothing has changed since the response with this `ETag`. No body.', headers } };
}

function envelopeOf({ data, form, page = pageOfList }: Operation['answer']): z.ZodType {
  if (form === 'order-created') return z.object({ ok: z.literal(true), data });
  const status = z.literal('ok');
  return form === 'list' ? z.object({ status, data: z.array(data), page }) : z.object({ status, data });
}
