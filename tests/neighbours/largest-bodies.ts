import { adjustmentBody, newCode } from '@event-commerce/test-kit';

/** The most lines of a cart, targets of an adjustment and codes of a cart. */
export const LINES = 500;

/** A body of nearly 1 MiB with as many problems as fit. */
export function manyProblems(n: number): unknown {
  return { code: n, contextIds: Array.from({ length: 100_000 }, () => 1_234_567) };
}

/** 500 targets with the longest allowed ids. */
export function largestAdjustment(changes: Record<string, unknown> = {}): unknown {
  const targets = Array.from({ length: LINES }, (_, n) => ({
    urn: `urn:v1::events:event/${String(n).padStart(4, '0')}${'x'.repeat(240)}`,
  }));
  const code = newCode();
  return adjustmentBody(code, { name: 'x'.repeat(256), targets, conditions: { code }, ...changes });
}

/** Nearly the largest allowed in an order. */
export function freeObject(): unknown {
  return Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`field${n}`, 'x'.repeat(4_000)]));
}

/** A purchase group with as many members as one request may name, each nearly as large as allowed. */
export function largestGroup(): object {
  const member = (_: unknown, n: number) => ({ id: `${n} ${newCode()}`, about: 'x'.repeat(950) });
  return { name: 'Reunion', members: Array.from({ length: LINES }, member) };
}
