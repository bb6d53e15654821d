/**
 * What one evaluation costs as a company's adjustments grow and ten of them match: here, and in json-rules-engine with
 * the same rules (three conditions each). Run: `node bench/cascade.bench.ts`. Exits with 1 when 10,000 adjustments cost
 * more than RATIO_MAX times 100, without the list of target mismatches.
 */
import type { EvaluateRequest } from '@event-commerce/contracts';
import { Engine } from 'json-rules-engine';
import type { StoredAdjustment } from '../services/pricing/src/domain/adjustment.ts';
import { encodeEvaluation } from '../services/pricing/src/domain/encode-evaluation.ts';
import { priceOffering } from '../services/pricing/src/domain/price.ts';
import type { PriceOptions } from '../services/pricing/src/domain/price.ts';
import { CompanySnapshot } from '../services/pricing/src/domain/snapshot.ts';

const SIZES = [10, 100, 1_000, 10_000];
const MATCHING = 10;
const RATIO_MAX = 1.5;

/** Every round measures every cell, so that a disturbance of the machine meets them all; the median round counts. */
const ROUNDS = 9;
const CELL_MS = 25;

const ALL: PriceOptions = {
  now: '2027-05-01T12:00:00.000Z',
  defaultCurrency: 'EUR',
  customerUsage: () => 0,
  dropped: 'all',
};
const CANDIDATES: PriceOptions = { ...ALL, dropped: 'candidates' };

const request: EvaluateRequest = {
  offering: { id: 'off_1', eventId: 'evt_0', price: { amount: 5_000, currency: 'EUR' } },
  cartContext: { quantity: 4, customerSegment: 'vip' },
};

/** Ten adjustments for the event that is asked for, the others for an event each. */
function adjustments(count: number): StoredAdjustment[] {
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
    usage: { redeemed: 0, claimed: 0 },
  }));
}

function asEngine(rules: readonly StoredAdjustment[]): Engine {
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

const LABELS = ['candidates', 'all', 'all, as JSON', 'json-rules-engine', 'one write, then evaluate'] as const;
const cells: Cell[] = [];
for (const size of SIZES) {
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
  const runs: Record<(typeof LABELS)[number], () => unknown> = {
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
  for (const label of LABELS) cells.push({ label, size, run: runs[label], usPerRun: [] });
}

// The first round only warms up.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const cell of cells) {
    if (round === 1) cell.usPerRun.length = 0;
    await measure(cell);
  }
}

function usOf(label: string, size: number): number {
  return median(cells.find((cell) => cell.label === label && cell.size === size)?.usPerRun ?? []);
}

console.log(`Microseconds for one evaluation, ${MATCHING} adjustments matching (median of ${ROUNDS} rounds)`);
console.table(
  Object.fromEntries(
    SIZES.map((size) => [
      size,
      {
        ...Object.fromEntries(LABELS.map((label) => [label, Number(usOf(label, size).toFixed(1))])),
        'times faster': Number((usOf('json-rules-engine', size) / usOf('candidates', size)).toFixed(1)),
      },
    ]),
  ),
);
const ratio = usOf('candidates', 10_000) / usOf('candidates', 100);
console.log(`10,000 adjustments cost ${ratio.toFixed(2)} times 100 (at most ${RATIO_MAX})`);
if (ratio > RATIO_MAX) process.exitCode = 1;
