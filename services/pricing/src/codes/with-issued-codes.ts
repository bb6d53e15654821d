import { codeKey, compactKey, storedCode, type Tenant } from '@event-commerce/contracts';
import { IssuedAdjustments, type PresentedCode } from '../evaluate/domain/issued-adjustments.ts';
import type { CompanyAdjustments, CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import type { CodeRepository } from './code.repository.ts';

/**
 * The company's adjustments for a request that presents `codes`. Codes that no adjustment has are looked up among the
 * issued ones, if the company issues any: at most one read.
 */
export async function withIssuedCodes(
  deps: { codes: Pick<CodeRepository, 'find'> },
  tenant: Tenant,
  snapshot: CompanySnapshot,
  codes: readonly string[] = [],
): Promise<CompanyAdjustments> {
  const unknown = unknownCodes(snapshot, codes);
  if (unknown.length === 0) return snapshot;
  const found = await deps.codes.find(tenant, unknown);
  const issued = unknown.flatMap((code): PresentedCode[] => {
    const one = found.get(compactKey(code));
    // As it was presented: an order shows its codes in the buyer's spelling.
    return one === undefined ? [] : [{ ...one, code: storedCode(code) }];
  });
  return issued.length === 0 ? snapshot : new IssuedAdjustments(snapshot, codes, issued);
}

/** The codes of a request that no adjustment has, and that may have been issued for one. */
export function unknownCodes(
  snapshot: Pick<CompanyAdjustments, 'issuesCodes' | 'withCode'>,
  codes: readonly string[] = [],
): string[] {
  if (!snapshot.issuesCodes) return [];
  const byKey = new Map(codes.map((code) => [codeKey(code), code]));
  return [...byKey.values()].filter((code) =>
    snapshot.withCode(code).every(({ source }) => source.issued !== undefined),
  );
}
