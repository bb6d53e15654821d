/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followColorScheme();
dark.addEventListener('change', followColorScheme);

const form = document.querySelector('#key-form');
const input = document.querySelector('#key');
const state = document.querySelector('#key-state');

const viewer = SwaggerUIBundle({
  domNode: document.querySelector('#viewer'),
  url: '/openapi.json',
  presets: [SwaggerUIBundle.presets.apis],
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

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = input.value.trim();
  if (key === '') {
    viewer.authActions.logout(['apiKey']);
    state.textContent = 'No key is sent.';
    return;
  }
  viewer.preauthorizeApiKey('apiKey', key);
  state.textContent = 'Requests carry this key.';
});
