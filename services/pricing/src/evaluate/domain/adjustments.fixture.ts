import { type Adjustment, type EvaluateCartRequest, type EvaluateRequest, WEEKDAYS } from '@event-commerce/contracts';
import fc from 'fast-check';
import type { PriceOptions } from './price.ts';

export const NOW = '2027-05-01T12:00:00.000Z';

export const OPTIONS: PriceOptions = {
  now: NOW,
  defaultCurrency: 'EUR',
  claimed: () => 0,
  events: new Map(),
  customerUsage: () => 0,
  dropped: 'all',
  showCodes: true,
};

/** Ten percent off everything, unless `changes` say otherwise. */
export function anAdjustment(changes: Partial<Adjustment> & { id: string }): Adjustment {
  return {
    companyId: 'acme',
    name: changes.id,
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    application: 'at-checkout',
    stacking: 'stackable',
    effectBase: 'list-price',
    priority: 0,
    targets: [targeting('event/*')],
    conditions: {},
    effect: { kind: 'percentage_off', percent: 10, per: 'unit' },
    status: 'active',
    created: '2027-01-01T00:00:00.000Z',
    changed: '2027-01-01T00:00:00.000Z',
    version: 1,
    ...changes,
  };
}

export function targeting(path: string): Adjustment['targets'][number] {
  return { urn: `urn:v1:acme:events:${path}`, companyId: 'acme' };
}

/** `quantity` tickets at `amount` minor units, of offering `off_1` of event `evt_1`. */
export function aRequest(
  amount: number,
  cartContext: Partial<EvaluateRequest['cartContext']> = {},
  offering: Partial<EvaluateRequest['offering']> = {},
): EvaluateRequest {
  return {
    offering: { id: 'off_1', eventId: 'evt_1', price: { amount, currency: 'EUR' }, ...offering },
    cartContext: { quantity: 1, ...cartContext },
  };
}

type CartLine = EvaluateCartRequest['lines'][number];

export function aLine(id: string, amount: number, quantity: number, eventId = 'evt_1'): CartLine {
  return { offering: { id, eventId, price: { amount, currency: 'EUR' } }, quantity };
}

const percent = fc.integer({ min: 1, max: 1_000_000 }).map((units) => units / 10_000);
const amount = fc.integer({ min: 1, max: 6000 });
const per = fc.constantFrom('unit' as const, 'order' as const);
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD');
const small = fc.integer({ min: 1, max: 4 });

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** The amount and percentage ranges overlap the prices of `someCart`, so that clamping and no-effects are common. */
const someEffect: fc.Arbitrary<Adjustment['effect']> = fc
  .tuple(
    fc.oneof(
      fc.record({ kind: fc.constant('percentage_off' as const), percent, per }),
      fc.record({ kind: fc.constant('amount_off' as const), amount, currency, per }),
      fc.record({ kind: fc.constant('fixed_price' as const), amount, currency, per }),
      fc.record({ kind: fc.constant('percentage_surcharge' as const), percent, per }),
      fc.record({ kind: fc.constant('amount_surcharge' as const), amount, currency, per }),
      fc.record({
        kind: fc.constant('tiered' as const),
        tiers: fc.uniqueArray(
          fc.oneof(fc.record({ minQuantity: small, percent }), fc.record({ minQuantity: small, amount })),
          { minLength: 1, maxLength: 3, selector: (tier) => tier.minQuantity },
        ),
        currency,
        per,
      }),
      fc.record({
        kind: fc.constant('buy_x_get_y' as const),
        buy: small,
        get: small,
        percent,
        per: fc.constant('order' as const),
      }),
    ),
    rarely(fc.integer({ min: 0, max: 3000 })),
    rarely(fc.record({ max: small, pick: fc.constantFrom('cheapest' as const, 'dearest' as const) })),
  )
  .map(([effect, maxAmount, units]) => ({
    ...effect,
    ...(maxAmount === undefined ? {} : { maxAmount }),
    ...(units === undefined || effect.kind === 'buy_x_get_y' ? {} : { units }),
  }));

const instant = fc.constantFrom('2027-04-01T00:00:00.000Z', NOW, '2027-06-01T00:00:00.000Z');
const money = fc.record({ amount: fc.integer({ min: 0, max: 10_000 }), currency });
const names = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });

const timeOfDay = fc
  .tuple(fc.constantFrom('00', '09', '12', '14', '23'), fc.constantFrom('00', '30'))
  .map((parts) => parts.join(':'));
