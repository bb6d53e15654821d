import type { components } from '@event-commerce/client';

type CodeResult = components['schemas']['CodeResult'];

/** What became of each code that the buyer entered. */
export function CodeResults({ codes }: { codes: readonly CodeResult[] }) {
  if (codes.length === 0) return null;
  return (
    <ul class="codes">
      {codes.map(({ code, status, detail }) => (
        <li key={code}>
          <code>{code}</code> <span class={`badge ${BADGES[status]}`}>{WORDS[status]}</span>{' '}
          {detail !== undefined && <span class="soft">{detail}</span>}
        </li>
      ))}
    </ul>
  );
}

const WORDS: Record<CodeResult['status'], string> = {
  applied: 'applied',
  dropped: 'not applied',
  unknown: 'unknown code',
  throttled: 'too many codes tried',
};
const BADGES: Record<CodeResult['status'], string> = {
  applied: 'good',
  dropped: 'warn',
  unknown: 'warn',
  throttled: 'warn',
};
