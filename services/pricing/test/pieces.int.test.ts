import { KEPT_OPTION, type KeptList, NONE_KEPT, readPieces, requestRaw } from '@event-commerce/bus';
import { type Evaluation, RPC } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { evaluate } from './purchases.ts';

const services = await sharedServices();

/** Evaluates as a gateway that has `kept` a list; also returns the list of the reply, and the size of what was sent. */
async function evaluateInPieces(company: Company, body: unknown, kept?: KeptList) {
  const options = { [KEPT_OPTION]: kept?.digest ?? NONE_KEPT };
  const context = { ...company.context(), options };
  const reply = await requestRaw(services.bus, RPC.evaluate, JSON.stringify(body), context);
  const { parts, list } = readPieces(reply.body, kept);
  const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: Evaluation };
  return { data, list, bytes: reply.body.length };
}

test('a long evaluation in pieces equals the plain one, and contains its list only if an adjustment changed', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  const create = async (n: number) => {
    const targets = [{ eventId: n % 10 === 0 ? 'evt_1' : `evt_other_${n}` }];
    return (await pricing.post('/pricing/adjustments', adjustmentBody(`CODE-${n}`, { targets }))).body.data.id;
  };
  const ids: string[] = await Promise.all(Array.from({ length: 40 }, (_, n) => create(n)));
  const body = evaluationBody({ codes: ['CODE-0', 'CODE-1'] });
  const plain = async () => evaluate(services, company, body);

  const first = await evaluateInPieces(company, body);
  expect(first.data).toEqual(await plain());
  const second = await evaluateInPieces(company, body, first.list);
  expect(second.data).toEqual(first.data);
  expect(second.bytes).toBe(first.bytes - first.list.bytes.length);

  await pricing.patch(`/pricing/adjustments/${ids[5]}`, { name: 'Renamed' });
  const third = await evaluateInPieces(company, body, second.list);
  expect(third.list.digest).not.toBe(second.list.digest);
  expect(third.data.droppedAdjustments.map(({ name }) => name)).toContain('Renamed');
  expect(third.data).toEqual(await plain());
});
