import type { EvaluateRequest, Evaluation } from '@event-commerce/contracts';
import { codesOf } from './cart-lines.ts';
import { TargetMismatch } from './eligibility/target.ts';
import type { MismatchList, Piece } from './mismatch-list.ts';
import type { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

/** `evaluation` as JSON. Reuses the encoded target mismatches, which are most of a long response. */
export function encodeEvaluation(evaluation: Pick<Evaluation, 'droppedAdjustments'>): string {
  const { droppedAdjustments, ...rest } = evaluation;
  const dropped = droppedAdjustments.map((adjustment) => TargetMismatch.encode(adjustment)).join(',');
  return `${JSON.stringify(rest).slice(0, -1)},"droppedAdjustments":[${dropped}]}`;
}

/** JSON that consists of text and of parts of `list`. */
export interface EncodedInPieces {
  pieces: Piece[];
  list: MismatchList;
  /** How many adjustments the pieces of the list contain. */
  mismatches: number;
}

/**
 * An evaluation that lists every adjustment, as JSON: `targeted` is the same evaluation without the target mismatches,
 * which are added from the snapshot's list. The cost depends on what is targeted.
 */
export function encodeInPieces(
  targeted: Evaluation,
  snapshot: CompanySnapshot,
  { cartContext }: Pick<EvaluateRequest, 'cartContext'>,
  showCodes: boolean,
): EncodedInPieces {
  const { perUnitModifiers, perOrderModifiers, droppedAdjustments } = targeted;
  const named = [...perUnitModifiers, ...perOrderModifiers, ...droppedAdjustments];
  const ids = new Set(named.map(({ adjustmentId }) => adjustmentId));
  // Every caller may see a code that it presented.
  const presented = showCodes ? [] : [...codesOf(cartContext)].flatMap((code) => snapshot.withCode(code));
  const shown = new Set(presented.filter(({ source }) => !ids.has(source.id)).map(({ position }) => position));

  const list = snapshot.mismatchList(showCodes);
  const apart = [...ids].flatMap((id) => snapshot.compiled(id)?.position ?? []);
  const pieces = list.without(
    [...apart, ...shown].toSorted((a, b) => a - b),
    shown,
  );
  if (droppedAdjustments.length === 0) dropComma(pieces);
  const text = encodeEvaluation(targeted);
  return {
    pieces: [text.slice(0, -CLOSING.length), ...pieces, CLOSING],
    list,
    mismatches: list.size - apart.length,
  };
}

const CLOSING = ']}';

/** The first entry of a list has no comma before it. */
function dropComma(pieces: Piece[]): void {
  const [first] = pieces;
  if (first === undefined) return;
  pieces[0] = typeof first === 'string' ? first.slice(1) : [first[0] + 1, first[1]];
}
