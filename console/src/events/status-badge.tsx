import type { components } from '@event-commerce/client';

type Status = components['schemas']['Event']['status'];

/** Whether an event sells tickets, in a word. */
export function StatusBadge({ status = 'published' }: { status: Status | undefined }) {
  const kinds: Partial<Record<typeof status, string>> = { published: 'good', postponed: 'warn', cancelled: 'warn' };
  return <span class={`badge ${kinds[status] ?? ''}`}>{status}</span>;
}
