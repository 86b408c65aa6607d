import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Figure } from '../figures.ts';
import type { Origin, SavedFigure } from './compare.ts';

const FILE = join(import.meta.dirname, '../figures.json');

const figure = {
  name: z.string(),
  value: z.number(),
  better: z.enum(['higher', 'lower']),
  tolerance: z.number().nonnegative(),
};
const MeasuredFigure = z.strictObject(figure);
const SavedFigures = z.array(z.strictObject({ ...figure, date: z.string(), commit: z.string(), machine: z.string() }));

/** The figures that were committed last. */
export const readSavedFigures = (): SavedFigure[] => SavedFigures.parse(JSON.parse(readFileSync(FILE, 'utf8')));

export const writeSavedFigures = (figures: readonly SavedFigure[]): void =>
  writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`);

/** Figures of a bench as it has written them, a line each. */
export const parseFigures = (lines: string): Figure[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => MeasuredFigure.parse(JSON.parse(line)));

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit that is measured. A copy without its history has none. */
function readCommit(): string {
  try {
    const changes = git('status', '--porcelain', '--', ':(top)', ':(top,exclude)bench/figures.json');
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' and changes'}`;
  } catch {
    return 'unknown';
  }
}

/** Day, commit and machine of a measurement that is made now. */
export const readOrigin = (): Origin => ({
  date: new Date().toISOString().slice(0, 10),
  commit: readCommit(),
  machine: `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`,
});
