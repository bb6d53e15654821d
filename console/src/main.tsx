import { render } from 'preact';
import { App } from './app.tsx';

const place = document.querySelector('#app');
// The gateway answers under /v1 too; the console has one address.
if (location.pathname.startsWith('/v1/')) location.replace(location.pathname.replace(/^(\/v1)+/, '') + location.search);
else if (place !== null) render(<App />, place);
