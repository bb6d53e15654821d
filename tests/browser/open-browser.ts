import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { provideChromium } from './chromium.ts';

/** How long a first installation of Chromium may take. */
export const PREPARE_TIMEOUT_MS = 900_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  context: BrowserContext;
}

let shared: Promise<Browser | { missing: string }> | undefined;

/**
 * A headless Chromium with a profile of its own, or why there is none. A worker opens it once, and closes it at its
 * end.
 */
export async function sharedBrowser(): Promise<Browser | { missing: string }> {
  shared ??= openBrowser();
  return await shared;
}

async function openBrowser(): Promise<Browser | { missing: string }> {
  const found = await provideChromium((line) => process.stdout.write(`  ${line}\n`));
  if ('missing' in found) {
    process.stdout.write(`  the browser tests are skipped: ${found.missing}\n`);
    return found;
  }
  const userDataDir = mkdtempSync(path.join(inject('scratch'), 'browser-'));
  const context = await chromium.launchPersistentContext(userDataDir, {
    executablePath: found.path,
    args: FLAGS,
    viewport: { width: 1280, height: 900 },
  });
  return { context };
}

/** What a page must not do: requests to other servers, and errors in its console. */
export interface Watched {
  page: Page;
  foreign: string[];
  complaints: string[];
}

export async function newWatchedPage(context: BrowserContext, origin: string): Promise<Watched> {
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, foreign, complaints };
}
