import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, type FetchedItem, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';

/** A folder of this machine, or one that is mounted here (SMB, NFS). */
export interface FolderSource {
  /** Folders below which sources may lie, of the configuration; none allows nothing. */
  readonly allowed: readonly string[];
  /** Absolute. */
  readonly path: string;
  /** Endings of names that are taken, in lower case without the dot; null takes all. */
  readonly endings: ReadonlySet<string> | null;
}

/** Folders within folders that are looked into. */
const MAX_DEPTH = 64;

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
const isGone = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** Why the operating system gave nothing, without a path of this machine. */
const failureOf = (cause: unknown): StudioError => {
  const code = codeOf(cause);
  if (code === 'EACCES' || code === 'EPERM') return sourceFailure('read_refused', { cause });
  if (isGone(cause)) return sourceFailure('folder_missing', { cause });
  return sourceFailure('read_failed', { cause, values: { error: typeof code === 'string' ? code : 'unknown' } });
};

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** Whether a path lies below an allowed folder by what it says; what links make of it is looked at when it is opened. */
export const isAllowedFolder = (allowed: readonly string[], path: string): boolean =>
  isAbsolute(path) && allowed.some((folder) => isWithin(resolve(folder), resolve(path)));

const refused = () =>
  sourceFailure('folder_closed', {
    param: 'path',
  });

/** Hidden files, and those that programs leave beside what they have open. */
const isLeftOut = (name: string): boolean =>
  name.startsWith('.') || name.startsWith('~$') || /^(?:Thumbs\.db|desktop\.ini)$/i.test(name);

const endingOf = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

/** Passes bytes on until they are too many. */
const bounded = (maxBytes: number, count: { bytes: number }): Transform =>
  new Transform({
    transform(part: Buffer, _encoding, done) {
      count.bytes += part.length;
      if (count.bytes > maxBytes) done(sourceFailure('larger_than', { values: { max_bytes: maxBytes } }));
      else done(null, part);
    },
  });

/**
 * Opens a folder as a source. Ids are paths within it, in the letters of NFC with `/` between folders; versions are the time of the last
 * change and the length. Links lead to files and folders within the folder alone, also where one is put in place meanwhile: what counts is
 * where a path really leads when it is opened.
 */
