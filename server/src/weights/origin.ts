import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './write-whole.ts';

/** How a file was verified: by a checksum of the catalogue or of the hub, against its original, or not at all. */
export type OriginCheck = 'catalogue' | 'hub' | 'import' | 'none';

/** Origin of a file of the folder. Stored beside it, in the hidden folder of downloads. */
export interface Origin {
  /** Address, or path of the imported file. */
  readonly from: string;
  /** SHA-256 of the download; null for an import. */
  readonly sha256: string | null;
  readonly check: OriginCheck;
  readonly bytes: number;
  /** Time at which it was put into the folder, ISO 8601. */
  readonly at: string;
}

/** Warning about a file without a checksum. */
export const NOT_VERIFIED = 'not verified: the server gave no checksum';

/** Hidden folder within that of the models: parts of downloads, and notes. */
export const notesFolder = (folder: string): string => join(folder, '.downloads');

const pathOf = (folder: string, name: string) => join(notesFolder(folder), `${name}.origin.json`);

/** Tolerance, as clocks of file systems are coarser. */
const CLOCK_MS = 2_000;

/** Stores the origin of a file, before the file appears. */
export async function writeOrigin(folder: string, name: string, origin: Omit<Origin, 'at'>): Promise<void> {
  await mkdir(notesFolder(folder), { recursive: true });
  await writeAtomically(pathOf(folder, name), `${JSON.stringify({ ...origin, at: new Date().toISOString() })}\n`);
}

/** Reads the origin of a file; null where it is unknown or the file has changed. */
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
