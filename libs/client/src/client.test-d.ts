// Checked only by the compiler: a line that should fail but compiles is an error.
import { createClient, dataOf } from './index.ts';

const client = createClient({ baseUrl: 'http://platform.test' });

export async function misspeltMembersDoNotCompile(): Promise<void> {
  // @ts-expect-error -- limit
  await client.POST('/v1/coupons', { body: { limt: 5 } });
  // @ts-expect-error -- minQuantity
  await client.POST('/v1/coupons', { body: { minQantity: 4 } });
  await client.POST('/v1/coupons', { body: { maxRedemptions: 5 } });
  // @ts-expect-error -- limit
  await client.PATCH('/v1/coupons/{id}', { params: { path: { id: 'cpn_1' } }, body: { limt: 5 } });
  await client.PATCH('/v1/coupons/{id}', { params: { path: { id: 'cpn_1' } }, body: { limit: 5 } });

  const targets = [{ eventId: 'evt_1' }];
  const effect = { kind: 'percentage_off', percent: 5 } as const;
  // @ts-expect-error -- conditions.maxRedemptions
  await client.POST('/v1/pricing/adjustments', { body: { targets, effect, conditions: { maxRedemption: 5 } } });
  // @ts-expect-error -- conditions.minQuantity
  await client.POST('/v1/pricing/adjustments', { body: { targets, effect, conditions: { minTickets: 5 } } });
  // @ts-expect-error -- conditions.maxRedemptions
  await client.POST('/v1/pricing/adjustments', { body: { targets, effect, maxRedemptions: 5 } });
  // @ts-expect-error -- effect.percent
  await client.POST('/v1/pricing/adjustments', { body: { targets, effect: { kind: 'percentage_off', procent: 5 } } });
  // @ts-expect-error -- targets[].eventId
  await client.POST('/v1/pricing/adjustments', { body: { targets: [{ event: 'evt_1' }], effect } });
  await client.POST('/v1/pricing/adjustments', { body: { targets, effect, conditions: { maxRedemptions: 5 } } });

  // @ts-expect-error -- customerId
  await client.GET('/v1/orders', { params: { query: { customer: 'cus_2' } } });
  await client.GET('/v1/orders', { params: { query: { customerId: 'cus_2' } } });
  await client.GET('/v1/orders');

  // @ts-expect-error -- the path has no GET
  await client.GET('/v1/pricing/adjustments/evaluate');
  // @ts-expect-error -- a body is required
  await client.POST('/v1/pricing/adjustments/evaluate');
}

export async function errorsAreTyped(): Promise<string> {
  const { data, error } = await client.POST('/v1/coupons', { body: {} });
  if (data !== undefined) return data.data.id;
  // @ts-expect-error -- there is no such code
  if (error.error.code === 'UNKNWON') return error.message;
  return error.error.code === 'UNKNOWN' ? error.message : error.error.requestId;
}

export async function answersAreTyped(): Promise<number | undefined> {
  const { data, error } = await client.GET('/v1/coupons/{id}', { params: { path: { id: 'cpn_1' } } });
  return error === undefined ? data.data.quantitySold : undefined;
}

export async function exportsAreText(format: 'ndjson' | 'csv'): Promise<string> {
  const { data, error } = await client.GET('/v1/orders', { params: { query: { format } } });
  // @ts-expect-error -- an export has no envelope
  await dataOf(client.GET('/v1/orders', { params: { query: { format: 'csv' } } }));
  // @ts-expect-error -- customerId
  await client.GET('/v1/orders', { params: { query: { format: 'csv', customer: 'cus_2' } } });
  // @ts-expect-error -- there is no such format
  await client.GET('/v1/orders', { params: { query: { format: 'xml' } } });
  // @ts-expect-error -- events have no export
  await client.GET('/v1/events', { params: { query: { format: 'csv' } } });
  return error === undefined ? data : error.message;
}

export async function exportsAreStreamsIfThatIsAskedFor(): Promise<ReadableStream<Uint8Array> | null> {
  const query = { format: 'ndjson' } as const;
  const { data, error } = await client.GET('/v1/orders', { params: { query }, parseAs: 'stream' });
  // @ts-expect-error -- an export is not JSON
  await client.GET('/v1/orders', { params: { query }, parseAs: 'json' });
  return error === undefined ? data : null;
}

export async function aListThatMayHaveNotChanged(tag: string): Promise<string | undefined> {
  const headers = { params: { header: { 'If-None-Match': tag } } };
  const { data, error } = await client.GET('/v1/orders', headers);
  // @ts-expect-error -- neither, after a 304
  if (data === undefined) return error.message;
  const [first] = await dataOf(client.GET('/v1/orders', headers));
  return data.data[0]?.id ?? first?.id;
}

export async function operationsAreTyped(): Promise<number> {
  // @ts-expect-error -- limit
  await client.coupons.create({ limt: 5 });
  // @ts-expect-error -- customerId
  await client.orders.list({ customer: 'cus_2' });
  // @ts-expect-error -- an export has no data
  await client.orders.list({ format: 'csv' });
  // @ts-expect-error -- a body is required
  await client.coupons.update('cpn_1');
  // @ts-expect-error -- from is required
  await client.sales.get();
  // @ts-expect-error -- a list of orders does not say which version it is of
  await client.orders.list({}, { headers: { 'If-None-Match': 'W/"1"' } });
  // @ts-expect-error -- If-Match
  await client.orders.cancel('ord_1', { headers: { 'If-Mach': '"3"' } });
  // @ts-expect-error -- one order has no pages
  client.orders.get('ord_1')[Symbol.asyncIterator]?.();
  // @ts-expect-error -- a stream has no end to wait for
  await client.activity.stream();

  await client.orders.cancel('ord_1', { headers: { 'If-Match': '"3"', 'Idempotency-Key': 'once' } });
  const offering = { id: 'off_1', price: { amount: 5000, currency: 'EUR' } };
  await client.pricing.evaluateAdjustments({ offering, cartContext: {} }, { query: { dropped: 'all' } });
  const { quantitySold } = await client.coupons.get('cpn_1');
  for await (const { costs } of client.orders.list({ state: 'placed' })) return costs.total;
  return quantitySold;
}
