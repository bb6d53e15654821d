import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someAdjustments, someCart } from './adjustments.fixture.ts';
import type { Line } from './candidate.ts';
import { runAlone, runCascade, selectAll } from './cascade.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

test('an adjustment compared alone has the same result as in a cascade of its own', () => {
  fc.assert(
    fc.property(someAdjustments(14), someCart(4), (adjustments, cart) => {
      const lines = cart.lines.map(({ offering, quantity }, index): Line => ({
        index,
        offeringId: offering.id,
        contexts: [`event/${offering.eventId}`],
        tags: offering.tags,
        basePrice: offering.price.amount,
        listPrice: offering.price.amount,
        quantity,
      }));
      const alone = runAlone(lines);
      for (const candidate of new CompanySnapshot(adjustments).candidates(lines)) {
        expect(alone(candidate)).toEqual(runCascade(lines, selectAll(lines, [candidate])));
      }
    }),
    { numRuns: 500 },
  );
});
