export { ApiError, type UnknownError } from './api-error.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { dataOf } from './data-of.ts';
export type { components, operations, paths } from './api.generated.ts';
export type { Operations } from './operations.generated.ts';
export { type RetryOptions } from './retrying-fetch.ts';
