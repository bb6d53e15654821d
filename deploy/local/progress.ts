/** Takes one line about a step. A line that contains ` ...` is about a step that still runs. */
export type Progress = (line: string) => void;

/** Runs a step and says every few seconds that it still runs, so that a silent minute is not taken for a hang. */
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
