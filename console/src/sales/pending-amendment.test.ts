import { createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { pendingActions } from './pending-amendment.tsx';

it('a pending amendment is confirmed only after a question, because that counts as paid', async () => {
  const paths: string[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    fetch: async (request) => {
      paths.push(new URL(request.url).pathname);
      return Response.json({ status: 'ok', data: {} });
    },
  });
  const order = { id: 'ord_1', orderNumber: 'S-1', currency: 'EUR' };
  const questions = async (due: number) => {
    const actions = pendingActions(client, order, { id: 'amd_1', due });
    for (const { run } of actions) await run();
    return actions.map(({ confirm }) => [confirm?.title, ...(confirm?.text ?? [])].join(' '));
  };
  const cancel = 'Leave order S-1 as it is? What the amendment holds is released.';
  expect(await questions(5_000)).toEqual(['Amend order S-1? €50.00 counts as paid.', cancel]);
  expect(await questions(-5_000)).toEqual(['Amend order S-1? To pay back €50.00.', cancel]);
  const path = '/v1/orders/ord_1/amendments/amd_1';
  expect(paths.slice(0, 2)).toEqual([`${path}/confirm`, `${path}/cancel`]);
});
