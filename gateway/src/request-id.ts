import { newId } from '@event-commerce/service-kit';

const REQUEST_ID = /^[!-~]{1,128}$/;

/** The caller's own id of a request, if it can be one, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}
