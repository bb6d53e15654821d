import { ApiError } from '@event-commerce/client';

/**
 * Saves a CSV export as a file of the visitor. The request carries the API key, so a plain link would not work.
 *
 * @param reply - What the client returns for a request with `parseAs: 'text'`.
 * @throws ApiError when the request is refused.
 */
export async function saveCsv(
  name: string,
  reply: Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<void> {
  const { data, error, response } = await reply;
  if (typeof data !== 'string') throw new ApiError(response.status, error);
  const url = URL.createObjectURL(new Blob([data], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
