import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, FIGURES_VARIABLE } from '../figures.ts';
import type { Program, Programs } from '../gateway/children.ts';
import type { Bench } from './benches.ts';
import { parseFigures } from './saved.ts';

/** Lines of its output that say why a bench failed. */
const MAX_LINES = 15;

/** What a bench came to. */
export interface Outcome {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Why it failed, with the last lines that it printed; null where it did not. */
  readonly failure: string | null;
}

/** Waits for a program, and ends it when it takes too long. Returns what went wrong, null where nothing did. */
async function endOf(program: Program, limitMs: number): Promise<string | null> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void program.stop();
  }, limitMs);
  // Its output is whole with this event, not with its exit.
  const [code, signal] = (await once(program.child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  // What it started has ended too, or is ended.
  if (isLate) await program.stop();
  if (isLate) return `took more than ${Math.round(limitMs / 60_000)} minutes`;
  return code === 0 ? null : `ended with ${code ?? signal}`;
}

/** Runs a program of `bench` in a process of its own. Figures of one that failed say nothing and are left out. */
async function runProgram(
  [file, ...args]: Bench['runs'][number],
  limitMs: number,
  programs: Programs,
): Promise<Omit<Outcome, 'name'>> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-all-'));
  const figures = join(folder, 'figures.jsonl');
  writeFileSync(figures, '');
  try {
    const program = programs.start(process.execPath, [join(import.meta.dirname, '..', file), ...args], {
      core: null,
      env: { [FIGURES_VARIABLE]: figures },
    });
    const problem = await endOf(program, limitMs);
    if (problem === null) return { figures: parseFigures(readFileSync(figures, 'utf8')), failure: null };
    const last = program.output().trimEnd().split('\n').slice(-MAX_LINES);
    const lines = [`bench/${[file, ...args].join(' ')} ${problem}`, ...last];
    return { figures: [], failure: lines.join('\n    ') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs all programs of a bench, until one fails. Never rejects because of what they do. */
export async function runBench({ name, runs, limitMs }: Bench, programs: Programs): Promise<Outcome> {
  const figures: Figure[] = [];
  for (const run of runs) {
    const outcome = await runProgram(run, limitMs, programs);
    figures.push(...outcome.figures);
    if (outcome.failure !== null) return { name, figures, failure: outcome.failure };
  }
  return { name, figures, failure: null };
}
