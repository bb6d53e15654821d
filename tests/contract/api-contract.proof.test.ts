import { ALL_OPERATIONS, OPERATIONS } from '@event-commerce/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf, examplePath } from './cases-of.ts';
import { type CheckedPlatform, checkedPlatform, undescribed } from './checked-platform.ts';

// Checks the documents that the platform serves against its real responses to generated requests.

const IN_FLIGHT = 8;

let platform: CheckedPlatform;
beforeAll(async () => {
  platform = await checkedPlatform();
});
afterAll(async () => platform?.tap.close());

/**
 * Operations that may refuse nearly everything that their schema allows: it cannot express rules between members, or
 * that a URL is on the public internet.
 */
const BOUND = new Set(['createAdjustment', 'createInstancesByRule', 'createRehearsal', 'createWebhook', 'issueCodes']);

describe('the OpenAPI document', () => {
  test.each(ALL_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'describes every response of %s, whatever is sent',
    async (_id, operation) => {
      const { api, ids, send } = platform;
      const cases = casesOf(api, ids, operation);
      const problems: string[] = [];
      const invalid: string[] = [];
      const next = cases.values();
      await Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          for (const request of next) {
            try {
              const { status, body } = await send(operation, request);
              if (request.isGenerated && status === 400) invalid.push(body.message);
            } catch (error) {
              problems.push((error as Error).message);
            }
          }
        }),
      );
      expect(problems.slice(0, 5)).toEqual([]);
      const generated = cases.filter(({ isGenerated }) => isGenerated);
      if (BOUND.has(operation.id) || invalid.length < generated.length) return;
      expect(invalid.slice(0, 5)).toEqual([]);
    },
  );

  test('describes a missing key and a missing scope', async () => {
    const { ids, readOnlyKey, send } = platform;
    for (const operation of ALL_OPERATIONS.filter(({ scope }) => scope !== undefined)) {
      const request = { path: examplePath(ids, operation) };
      const missing = await send(operation, { ...request, key: null });
      expect([operation.id, missing.status]).toEqual([operation.id, 401]);
      if (operation.scope === 'events:read' || operation.scope === 'any') continue;
      const forbidden = await send(operation, { ...request, key: readOnlyKey });
      expect([operation.id, forbidden.status, forbidden.body.error.code]).toEqual([operation.id, 403, 'FORBIDDEN']);
    }
  });
});

test('every error is a sentence that a person could have written', async () => {
  await platform.refused.write();
  expect(platform.refused.strange()).toEqual([]);
});

test('the AsyncAPI document describes every event that was published and every request that was made', async () => {
  const { send } = platform;
  // Whether anything else is on sale by now depends on what was generated, and pricing is asked about that only.
  const { body } = await send(OPERATIONS.createEvent, { body: { name: 'On sale' } });
  const offering = { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' }, capacity: 10 };
  await send(OPERATIONS.createOffering, { path: { eventId: body.data.id }, body: offering });
  await send(OPERATIONS.listEvents, { query: { availability: 'true' } });
  expect(undescribed(platform).slice(0, 5)).toEqual([]);
});
