/** Options of the measurements of local models, and figures that they share. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

/** Options that are numbers, whole and positive. */
const numbers = ['repetitions', 'threads', 'parallel', 'lanes'] as const;
/** Options that are programs. */
const programs = ['server', 'bench'] as const;

type Options = Partial<Record<(typeof numbers)[number], number>> &
  Partial<Record<(typeof programs)[number], string>> & { readonly quick: boolean };

/** The options of the command line, such as `--threads=1 --quick`. Throws for one that is none, or no number. */
export function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries([...numbers, ...programs].map((name) => [name, text])),
    },
  });
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  const read = numbers.flatMap((name) => {
    if (given[name] === undefined) return [];
    const value = Number(given[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1 on`);
    return [[name, value] as const];
  });
  return { ...given, ...Object.fromEntries(read), quick: given['quick'] === true };
}

/** Threads of a model where nobody says: a core is left to the service. */
export const DEFAULT_THREADS = Math.max(1, cpus().length - 1);

export const machine = (): string => `${cpus().length} cores (${cpus()[0]?.model ?? '?'})`;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
