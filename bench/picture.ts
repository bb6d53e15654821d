/** A ratio, and the goal for it. */
export interface Bar {
  label: string;
  ratio: number;
  target?: number | undefined;
}

const WIDTH = 860;
const LABEL = 430;
const ROW = 28;
const TOP = 34;
const RIGHT = 60;
const SCALE = WIDTH - LABEL - RIGHT;

/** Ratios up to 1 as an SVG picture: a bar for each, and a line where its goal is. It fits light and dark pages. */
export function picture(bars: readonly Bar[]): string {
  const height = TOP + bars.length * ROW + 6;
  const at = (ratio: number) => LABEL + Math.min(1, ratio) * SCALE;
  const rows = bars.flatMap(({ label, ratio, target }, index) => {
    const y = TOP + index * ROW;
    return [
      `<text x="${LABEL - 12}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LABEL}" y="${y + 3}" width="${(at(ratio) - LABEL).toFixed(1)}" height="16" rx="3" fill="#6366f1"/>`,
      `<text x="${(at(ratio) + 8).toFixed(1)}" y="${y + 15}">${ratio.toFixed(2)}</text>`,
      ...(target === undefined
        ? []
        : [`<path d="M${at(target).toFixed(1)} ${y}v22" stroke="#d97706" stroke-width="2"/>`]),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Ratios to bare libraries, with their goals" font-family="system-ui, sans-serif" font-size="13" fill="#6b7280">`,
    `<text x="${LABEL}" y="18">of what the bare library does in the same run; the line is the goal</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
