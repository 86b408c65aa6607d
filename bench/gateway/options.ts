import { parseArgs } from 'node:util';
import type { loadProfiles } from './workloads.ts';

const usage = `Usage: node bench/gateway/run.ts [options]

  --quick              one short run of each, less than a minute
  --short              three short runs of each, as \`npm run bench\` takes them; some six minutes
  --only a,b           contenders: raw, nginx, portkey, ours (all)
  --workloads a,b      kinds: whole, latency, stream, memory (all)
  --sizes a,b          bodies of whole replies: "1.3 kB", "4 kB", "43 kB", "325 kB" (all)
  --repetitions n      runs of each (5; 1 when quick, 3 when short)
  --json file          write every sample to a file
  --profile folder     write a CPU profile of ours when it stops
  --before folder      another checkout of this service, with its packages, beside the others
`;

/** What was asked for on the command line. */
export interface BenchOptions {
  readonly effort: keyof typeof loadProfiles;
  readonly only: readonly string[] | null;
  readonly workloads: readonly string[] | null;
  readonly sizes: readonly string[] | null;
  readonly repetitions: number | null;
  readonly json: string | null;
  readonly profile: string | null;
  readonly before: string | null;
}

const list = (text: string | undefined) => text?.split(',').filter((part) => part !== '') ?? null;

/** Reads the arguments; prints the usage and ends the process where they are wrong. */
export function readOptions(args: readonly string[]): BenchOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        only: { type: 'string' },
        workloads: { type: 'string' },
        sizes: { type: 'string' },
        repetitions: { type: 'string' },
        json: { type: 'string' },
        profile: { type: 'string' },
        before: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    return {
      effort: values.quick ? 'quick' : values.short ? 'short' : 'full',
      only: list(values.only),
      workloads: list(values.workloads),
      sizes: list(values.sizes),
      repetitions: values.repetitions === undefined ? null : Math.max(1, Number.parseInt(values.repetitions, 10) || 1),
      json: values.json ?? null,
      profile: values.profile ?? null,
      before: values.before ?? null,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
