import { type Answer, createLineLimit, type Logger } from '@event-commerce/service-kit';
import { traceIdOf, traceparentOf } from '@event-commerce/telemetry';
import type { FastifyRequest } from 'fastify';

/**
 * Requests without a valid key get this many lines a second; further ones are only counted, so that nobody without a
 * key can fill the log.
 */
const STRANGERS_MAX = 10;

/**
 * Writes one line for each request: its declared path, its status, and whose key it had. Lines with an `audit` field
 * are the ones to keep for long.
 */
export function createRequestLines(logger: Logger): (request: FastifyRequest, answer: Answer) => void {
  // All fields of these lines are listed here; scanning each for credentials would cost as much as writing it.
  const lines = logger.child({}, { redact: [] });
  const limit = createLineLimit();

  return (request, answer) => {
    const { caller, routeOptions } = request;
    // Probes arrive every few seconds, and the documentation is public.
    const level = routeOptions?.config?.public === true ? 'debug' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const audit = auditOf(request, answer);
    // Undefined fields are left out.
    const line = {
      requestId: request.id,
      traceId: traceIdOf(traceparentOf(request.raw)),
      method: answer.method,
      route: answer.route,
      status: answer.status,
      ms: answer.ms,
      code: request.refusal ?? undefined,
      audit,
      client: audit === undefined ? undefined : request.ip,
      companyId: caller?.identity?.companyId,
      keyId: caller?.keyId,
    };
    if (caller !== null) lines[level](line, 'answered');
    else if (level === 'debug') lines.debug(line, 'answered');
    else {
      limit({
        kind: 'strangers',
        linesMax: STRANGERS_MAX,
        write: () => lines.info(line, 'answered'),
        summarise: (repeated) => lines.info({ audit: 'access-denied', repeated }, 'refused without a valid key'),
      });
    }
  };
}

function auditOf({ caller }: FastifyRequest, { status }: Answer): string | undefined {
  if (status === 401 || status === 403) return 'access-denied';
  return caller !== null && caller.identity === undefined ? 'root-key-used' : undefined;
}
