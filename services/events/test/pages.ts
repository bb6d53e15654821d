import type { ApiClient } from '@event-commerce/test-kit';

/** What is on all pages of a list, in order, read `limit` at a time. */
export async function allPages(api: ApiClient, listPath: string, limit: number): Promise<any[]> {
  const found: any[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await api.get(`${listPath}${listPath.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    if (status !== 200) throw new Error(`${listPath} answered ${status}: ${JSON.stringify(body)}`);
    found.push(...body.data);
    cursor = body.page.next;
  } while (cursor !== null);
  return found;
}
