import { styleText } from 'node:util';

/** A key as the admin API returns it; `key` itself only when it was just created. */
export interface KeyRecord {
  id: string;
  companyId: string;
  name: string;
  scopes: string[];
  environment: string;
  rateLimit: { perSecond: number; burst: number } | null;
  status: string;
  created: string;
  createdBy: string;
  lastUsed: string | null;
  expires: string | null;
  revoked: string | null;
  rotatedTo: string | null;
  key?: string;
}

/** `text` without characters that act on a terminal: a stored name may be from another release. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** One key, a line for each of its members. */
export function describe(record: KeyRecord): string {
  const { rateLimit } = record;
  const lines: [label: string, value: string | null | undefined][] = [
    ['key', record.key && `${styleText('bold', record.key)}  (shown only now)`],
    ['id', record.id],
    ['company', printable(record.companyId)],
    ['name', printable(record.name)],
    ['scopes', record.scopes.join(', ')],
    ['status', coloured(record.status, record.status)],
    ['environment', record.environment],
    ['limit', rateLimit && `${rateLimit.perSecond} a second, ${rateLimit.burst} at once`],
    ['created', record.created],
    ['created by', record.createdBy],
    ['last used', record.lastUsed],
    ['expires', record.expires],
    ['revoked', record.revoked],
    ['replaced by', record.rotatedTo],
  ];
  return lines.flatMap(([label, value]) => (value ? [`${label.padEnd(13)}${value}\n`] : [])).join('');
}

/** A line for each key. */
export function table(records: readonly KeyRecord[]): string {
  if (records.length === 0) return 'There are no keys.\n';
  const head = ['ID', 'COMPANY', 'ENVIRONMENT', 'NAME', 'STATUS', 'LAST USED', 'EXPIRES', 'SCOPES'];
  const rows = records.map((record) => [
    record.id,
    printable(record.companyId),
    record.environment,
    printable(record.name),
    record.status,
    record.lastUsed?.slice(0, 16) ?? '-',
    record.expires?.slice(0, 16) ?? '-',
    record.scopes.join(','),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(head)), ...rows.map((row) => coloured(row[4] ?? '', line(row)))].join('\n') + '\n';
}

function coloured(status: string, text: string): string {
  return status === 'active' ? text : styleText('dim', text);
}
