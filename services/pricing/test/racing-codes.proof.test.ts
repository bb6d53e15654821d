import { adjustmentBody, evaluationBody, newCode, proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { claim, createCoupon, evaluate } from './purchases.ts';

const services = await sharedServices();

const path = '/pricing/adjustments';

/** `201`, `409 COUPON_CODE_TAKEN`, ..., in order. */
const outcomes = (replies: readonly { status: number; body: any }[]) =>
  replies.map(({ status, body }) => [status, body.error?.code].filter(Boolean).join(' ')).toSorted();

test('a code is held by one of the active adjustments that race for it, in each round', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  for (let round = 0; round < proofSize(25, 100); round++) {
    const code = newCode();
    const racing = round % 10 === 0 ? 20 : 5;
    const replies = await Promise.all(
      Array.from({ length: racing }, async (_, n) =>
        pricing.replica(n % 2).post(path, adjustmentBody(n % 2 ? code : code.toLowerCase())),
      ),
    );
    expect(outcomes(replies)).toEqual(['201', ...Array(racing - 1).fill('409 COUPON_CODE_TAKEN')]);
    expect((await evaluate(services, company, evaluationBody({ codes: [code] }))).summary.total).toBe(8_000);
  }
}, 240_000);

test('a code has one active holder when drafts are activated at once, in each round', async () => {
  const { pricing } = services.newCompany();
  for (let round = 0; round < proofSize(6, 20); round++) {
    const code = newCode();
    const drafts = await Promise.all(
      Array.from({ length: 5 }, () => pricing.post(path, adjustmentBody(code, { status: 'draft' }))),
    );
    const replies = await Promise.all(
      drafts.map(async ({ body }, n) => pricing.replica(n % 2).patch(`${path}/${body.data.id}`, { status: 'active' })),
    );
    expect(outcomes(replies)).toEqual(['200', ...Array(4).fill('409 COUPON_CODE_TAKEN')]);
  }
});

test('no claim is made for a code that the adjustment held before it was changed', async () => {
  const company = services.newCompany();
  for (let round = 0; round < proofSize(4, 10); round++) {
    const [before, after] = [newCode(), newCode()];
    const { id } = await createCoupon(company, { code: before });
    let renamed = false;
    const claimed: boolean[] = [];
    const claiming = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 6; n++) {
          const late = renamed;
          const refusal = await claim(services, company, { codes: [before] }).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (refusal !== undefined) expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED' });
          if (late) claimed.push(refusal === undefined);
        }
      }),
    );
    const patch = { conditions: { code: after } };
    expect((await company.pricing.replica(round % 2).patch(`${path}/${id}`, patch)).status).toBe(200);
    renamed = true;
    await claiming;
    expect(claimed.filter(Boolean)).toEqual([]);
    const held = await services.models.pricing.usages.findById(id).lean();
    expect(held?.pending.filter(({ code }) => code !== before)).toEqual([]);
    expect((await claim(services, company, { codes: [after] })).claims).toHaveLength(1);
  }
});

test('claims by code go to the adjustment that holds the code now', async () => {
  const company = services.newCompany();
  for (let round = 0; round < proofSize(4, 10); round++) {
    const code = newCode();
    const { id } = await createCoupon(company, { code });
    await claim(services, company, { codes: [code] });
    await company.pricing.replica(0).patch(`${path}/${id}`, { conditions: { code: newCode() } });
    const second = await company.pricing.replica(1).post(path, adjustmentBody(code));
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(services, company, { codes: [code] })));
    expect(claims.map(({ claims: [made] }) => made?.adjustmentId)).toEqual(claims.map(() => second.body.data.id));
  }
});
