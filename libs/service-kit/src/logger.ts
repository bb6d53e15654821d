import { type DestinationStream, type LogFn, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { createLineLimit } from './line-limit.ts';

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

const { warn: WARN, error: ERROR, fatal: FATAL } = pino.levels.values as Record<'warn' | 'error' | 'fatal', number>;
/** Lines a second about one kind of outage: while a store is away, every request fails alike. */
const OUTAGES_MAX = 1;
/** Lines a second about one kind of defect: each names the request or event that met it. */
const DEFECTS_MAX = 10;

/**
 * The process's log: JSON lines, with credentials blanked wherever a request is logged. Of lines from `warn` up that hold
 * an `err` only so many of a kind are written in a second, and then one that says how often it was `repeated`.
 */
export function createLogger(options: {
  service: string;
  level: string;
  /** Standard output, unless a test wants to read the lines. */
  destination?: DestinationStream;
}): Logger {
  const limit = createLineLimit();
  const logger: Logger = pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: serialiseError },
      redact: {
        paths: ['req.headers.authorization', 'headers.authorization', '*.authorization', '*["x-platform-identity"]'],
        censor: '[redacted]',
      },
      hooks: {
        logMethod(line, method, level) {
          const [fields, message] = line as [unknown, unknown];
          const failure = level >= WARN && level < FATAL ? failureIn(fields) : undefined;
          if (failure === undefined) return method.apply(this, line);
          const { err, code } = failure;
          const isDefect = level >= ERROR && (code === undefined || code === 'INTERNAL_ERROR');
          const errorType = err instanceof Error ? err.name : undefined;
          limit({
            kind: `${level} ${errorType} ${String(message)}`,
            linesMax: isDefect ? DEFECTS_MAX : OUTAGES_MAX,
            write: () => method.apply(this, line),
            summarise: (repeated) =>
              method.apply(logger, [{ repeated, code, errorType }, message] as Parameters<LogFn>),
          });
        },
      },
    },
    options.destination ?? pino.destination({ sync: true }),
  );
  return logger;
}

/** The error that a line is about: the first thing in it, as libraries write it, or its `err`. */
function failureIn(fields: unknown): { err: unknown; code?: unknown } | undefined {
  if (fields instanceof Error) return { err: fields };
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields : undefined;
}

function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const all: Record<string, unknown> = stdSerializers.err(error);
  return Object.fromEntries(ERROR_MEMBERS.filter((member) => member in all).map((member) => [member, all[member]]));
}
