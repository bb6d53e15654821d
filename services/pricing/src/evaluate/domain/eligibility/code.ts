import type { Rule } from './rule.ts';

export const codeRule: Rule = (adjustment, { holders }) => {
  const key = adjustment.conditions.codeKey;
  if (key === undefined) return undefined;
  const holder = holders.get(key);
  if (holder === adjustment) return undefined;
  const reason = 'code-not-presented';
  const { code } = adjustment.source.conditions;
  if (holder === undefined) return { reason, detail: `needs the code ${code}, which was not presented` };
  // Several adjustments may have one code: it was presented for one of them.
  const { id, name } = holder.source;
  return { reason, detail: `needs the code ${code}, which redeems "${name}" now`, replacedBy: id };
};
