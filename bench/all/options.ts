import { parseArgs } from 'node:util';
import { benches } from './benches.ts';

const usage = `Usage: npm run bench -- [options]

Runs the benches one after the other and sets their ratios and figures of quality beside those of bench/figures.json.

  --only a,b   these alone: ${benches.map(({ name }) => name).join(', ')}
  --check      ends with 1 where a figure is worse than its tolerance allows, also when measured once more
  --save       writes the figures measured to bench/figures.json; those not measured stay
  --help       this text
`;

/** What was asked for on the command line. */
export interface Options {
  readonly only: readonly string[] | null;
  readonly check: boolean;
  readonly save: boolean;
}

function parse(args: readonly string[]): Options & { readonly help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      check: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',').filter((name) => name !== '') ?? null;
  const unknown = only?.find((name) => benches.every((bench) => bench.name !== name));
  if (unknown !== undefined) throw new Error(`There is no bench ${unknown}`);
  return { ...values, only };
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
