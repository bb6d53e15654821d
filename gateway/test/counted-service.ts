import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiClient } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, inject } from 'vitest';
import { GATEWAY_DATABASE, startRawService, startTestGateway, type TestGateway } from './gateway-fixture.ts';

export type Answer = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(text);
}

export const error = (code: string) => ({ message: 'no', error: { code, message: 'no' } });
export const keyed = (key: string) => ({ 'idempotency-key': key });

/** A gateway for the tests of a file, in front of a service that counts its requests and responds as a test says. */
export function useCountedService() {
  let service: Awaited<ReturnType<typeof startRawService>>;
  let gateway: TestGateway;
  let database: mongoose.Connection;
  let answer: Answer;
  let effects: string[] = [];

  beforeAll(async () => {
    service = await startRawService((request, response) => {
      if (request.url === '/healthz') {
        response.writeHead(200).end();
        return;
      }
      void Array.fromAsync(request).then((pieces) => {
        effects.push(`${request.method} ${request.url}`);
        answer(Object.assign(request, { body: Buffer.concat(pieces).toString() }), response);
      });
    });
    gateway = await startTestGateway(service.url);
    database = await mongoose.createConnection(inject('mongoUrl'), { dbName: GATEWAY_DATABASE }).asPromise();
  });
  afterAll(async () => {
    await database?.close();
    await gateway?.stop();
    await service?.stop();
  });

  const created: Answer = (request, response) =>
    json(response, 201, { data: { number: effects.length, body: request.body } });

  return {
    gateway: () => gateway,
    database: () => database,
    /** The requests that the service got since the last `newClient`. */
    effects: () => effects,
    created,
    /** How the service responds from now on. */
    answerWith: (behave: Answer): void => {
      answer = behave;
    },
    /** A company's client, with a service whose count starts at zero. */
    newClient: async (behave: Answer = created): Promise<ApiClient & { companyId: string }> => {
      const client = await gateway.client('*');
      effects = [];
      answer = behave;
      return client;
    },
    /** Makes the company's records look as if their requests had begun `ms` earlier. */
    age: async (companyId: string, ms: number): Promise<void> => {
      const records = database.collection<{ _id: string; startedAt: Date }>('idempotency');
      for (const { _id, startedAt } of await records.find().toArray()) {
        if (!_id.includes(`${companyId}:`)) continue;
        await records.updateOne({ _id }, { $set: { startedAt: new Date(startedAt.getTime() - ms) } });
      }
    },
  };
}
