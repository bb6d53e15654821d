/** Receives one line about a step. A line that contains ` ...` means that the step is still running. */
export type Progress = (line: string) => void;

/**
 * Runs a step, and reports every few seconds that it is still running, so that a silent minute does not look like a
 * hang.
 */
export async function reported<T>(step: string, progress: Progress, work: () => Promise<T>): Promise<T> {
  const startedAtMs = Date.now();
  const seconds = (): string => ((Date.now() - startedAtMs) / 1000).toFixed(0);
  progress(`${step} ...`);
  const ticking = setInterval(() => progress(`${step} ... ${seconds()} s`), 3000);
  try {
    const result = await work();
    progress(`${step}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}
