import type { Modifier } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOW, someAdjustments, someCart } from './adjustments.fixture.ts';
import { capsToRead, type CapsToRead } from './caps-to-read.ts';
import { codesOf, linesOf } from './cart-lines.ts';
import { type CartPrice, priceCart, priceForOrder, type PriceOptions, priceOffering } from './price.ts';
import { encodeEvaluation, encodeInPieces } from './encode-evaluation.ts';
import { ProposedAdjustments } from './proposed-adjustments.ts';
import { sameUntilMs } from './same-until.ts';
import { CompanySnapshot, type LiveAdjustments } from '../../snapshot/domain/snapshot.ts';
import { adjustments, ANY_STACKING, appliedIds, cart, forEveryEvaluation, options } from './any-evaluation.fixture.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

describe('for any adjustments and any cart', () => {
  test('modifiers sum to total - subtotal', () => {
    forEveryEvaluation(({ lines, perOrderModifiers, summary }) => {
      const modifiers = [...lines.flatMap((line) => line.perUnitModifiers), ...perOrderModifiers];
      expect(sum(modifiers.map((modifier) => modifier.total))).toBe(summary.modifiers);
      expect(summary.subtotal + summary.modifiers).toBe(summary.total);
      expect(summary.subtotal).toBe(sum(lines.map((line) => line.basePrice.amount * line.quantity)));
    });
  });

  test('per unit times quantity adds up on every line', () => {
    forEveryEvaluation(({ lines }) => {
      for (const { basePrice, effectivePrice, perUnitModifiers, quantity, total, groups } of lines) {
        for (const group of groups ?? [{ quantity, effectivePrice, perUnitModifiers }]) {
          const changes = sum(group.perUnitModifiers.map(({ amount }) => amount));
          expect(group.effectivePrice.amount).toBe(basePrice.amount + changes);
          for (const modifier of group.perUnitModifiers) {
            expect(modifier).toMatchObject({ units: group.quantity, total: modifier.amount * group.quantity });
          }
        }
        const unlike = groups ?? [{ quantity, effectivePrice }];
        expect(total).toBe(sum(unlike.map((group) => group.effectivePrice.amount * group.quantity)));
        expect(quantity).toBe(sum(unlike.map((group) => group.quantity)));
        expect(effectivePrice.amount).toBe(Math.max(...unlike.map((group) => group.effectivePrice.amount)));
        expect(sum(perUnitModifiers.map((modifier) => modifier.total))).toBe(total - basePrice.amount * quantity);
        for (const { units, amount, total: changed } of perUnitModifiers) expect(changed).toBe(amount * units);
      }
    });
  });

  test('no price is negative, and every amount is a whole number other than 0', () => {
    forEveryEvaluation(({ lines, perOrderModifiers, summary }) => {
      expect(summary.total).toBeGreaterThanOrEqual(0);
      for (const line of lines) expect(line.effectivePrice.amount).toBeGreaterThanOrEqual(0);
      for (const { amount } of [...lines.flatMap((line) => line.perUnitModifiers), ...perOrderModifiers]) {
        expect(Number.isSafeInteger(amount) && amount !== 0).toBe(true);
      }
    });
  });

  test('the shares of each order-wide modifier add up to it, and leave no line below zero', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const { shares, basis: _, ...price } = priceForOrder(new CompanySnapshot(all), request, options);
        const ofCart = priceCart(new CompanySnapshot(all), request, options);
        expect(price.summary).toEqual(ofCart.summary);
        const ofLines = price.perOrderModifiers.filter(({ effect }) => effect.per === 'unit').length;
        const perOrderModifiers = ofCart.perOrderModifiers.map(withoutAllocations);
        expect(price.perOrderModifiers.slice(ofLines)).toEqual(perOrderModifiers);
        if (ofLines === 0) expect(price).toEqual({ ...ofCart, perOrderModifiers });
        if (request.lines.length > 1) expect(ofCart.perOrderModifiers.map(sharesIn)).toEqual(shares.slice(ofLines));
        expect(shares.map(sum)).toEqual(price.perOrderModifiers.map(({ total }) => total));
        const left = price.lines.map(({ total }) => total);
        for (const ofModifier of shares.slice(0, ofLines)) {
          for (const [index, share] of ofModifier.entries()) left[index] = (left[index] ?? 0) + share;
        }
        expect(left).toEqual(ofCart.lines.map(({ total }) => total));
        for (const ofModifier of shares.slice(ofLines)) {
          for (const [index, share] of ofModifier.entries()) left[index] = (left[index] ?? 0) + share;
          expect(Math.min(0, ...left)).toBe(0);
        }
        expect(sum(left)).toBe(price.summary.total);

        function sharesIn({ allocations = [] }: Modifier): number[] {
          return request.lines.map((_line, index) => allocations.find(({ line }) => line === index)?.amount ?? 0);
        }
      }),
      { numRuns: proofSize(300, 1_000) },
    );
    function withoutAllocations({ allocations: _allocations, ...modifier }: Modifier) {
      return modifier;
    }
  });

  test('every live adjustment either applies or is dropped with a reason, never both', () => {
    forEveryEvaluation((evaluation, all) => {
      const live = all.filter(({ status }) => status !== 'paused').map(({ id }) => id);
      const dropped = evaluation.droppedAdjustments.map(({ adjustmentId }) => adjustmentId);
      expect([...appliedIds(evaluation), ...dropped].toSorted()).toEqual(live.toSorted());
      for (const { reason, detail } of evaluation.droppedAdjustments) {
        expect(reason).not.toBe('');
        expect(detail).not.toMatch(/undefined|NaN|Infinity/);
      }
    });
  });

  test('an adjustment that excluded another applies alone; one that replaced another was eligible', () => {
    forEveryEvaluation((evaluation, all) => {
      const applied = appliedIds(evaluation);
      const applicationOf = new Map(all.map(({ id, application }) => [id, application]));
      const reasonOf = new Map(evaluation.droppedAdjustments.map(({ adjustmentId, reason }) => [adjustmentId, reason]));
      for (const { reason, replacedBy } of evaluation.droppedAdjustments) {
        if (reason === 'excluded-by-exclusive') {
          const application = applicationOf.get(String(replacedBy));
          expect([...applied].filter((id) => applicationOf.get(id) === application)).toEqual([replacedBy]);
        }
        if (reason === 'replaced-within-category') {
          expect(applied.has(String(replacedBy)) || reasonOf.get(String(replacedBy)) === 'no-effect').toBe(true);
        }
      }
    });
  });

  test('proposed adjustments give the price that saving them would, and change nothing', () => {
    fc.assert(
      fc.property(adjustments, someAdjustments(6, { stacking: ANY_STACKING }), cart, (all, proposed, request) => {
        const stored = new CompanySnapshot(all);
        const before = priceCart(stored, request, options);
        // Half of them replace a stored one; the others are new.
        const wouldBe = proposed.map((one, n) => ({ ...one, id: n % 2 === 0 ? one.id : `proposed_${n}` }));
        const ids = new Set(wouldBe.map(({ id }) => id));
        const saved = new CompanySnapshot([...all.filter(({ id }) => !ids.has(id)), ...wouldBe]);
        const ask = new ProposedAdjustments(stored, wouldBe);
        for (const dropped of ['all', 'candidates'] as const) {
          expect(priceCart(ask, request, { ...options, dropped })).toEqual(
            priceCart(saved, request, { ...options, dropped }),
          );
        }
        const caps = (of: LiveAdjustments) => sorted(capsToRead(of, request, new Map(), Date.parse(NOW)));
        expect(caps(ask)).toEqual(caps(saved));
        expect(priceCart(stored, request, options)).toEqual(before);
      }),
      { numRuns: proofSize(300, 1_000) },
    );
    function sorted({ inAll, perCustomer }: CapsToRead) {
      return { inAll: inAll.toSorted(), perCustomer: perCustomer.toSorted() };
    }
  });

  test('a cart costs the same, with the same results for its codes, until the time at which its price may change', () => {
    const view = { ...options, dropped: 'none' } as const;
    const nowMs = new Date(options.now).getTime();
    let changed = 0;
    fc.assert(
      fc.property(
        adjustments,
        cart,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (all, request, at) => {
          const snapshot = new CompanySnapshot(all);
          const untilMs = sameUntilMs(snapshot, linesOf(request, view.events), codesOf(request.cartContext), nowMs);
          if (untilMs === nowMs) return;
          const price = priceCart(snapshot, request, view);
          const lastMs = Math.min(untilMs, nowMs + YEAR_MS) - 1;
          const laterMs = nowMs + Math.floor(at * (lastMs + 1 - nowMs));
          for (const now of [laterMs, lastMs]) expect(priceCart(snapshot, request, { ...view, now })).toEqual(price);
          if (untilMs === Infinity) return;
          const then = priceCart(snapshot, request, { ...view, now: untilMs });
          if (JSON.stringify(then) !== JSON.stringify(price)) changed += 1;
        },
      ),
      { numRuns: proofSize(300, 1_000) },
    );
    expect(changed).toBeGreaterThan(0);
  });

  test('the order in which adjustments were loaded changes nothing', () => {
    fc.assert(
      fc.property(adjustments, cart, fc.infiniteStream(fc.nat()), (all, request, random) => {
        const keys = new Map(all.map((adjustment) => [adjustment, random.next().value as number]));
        const shuffled = all.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
        expect(priceCart(new CompanySnapshot(shuffled), request, options)).toEqual(
          priceCart(new CompanySnapshot(all), request, options),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('the order of the lines changes nothing, even of lines for the same offering', () => {
    const orders = fc.array(fc.tuple(fc.constantFrom('off_0', 'off_1'), fc.nat()), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(adjustments, cart, orders, (all, request, places) => {
        const lines = request.lines.map((line, at) => {
          const [id, key] = places[at] as [string, number];
          return { ...line, offering: { ...line.offering, id }, key };
        });
        const shuffled = lines.toSorted((a, b) => a.key - b.key);
        const snapshot = new CompanySnapshot(all);
        const one = named(priceCart(snapshot, { ...request, lines }, options), lines);
        const other = named(priceCart(snapshot, { ...request, lines: shuffled }, options), shuffled);
        expect(other).toEqual(one);
      }),
      { numRuns: proofSize(500, 2_000) },
    );

    /** The price with its lines sorted, and each allocation's line named by its content, whatever its index. */
    function named(price: CartPrice, lines: readonly { key: number }[]) {
      const perOrderModifiers = price.perOrderModifiers.map(({ allocations = [], ...modifier }) => ({
        ...modifier,
        allocations: allocations
          .map(({ line, amount }) => JSON.stringify([amount, { ...lines[line], key: 0 }]))
          .toSorted(),
      }));
      const priced = price.lines.map((line, index) => JSON.stringify([{ ...lines[index], key: 0 }, line])).toSorted();
      return { ...price, perOrderModifiers, lines: priced };
    }
  });

  test('a snapshot that applied every change one by one equals a freshly loaded one', () => {
    fc.assert(
      fc.property(adjustments, adjustments, cart, (before, after, request) => {
        const changed = new CompanySnapshot(before);
        priceCart(changed, request, options);
        for (const adjustment of before.slice(after.length)) changed.remove(adjustment.id);
        for (const adjustment of after) {
          changed.apply([adjustment]);
          priceCart(changed, request, options);
        }
        const loaded = new CompanySnapshot(after);
        expect(priceCart(changed, request, options)).toEqual(priceCart(loaded, request, options));
        expect(changed.digest.toString()).toBe(loaded.digest.toString());
      }),
      { numRuns: 300 },
    );
  });

  test('evaluating twice gives the same result and changes no input', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const snapshot = new CompanySnapshot(all);
        const before = JSON.stringify([all, request]);
        const first = JSON.stringify(priceCart(snapshot, request, options));
        expect(JSON.stringify(priceCart(snapshot, request, options))).toBe(first);
        expect(JSON.stringify([all, request])).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test('the encoded evaluation equals the evaluation', () => {
    forEveryEvaluation((evaluation) => {
      expect(JSON.parse(encodeEvaluation(evaluation))).toEqual(JSON.parse(JSON.stringify(evaluation)));
    });
  });

  test('an evaluation in pieces of a list has the same text, whatever changed since the list was made', () => {
    fc.assert(
      fc.property(adjustments, adjustments, someCart(1), fc.boolean(), (before, after, request, showCodes) => {
        const [line] = request.lines;
        fc.pre(line !== undefined);
        const cartContext = { ...request.cartContext, quantity: line.quantity };
        const asked = { offering: line.offering, cartContext };
        const snapshot = new CompanySnapshot(before);
        snapshot.mismatchList(showCodes);
        snapshot.apply(after);
        const price = (dropped: PriceOptions['dropped']) =>
          priceOffering(snapshot, asked, { ...options, dropped, showCodes });
        const { pieces, list, mismatches } = encodeInPieces(price('targeted'), snapshot, asked, showCodes);
        const bytes = list.bytes();
        const parts = pieces.map((piece) =>
          typeof piece === 'string' ? Buffer.from(piece) : bytes.subarray(...piece),
        );
        const all = price('all');
        expect(Buffer.concat(parts).toString()).toBe(encodeEvaluation(all));
        expect(mismatches).toBe(all.droppedAdjustments.filter(({ reason }) => reason === 'target-mismatch').length);
      }),
      { numRuns: 500 },
    );
  });

  test('one offering is priced like a cart of one line', () => {
    fc.assert(
      fc.property(adjustments, someCart(1), (all, request) => {
        const [line] = request.lines;
        fc.pre(line !== undefined);
        const snapshot = new CompanySnapshot(all);
        const context = { ...request.cartContext, quantity: line.quantity };
        const single = priceOffering(snapshot, { offering: line.offering, cartContext: context }, options);
        const { lines, ...order } = priceCart(snapshot, request, options);
        expect(single).toMatchObject(order);
        expect(lines).toMatchObject([{ effectivePrice: single.effectivePrice }]);
      }),
      { numRuns: 300 },
    );
  });
});
