/**
 * Returns a wrapper for the repositories of one process: the process dies at the `diesAt`th use of the database through
 * any of them, if there are that many.
 */
export function dyingAt(diesAt: number): <T extends object>(repository: T) => T {
  let uses = 0;
  return (repository) =>
    new Proxy(repository, {
      get: (target, method) => {
        const act = target[method as keyof typeof target] as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          uses += 1;
          if (uses >= diesAt) throw new Error('killed');
          return await act.apply(target, args);
        };
      },
    });
}
