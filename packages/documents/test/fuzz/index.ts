import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Inside, insideOf } from './inside.ts';
import { mutate } from './mutate.ts';
import { type ReadingOptions, type Trial, createReadingProcess } from './process.ts';
import { type Random, createRandom } from './random.ts';
import type { Seed } from './seeds.ts';

export interface FuzzOptions extends ReadingOptions {
  readonly seeds: readonly Seed[];
  /** What chance begins with: the same number tries the same files. */
  readonly seed: number;
  readonly cases: number;
  /** The first case; 0 unless one is to be tried again. */
  readonly first?: number;
  /** No further case is begun after that. */
  readonly seconds: number;
  /** Where files are put that broke a reader, with what came of them. */
  readonly folder: string;
  /** Told after each case. */
  readonly onCase?: (number: number, trial: Trial, name: string) => void;
}

export interface Finding {
  readonly path: string;
  readonly why: string;
}

export interface FuzzReport {
  readonly cases: number;
  readonly read: number;
  readonly refused: number;
  readonly found: readonly Finding[];
  /** The case that took longest, in milliseconds. */
  readonly slowestMs: number;
}

/** The file, damaged on its outside or within. */
function damaged(inside: Inside, whole: Buffer, random: Random): Buffer {
  if (random.chance(0.25)) return mutate(whole, random);
  const parts = [...inside.parts];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(parts.length);
    const part = parts[at];
    if (part !== undefined) parts[at] = mutate(part, random);
  }
  try {
    return inside.withParts(parts);
  } catch {
    // Parts that grew beyond what the writers can hold.
    return mutate(whole, random);
  }
}

const endingOf = (name: string) => name.slice(name.lastIndexOf('.'));

/** Reads damaged files in a process of their own. A case depends on `seed` and its own number alone. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seeds, seed, cases, first = 0, seconds, folder, onCase } = options;
  mkdirSync(folder, { recursive: true });
  const insides = await Promise.all(seeds.map(({ bytes }) => insideOf(bytes)));
  const reading = createReadingProcess(options);
  const until = performance.now() + seconds * 1000;
  const found: Finding[] = [];
  const counts = { read: 0, refused: 0, broken: 0 };
  let slowestMs = 0;
  let done = first;
  try {
    for (; done < first + cases && performance.now() < until; done++) {
      const which = done % seeds.length;
      const [file, inside] = [seeds[which], insides[which]];
      if (file === undefined || inside === undefined) continue;
      const random = createRandom(Math.imul(seed, 0x9e37) + done);
      const path = join(folder, `case${endingOf(file.name)}`);
      const bytes = damaged(inside, file.bytes, random);
      writeFileSync(path, bytes);
      const trial = await reading.read({ path, name: file.name });
      counts[trial.outcome.kind]++;
      slowestMs = Math.max(slowestMs, trial.ms);
      onCase?.(done, trial, file.name);
      if (trial.outcome.kind !== 'broken') continue;
      const kept = join(folder, `${seed}-${done}${endingOf(file.name)}`);
      writeFileSync(kept, bytes);
      found.push({ path: kept, why: `${file.name}: ${trial.outcome.why}` });
    }
  } finally {
    reading.close();
  }
  return { cases: done - first, read: counts.read, refused: counts.refused, found, slowestMs };
}
