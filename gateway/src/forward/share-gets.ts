import { IDENTITY_HEADER } from '@event-commerce/contracts';
import type { UpstreamRequest } from './service-headers.ts';
import { sharedError } from './shared-error.ts';
import { sharedReads } from './shared-reads.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

/**
 * Sends identical GETs with the same key once for all that arrive while an earlier one is in flight. A response that is
 * passed on while it arrives cannot be shared: the others then send their own requests.
 */
export function shareGets(upstream: Pick<Upstream, 'request'>): Pick<Upstream, 'request'> {
  const shared = sharedReads();
  return {
    request(request, callback) {
      if (request.method !== 'GET') {
        upstream.request(request, callback);
        return;
      }
      let isSender = false;
      const send = async () =>
        await new Promise<{ error: Error | null; answer?: UpstreamAnswer | undefined }>((resolve) => {
          isSender = true;
          upstream.request(request, (error, answer) => {
            // Synchronously: a body that is still arriving may break off before a promise resolves.
            callback(error, answer);
            resolve({ error, answer });
          });
        });
      const join = async (): Promise<void> => {
        const { error, answer } = await shared(contentOf(request), send);
        if (isSender) return;
        if (answer === undefined) callback(error);
        else if (answer.body.rest === undefined) callback(null, answerTo(request, answer));
        else upstream.request(request, callback);
      };
      void join();
    },
  };
}

/** What the response depends on. Services read no other header of a GET. */
function contentOf({ path, headers }: UpstreamRequest): string {
  const { [IDENTITY_HEADER]: identity, 'if-none-match': known } = headers;
  return `${path} ${String(identity)} ${String(known)}`;
}

function answerTo({ headers }: UpstreamRequest, answer: UpstreamAnswer): UpstreamAnswer {
  if (answer.statusCode < 400) return answer;
  const head = sharedError(answer.body.head, String(headers['x-request-id']));
  return { ...answer, body: { ...answer.body, head } };
}
