import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import type { LocalModel } from '../models/local.ts';
import { writeAtomically } from './write-whole.ts';

const pathOf = (folder: string) => join(folder, '.pinned.json');

/** Models that a person pinned, by their local ids; those of the configuration are not among them. */
export async function readPins(folder: string): Promise<readonly string[]> {
  try {
    const pins: unknown = JSON.parse(await readFile(pathOf(folder), 'utf8'));
    return Array.isArray(pins) ? pins.filter((pin) => typeof pin === 'string') : [];
  } catch {
    return [];
  }
}

export async function writePin(folder: string, id: string, pinned: boolean): Promise<void> {
  const others = (await readPins(folder)).filter((pin) => pin !== id);
  await mkdir(folder, { recursive: true });
  await writeAtomically(pathOf(folder), `${JSON.stringify(pinned ? [...others, id] : others)}\n`);
}

export interface FollowPinsDeps {
  readonly folder: string;
  /** Local ids that the configuration pins. */
  readonly pinned: readonly string[];
  /** Keeps a model in memory from now on, or lets it go like the others. */
  readonly pin: (id: string, pinned: boolean) => void;
}

/**
 * Makes what pins those of the models of this machine that are to be pinned, and lets go of those that no longer are. Resolves with
 * whether models or pins had changed since its last call.
 */
export function createFollowPins({ folder, pinned, pin }: FollowPinsDeps) {
  let seen = '';
  let kept: readonly string[] = [];
  return async (models: readonly LocalModel[]): Promise<boolean> => {
    const own = await readPins(folder);
    const next = JSON.stringify([models, own]);
    if (next === seen) return false;
    seen = next;
    const here = new Set(models.map(({ id }) => id));
    const wanted = [...pinned, ...own];
    for (const id of kept) if (!wanted.includes(id)) pin(id, false);
    for (const id of wanted) if (here.has(id)) pin(id, true);
    kept = wanted;
    return true;
  };
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / (1024 * 1024)).toLocaleString('en')} MiB`;

export interface PinWish {
  readonly id: string;
  /** Those that are pinned: none of them ever makes room. */
  readonly others: readonly string[];
  /** Memory of a model in bytes. */
  readonly needsOf: (id: string) => number;
  readonly budgetBytes: number;
}

/** Throws StudioError `conflict` where a model that is to be pinned could never be loaded. */
export function checkPinned({ id, others, needsOf, budgetBytes }: PinWish): void {
  const kept = others.reduce((sum, other) => sum + needsOf(other), 0);
  if (kept + needsOf(id) <= budgetBytes) return;
  const beside = others.length === 0 ? '' : ` beside the pinned ${others.join(', ')}, which keep ${mebibytes(kept)}`;
  throw new StudioError(
    'conflict',
    `${id} needs about ${mebibytes(needsOf(id))} of memory and has no room${beside}: ` +
      `local models may use ${mebibytes(budgetBytes)} (local_models.memory_budget)`,
    { reason: 'model_memory' },
  );
}
