import { setTimeout as delay } from 'node:timers/promises';
import type { Evaluation, ServiceName } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody, newCode, proofSize } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { evaluate } from './purchases.ts';

const ASK_AGAIN_MS = 10;

let services: Services;
let company: Company;
let isAsked: boolean;
let asking: Promise<void>;

beforeEach(async () => {
  // The first replica, which the test queries, is on a broker of its own and receives nothing from the others.
  const others = natsUrlOfThisFile(1);
  const env = (_: ServiceName, replica: number): Record<string, string> => (replica === 0 ? {} : { NATS_URL: others });
  services = await startServices({ replicas: { pricing: 3 }, env });
  company = services.newCompany();
  isAsked = true;
  asking = askAllTheTime();
});
afterEach(async () => {
  isAsked = false;
  try {
    await asking;
  } finally {
    await services?.stop();
  }
});

async function askAllTheTime(): Promise<void> {
  while (isAsked) {
    await evaluating();
    await delay(ASK_AGAIN_MS);
  }
}

async function evaluating(...codes: string[]): Promise<Evaluation> {
  return evaluate(services, company, evaluationBody({ codes }), { dropped: 'candidates' });
}

/** Returns the code of the adjustment that `replica` created. */
async function changing(replica: number): Promise<string> {
  const code = newCode();
  const { status } = await company.pricing.replica(replica).post('/pricing/adjustments', adjustmentBody(code));
  expect(status).toBe(201);
  return code;
}

describe('on a replica that receives no notice of changes and is queried all the time', () => {
  test.each([
    ['one replica', 1],
    ['two', 2],
  ])('the second of two changes in a row, by %s, holds', async (_by, second) => {
    for (let round = 0; round < proofSize(1, 3); round++) {
      await changing(1);
      const code = await changing(second);
      expect((await evaluating(code)).codes).toMatchObject([{ status: 'applied' }]);
    }
  });

  test('concurrent changes by two replicas take effect, round after round', async () => {
    const changingAndAsking = async (replica: number): Promise<void> => {
      for (let round = 0; round < proofSize(2, 5); round++) {
        const code = await changing(replica);
        expect((await evaluating(code)).codes).toMatchObject([{ status: 'applied' }]);
      }
    };
    await Promise.all([changingAndAsking(1), changingAndAsking(2)]);
  });
});
