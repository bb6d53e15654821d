import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';

export type { Logger };

/**
 * What of an error is written down. The rest can hold anything: Redis's errors carry the command, password and all, and
 * those of a URL the URL.
 */
const ERROR_MEMBERS = [
  'type',
  'message',
  'stack',
  'code',
  'codeName',
  'statusCode',
  'syscall',
  'address',
  'port',
] as const;

/** The process's log: JSON lines on standard output, with credentials blanked wherever a request is logged. */
export function createLogger(options: { service: string; level: string }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: serialiseError },
    redact: {
      paths: ['req.headers.authorization', 'headers.authorization', '*.authorization', '*["x-platform-identity"]'],
      censor: '[redacted]',
    },
  });
}

function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const all: Record<string, unknown> = stdSerializers.err(error);
  return Object.fromEntries(ERROR_MEMBERS.filter((member) => member in all).map((member) => [member, all[member]]));
}
