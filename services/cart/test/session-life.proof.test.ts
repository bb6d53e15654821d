import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newWorld, type World } from './session-world.ts';
import { useStores } from './use-stores.ts';

const stores = useStores();

const diesAt = fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, fc.integer({ min: 1, max: 8 }));
const which = fc.integer({ min: 0, max: 1 });

const isKilled = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true));

const step: fc.Arbitrary<(world: World) => Promise<void> | void> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(which, isKilled, diesAt).map((args) => async (world: World) => world.place(...args)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, isKilled, diesAt).map((args) => async (world: World) => world.reopen(...args)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(which, fc.constantFrom('cancelled' as const, 'expired' as const))
      .map((args) => (world: World) => world.end(...args)),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(), diesAt).map(([nth, dies]) => async (world: World) => {
      const snapshot = world.told[nth % Math.max(1, world.told.length)];
      if (snapshot !== undefined) await world.deliver(snapshot, dies);
    }),
  },
  { weight: 2, arbitrary: diesAt.map((dies) => async (world: World) => world.join(dies)) },
  { weight: 2, arbitrary: diesAt.map((dies) => async (world: World) => world.leave(dies)) },
  { weight: 1, arbitrary: diesAt.map((dies) => async (world: World) => world.lapse(dies)) },
  { weight: 1, arbitrary: diesAt.map((dies) => async (world: World) => world.sweep(dies)) },
  { weight: 1, arbitrary: fc.boolean().map((isReversed) => async (world: World) => world.followSeats(isReversed)) },
);

test('a session has one order at a time, whatever is placed, reopened, cancelled, joined, left, lapsed, published or killed in whatever order', async () => {
  const steps = fc.array(fc.record({ act: step, isMeanwhile: fc.boolean() }), { maxLength: 14 });
  const property = fc.asyncProperty(steps, fc.boolean(), async (some, isReversed) => {
    const world = await newWorld(stores());
    const running: Promise<void>[] = [];
    for (const { act, isMeanwhile } of some) {
      const done = (async () => act(world))().catch((error: unknown) => {
        // Refusals and kills are expected; failed assertions are not.
        if ((error as Error).name === 'AssertionError') throw error;
      });
      if (isMeanwhile) running.push(done);
      else await done;
    }
    await Promise.all(running);
    // Every event is finally handled completely, in some order, and every remaining reservation is settled.
    await world.followSeats(isReversed);
    for (const snapshot of isReversed ? world.told.toReversed() : [...world.told]) await world.deliver(snapshot);
    await world.sweep();
    const { is, expected } = await world.state();
    expect(is).toEqual(expected);
  });
  await fc.assert(property, { numRuns: proofSize(60, 200) });
}, 120_000);
