import type { Client } from '@event-commerce/client';
import type { Page } from 'playwright-core';

/** The browser and the platform of `console.int.test.ts`. */
export interface Pages {
  openPage: (route: string) => Promise<Page>;
  openWithKey: (route: string, apiKey: string) => Promise<Page>;
  enterKey: (page: Page, apiKey: string) => Promise<void>;
  /**
   * Looks at the page in light and dark, and on a phone: no accessibility violation, nothing wider than the screen.
   * `accessible` can be left out where the parts were looked at elsewhere, since it takes a second.
   */
  look: (page: Page, name: string, options?: { accessible?: boolean }) => Promise<void>;
  newCompany: (key?: Record<string, unknown>) => Promise<{ key: string; client: Client }>;
  /** The address of the platform. */
  url: () => string;
}
