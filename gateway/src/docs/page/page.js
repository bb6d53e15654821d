/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followColorScheme();
dark.addEventListener('change', followColorScheme);

const form = document.querySelector('#key-form');
const input = document.querySelector('#key');
const state = document.querySelector('#key-state');

const partOf = (document, keys) => keys.reduce((part, key) => part?.[key], document);

/** `node` with each reference replaced by what it names. */
function dereferenced(node, document) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => dereferenced(item, document));
  const { $ref, ...rest } = node;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, dereferenced(value, document)]));
  if (typeof $ref !== 'string') return own;
  return { ...dereferenced(partOf(document, $ref.split('/').slice(1)), document), ...own };
}

/**
 * The viewer's own resolver can follow references to other documents and in circles. This document has none, and that
 * resolver would take seconds for each operation.
 */
const resolver = () => ({
  fn: {
    resolveSubtree: async (document, keys) => ({ spec: dereferenced(partOf(document, keys), document), errors: [] }),
  },
});

const viewer = SwaggerUIBundle({
  domNode: document.querySelector('#viewer'),
  url: '/openapi.json',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [resolver],
  layout: 'BaseLayout',
  // Nothing outside this platform is asked for anything, and the key is kept in this page only.
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelRendering: 'example',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  filter: true,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  onComplete: () => {
    for (const control of form.elements) control.disabled = false;
  },
});

let keyGiven = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = input.value.trim();
  if (key === '') {
    // The viewer cannot forget what it was never given.
    if (keyGiven) viewer.authActions.logout(['apiKey']);
    state.textContent = 'No key is sent.';
    return;
  }
  keyGiven = true;
  viewer.preauthorizeApiKey('apiKey', key);
  state.textContent = 'Checking the key …';
  void check(key).then((verdict) => {
    if (input.value.trim() === key) state.textContent = verdict;
  });
});

/** What the platform says about a key; one that lacks the scope of this request is still a good key. */
async function check(key) {
  try {
    const answer = await fetch('/v1/events?limit=1', { headers: { authorization: `Bearer ${key}` } });
    if (answer.status !== 401) return 'Requests carry this key.';
    return (await answer.json()).message;
  } catch {
    return 'The key could not be checked: the platform does not answer.';
  }
}
