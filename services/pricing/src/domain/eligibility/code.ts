import type { Rule } from './rule.ts';

export const codeRule: Rule = ({ conditions: { code } }, { codes }) => {
  if (code === undefined || codes.has(code)) return undefined;
  return { reason: 'code-not-presented', detail: `needs the code ${code}, which was not presented` };
};
