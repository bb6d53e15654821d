import type { CartEvaluation, EvaluateCartRequest, Modifier, ListedOffering } from '@event-commerce/contracts';
import type { Catalogue } from './cart.ts';

/** An offering of the catalogue at 50.00 EUR. */
export function anOffering(id: string, changes: Partial<ListedOffering> = {}): ListedOffering {
  return {
    id,
    eventId: 'evt_1',
    companyId: 'company',
    name: `Ticket ${id}`,
    price: { amount: 5_000, currency: 'EUR' },
    tags: [],
    status: 'active',
    availability: { sold: 0, held: 0, left: null },
    event: { status: 'published' },
    created: '2027-01-01T00:00:00.000Z',
    changed: '2027-01-01T00:00:00.000Z',
    version: 1,
    ...changes,
  };
}

export function aCatalogue(...offerings: ListedOffering[]): Catalogue {
  return new Map(offerings.map((offering) => [offering.id, offering]));
}

/** An evaluation like pricing's, with `perUnit` on every unit and `perOrder` on the whole. */
export function evaluationOf(request: EvaluateCartRequest, perUnit = 0, perOrder = 0): CartEvaluation {
  const modifier = (amount: number, total: number): Modifier => ({
    adjustmentId: 'adj_1',
    name: 'Any',
    type: 'promotion',
    category: 'any',
    origin: 'manual',
    effect: { kind: 'percentage_off', percent: 1, per: 'unit' },
    base: 0,
    amount,
    units: 1,
    total,
  });
  const lines = request.lines.map(({ offering: { id, price }, quantity }) => {
    const currency = price.currency ?? 'EUR';
    const amount = Math.max(0, price.amount + perUnit);
    return {
      offeringId: id,
      quantity,
      basePrice: { amount: price.amount, currency },
      effectivePrice: { amount, currency },
      perUnitModifiers: perUnit === 0 ? [] : [modifier(amount - price.amount, (amount - price.amount) * quantity)],
      total: amount * quantity,
    };
  });
  const subtotal = lines.reduce((sum, line) => sum + line.basePrice.amount * line.quantity, 0);
  const ofLines = lines.reduce((sum, line) => sum + line.total, 0);
  const ofOrder = Math.max(-ofLines, perOrder);
  return {
    lines,
    perOrderModifiers: ofOrder === 0 ? [] : [modifier(ofOrder, ofOrder)],
    summary: {
      subtotal,
      modifiers: ofLines + ofOrder - subtotal,
      total: ofLines + ofOrder,
      currency: lines[0]?.basePrice.currency ?? 'USD',
      clampedAtZero: false,
    },
    codes: [],
  };
}
