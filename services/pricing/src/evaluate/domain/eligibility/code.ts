import type { IssuedCode } from '../../../adjustments/domain/adjustment.ts';
import { codePoolOf } from '../../../adjustments/domain/pools-of.ts';
import type { Refusal } from './refusal.ts';
import type { Rule } from './rule.ts';

export const codeRule: Rule = ({ source, conditions }, { holders, claimed }) => {
  if (!conditions.needsCode) return undefined;
  const { id, issued } = source;
  const { code } = source.conditions;
  const holder = conditions.codeKey === undefined ? undefined : holders.get(conditions.codeKey);
  if (holder?.source.id === id) {
    return issued === undefined ? undefined : issuedCodeRefusal(issued, claimed(codePoolOf(id, issued.code)));
  }
  const reason = 'code-not-presented';
  if (code === undefined) return { reason, detail: 'needs one of its codes, and none was presented' };
  if (holder === undefined) return { reason, detail: `needs the code ${code}, which was not presented` };
  // Several adjustments may have one code: it was presented for one of them.
  const { id: replacedBy, name } = holder.source;
  return { reason, detail: `needs the code ${code}, which now redeems "${name}"`, replacedBy };
};

/** Advisory in an evaluation, like every cap: under concurrency the claim decides. */
export function issuedCodeRefusal({ limit }: Pick<IssuedCode, 'limit'>, claimed: number): Refusal | undefined {
  if (limit === 0) return codeRevoked;
  return claimed < limit ? undefined : codeUsedUp({ limit, claimed });
}

export const codeRevoked = { reason: 'code-revoked', detail: 'this code was withdrawn' } as const satisfies Refusal;

export function codeUsedUp({ limit, claimed }: { limit: number; claimed: number }) {
  return { reason: 'code-used-up', detail: `this code was used ${claimed} of ${limit} times` } as const;
}
