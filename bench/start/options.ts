import { parseArgs } from 'node:util';

const usage = `Usage: node bench/start/run.ts [options]

  --starts n       starts that are timed, after one that makes the data (5)
  --idle s         seconds without a request before memory is read (60)
  --before folder  another checkout of this service, with its packages, taking turns
  --help           this text
`;

/** What was asked for on the command line. */
export interface Options {
  readonly starts: number;
  readonly idleMs: number;
  readonly before: string | null;
}

function parse(args: readonly string[]): Options & { readonly help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      starts: { type: 'string', default: '5' },
      idle: { type: 'string', default: '60' },
      before: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (text: string) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is no whole number above 0`);
    return value;
  };
  const { help, before = null } = values;
  return { starts: number(values.starts), idleMs: number(values.idle) * 1_000, before, help };
}

/** Reads the arguments; prints the usage and ends the process where it is asked for, or they are wrong. */
export function readOptions(args: readonly string[]): Options {
  try {
    const { help, ...options } = parse(args);
    if (!help) return options;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
