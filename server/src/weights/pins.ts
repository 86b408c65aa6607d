import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { writeAtomically } from './write-whole.ts';

const pathOf = (folder: string) => join(folder, '.pinned.json');

/** Local ids of models that people pinned, without those of the configuration. */
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

const mebibytes = (bytes: number) => `${Math.ceil(bytes / (1024 * 1024)).toLocaleString('en')} MiB`;

export interface PinRequest {
  readonly id: string;
  /** Models that are already pinned, and so never unloaded. */
  readonly others: readonly string[];
  /** Memory of a model in bytes. */
  readonly needsOf: (id: string) => number;
  readonly budgetBytes: number;
}

/** Throws StudioError `conflict` where a model to be pinned could never be loaded. */
export function checkPinned({ id, others, needsOf, budgetBytes }: PinRequest): void {
  const pinnedBytes = others.reduce((sum, other) => sum + needsOf(other), 0);
  if (pinnedBytes + needsOf(id) <= budgetBytes) return;
  const besideOthers =
    others.length === 0 ? '' : ` beside the pinned ${others.join(', ')}, which keep ${mebibytes(pinnedBytes)}`;
  throw new StudioError(
    'conflict',
    `${id} needs about ${mebibytes(needsOf(id))} of memory and has no room${besideOthers}: ` +
      `local models may use ${mebibytes(budgetBytes)} (local_models.memory_budget)`,
    { reason: 'model_memory' },
  );
}
