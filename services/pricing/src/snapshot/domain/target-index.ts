import { EVERY_EVENT, isEverywhere } from '@event-commerce/contracts';
import { AdjustmentIndex } from './adjustment-index.ts';
import type { Line } from '../../evaluate/domain/candidate.ts';
import type { CompiledAdjustment } from './compiled-adjustment.ts';
import type { Comparisons } from '../../evaluate/domain/price-bounds.ts';

type Lines = readonly Line[];

/** Adjustments by their targets, so that finding those of a cart costs only what is found. */
export class TargetIndex {
  readonly #everywhere = new Set<CompiledAdjustment>();
  /** The adjustments by the narrowest part of each target: its offering, else its context. */
  readonly #byPlace = new AdjustmentIndex();

  add(adjustment: CompiledAdjustment): void {
    if (targetsEverything(adjustment)) this.#everywhere.add(adjustment);
    else for (const place of placesOf(adjustment)) this.#byPlace.add(place, adjustment);
  }

  remove(adjustment: CompiledAdjustment): void {
    if (targetsEverything(adjustment)) this.#everywhere.delete(adjustment);
    else for (const place of placesOf(adjustment)) this.#byPlace.delete(place, adjustment);
  }

  /**
   * Adds to `found` each adjustment that targets some of `lines`, with those lines by index.
   *
   * @throws {TooManyPricesError} as `comparisons` does
   */
  find(lines: Lines, found: Map<CompiledAdjustment, Lines>, comparisons: Comparisons): void {
    if (lines.length > 0) for (const adjustment of this.#everywhere) found.set(adjustment, lines);
    for (const line of lines) {
      for (const context of line.contexts) {
        for (const adjustment of this.#byPlace.get(context)) {
          comparisons.add('found', 1);
          addLine(found, line, adjustment);
        }
      }
      // Some of these require a context too.
      for (const adjustment of this.#byPlace.get(placeOfOffering(line.offeringId))) {
        comparisons.add('target', adjustment.targets.length);
        if (isTargeted(adjustment, line)) addLine(found, line, adjustment);
      }
    }
  }
}

/** The lines of `lines` that `adjustment` targets. */
export function targetedLines(adjustment: CompiledAdjustment, lines: Lines, comparisons: Comparisons): Lines {
  if (targetsEverything(adjustment)) return lines;
  comparisons.add('target', adjustment.targets.length * lines.length);
  return lines.filter((line) => isTargeted(adjustment, line));
}

/** Whether a target names an event, which may be a series, or a context of events. */
export function asksForEvents({ targets }: CompiledAdjustment): boolean {
  return targets.some(({ context }) => context !== undefined && context !== EVERY_EVENT);
}

/** Whether a target names a context of events. */
export function asksBeyondEvents({ targets }: CompiledAdjustment): boolean {
  return targets.some(({ context }) => context !== undefined && !context.startsWith('event/'));
}

function isTargeted({ targets, conditions }: CompiledAdjustment, line: Line): boolean {
  if (conditions.offeringIds?.has(line.offeringId) === false) return false;
  return targets.some(
    ({ context, offeringId }) =>
      (offeringId === undefined || offeringId === line.offeringId) &&
      (context === undefined || context === EVERY_EVENT || line.contexts.includes(context)),
  );
}

function targetsEverything({ targets, conditions }: CompiledAdjustment): boolean {
  return conditions.offeringIds === undefined && targets.some(isEverywhere);
}

function* placesOf({ targets, conditions: { offeringIds } }: CompiledAdjustment): Generator<string> {
  if (offeringIds !== undefined) {
    for (const offeringId of offeringIds) yield placeOfOffering(offeringId);
    return;
  }
  for (const { context, offeringId } of targets) {
    if (offeringId !== undefined) yield placeOfOffering(offeringId);
    else if (context !== undefined) yield context;
  }
}

function placeOfOffering(id: string): string {
  return `offering/${id}`;
}

function addLine(found: Map<CompiledAdjustment, Lines>, line: Line, adjustment: CompiledAdjustment): void {
  const lines = found.get(adjustment) as Line[] | undefined;
  if (lines === undefined) found.set(adjustment, [line]);
  // An adjustment may target a line twice: by its event and by its offering.
  else if (lines.at(-1) !== line) lines.push(line);
}
