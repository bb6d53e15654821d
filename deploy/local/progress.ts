const TICK_MS = 1_000;

/** Shows which step is under way and for how long: one line that is rewritten on a terminal, a line a step elsewhere. */
export interface Progress {
  /** Ends the step before and begins the next. */
  line: (step: string) => void;
  done: () => void;
}

export function createProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  let step: string | undefined;
  let beganMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const elapsed = () => `${((performance.now() - beganMs) / 1000).toFixed(1)} s`;
  const finish = () => {
    clearInterval(timer);
    if (step === undefined) return;
    out.write(out.isTTY ? `\r\u001b[K  ${step}  ${elapsed()}\n` : `  ${step}: ${elapsed()}\n`);
    step = undefined;
  };
  return {
    line: (next) => {
      finish();
      step = next;
      beganMs = performance.now();
      out.write(out.isTTY ? `  ${step} ...` : `  ${step} ...\n`);
      if (out.isTTY) {
        timer = setInterval(() => out.write(`\r\u001b[K  ${step} ... ${elapsed()}`), TICK_MS);
        timer.unref();
      }
    },
    done: finish,
  };
}
