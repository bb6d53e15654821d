import { ApiError } from './api-error.ts';

interface PageReply<T> {
  data?: { data: readonly T[]; page: { next: string | null } };
  error?: unknown;
  response: Response;
}

/**
 * The items of a list, page by page: the next page is read when its first item is needed. `read` reads a page; it adds
 * `cursor` to its query.
 *
 * @throws {ApiError} if a page is an error
 */
export async function* itemsOf<T>(
  read: (page: { cursor?: string }) => Promise<PageReply<T>>,
): AsyncGenerator<T, void, void> {
  let next: string | null | undefined;
  do {
    const { data, error, response } = await read(next === undefined || next === null ? {} : { cursor: next });
    if (data === undefined) throw new ApiError(response.status, error);
    yield* data.data;
    ({ next } = data.page);
  } while (next !== null);
}
