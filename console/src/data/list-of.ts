import { ApiError } from '@event-commerce/client';

interface ListReply<T> {
  /** Text where the list was asked for as a file. */
  data?: { data: T[]; page: { next: string | null } } | string;
  error?: unknown;
  response: Response;
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** The cursor of the next page. */
  next: string | undefined;
}

/**
 * The items of a list's response, and where it continues.
 *
 * @throws {ApiError} if the response is an error
 */
export async function listOf<T>(reply: Promise<ListReply<T>>): Promise<Page<T>> {
  const { data, error, response } = await reply;
  if (data === undefined || typeof data === 'string') throw new ApiError(response.status, error);
  return { items: data.data, next: data.page.next ?? undefined };
}
