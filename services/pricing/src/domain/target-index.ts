import type { TargetPath } from '@event-commerce/contracts';
import { AdjustmentIndex } from './adjustment-index.ts';
import type { Line } from './candidate.ts';
import type { CompiledAdjustment } from './compiled-adjustment.ts';

type Lines = readonly Line[];

/** Adjustments by what they target, so that finding those of a cart costs what is found. */
export class TargetIndex {
  readonly #onAnyEvent = new Set<CompiledAdjustment>();
  readonly #byEvent = new AdjustmentIndex();
  readonly #byOffering = new AdjustmentIndex();

  add(adjustment: CompiledAdjustment): void {
    if (targetsAnyEvent(adjustment)) this.#onAnyEvent.add(adjustment);
    else for (const [index, id] of this.#placesOf(adjustment)) index.add(id, adjustment);
  }

  remove(adjustment: CompiledAdjustment): void {
    if (targetsAnyEvent(adjustment)) this.#onAnyEvent.delete(adjustment);
    else for (const [index, id] of this.#placesOf(adjustment)) index.delete(id, adjustment);
  }

  /** Adds to `found` each adjustment that targets some of `lines`, with those lines in the order of the cart. */
  find(lines: Lines, found: Map<CompiledAdjustment, Lines>): void {
    if (lines.length > 0) for (const adjustment of this.#onAnyEvent) found.set(adjustment, lines);
    for (const line of lines) {
      if (line.eventId !== undefined) addLine(found, line, this.#byEvent.get(line.eventId));
      addLine(found, line, this.#byOffering.get(line.offeringId));
    }
  }

  *#placesOf({ targets }: CompiledAdjustment): Generator<[AdjustmentIndex, string]> {
    for (const target of targets) {
      if (target.kind === 'event') yield [this.#byEvent, target.id];
      if (target.kind === 'offering') yield [this.#byOffering, target.id];
    }
  }
}

/** Those of `lines` that `adjustment` targets. */
export function targetedLines(adjustment: CompiledAdjustment, lines: Lines): Lines {
  return lines.filter((line) => adjustment.targets.some((target) => isTarget(target, line)));
}

function isTarget(target: TargetPath, line: Line): boolean {
  if (target.kind === 'any-event') return true;
  return target.id === (target.kind === 'event' ? line.eventId : line.offeringId);
}

function targetsAnyEvent({ targets }: CompiledAdjustment): boolean {
  return targets.some(({ kind }) => kind === 'any-event');
}

function addLine(found: Map<CompiledAdjustment, Lines>, line: Line, adjustments: Iterable<CompiledAdjustment>): void {
  for (const adjustment of adjustments) {
    const lines = found.get(adjustment) as Line[] | undefined;
    if (lines === undefined) found.set(adjustment, [line]);
    // An adjustment may target a line twice: its event and its offering.
    else if (lines.at(-1) !== line) lines.push(line);
  }
}
