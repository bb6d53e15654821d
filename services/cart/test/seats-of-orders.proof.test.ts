import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderedSeat } from './ordered-seat.ts';
import { useStores } from './use-stores.ts';

const stores = useStores();

type Step =
  | { kind: 'cancel' }
  | { kind: 'expire' }
  | { kind: 'deliver'; type: 'order.placed' | 'order.cancelled'; diesAt: number; meanwhile: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'expire' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      type: fc.constantFrom('order.placed' as const, 'order.cancelled' as const),
      diesAt: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 8 })),
      meanwhile: fc.boolean(),
    }),
  },
);

test("the seat of an order's session ends in the right place, in whatever order its events arrive, repeat, overlap or die", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 7 }), fc.boolean(), async (steps, placedFirst) => {
    const seat = await orderedSeat(stores());
    let cancelled = false;
    const running: Promise<void>[] = [];
    for (const one of steps) {
      if (one.kind === 'expire') {
        await seat.expire();
      } else if (one.kind === 'cancel') {
        cancelled = true;
        seat.cancel();
      } else if (one.type === 'order.placed' || cancelled) {
        const delivered = seat.deliver(one.type, one.diesAt).catch(() => undefined);
        if (one.meanwhile) running.push(delivered);
        else await delivered;
      }
    }
    await Promise.all(running);
    // Every event is eventually handled completely, in some order.
    const last = cancelled ? (['order.placed', 'order.cancelled'] as const) : (['order.placed'] as const);
    for (const type of placedFirst ? last : last.toReversed()) await seat.deliver(type);

    await seat.followLeaves();
    const state = await seat.state();
    expect(state).toMatchObject(
      cancelled
        ? { seatsTaken: 0, status: 'open', holder: 'nobody', spent: 0, sessionSaysSo: false }
        : { seatsTaken: 1, status: 'full', holder: 'order', spent: 900 },
    );
  });
  await fc.assert(property, {
    numRuns: proofSize(40, 100),
    examples: [
      [
        [
          { kind: 'deliver', type: 'order.placed', diesAt: Infinity, meanwhile: false },
          { kind: 'cancel' },
          { kind: 'deliver', type: 'order.cancelled', diesAt: Infinity, meanwhile: false },
        ],
        false,
      ],
      [[{ kind: 'cancel' }], false],
      [
        [
          { kind: 'deliver', type: 'order.placed', diesAt: Infinity, meanwhile: false },
          { kind: 'cancel' },
          { kind: 'expire' },
        ],
        true,
      ],
    ],
  });
}, 120_000);
