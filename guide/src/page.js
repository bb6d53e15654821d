import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.ts';

const input = document.querySelector('#search');
const results = document.querySelector('#results');
const AT_MOST = 12;
const EXCERPT = 120;

let loading;
/** The index, which is loaded once somebody is about to search. */
async function index() {
  loading ??= fetch(input.dataset.index).then(async (answer) =>
    MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS),
  );
  return await loading;
}

async function search() {
  const asked = input.value.trim();
  const found = asked === '' ? [] : (await index()).search(asked).slice(0, AT_MOST);
  // Somebody typed on while the index was loaded.
  if (input.value.trim() !== asked) return;
  results.hidden = asked === '';
  results.replaceChildren(...(found.length === 0 ? [text('p', 'Nothing was found.')] : found.map(resultOf)));
}

function resultOf({ id, page, heading, content, terms }) {
  const link = document.createElement('a');
  link.href = id;
  const lower = content.toLowerCase();
  const at = Math.max(0, ...terms.map((term) => lower.indexOf(term) - EXCERPT / 3));
  const excerpt = content.slice(at, at + EXCERPT);
  link.append(text('strong', heading === page ? page : `${heading} (${page})`), text('span', excerpt));
  return link;
}

function text(tag, content) {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
}

function close() {
  results.hidden = true;
}

input.addEventListener('focus', () => void index());
input.addEventListener('input', () => void search());
document.addEventListener('keydown', (event) => {
  const isInSearch = event.target === input || results.contains(event.target);
  if (event.key === 'Escape' && isInSearch) {
    close();
    input.focus();
  } else if (event.key === '/' && !isInSearch) {
    event.preventDefault();
    input.focus();
  } else if (isInSearch && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    const places = [input, ...results.querySelectorAll('a')];
    const step = event.key === 'ArrowDown' ? 1 : places.length - 1;
    places[(places.indexOf(event.target) + step) % places.length].focus();
  } else if (event.key === 'Enter' && event.target === input) {
    results.querySelector('a')?.click();
  }
});
document.addEventListener('click', (event) => {
  if (event.target !== input) close();
});
