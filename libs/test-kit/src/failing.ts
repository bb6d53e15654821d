/** How a test may make a database fail: `data` of MongoDB's fail point `failCommand`. */
interface Failure {
  failCommands: string[];
  errorCode?: number;
  closeConnection?: boolean;
  writeConcernError?: { code: number; errmsg: string };
  blockConnection?: boolean;
  blockTimeMS?: number;
}

interface Connection {
  db?: { admin(): { command(command: object): Promise<unknown> } } | undefined;
}

/**
 * Makes commands of the client called `appName` fail while `run` runs: all that `failure` names, or the first `times`.
 */
export async function failing<T>(
  connection: Connection,
  appName: string,
  failure: Failure,
  run: () => Promise<T>,
  times?: number,
): Promise<T> {
  const configure = async (mode: unknown) =>
    connection.db?.admin().command({ configureFailPoint: 'failCommand', mode, data: { ...failure, appName } });
  await configure(times === undefined ? 'alwaysOn' : { times });
  try {
    return await run();
  } finally {
    await configure('off');
  }
}
