import { type DestinationStream, type LogFn, type Logger, pino, stdSerializers } from 'pino';
import { createLineLimit } from './line-limit.ts';
import { inSources } from './source-lines.ts';

export type { Logger };

/**
 * The fields of an error that are logged. The rest can contain anything: Redis's errors carry the command including the
 * password, and those of a URL the URL.
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
/** Lines a second about one kind of outage: while a store is down, every request fails alike. */
const OUTAGES_MAX = 1;
/** Lines a second about one kind of defect: each names the request or event that met it. */
const DEFECTS_MAX = 10;

/**
 * The size in bytes at which lines are written, and how long they wait for more: a system call for each line costs as
 * much as building it.
 */
const WRITE_BYTES = 4_096;
const WRITE_EVERY_MS = 100;

let standardOutput: ReturnType<typeof pino.destination> | undefined;

/**
 * Lines are written in batches. Only a SIGKILL loses any: all are written before the process exits, and after each
 * error.
 */
function toStandardOutput(): ReturnType<typeof pino.destination> {
  if (standardOutput === undefined) {
    const output = pino.destination({ sync: true, minLength: WRITE_BYTES });
    const write = output.write.bind(output);
    let flushing: NodeJS.Timeout | undefined;
    // Sets a timer only when there is something to write: at rest, timers are most of what a process does.
    output.write = (line) => {
      flushing ??= setTimeout(() => {
        flushing = undefined;
        output.flush();
      }, WRITE_EVERY_MS).unref();
      return write(line);
    };
    // Not flushSync: once nobody reads the output, it retries for ever, and the process would never exit.
    process.once('exit', () => output.flush());
    standardOutput = output;
  }
  return standardOutput;
}

/**
 * The process's log: JSON lines, with credentials blanked wherever a request is logged. Lines from `warn` up with an
 * `err` are limited to a few of a kind each second, and then one with the number of suppressed ones (`repeated`).
 */
export function createLogger(options: {
  service: string;
  level: string;
  /** Standard output, unless a test wants to read the lines. */
  destination?: DestinationStream;
}): Logger {
  const limit = createLineLimit();
  const output = options.destination === undefined ? toStandardOutput() : undefined;
  const logger: Logger = pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: isoTime,
      serializers: { err: serialiseError },
      redact: {
        paths: ['req.headers.authorization', 'headers.authorization', '*.authorization', '*["x-platform-identity"]'],
        censor: '[redacted]',
      },
      hooks: {
        logMethod(line, method, level) {
          const [fields, message] = line as [unknown, unknown];
          const failure = level >= WARN && level < FATAL ? failureIn(fields) : undefined;
          const write = () => {
            method.apply(this, line);
            if (level >= ERROR) output?.flush();
          };
          if (failure === undefined) return write();
          const { err, code } = failure;
          const isDefect = level >= ERROR && (code === undefined || code === 'INTERNAL_ERROR');
          const errorType = err instanceof Error ? err.name : undefined;
          limit({
            kind: `${level} ${errorType} ${String(message)}`,
            linesMax: isDefect ? DEFECTS_MAX : OUTAGES_MAX,
            write,
            summarise: (repeated) =>
              method.apply(logger, [{ repeated, code, errorType }, message] as Parameters<LogFn>),
          });
        },
      },
    },
    options.destination ?? output,
  );
  return logger;
}

let second = 0;
let written = '';

/** Replaces pino's `isoTime`: formats the date once a second, not for each line. */
function isoTime(): string {
  const nowMs = Date.now();
  const nowSecond = Math.floor(nowMs / 1_000);
  if (nowSecond !== second) {
    second = nowSecond;
    written = new Date(nowSecond * 1_000).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${written}${String(nowMs - nowSecond * 1_000).padStart(3, '0')}Z"`;
}

/** The error of a line: its first argument, as libraries write it, or its `err`. */
function failureIn(fields: unknown): { err: unknown; code?: unknown } | undefined {
  if (fields instanceof Error) return { err: fields };
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields : undefined;
}

function serialiseError(error: unknown): unknown {
  // Log only the kind of a thrown object: converting it to text can throw in turn, and reveal its content.
  if (!(error instanceof Error)) return Object(error) === error ? Object.prototype.toString.call(error) : String(error);
  const { stack, ...rest } = stdSerializers.err(error);
  const all: Record<string, unknown> = { ...rest, stack: inSources(stack) };
  return Object.fromEntries(ERROR_MEMBERS.filter((member) => member in all).map((member) => [member, all[member]]));
}
