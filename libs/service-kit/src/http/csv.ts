export type CsvCell = string | number | undefined;

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after what it may read as the end of a cell.
 */
const FORMULA = /(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@])|^(?=[\t\r])/g;

/** A row of CSV (RFC 4180). */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(escaped).join(',')}\r\n`;
}

/** Escapes what a spreadsheet would read as a formula, so that it shows as text. */
function escaped(cell: CsvCell = ''): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
