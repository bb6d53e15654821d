export type Marker = 'circle' | 'square' | 'triangle' | 'diamond';

/** How the first, second, … line of a chart is drawn. */
export const MARKERS: readonly Marker[] = ['circle', 'square', 'triangle', 'diamond'];
export const DASHES: readonly (readonly number[])[] = [[], [8, 5], [2, 4], [12, 4, 2, 4], [5, 3]];
