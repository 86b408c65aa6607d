import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from './write-whole.ts';

/** What a file was compared with when it came: a checksum of the catalogue or of the hub, its original, or nothing. */
export type OriginCheck = 'catalogue' | 'hub' | 'import' | 'none';

/** Where a file of the folder is from. Kept beside it, in the hidden folder of downloads. */
export interface Origin {
  /** Address, or path of what was imported. */
  readonly from: string;
  /** Of what came; null for an import. */
  readonly sha256: string | null;
  readonly check: OriginCheck;
  readonly bytes: number;
  /** When it was put into the folder, ISO 8601. */
  readonly at: string;
}

/** What to tell people of a file that was compared with nothing. */
export const NOT_VERIFIED = 'not verified: the server gave no checksum';

/** Hidden folder within that of the models: parts of downloads, and notes. */
export const notesFolder = (folder: string): string => join(folder, '.downloads');

const pathOf = (folder: string, name: string) => join(notesFolder(folder), `${name}.origin.json`);

/** Clocks of file systems are coarser than ours. */
const CLOCK_MS = 2_000;

/** Writes down where a file is from; before the file appears, so that it is known from its first moment. */
export async function writeOrigin(folder: string, name: string, origin: Omit<Origin, 'at'>): Promise<void> {
  await mkdir(notesFolder(folder), { recursive: true });
  await writeWhole(pathOf(folder, name), `${JSON.stringify({ ...origin, at: new Date().toISOString() })}\n`);
}

/** Where a file is from; null where nobody knows, or where the file is another one by now. */
export async function readOrigin(
  folder: string,
  name: string,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
): Promise<Origin | null> {
  try {
    const origin = JSON.parse(await readFile(pathOf(folder, name), 'utf8')) as Origin;
    return origin.bytes === size && mtimeMs <= Date.parse(origin.at) + CLOCK_MS ? origin : null;
  } catch {
    return null;
  }
}

export const removeOrigin = (folder: string, name: string): Promise<void> => rm(pathOf(folder, name), { force: true });
