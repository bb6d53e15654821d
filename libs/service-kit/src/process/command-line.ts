import path from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The script that this process runs, as a usage names it: in a checkout, or bundled. */
export const SCRIPT = path.relative('', process.argv[1] ?? '');

/**
 * What the command line of this process says. `--help` prints the usage, and what `config` does not allow is refused;
 * either ends the process.
 */
export function readCommandLine<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const help = { type: 'boolean', short: 'h' } as const;
  let given: ReturnType<typeof parseArgs>;
  try {
    given = parseArgs({ ...config, options: { ...config.options, help } });
  } catch (error) {
    return refuseCommandLine(usage, (error as Error).message);
  }
  if (given.values['help'] === true) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return given as ReturnType<typeof parseArgs<Config>>;
}

/** Ends the process with 2, as is usual for a command line that cannot be understood. */
export function refuseCommandLine(usage: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usage}`);
  process.exit(2);
}
