import { fileURLToPath } from 'node:url';
import { RECORDED_ANSWERS_FILE } from '@event-commerce/api-document';
import { ALL_OPERATIONS } from '@event-commerce/contracts';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import formatting from '../../.oxfmtrc.json' with { type: 'json' };
import { type CheckedPlatform, checkedPlatform, COMPANY, undescribed } from './checked-platform.ts';

// Checks the examples of the documents that the platform serves against its real responses. Generated requests are in
// `api-contract.proof.test.ts`.

let platform: CheckedPlatform;
beforeAll(async () => {
  platform = await checkedPlatform();
});
afterAll(async () => platform?.tap.close());

describe('the OpenAPI document', () => {
  test('contains examples that work when sent in order, with their real responses', async () => {
    // A stream does not end: it has tests of its own.
    const finite = ALL_OPERATIONS.filter(({ answer }) => answer.form !== 'stream');
    expect([...platform.seenSuccess].toSorted()).toEqual(finite.map(({ id }) => id).toSorted());
    const file = fileURLToPath(RECORDED_ANSWERS_FILE);
    const written = await format(file, JSON.stringify(platform.story.answers), formatting);
    // After an intended change: npx vitest run --project integration -u api-contract
    await expect(written.code).toMatchFileSnapshot(file);
  });

  test('says which operations accept If-Match: those compare it, and all other changes refuse it', () => {
    expect(platform.story.wrongAboutIfMatch).toEqual([]);
  });

  test('opens with five requests that lead to an order when they are sent unchanged', async () => {
    const { api, apiKey, url } = platform;
    const introduction = (api.document['info'] as { description: string }).description;
    const requests = Array.from(
      introduction.matchAll(/curl -s "\$API(\S+)" [^']*'Content-Type: (\S+)' \\\n {2}-d '([^']+)'/g),
    );
    const answers = [];
    for (const [, path = '', type = '', body = ''] of requests) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
      answers.push([path, response.status, await response.json()] as const);
    }
    expect(answers.map(([path, status]) => [path, status])).toEqual([
      ['/v1/events', 201],
      ['/v1/events/evt_gala/offerings', 201],
      ['/v1/coupons', 201],
      ['/v1/cart/sessions', 201],
      ['/v1/orders', 201],
    ]);
    expect(answers[3]?.[2]).toMatchObject({ data: { total: 8000 } });
    expect(answers[4]?.[2]).toMatchObject({ data: { order: { coupons: [{ code: 'GALA20' }] } } });
  });
});

/** Errors that only time, a race or a killed process causes. No example shows them; each has its own tests. */
const RARE = new Set([
  'domain.commerce.order.expired',
  'domain.pricing.redemption.lapsed',
  'domain.pricing.budget.exhausted',
  'domain.cart.table.full',
  'domain.events.offering.available',
  'domain.events.offering.sold_out',
  'domain.activity.webhook.failing',
  'domain.activity.webhook.paused',
  'rpc.cart.follow-amendment',
  'rpc.cart.release-checkout',
  'rpc.cart.end-checkout',
  'rpc.commerce.coupon-state',
  'rpc.commerce.orders-standing',
  'rpc.commerce.settle-order',
  'rpc.events.time-zones',
  'rpc.pricing.budget-exists',
]);

describe('the AsyncAPI document', () => {
  test('describes every event that was published and every request that was made', async () => {
    const { events, tap, messagesOfStory } = platform;
    const ofExamples = (upTo?: number) =>
      tap.sent
        .slice(0, upTo)
        .filter(({ subject, body }) => subject.startsWith('rpc.') || (body as any).companyid === COMPANY);
    // Events are published after the response.
    await expect
      .poll(() => ofExamples().some(({ subject }) => subject === 'domain.commerce.order.cancelled'))
      .toBe(true);
    expect(undescribed(platform).slice(0, 5)).toEqual([]);

    const subjects = new Set(ofExamples().map(({ subject }) => subject));
    const channels = Object.keys(events.document['channels']);
    const unseen = channels.filter((name) => !name.endsWith('.reply') && !subjects.has(name));
    expect(unseen.filter((name) => !RARE.has(name))).toEqual([]);
    const published = new Set(ofExamples(messagesOfStory).map(({ subject }) => subject));
    expect([...RARE].filter((name) => name.startsWith('domain.') && published.has(name))).toEqual([]);
  });
});
