import type { Options } from 'minisearch';

/** A part of a page, from one heading to the next. */
export interface Part {
  url: string;
  page: string;
  heading: string;
  content: string;
}

/** The same where the index is made and where it is searched. */
export const SEARCH_OPTIONS: Options<Part> = {
  idField: 'url',
  fields: ['page', 'heading', 'content'],
  storeFields: ['page', 'heading', 'content'],
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { heading: 4, page: 2 } },
};
