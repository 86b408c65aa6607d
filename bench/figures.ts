import { appendFileSync } from 'node:fs';

/** A result that can be compared with that of another day: a ratio of two measurements of one run, or a figure of quality. Never a time. */
export interface Figure {
  /** `BENCH: what`, the same from version to version: what was committed is found by it. */
  readonly name: string;
  readonly value: number;
  readonly better: 'higher' | 'lower';
  /** By how much two runs of the same code may differ, as a share of the value. */
  readonly tolerance: number;
}

/** Variable of the environment that names the file to which figures are added, a line of JSON each. */
export const FIGURES_VARIABLE = 'BENCH_FIGURES';

/** Of figures that come out the same in each run, save for what an index or a clock decides. */
export const EXACT = 0.005;

/** Adds a figure to the file that the environment names; without one nothing happens. Throws on what is no number. */
export function reportFigure(figure: Figure): void {
  const file = process.env[FIGURES_VARIABLE];
  if (file === undefined || file === '') return;
  if (!Number.isFinite(figure.value)) throw new Error(`${figure.name}: ${figure.value} is no figure`);
  appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
