import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from './write-whole.ts';

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
  await writeWhole(pathOf(folder), `${JSON.stringify(pinned ? [...others, id] : others)}\n`);
}
