import { ATTEMPT_HEADER, formatAttempt } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';

/** The headers of attempts at one request with an Idempotency-Key, as the gateway forwards them. */
export function triesOfOne(): [first: Record<string, string>, again: Record<string, string>] {
  const idSuffix = newId('req').slice('req_'.length);
  return [
    { [ATTEMPT_HEADER]: formatAttempt({ idSuffix, repeated: false }) },
    { [ATTEMPT_HEADER]: formatAttempt({ idSuffix, repeated: true }) },
  ];
}
