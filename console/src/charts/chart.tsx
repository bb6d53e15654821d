import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DASHES, MARKERS } from './line-styles.ts';
import { type Line, peakOf, sumOf } from './sales-series.ts';

/** Lines over time, with their sums, and the same as a table. */
export function Chart({
  title,
  starts,
  timezone,
  lines,
  text,
  whenText,
  children,
}: {
  title: string;
  /** The beginnings of the buckets. */
  starts: readonly string[];
  timezone: string;
  lines: readonly Line[];
  /** A value in words. */
  text: (value: number) => string;
  /** A bucket in words. */
  whenText: (start: string) => string;
  /** What is shown beside the title. */
  children?: ComponentChildren;
}) {
  const [pointed, setPointed] = useState<number>();
  const isEmpty = lines.every(({ values }) => sumOf(values) === 0);
  return (
    <section class="card chart" aria-label={title}>
      <div class="chart-head">
        <h2>{title}</h2>
        {children}
      </div>
      <ul class="chart-legend">
        {lines.map(({ name, values }, index) => (
          <li key={name}>
            <Sample index={index} />
            {name} <b>{text(pointed === undefined ? sumOf(values) : (values[pointed] ?? 0))}</b>
          </li>
        ))}
        <li class="soft" aria-hidden="true">
          {pointed === undefined ? 'altogether' : whenText(starts[pointed] ?? '')}
        </li>
      </ul>
      {isEmpty ? (
        <p class="soft chart-empty">Nothing in this time.</p>
      ) : (
        <Canvas
          starts={starts}
          timezone={timezone}
          lines={lines}
          text={text}
          onPoint={setPointed}
          label={`${title}. ${lines.map((line) => summaryOf(line, starts, text, whenText)).join(' ')}`}
        />
      )}
      <details>
        <summary>As a table</summary>
        <div class="chart-table" role="region" aria-label={`${title} as a table`} tabIndex={0}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="figure">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {starts.map((start, at) =>
                lines.every(({ values }) => values[at] === 0) ? null : (
                  <tr key={start}>
                    <th scope="row">{whenText(start)}</th>
                    {lines.map(({ name, values }) => (
                      <td key={name} class="figure" data-label={name}>
                        {text(values[at] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

/** `Sold: 120 altogether, most on Jul 3: 30.` */
function summaryOf(
  { name, values }: Line,
  starts: readonly string[],
  text: (value: number) => string,
  whenText: (start: string) => string,
): string {
  const peak = peakOf(values);
  const most = peak === undefined ? '' : `, most at ${whenText(starts[peak] ?? '')}: ${text(values[peak] ?? 0)}`;
  return `${name}: ${text(sumOf(values))} altogether${most}.`;
}

/** Draws what it is given. The drawing code is loaded when the first chart is shown. */
function Canvas({
  label,
  starts,
  timezone,
  lines,
  text,
  onPoint,
}: {
  label: string;
  starts: readonly string[];
  timezone: string;
  lines: readonly Line[];
  text: (value: number) => string;
  onPoint: (index: number | undefined) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState(false);
  const scheme = useColourScheme();
  const drawn = JSON.stringify([starts, timezone, lines]);
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const ended = new AbortController();
    void (async () => {
      const { draw } = await import('./draw.ts');
      if (ended.signal.aborted) return;
      const plot = draw(box, { starts, timezone, lines, text, onPoint });
      const resize = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: plot.height }));
      resize.observe(box);
      ended.signal.addEventListener('abort', () => {
        resize.disconnect();
        plot.destroy();
      });
    })().catch(() => setProblem(true));
    return () => ended.abort();
  }, [drawn, scheme]);
  return (
    <>
      <div ref={place} class="chart-canvas" role="img" aria-label={label} />
      {problem && <p class="problem">The chart could not be drawn. The table has the same numbers.</p>}
    </>
  );
}

/** Changes when the colours of the page do. */
function useColourScheme(): 'dark' | 'light' {
  const query = window.matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = ({ matches }: MediaQueryListEvent) => setDark(matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isDark ? 'dark' : 'light';
}

/** How a line looks. */
function Sample({ index }: { index: number }) {
  const marker = MARKERS[index % MARKERS.length];
  return (
    <svg class={`sample line-${index}`} width="36" height="12" viewBox="0 0 36 12" aria-hidden="true">
      <path d="M0 6h36" stroke-width="2" stroke-dasharray={DASHES[index % DASHES.length]?.join(' ')} />
      {marker === 'circle' && <circle cx="18" cy="6" r="4" />}
      {marker === 'square' && <path d="M14 2h8v8h-8z" />}
      {marker === 'triangle' && <path d="M18 2l4 8h-8z" />}
      {marker === 'diamond' && <path d="M18 2l4 4-4 4-4-4z" />}
    </svg>
  );
}
