import type { IncomingMessage } from 'node:http';
import { traceIdOf, traceparentOf } from '@event-commerce/telemetry';
import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from '../process/logger.ts';

/**
 * The log of one request: each of its lines has the request's id and trace id. It costs nothing until a line is
 * written, which for most requests is never.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #logger: Logger;
  readonly #requestId: string;
  readonly #request: IncomingMessage;
  #named: Logger | undefined;

  constructor(logger: Logger, requestId: string, request: IncomingMessage) {
    this.#logger = logger;
    this.#requestId = requestId;
    this.#request = request;
  }

  #lines(): Logger {
    const traceId = traceIdOf(traceparentOf(this.#request));
    return (this.#named ??= this.#logger.child({ requestId: this.#requestId, traceId }));
  }

  get level(): string {
    return this.#logger.level;
  }

  get msgPrefix(): string | undefined {
    return this.#logger.msgPrefix;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#lines().child(...given);
  }
  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }
  error(...line: unknown[]): void {
    this.#write('error', line);
  }
  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }
  info(...line: unknown[]): void {
    this.#write('info', line);
  }
  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }
  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }
  silent(): void {}

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', line: unknown[]): void {
    if (this.#logger.isLevelEnabled(level)) this.#lines()[level](...(line as [string]));
  }
}
