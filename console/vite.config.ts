import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  build: {
    target: 'es2023',
    // Every file has its own address: the page's policy allows no data in it.
    assetsInlineLimit: 0,
    modulePreload: false,
    // How long it takes says something about the machine only.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // `npm run dev` shows changes at once, on a platform that is running.
  server: { proxy: { '/v1': process.env['BASE_URL'] ?? 'http://127.0.0.1:8080' } },
});
