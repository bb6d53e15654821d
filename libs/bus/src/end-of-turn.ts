let end: Promise<void> | undefined;

/**
 * Resolves at the end of the current turn of the event loop, for everybody who waits for it at once. What they then
 * send leaves in one write: the system call costs more than everything else about a small message.
 */
export async function endOfTurn(): Promise<void> {
  end ??= new Promise((resolve) =>
    setImmediate(() => {
      end = undefined;
      resolve();
    }),
  );
  return await end;
}
