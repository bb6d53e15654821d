import { ApiError } from './api-error.ts';

interface Reply<T> {
  data?: { data: T };
  error?: unknown;
  response: Response;
}

/**
 * The `data` of a response, without its envelope.
 *
 * @throws {ApiError} if the response is an error, has not changed (304), or has no envelope
 */
export async function dataOf<T>(reply: Promise<Reply<T>>): Promise<T> {
  const { data, error, response } = await reply;
  if (data?.data === undefined) throw new ApiError(response.status, error);
  return data.data;
}
