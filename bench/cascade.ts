import type { Adjustment, EvaluateRequest } from '@event-commerce/contracts';
import { Engine } from 'json-rules-engine';
import { encodeEvaluation } from '../services/pricing/src/evaluate/domain/encode-evaluation.ts';
import { priceOffering, type PriceOptions } from '../services/pricing/src/evaluate/domain/price.ts';
import { CompanySnapshot } from '../services/pricing/src/snapshot/domain/snapshot.ts';

/** How many of the adjustments match, whatever their number. */
export const MATCHING = 10;

/**
 * Every round measures every cell, so that a disturbance of the machine affects all of them. The median round counts.
 */
export const ROUNDS = 9;
const CELL_MS = 25;

const ALL: PriceOptions = {
  now: '2027-05-01T12:00:00.000Z',
  defaultCurrency: 'EUR',
  claimed: () => 0,
  events: new Map(),
  customerUsage: () => 0,
  showCodes: true,
  dropped: 'all',
};
const CANDIDATES: PriceOptions = { ...ALL, dropped: 'candidates' };

const request: EvaluateRequest = {
  offering: { id: 'off_1', eventId: 'evt_0', price: { amount: 5_000, currency: 'EUR' } },
  cartContext: { quantity: 4, customerSegment: 'vip' },
};

/** Ten adjustments for the requested event, the others for one event each. */
function adjustments(count: number): Adjustment[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `adj_${String(index).padStart(6, '0')}`,
    companyId: 'acme',
    version: 1,
    name: `Adjustment ${index}`,
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    application: 'at-checkout',
    stacking: 'stackable',
    effectBase: 'list-price',
    priority: index % 7,
    targets: [
      { urn: `urn:v1:acme:events:event/evt_${index % (count / MATCHING) === 0 ? 0 : index}`, companyId: 'acme' },
    ],
    conditions: { customerSegments: ['vip', 'member'], minQuantity: 2 },
    effect: { kind: 'percentage_off', percent: 1, per: 'unit' },
    status: 'active',
    created: '2027-01-01T00:00:00.000Z',
    changed: '2027-01-01T00:00:00.000Z',
  }));
}

function asEngine(rules: readonly Adjustment[]): Engine {
  const engine = new Engine();
  for (const { id, targets, conditions } of rules) {
    engine.addRule({
      conditions: {
        all: [
          { fact: 'eventId', operator: 'equal', value: targets[0]?.urn.split('/')[1] },
          { fact: 'customerSegment', operator: 'in', value: conditions.customerSegments },
          { fact: 'quantity', operator: 'greaterThanInclusive', value: conditions.minQuantity },
        ],
      },
      event: { type: id },
    });
  }
  return engine;
}

const facts = { eventId: 'evt_0', customerSegment: 'vip', quantity: 4 };

interface Cell {
  label: string;
  size: number;
  run: () => unknown;
  usPerRun: number[];
}

async function measure(cell: Cell): Promise<void> {
  let runs = 0;
  let elapsedMs = 0;
  const startedAtMs = performance.now();
  while (elapsedMs < CELL_MS) {
    const result = cell.run();
    if (result instanceof Promise) await result;
    runs += 1;
    elapsedMs = performance.now() - startedAtMs;
  }
  cell.usPerRun.push((elapsedMs * 1000) / runs);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * The measured cases: this cascade with its options, and json-rules-engine with the same rules (three conditions each).
 */
export const CASCADE_LABELS = [
  'candidates',
  'all',
  'all, as JSON',
  'json-rules-engine',
  'one write, then evaluate',
] as const;
type CascadeLabel = (typeof CASCADE_LABELS)[number];

/**
 * Microseconds for one evaluation of `sizes` adjustments, ten of which match. Returns a function that looks up one
 * result.
 *
 * @throws {Error} if the two engines do not find the same adjustments
 */
export async function measureCascade(
  sizes: readonly number[],
  labels: readonly CascadeLabel[] = CASCADE_LABELS,
): Promise<(label: CascadeLabel, size: number) => number> {
  const cells: Cell[] = [];
  for (const size of sizes) {
    const runs = await runsOf(size);
    for (const label of labels) cells.push({ label, size, run: runs[label], usPerRun: [] });
  }
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const cell of cells) {
      if (round === 1) cell.usPerRun.length = 0;
      await measure(cell);
    }
  }
  return (label, size) => median(cells.find((cell) => cell.label === label && cell.size === size)?.usPerRun ?? []);
}

async function runsOf(size: number): Promise<Record<CascadeLabel, () => unknown>> {
  const rules = adjustments(size);
  const snapshot = new CompanySnapshot(rules);
  const written = new CompanySnapshot(rules);
  const engine = asEngine(rules);
  const applied = priceOffering(snapshot, request, CANDIDATES).perUnitModifiers.map(
    (modifier) => modifier.adjustmentId,
  );
  const matched = (await engine.run(facts)).events.map((event) => event.type);
  if (applied.length !== MATCHING || applied.toSorted().join() !== matched.toSorted().join()) {
    throw new Error(
      `of ${size} adjustments, ${applied.join()} applied here and ${matched.join()} in json-rules-engine`,
    );
  }
  let writes = 0;
  return {
    candidates: () => priceOffering(snapshot, request, CANDIDATES),
    all: () => priceOffering(snapshot, request, ALL),
    'all, as JSON': () => encodeEvaluation(priceOffering(snapshot, request, ALL)),
    'json-rules-engine': () => engine.run(facts),
    'one write, then evaluate': () => {
      writes += 1;
      written.apply(rules.slice(writes % size, (writes % size) + 1));
      return priceOffering(written, request, CANDIDATES);
    },
  };
}
