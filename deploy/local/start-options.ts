import type { Progress } from './progress.ts';
import type { ServerName } from './server-names.ts';
import type { User } from './users.ts';

export interface InfrastructureOptions {
  /** The servers' data and logs. A later start of the same kind continues with them. */
  readonly dataDir: string;
  /** Containers keep their data in named volumes that stay; otherwise the data is removed with them. */
  readonly keepsData?: boolean;
  /**
   * False: the data need not survive a crash of the machine or of a server, so database and broker do not wait for the
   * disk. It survives a crash of the processes that use them. Only from Debian's packages.
   */
  readonly fsync?: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /**
   * Operators of the broker that are isolated from each other: each has an account with its own subjects and streams.
   * For tests that run in parallel. Clients without a user share one more account. Without this option there is one
   * operator, with a new password.
   */
  readonly natsOperators?: readonly User[];
  /**
   * For fault tests: a file with the offset of the database's clock in seconds, such as `-3600`. Only from Debian's
   * packages.
   */
  readonly databaseClock?: string;
  /** Free ports unless given. */
  readonly ports?: Readonly<Partial<Record<ServerName, number>>>;
}

/** The options once the defaults are filled in. */
export type StartOptions = InfrastructureOptions & Required<Pick<InfrastructureOptions, 'natsOperators'>>;
