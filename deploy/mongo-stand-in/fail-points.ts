import { deserialize } from 'bson';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenConnectionError, CommandError, errorLabels, type WriteConcernError } from './errors.ts';
import type { Fields } from './message.ts';

/** `data` of MongoDB's fail point `failCommand`, as far as tests use it. */
interface FailCommand {
  failCommands: string[];
  /** Fails only commands of connections with this name, so that parallel tests do not disturb each other. */
  appName?: string;
  errorCode?: number;
  closeConnection?: boolean;
  /** The command takes effect, but its reply says that the write is not known to be on a majority. */
  writeConcernError?: WriteConcernError;
  blockConnection?: boolean;
  blockTimeMS?: number;
}

interface FailPoint extends FailCommand {
  left: number;
}

/**
 * The failures a test asked this server for, with MongoDB's own command:
 * `{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['insert'], errorCode: 10107}}`.
 * Unlike MongoDB, it keeps one for each `appName`.
 */
export class FailPoints {
  readonly #points = new Map<string, FailPoint>();
  readonly #names = new WeakMap<Socket, string>();

  /** The `appName` of the client of `socket`. */
  introduced(socket: Socket, name: string): void {
    this.#names.set(socket, name);
  }

  /** @throws CommandError */
  configure(command: Buffer): void {
    const { configureFailPoint, mode, data } = deserialize(command) as {
      configureFailPoint: string;
      mode: 'off' | 'alwaysOn' | { times: number };
      data?: FailCommand;
    };
    if (configureFailPoint !== 'failCommand')
      throw new CommandError(9, 'FailedToParse', 'only failCommand is supported');
    const name = data?.appName ?? '';
    if (mode === 'off' || data === undefined) this.#points.delete(name);
    else this.#points.set(name, { ...data, left: mode === 'alwaysOn' ? Infinity : mode.times });
  }

  /**
   * Fails a command that should fail.
   * @returns the write concern error for its reply, if only that should fail
   * @throws CommandError, BrokenConnectionError
   */
  async fail(command: Fields, socket: Socket): Promise<WriteConcernError | undefined> {
    if (this.#points.size === 0) return undefined;
    const point = this.#points.get(this.#names.get(socket) ?? '') ?? this.#points.get('');
    if (point === undefined || point.left <= 0 || !point.failCommands.includes(command.first)) return undefined;
    point.left -= 1;
    if (point.blockConnection === true) await delay(point.blockTimeMS ?? 0);
    if (point.closeConnection === true) throw new BrokenConnectionError('as a test asked');
    if (point.errorCode !== undefined) {
      const { errorCode } = point;
      throw new CommandError(errorCode, 'FailPoint', 'failed, as a test asked', errorLabels(errorCode, command));
    }
    return point.writeConcernError;
  }
}
