import { pino, stdTimeFunctions, type Logger } from 'pino';

export type { Logger };

/** The process's log: JSON lines on standard output, with credentials blanked wherever a request is logged. */
export function createLogger(options: { service: string; level: string }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    redact: {
      paths: ['req.headers.authorization', 'headers.authorization', '*.authorization', '*["x-platform-identity"]'],
      censor: '[redacted]',
    },
  });
}
