import uPlot from 'uplot';
import { DASHES, MARKERS, type Marker } from './line-styles.ts';
import type { Line } from './sales-series.ts';

/** What a chart draws, and in which look. */
export interface Drawing {
  /** The beginnings of the buckets. */
  starts: readonly string[];
  timezone: string;
  lines: readonly Line[];
  /** A value in words, for the axis. */
  text: (value: number) => string;
  /** The bucket that is pointed at; undefined if none is. */
  onPoint: (index: number | undefined) => void;
}

const HEIGHT_PX = 240;
/** The most buckets with markers: with more, they would form a band. */
const MARKED_MAX = 62;

/** Draws into `place`, in its colours, until `destroy` is called. */
export function draw(place: HTMLElement, { starts, timezone, lines, text, onPoint }: Drawing): uPlot {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const font = `12px ${style.fontFamily}`;
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), timezone),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } },
      axes: [
        { ...axis, font, space: 70 },
        {
          ...axis,
          font,
          values: (_, values) => values.map((value) => (Number.isInteger(value) ? text(value) : '')),
          size: (_, values) => 16 + 7 * Math.max(0, ...(values ?? []).map((value) => value.length)),
        },
      ],
      series: [
        {},
        ...lines.map(({ name }, index): uPlot.Series => {
          const stroke = colour(LINE_COLOURS[index % LINE_COLOURS.length] ?? '--accent');
          const marker = MARKERS[index % MARKERS.length] ?? 'circle';
          return {
            label: name,
            stroke,
            width: 2,
            dash: [...(DASHES[index % DASHES.length] ?? [])],
            points: {
              show: starts.length <= MARKED_MAX,
              size: 8,
              stroke,
              fill: index % 2 === 0 ? stroke : colour('--raised'),
              paths: markerPaths(marker),
            },
          };
        }),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
    },
    [starts.map((start) => Date.parse(start) / 1_000), ...lines.map(({ values }) => [...values])],
    place,
  );
}

/** Lines differ in dashes and markers too: colour alone is not enough. */
const LINE_COLOURS = ['--accent', '--more', '--less', '--ink', '--wrong'];

/** Draws the marker of each value that is not 0: those of empty buckets would only be a second line. */
function markerPaths(marker: Marker): uPlot.Series.Points.PathBuilder {
  return (self, index, from, to) => {
    const path = new Path2D();
    const [x, values] = [self.data[0], self.data[index]];
    const radius = 4 * devicePixelRatio;
    for (let at = from; at <= to; at += 1) {
      const value = values?.[at];
      if (value === undefined || value === null || value === 0) continue;
      addMarker(path, marker, self.valToPos(x[at] ?? 0, 'x', true), self.valToPos(value, 'y', true), radius);
    }
    return { stroke: path, fill: path };
  };
}

function addMarker(path: Path2D, marker: Marker, x: number, y: number, r: number): void {
  if (marker === 'circle') {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  const corners: Record<Exclude<Marker, 'circle'>, readonly (readonly [number, number])[]> = {
    square: [
      [-r, -r],
      [r, -r],
      [r, r],
      [-r, r],
    ],
    triangle: [
      [0, -r],
      [r, r],
      [-r, r],
    ],
    diamond: [
      [0, -r],
      [r, 0],
      [0, r],
      [-r, 0],
    ],
  };
  corners[marker].forEach(([dx, dy], n) => (n === 0 ? path.moveTo(x + dx, y + dy) : path.lineTo(x + dx, y + dy)));
  path.closePath();
}
