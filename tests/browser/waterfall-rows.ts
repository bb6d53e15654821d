import type { Page } from 'playwright-core';

/** The rows of the waterfall: what each step is called, and what it adds. */
export async function waterfall(page: Page): Promise<string[]> {
  const rows = await page.locator('.waterfall tbody tr').all();
  return await Promise.all(
    rows.map(async (row) => {
      const label = (await row.locator('th').innerText()).split('\n')[0];
      return `${label} ${await row.locator('.amount').innerText()}`;
    }),
  );
}
