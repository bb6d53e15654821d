import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '@event-commerce/contracts';
import { asyncApiServers } from './asyncapi-servers.ts';
import { asyncApiDocument, openApiDocument } from './index.ts';

const HTTP_METHODS = ['get', 'post', 'patch', 'delete'] as const;

interface Documented {
  operationId: string;
  summary: string;
  description: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { examples?: object }> }>;
  requestBody?: { content: { 'application/json': { examples: object } } };
}

const document = openApiDocument() as unknown as {
  paths: Record<string, Partial<Record<(typeof HTTP_METHODS)[number], Documented>>>;
  components: { responses: Record<string, Documented['responses'][string]> };
};
const operations = Object.values(document.paths).flatMap((path) =>
  HTTP_METHODS.flatMap((method) => path[method] ?? []),
);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 without recursive schemas, which the page at /docs cannot show', async () => {
    const parser = new SwaggerParser();
    // The parser resolves references in place.
    await parser.validate(structuredClone(document) as never);
    expect(parser.$refs.circular).toBe(false);
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(ALL_OPERATIONS.length);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'has examples of the request and every response of %s',
    (_id, operation) => {
      if (operation.requestBody) {
        expect(Object.keys(operation.requestBody.content['application/json'].examples)).not.toHaveLength(0);
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        const { content } = response.$ref
          ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {})
          : response;
        if (status === '304') {
          expect(content).toBeUndefined();
          continue;
        }
        if (status === '200' && content?.['application/json'] === undefined) {
          expect(Object.keys(content ?? {})).toEqual(['text/event-stream']);
          continue;
        }
        // Nothing that the examples do takes that long.
        if (status === '202' && ('200' in operation.responses || '201' in operation.responses)) continue;
        const examples = Object.keys(content?.['application/json']?.examples ?? {});
        expect([status, examples.length > 0]).toEqual([status, true]);
      }
    },
  );
});

describe('the AsyncAPI document', () => {
  it('is valid AsyncAPI 3', () => {
    const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.1.0-without-$id.json');
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
    const servers = asyncApiServers(['tls://gateway:secret@nats-1:4222', 'nats://nats-2:4222']);
    validate(JSON.parse(JSON.stringify({ ...asyncApiDocument(), servers })));
    expect(validate.errors?.slice(0, 5)).toBeUndefined();
  });

  it('names the servers of the deployment and their security, without users or passwords', () => {
    const servers = asyncApiServers(['tls://gateway:secret@nats-1:4222', 'tls://gateway:secret@nats-2:4222']);
    const server = {
      protocol: 'nats',
      description: 'NATS with JetStream, inside the platform, over TLS.',
      security: [{ $ref: '#/components/securitySchemes/user' }],
    };
    expect(servers).toEqual({
      nats: { ...server, host: 'nats-1:4222' },
      nats2: { ...server, host: 'nats-2:4222' },
    });
    expect(JSON.stringify(servers)).not.toContain('secret');
    expect(asyncApiServers(['nats://localhost:4222'])['nats']).not.toHaveProperty('security');
  });

  it('has no dangling references', () => {
    const servers = asyncApiServers(['nats://gateway:secret@localhost:4222']);
    const whole: unknown = { ...asyncApiDocument(), servers };
    const refs = JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g);
    for (const [, pointer = ''] of refs) {
      let found: any = whole;
      for (const part of pointer.split('/')) found = found?.[part];
      expect([pointer, found !== undefined]).toEqual([pointer, true]);
    }
  });
});
