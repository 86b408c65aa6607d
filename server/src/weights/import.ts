import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../kernel/errors.ts';
import type { ReadExtent } from './folder.ts';
import { isModelName, modelId, partNames } from './names.ts';
import { notesFolder, writeOrigin } from './origin.ts';

export interface ImportOptions {
  /** Replaces a file of the same name. */
  readonly force?: boolean;
  /** Moves the file, such as an upload, instead of copying it. */
  readonly move?: boolean;
  /** New file name; the original one when left out. Only for a model in one file. */
  readonly name?: string;
  readonly signal?: AbortSignal;
  /** Receives the copied bytes of all files together. */
  readonly onProgress?: (bytes: number, total: number) => void;
}

export interface Imported {
  /** Local id under which it is served. */
  readonly id: string;
  /** Whether the same content existed already, so that nothing was copied. */
  readonly already: boolean;
}

const invalidRequest = (message: string) => new StudioError('invalid_request', message);

/** Name of the first file of a model. */
const firstPartOf = (name: string): string => (partNames(name) ?? [name])[0] ?? name;

/** The import of one file. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly partial: string;
  readonly name: string;
  readonly size: number;
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

/** Plans the files to copy. Throws StudioError where a file is missing, no model, or incomplete. */
async function planImport(
  folder: string,
  path: string,
  name: string | undefined,
  readExtent: ReadExtent,
): Promise<readonly Move[]> {
  const source = resolve(path);
  const fileName = name ?? basename(source);
  if (!isModelName(fileName) || basename(fileName) !== fileName || fileName.startsWith('.'))
    throw invalidRequest(`${fileName} is no file name with the ending .gguf`);
  const parts = name === undefined ? partNames(fileName) : [fileName];
  if (!parts) throw invalidRequest(`${fileName} is no part of a model that can be`);
  const moves: Move[] = [];
  for (const part of parts) {
    const from = name === undefined ? join(dirname(source), part) : source;
    const size = await sizeOf(from);
    if (size === null)
      throw new StudioError(
        'not_found',
        parts.length > 1 ? `${from} is missing: the model is in ${parts.length} files` : `There is no file ${from}`,
      );
    const extent = await readExtent(from);
    if ('problem' in extent) throw invalidRequest(`${from} is no model that can be used: ${extent.problem}`);
    if (extent.end > size)
      throw invalidRequest(`${from} is incomplete: only ${size} of its ${extent.end} bytes are there`);
    moves.push({
      from,
      to: join(folder, part),
      partial: join(notesFolder(folder), `${part}.import`),
      name: part,
      size,
    });
  }
  return moves;
}

const CHUNK_BYTES = 4 * 1024 * 1024;

/** Whether two files of the same size have the same content. */
async function isSame(firstPath: string, secondPath: string, signal: AbortSignal | undefined): Promise<boolean> {
  const [a, b] = await Promise.all([open(firstPath), open(secondPath)]);
  try {
    const [firstChunk, secondChunk] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
    for (let at = 0; ;) {
      signal?.throwIfAborted();
      const [{ bytesRead }, second] = await Promise.all([
        a.read(firstChunk, 0, CHUNK_BYTES, at),
        b.read(secondChunk, 0, CHUNK_BYTES, at),
      ]);
      if (
        bytesRead !== second.bytesRead ||
        !firstChunk.subarray(0, bytesRead).equals(secondChunk.subarray(0, bytesRead))
      )
        return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}

/** Whether all files are in the folder already. Throws StudioError `conflict` where another file has one of the names. */
async function isImported(
  folder: string,
  moves: readonly Move[],
  { force = false, signal }: ImportOptions,
): Promise<boolean> {
  let sameCount = 0;
  for (const { from, to, size, name } of moves) {
    const existingSize = await sizeOf(to);
    if (existingSize === null) continue;
    if (from === to || (existingSize === size && (await isSame(from, to, signal)))) sameCount++;
    else if (!force)
      throw new StudioError('conflict', `${folder} has another file ${name}; --force puts the new one in its place`);
  }
  if (sameCount === moves.length) return true;
  const first = firstPartOf(moves[0]?.name ?? '');
  const id = modelId(first);
  const names = await readdir(folder).catch((): string[] => []);
  const conflicting = names.find(
    (name) => isModelName(name) && firstPartOf(name) !== first && modelId(firstPartOf(name)) === id,
  );
  if (conflicting !== undefined)
    throw new StudioError(
      'conflict',
      `The file ${conflicting} has the id ${id} already; give one of them another name`,
    );
  return false;
}

/** Copies a file, by sharing blocks where the file system can, else with progress. */
async function copy(
  { from, partial }: Move,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  try {
    await copyFile(from, partial, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, copiedBytes) {
        onBytes(chunk.length);
        copiedBytes(null, chunk);
      },
    });
    const read = createReadStream(from, { highWaterMark: CHUNK_BYTES });
    await pipeline(read, counter, createWriteStream(partial), ...(signal ? [{ signal }] : []));
  }
}

async function copyOrMove(
  move: Move,
  isMove: boolean,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // A move across file systems needs a copy.
  const isMoved =
    isMove &&
    (await rename(move.from, move.partial).then(
      () => true,
      () => false,
    ));
  if (!isMoved) await copy(move, signal, onBytes);
}

/**
 * Imports a model with all its files into the folder, where it only appears when it is complete. A file of the folder itself stays as
 * it is. Throws StudioError `not_found`, `invalid_request` for anything but a complete GGUF file, `conflict` where another file has
 * its name or its id, `unavailable` where copying failed; the signal's reason.
 */
export async function importModel(
  folder: string,
  path: string,
  readExtent: ReadExtent,
  options: ImportOptions = {},
): Promise<Imported> {
  const { signal, move: isMove = false, onProgress } = options;
  const moves = await planImport(folder, path, options.name, readExtent);
  const id = modelId(firstPartOf(moves[0]?.name ?? ''));
  if (await isImported(folder, moves, options)) {
    if (isMove) for (const { from, to } of moves) if (from !== to) await rm(from, { force: true });
    return { id, already: true };
  }
  await mkdir(notesFolder(folder), { recursive: true });
  const total = moves.reduce((sum, { size }) => sum + size, 0);
  let copiedBytes = 0;
  try {
    for (const move of moves) {
      signal?.throwIfAborted();
      const previousBytes = copiedBytes;
      await copyOrMove(move, isMove, signal, (bytes) => onProgress?.((copiedBytes += bytes), total));
      copiedBytes = previousBytes + move.size;
      onProgress?.(copiedBytes, total);
    }
  } catch (cause) {
    for (const { partial, from } of moves)
      if (isMove && (await sizeOf(from)) === null) await rename(partial, from).catch(() => undefined);
    for (const { partial } of moves) await rm(partial, { force: true });
    signal?.throwIfAborted();
    throw new StudioError('unavailable', `${path} could not be copied: ${(cause as Error).message}`, { cause });
  }
  // The first file last: with it the model appears.
  for (const { from, partial, to, name, size } of moves.toReversed()) {
    await writeOrigin(folder, name, { from, sha256: null, check: 'import', bytes: size });
    await rename(partial, to);
    if (isMove) await rm(from, { force: true });
  }
  return { id, already: false };
}
