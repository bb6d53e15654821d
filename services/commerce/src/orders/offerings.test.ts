import type { BusConnection } from '@event-commerce/bus';
import { type OfferingRecord, tenantOf } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { knownOfferings } from './offerings.ts';

const caller = { tenant: tenantOf({ companyId: 'co', environment: 'live' }), requestId: 'test' } as Caller;

/**
 * A catalogue with an offering under every id but `none`, each with a tag of `characters`, and what it was asked for.
 */
function offeringsOf(characters: number) {
  const asked: string[] = [];
  const request = async (_subject: string, body: Uint8Array) => {
    const { ids } = JSON.parse(Buffer.from(body).toString()) as { ids: string[] };
    asked.push(...ids);
    const offerings = ids
      .filter((id) => id !== 'none')
      .map((id) => ({ id, tags: ['x'.repeat(characters)], version: 1 }));
    return { data: Buffer.from(JSON.stringify({ data: { offerings } })) };
  };
  const bus = { isUp: () => true, nats: { request } } as unknown as BusConnection;
  return { asked, offerings: knownOfferings(bus) };
}

test('an order gets all of its offerings, however large, and the cache keeps only as many as fit', async () => {
  const { asked, offerings } = offeringsOf(2 * 1024 * 1024);
  const ids = Array.from({ length: 20 }, (_, n) => `off_${n}`);
  for (let round = 0; round < 2; round++) {
    asked.length = 0;
    const found = await offerings.find(caller, [...ids, 'none']);
    expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
  }
  expect(asked).toHaveLength(10);
});

test('offerings that the catalogue has returned, or does not have, are looked up again only with afresh', async () => {
  const { asked, offerings } = offeringsOf(100);
  offerings.learn(caller.tenant, [{ id: 'known', tags: [] as string[], version: 2 } as OfferingRecord]);
  for (let n = 0; n < 2; n++) await offerings.find(caller, ['known', 'other', 'other', 'none']);
  expect(asked).toEqual(['other', 'none']);
  const found = await offerings.find(caller, ['known', 'none'], { afresh: true });
  expect(asked.slice(2)).toEqual(['known', 'none']);
  expect([...found.values()]).toEqual([{ id: 'known', tags: [], version: 2 }]);
});
