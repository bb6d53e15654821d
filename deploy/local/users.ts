import { createHmac, randomBytes } from 'node:crypto';
import { PROCESS_NAMES, type ProcessName } from './process-names.ts';

/** The users of a server that was started here: an operator who may do everything, and one user for each process. */
export interface User {
  readonly user: string;
  readonly password: string;
}

/** An operator with a new password. */
export function newOperator(): User {
  return { user: 'operator', password: randomBytes(24).toString('hex') };
}

/** The users of the processes, besides `operator`. */
export function usersOfProcesses(operator: User): (User & { name: ProcessName })[] {
  return PROCESS_NAMES.map((name) => ({ name, ...userOfProcess(operator, name) }));
}

/** A process's password reveals neither the operator's nor another process's. */
function userOfProcess({ user, password }: User, name: ProcessName): User {
  return { user: `${user}_${name}`, password: createHmac('sha256', password).update(name).digest('hex') };
}

/** `url` with the name and password of `user`. */
export function urlAs(url: string, { user, password }: User): string {
  const own = new URL(url);
  own.username = user;
  own.password = password;
  return own.href;
}

/** `url`, an operator's, with the name and password of the process's user; unchanged if it names no user. */
export function urlAsProcess(url: string, name: ProcessName): string {
  const { username: user, password } = new URL(url);
  return user === '' ? url : urlAs(url, userOfProcess({ user, password }, name));
}
