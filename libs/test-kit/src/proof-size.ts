/**
 * How many rounds, requests or records a proof takes: `usual`, which is enough to catch most mistakes within the time
 * of a CI run, or `full` with `PROOFS=full`.
 */
export function proofSize(usual: number, full: number): number {
  return process.env['PROOFS'] === 'full' ? full : usual;
}