export function createFolderConnector({ allowed, path, endings }: FolderSource): Connector {
  /** Where the folder really is. A mount that is away is no empty folder, so its parent's word is not taken. */
  async function findRoot(): Promise<string> {
    if (!isAbsolute(path)) throw sourceFailure('path_relative', { param: 'path' });
    const named = resolve(path);
    // Nothing is told of what lies elsewhere, not even whether it is there.
    if (!allowed.some((folder) => isWithin(resolve(folder), named))) throw refused();
    try {
      const root = await realpath(named);
      const fine = await Promise.all(
        allowed.map(async (folder) => isWithin(await realpath(folder).catch(() => resolve(folder)), root)),
      );
      if (!fine.includes(true)) throw refused();
      if (!(await stat(root)).isDirectory()) throw sourceFailure('no_folder', { param: 'path' });
      return root;
    } catch (cause) {
      if (cause instanceof StudioError) throw cause;
      throw failureOf(cause);
    }
  }

  const nameIn = (root: string, file: string) => relative(root, file).split(sep).join('/').normalize('NFC');

  /** What an entry is where links are followed, and null for what leads out of the folder, or is neither. */
  async function kindOf(root: string, file: string, entry: Dirent): Promise<'file' | 'folder' | null> {
    if (!entry.isSymbolicLink()) return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : null;
    if (!isWithin(root, await realpath(file))) return null;
    const facts = await stat(file);
    // A linked folder within the folder is met where it lies: followed, it would be taken twice, or forever.
    return facts.isFile() ? 'file' : null;
  }

  async function* walk(root: string, folder: string, depth: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const unreadable = (file: string, id: string | null, problem: StudioError): SourceChange => ({
      type: 'unreadable',
      id,
      name: nameIn(root, file),
      problem,
    });
    if (depth > MAX_DEPTH)
      return void (yield unreadable(folder, null, sourceFailure('too_deep', { values: { limit: MAX_DEPTH } })));
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (folder === root) throw failureOf(error);
      // One that went between its parent's listing and now had nothing to tell of.
      if (!isGone(error)) yield unreadable(folder, null, failureOf(error));
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      signal.throwIfAborted();
      if (isLeftOut(entry.name)) continue;
      const file = join(folder, entry.name);
      const id = nameIn(root, file);
      try {
        const kind = await kindOf(root, file, entry);
        if (kind === 'folder') yield* walk(root, file, depth + 1, signal);
        if (kind !== 'file' || endings?.has(endingOf(entry.name)) === false) continue;
        if (id.length > MAX_SOURCE_ID) {
          yield unreadable(file, null, sourceFailure('path_too_long', { values: { limit: MAX_SOURCE_ID } }));
          continue;
        }
        const { mtimeMs, size } = await stat(file);
        const inFolder = dirname(id);
        yield {
          type: 'present',
          item: {
            id,
            name: basename(id),
            version: `${Math.round(mtimeMs)}-${size}`,
            bytes: size,
            metadata: inFolder === '.' ? {} : { folder: inFolder },
          },
        };
      } catch (error) {
        if (signal.aborted || error instanceof StudioError) throw error;
        if (!isGone(error)) yield unreadable(file, id, failureOf(error));
      }
    }
  }

  /** The file of an id as it is called on the disk, where names may be in the letters of NFD. */
  async function fileOf(root: string, id: string): Promise<string> {
    let file = root;
    for (const name of id.split('/')) {
      if (name === '' || name === '.' || name === '..' || name.includes(sep)) throw gone();
      const direct = join(file, name);
      const isThere = await stat(direct).then(
        () => true,
        () => false,
      );
      if (isThere) file = direct;
      else {
        const found = (await readdir(file).catch(() => [])).find((one) => one.normalize('NFC') === name);
        if (found === undefined) throw gone();
        file = join(file, found);
      }
    }
    return file;
  }

  const gone = () => sourceFailure('document_gone');

  async function copy(id: string, target: string, maxBytes: number, signal: AbortSignal): Promise<FetchedItem> {
    const root = await findRoot();
    const real = await realpath(await fileOf(root, id));
    if (!isWithin(root, real)) throw gone();
    const handle = await open(real, 'r');
    try {
      // What was opened is asked once more: a folder of the way may have become a link in between.
      const [facts, now] = await Promise.all([handle.stat(), stat(await realpath(real))]);
      if (!facts.isFile() || facts.ino !== now.ino || facts.dev !== now.dev || (await realpath(real)) !== real)
        throw gone();
      if (facts.size > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
      const count = { bytes: 0 };
      const source = createReadStream('', { fd: handle, autoClose: false });
      await pipeline(source, bounded(maxBytes, count), createWriteStream(target), { signal });
      return count;
    } finally {
      await handle.close();
    }
  }

  return {
    async *list({ maxItems, signal }) {
      const root = await findRoot();
      let cut: StudioError | undefined;
      let items = 0;
      for await (const change of walk(root, root, 0, signal)) {
        if (change.type === 'present' && ++items > maxItems) {
          cut = sourceFailure('over_limit', { values: { limit: maxItems } });
          yield { type: 'unreadable', id: null, name: '', problem: cut };
          break;
        }
        if (change.type === 'unreadable' && change.id === null) cut ??= change.problem;
        yield change;
      }
      yield { type: 'end', isWhole: cut === undefined, cursor: null, cut };
    },
    async fetch(id, { path: target, maxBytes, signal }) {
      signal.throwIfAborted();
      try {
        return await copy(id, target, maxBytes, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StudioError) throw error;
        if (isGone(error)) throw gone();
        throw failureOf(error);
      }
    },
    close: () => Promise.resolve(),
  };
}
