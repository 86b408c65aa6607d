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
  /** Takes the file away from where it is, as of an upload; without it a copy is made. */
  readonly move?: boolean;
  /** Name that it gets; its own when left out. For a model in one file. */
  readonly name?: string;
  readonly signal?: AbortSignal;
  /** How much has been copied, in bytes, of all files together. */
  readonly onProgress?: (bytes: number, total: number) => void;
}

export interface Imported {
  /** Local id under which it is served. */
  readonly id: string;
  /** The same content was there before; nothing was copied. */
  readonly already: boolean;
}

const bad = (message: string) => new StudioError('invalid_request', message);

/** The file that stands for a model in several. */
const firstOf = (name: string): string => (partNames(name) ?? [name])[0] ?? name;

/** One file on its way. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly half: string;
  readonly name: string;
  readonly size: number;
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

/** What is to be copied. Throws StudioError where a file is missing, no model, or not whole. */
async function planOf(
  folder: string,
  path: string,
  name: string | undefined,
  readExtent: ReadExtent,
): Promise<readonly Move[]> {
  const source = resolve(path);
  const own = name ?? basename(source);
  if (!isModelName(own) || basename(own) !== own || own.startsWith('.'))
    throw bad(`${own} is no file name with the ending .gguf`);
  const parts = name === undefined ? partNames(own) : [own];
  if (!parts) throw bad(`${own} is no part of a model that can be`);
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
    if ('problem' in extent) throw bad(`${from} is no model that can be used: ${extent.problem}`);
    if (extent.end > size) throw bad(`${from} is incomplete: only ${size} of its ${extent.end} bytes are there`);
    moves.push({ from, to: join(folder, part), half: join(notesFolder(folder), `${part}.import`), name: part, size });
  }
  return moves;
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** Whether two files of one size have the same content. */
async function isSame(one: string, other: string, signal: AbortSignal | undefined): Promise<boolean> {
  const [a, b] = await Promise.all([open(one), open(other)]);
  try {
    const [left, right] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
    for (let at = 0; ;) {
      signal?.throwIfAborted();
      const [{ bytesRead }, second] = await Promise.all([
        a.read(left, 0, PIECE_BYTES, at),
        b.read(right, 0, PIECE_BYTES, at),
      ]);
      if (bytesRead !== second.bytesRead || !left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead)))
        return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}

/** Whether all of it is in the folder already. Throws StudioError `conflict` where something else has one of its names. */
async function isThere(
  folder: string,
  moves: readonly Move[],
  { force = false, signal }: ImportOptions,
): Promise<boolean> {
  let same = 0;
  for (const { from, to, size, name } of moves) {
    const there = await sizeOf(to);
    if (there === null) continue;
    if (from === to || (there === size && (await isSame(from, to, signal)))) same++;
    else if (!force)
      throw new StudioError('conflict', `${folder} has another file ${name}; --force puts the new one in its place`);
  }
  if (same === moves.length) return true;
  const first = firstOf(moves[0]?.name ?? '');
  const id = modelId(first);
  const names = await readdir(folder).catch((): string[] => []);
  const taken = names.find((name) => isModelName(name) && firstOf(name) !== first && modelId(firstOf(name)) === id);
  if (taken !== undefined)
    throw new StudioError('conflict', `The file ${taken} has the id ${id} already; give one of them another name`);
  return false;
}

/** A copy that shares the blocks of the original on file systems that can; else one that tells how far it is. */
async function copy(
  { from, half }: Move,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  try {
    await copyFile(from, half, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    const counted = new Transform({
      transform(piece: Buffer, _encoding, done) {
        onBytes(piece.length);
        done(null, piece);
      },
    });
    const read = createReadStream(from, { highWaterMark: PIECE_BYTES });
    await pipeline(read, counted, createWriteStream(half), ...(signal ? [{ signal }] : []));
  }
}

async function bring(
  move: Move,
  take: boolean,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // Across file systems a move is a copy.
  const moved =
    take &&
    (await rename(move.from, move.half).then(
      () => true,
      () => false,
    ));
  if (!moved) await copy(move, signal, onBytes);
}

/**
 * Takes a model into the folder, where it appears whole or not at all; of a model in several files all. A file of the folder
 * itself is left as it is. Throws StudioError `not_found`, `invalid_request` for what is no whole GGUF file, `conflict` where
 * another file has its name or its id, `unavailable` where it could not be copied; the signal's reason.
 */
export async function importModel(
  folder: string,
  path: string,
  readExtent: ReadExtent,
  options: ImportOptions = {},
): Promise<Imported> {
  const { signal, move: take = false, onProgress } = options;
  const moves = await planOf(folder, path, options.name, readExtent);
  const id = modelId(firstOf(moves[0]?.name ?? ''));
  if (await isThere(folder, moves, options)) {
    if (take) for (const { from, to } of moves) if (from !== to) await rm(from, { force: true });
    return { id, already: true };
  }
  await mkdir(notesFolder(folder), { recursive: true });
  const total = moves.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  try {
    for (const move of moves) {
      signal?.throwIfAborted();
      const before = done;
      await bring(move, take, signal, (bytes) => onProgress?.((done += bytes), total));
      done = before + move.size;
      onProgress?.(done, total);
    }
  } catch (cause) {
    for (const { half, from } of moves)
      if (take && (await sizeOf(from)) === null) await rename(half, from).catch(() => undefined);
    for (const { half } of moves) await rm(half, { force: true });
    signal?.throwIfAborted();
    throw new StudioError('unavailable', `${path} could not be copied: ${(cause as Error).message}`, { cause });
  }
  // The first file last: with it the model appears.
  for (const { from, half, to, name, size } of moves.toReversed()) {
    await writeOrigin(folder, name, { from, sha256: null, check: 'import', bytes: size });
    await rename(half, to);
    if (take) await rm(from, { force: true });
  }
  return { id, already: false };
}