/** Some of them open or close at `NOW`, or soon after. */
const someWindows = fc.array(
  fc
    .record({
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      from: timeOfDay,
      to: fc.oneof(timeOfDay, fc.constant('24:00')),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
    })
    .filter(({ from, to }) => from !== to),
  { minLength: 1, maxLength: 2 },
);

// Each condition is rare, because otherwise hardly anything would be eligible.
const caps = {
  maxRedemptions: rarely(fc.integer({ min: 0, max: 3 })),
  maxRedemptionsPerCustomer: rarely(fc.integer({ min: 0, max: 3 })),
  maxTickets: rarely(fc.integer({ min: 0, max: 6 })),
  maxTicketsPerCustomer: rarely(fc.integer({ min: 0, max: 6 })),
};
const someCaps = fc.record(caps).map((conditions) => present(conditions));

const someConditions = fc
  .record({
    code: rarely(fc.constantFrom('SUMMER', 'WINTER')),
    startsAt: rarely(instant),
    endsAt: rarely(instant),
    recurring: rarely(someWindows),
    minQuantity: rarely(small),
    maxQuantity: rarely(small),
    minOrderTotal: rarely(money),
    maxOrderTotal: rarely(money),
    minEligibleTotal: rarely(money),
    customerSegments: rarely(names('vip', 'staff')),
    channelIds: rarely(names('web', 'box-office')),
    tags: rarely(names('seated', 'standing')),
    ...caps,
  })
  .map((conditions) => present(conditions));

function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

const CONDITIONS = { some: someConditions, caps: someCaps, none: fc.constant({}) };

interface AdjustmentKinds {
  minLength?: number;
  stacking?: Adjustment['stacking'][];
  conditions?: keyof typeof CONDITIONS;
  atListing?: false;
}

/** Adjustments of every kind, with unique ids. */
export function someAdjustments(maxLength: number, kinds: AdjustmentKinds = {}): fc.Arbitrary<Adjustment[]> {
  const stackings = kinds.stacking ?? ['stackable', 'stackable', 'replace-within-category', 'replace-within-category'];
  return fc
    .array(
      fc.record({
        category: fc.constantFrom('early-bird', 'loyalty'),
        stacking: fc.constantFrom(...stackings),
        effectBase: fc.constantFrom('list-price' as const, 'current-price' as const),
        priority: fc.integer({ min: -1, max: 1 }),
        created: fc.constantFrom('2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'),
        status: fc.constantFrom('active' as const, 'active' as const, 'scheduled' as const, 'paused' as const),
        targets: fc
          .uniqueArray(
            fc.constantFrom('event/*', 'event/evt_1', 'event/evt_2', 'offering/off_0', 'offering/off_1', 'offering/x'),
            { minLength: 1, maxLength: 2 },
          )
          .map((paths) => paths.map((path) => targeting(path))),
        conditions: CONDITIONS[kinds.conditions ?? 'some'],
        effect: someEffect,
        atListing: kinds.atListing === false ? fc.constant(false) : fc.boolean(),
      }),
      { minLength: kinds.minLength ?? 0, maxLength },
    )
    .map((all) =>
      all.map(({ atListing, ...changes }, index) =>
        anAdjustment({
          id: `adj_${index}`,
          ...changes,
          application: atListing && changes.effect.per === 'unit' ? 'at-listing' : 'at-checkout',
        }),
      ),
    );
}

/** Carts of offerings `off_0`, `off_1`, ..., each once. */
export function someCart(maxLines: number): fc.Arbitrary<EvaluateCartRequest> {
  return fc.record({
    lines: fc
      .array(
        fc.record({
          eventId: fc.constantFrom('evt_1', 'evt_2'),
          amount: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(0, 1, 999, 5000)),
          tags: fc.subarray(['seated', 'standing']),
          quantity: fc.integer({ min: 0, max: 6 }),
        }),
        { maxLength: maxLines },
      )
      .map((lines) =>
        lines.map(({ quantity, eventId, amount: price, tags }, index) => ({
          offering: { id: `off_${index}`, eventId, price: { amount: price, currency: 'EUR' }, tags },
          quantity,
        })),
      ),
    cartContext: fc
      .record({
        codes: fc.option(fc.array(fc.constantFrom('summer', 'SUMMER', ' Winter ', 'OTHER'), { maxLength: 3 }), {
          nil: undefined,
        }),
        customerId: fc.option(fc.constant('cus_1'), { nil: undefined }),
        customerSegment: fc.option(fc.constantFrom('vip', 'guest'), { nil: undefined }),
        channelId: fc.option(fc.constantFrom('web', 'app'), { nil: undefined }),
        orderTotal: fc.option(money, { nil: undefined }),
      })
      .map((context) => present(context)),
  });
}
