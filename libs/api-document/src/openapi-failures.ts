import type { ErrorCode, Operation, Refusal } from '@event-commerce/contracts';
import type { ZodOpenApiResponseObject, ZodOpenApiSchemaObject } from 'zod-openapi';
import { errorExample, errorsOf, statusOf } from './error-answers.ts';
import { header, headersOf } from './openapi-headers.ts';

/** Returned before the key is checked, or to a request that never got that far. */
const WITHOUT_LIMIT = new Set([401, 408, 431]);
const WITH_RETRY = new Set([409, 429, 503]);

/** Failures by status. Those that do not depend on the operation are written once, into `shared`. */
export function failuresOf(operation: Operation, shared: Map<string, ZodOpenApiResponseObject>) {
  const byStatus = Map.groupBy(errorsOf(operation), ([code]) => statusOf(code));
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const own = errors.some(([, refusals]) => refusals.some((one) => operation.errors?.includes(one) === true));
      const isGeneral = !own && operation.scope !== undefined && operation.answer.form !== 'order-created';
      if (!isGeneral) return [status, failureOf(operation, status, errors)];
      const name = errors.map(([code]) => pascal(code)).join('Or');
      if (!shared.has(name)) shared.set(name, failureOf(operation, status, errors));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function failureOf(operation: Operation, status: number, errors: readonly (readonly [ErrorCode, Refusal[]])[]) {
  const examples = errors.flatMap(([code, refusals]) =>
    refusals.map((one, index) => [
      index === 0 ? code : `${code}_${index + 1}`,
      { summary: one.when, value: failureExample(operation, one) },
    ]),
  );
  const withData = operation.id === 'getReadiness' && status === 503;
  const schema: ZodOpenApiSchemaObject = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code'],
            properties: { code: { enum: errors.map(([code]) => code) } },
            // The others are those of Error, which tools do not see from here.
            unevaluatedProperties: true,
          },
          ...(withData ? { data: { $ref: '#/components/schemas/Readiness' } } : {}),
        },
      },
    ],
  };
  return {
    description: errors
      .map(([code, refusals]) => `\`${code}\`: ${refusals.map(({ when }) => when).join(' Or: ')}`)
      .join('\n\n'),
    headers: {
      ...headersOf(operation.scope !== undefined && !WITHOUT_LIMIT.has(status)),
      ...(status === 401 ? { 'WWW-Authenticate': header('WwwAuthenticate') } : {}),
      ...(WITH_RETRY.has(status) ? { 'Retry-After': header('RetryAfter') } : {}),
    },
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function pascal(code: ErrorCode): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function failureExample(operation: Operation, refusal: Refusal): object {
  const example = errorExample(refusal, operation);
  if (operation.id !== 'getReadiness' || refusal.code !== 'SERVICE_UNAVAILABLE') return example;
  return { ...example, data: { ready: false, checks: { mongo: 'ok', nats: 'unavailable', redis: 'ok' } } };
}
