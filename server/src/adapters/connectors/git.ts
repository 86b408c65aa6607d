import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { StudioError } from '../../kernel/errors.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import { type Connector, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { BadPack, type ObjectFormat, readPack, readTree } from './git-pack.ts';
import { type GitPlace, type GitServer, greet } from './git-protocol.ts';
import { fitsPattern } from './path-pattern.ts';
import { toFile } from './web.ts';

/** A repository of Git, as a branch of it is. */
export interface GitSource extends GitPlace {
  /** A branch or a tag; null for the one that the repository has as its first. */
  readonly branch: string | null;
  /** Folder whose files are taken, without `/` at its ends; empty takes all. */
  readonly folder: string;
  /** Pattern of the paths within the folder, with `*`, `**` and `?`; null takes all. */
  readonly pattern: string | null;
  /** Endings of names that are taken, in lower case without the dot; null takes all. */
  readonly endings: ReadonlySet<string> | null;
}

/** Folders and files that are looked at, beside those that are taken, for each that may be taken. */
const LOOKED_AT_FOR_EACH = 20;
const LOOKED_AT_ALWAYS = 100_000;
/** What stands in the place of a file that is kept elsewhere. Source: Git LFS, specification. */
const LFS = 'version https://git-lfs.github.com/spec/';
const MAX_LFS = 1_024;

const endingOf = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

/** Unpacks the content of a file, and looks whether it is what was asked for. Rejects with StudioError. */
async function unpackTo(
  packed: AsyncIterable<Uint8Array>,
  asked: { readonly id: string; readonly size: number; readonly format: ObjectFormat; readonly path: string },
  signal: AbortSignal,
): Promise<number> {
  const { id, size, format, path } = asked;
  const hash = createHash(format).update(`blob ${size}\0`);
  let head = '';
  const checked = async function* (body: AsyncIterable<Buffer>) {
    for await (const part of body) {
      hash.update(part);
      if (head.length < LFS.length) head += part.toString('latin1', 0, LFS.length);
      yield part;
    }
  };
  const plain = new PassThrough();
  const [, bytes] = await Promise.all([
    pipeline(packed, createInflate(), plain, { signal }),
    // What a header says is the most that it unpacks to.
    toFile(checked(plain), path, size, signal),
  ]);
  if (bytes !== size || hash.digest('hex') !== id)
    throw sourceFailure('answer_odd', { because: 'it sent another file than was asked for' });
  if (size <= MAX_LFS && head.startsWith(LFS)) throw sourceFailure('git_lfs');
  return bytes;
}

/**
 * Opens a branch of a repository as a source. Ids are paths within its folder; versions are the ids of the contents. The cursor is a commit:
 * where the branch still is there, nothing is asked for. Else its folders are, without their files, and files one by one where they changed.
 */
export function createGitConnector(source: GitSource): Connector {
  const { branch, folder, pattern, endings } = source;
  /** Contents by paths, as they were listed last. */
  let listed: ReadonlyMap<string, string> | null = null;

  /** The commit of the branch; null for a repository without any. */
  async function commitOf(server: GitServer, signal: AbortSignal): Promise<string | null> {
    const names = branch === null ? ['HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}`];
    const refs = await server.refs(names, signal);
    for (const name of names) {
      const found = refs.get(name);
      if (found !== undefined) return found;
    }
    if (branch !== null) throw sourceFailure('branch_missing', { values: { branch } });
    if ((await server.refs(['refs/heads/'], signal)).size === 0) return null;
    throw sourceFailure('branch_unnamed');
  }

  /**
   * The files of a commit with their contents' ids, in turns with other work; null once for more folders and files than are looked at. Rejects
   * with StudioError `unavailable` where the folder is not there.
   */
  async function* filesOf(server: GitServer, commit: string, most: number, signal: AbortSignal) {
    const objects = await readPack(await server.folders(commit, signal), server.format, { signal });
    const bodyOf = (id: string, kind: 'commit' | 'tree') => {
      const object = objects.get(id);
      if (object?.kind !== kind) throw new BadPack(`it has no ${kind} ${id}`);
      return object.body;
    };
    const root = /^tree ([0-9a-f]+)\n/.exec(bodyOf(commit, 'commit').toString('latin1', 0, 100))?.[1];
    if (root === undefined) throw new BadPack('a commit has no folder');
    const budget = createTurnBudget();
    const waiting = [{ path: '', id: root }];
    let lookedAt = 0;
    let isThere = folder === '';
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      for (const { kind, name, id } of readTree(bodyOf(one.id, 'tree'), server.format)) {
        if (++lookedAt > most) return void (yield null);
        await budget(200);
        const path = `${one.path}${name}`;
        const isWithin = folder === '' || path.startsWith(`${folder}/`);
        if (isWithin && name.startsWith('.')) continue;
        isThere ||= kind === 'folder' && path === folder;
        const inside = folder === '' ? path : path.slice(folder.length + 1);
        const isTooLong = inside.length > MAX_SOURCE_ID;
        if (kind === 'folder' && !isTooLong && (isWithin || path === folder || folder.startsWith(`${path}/`)))
          waiting.push({ path: `${path}/`, id });
        // What lies in a folder with such a path has a longer one: it is told of once, and not looked into.
        if (kind === 'folder' && isWithin && isTooLong) yield { path: inside, id };
        if (kind !== 'file' || !isWithin || endings?.has(endingOf(name)) === false) continue;
        if (!isTooLong && pattern !== null && !fitsPattern(inside, pattern)) continue;
        yield { path: inside, id };
      }
    }
    if (!isThere) throw sourceFailure('repository_folder_missing', { values: { folder }, param: 'folder' });
  }

  async function* list(cursor: string | null, maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const server = await opened(() => greet(source, signal));
    const commit = await opened(() => commitOf(server, signal));
    const found = new Map<string, string>();
    listed = found;
    if (commit === null) return void (yield { type: 'end', isWhole: true, cursor: null });
    // What is asked for later is looked up anew.
    if (commit === cursor) {
      listed = null;
      return void (yield { type: 'end', isWhole: false, cursor });
    }
    let cut: StudioError | undefined;
    for await (const file of filesOf(server, commit, maxItems * LOOKED_AT_FOR_EACH + LOOKED_AT_ALWAYS, signal)) {
      signal.throwIfAborted();
      if (file === null || found.size >= maxItems) {
        cut = sourceFailure('over_limit', { values: { limit: maxItems } });
        yield { type: 'unreadable', id: null, name: '', problem: cut };
        break;
      }
      const { path, id } = file;
      const name = posix.basename(path);
      if (path.length > MAX_SOURCE_ID) {
        const problem = sourceFailure('path_too_long', { values: { limit: MAX_SOURCE_ID } });
        cut ??= problem;
        yield { type: 'unreadable', id: null, name: name.slice(0, 200), problem };
        continue;
      }
      found.set(path, id);
      const within = posix.dirname(path);
      const metadata = within === '.' ? {} : { folder: within };
      yield { type: 'present', item: { id: path, name, version: id, bytes: null, metadata } };
    }
    yield { type: 'end', isWhole: cut === undefined, cursor: commit, cut };
  }

  /** What is said where there is no such repository: it may only have moved. */
  async function opened<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StudioError && error.code === 'not_found')
        throw sourceFailure('repository_missing', { cause: error });
      throw error;
    }
  }

  /** A pack that can't be read is the server's affair. */
  const readable = (error: unknown, signal: AbortSignal): unknown => {
    signal.throwIfAborted();
    return error instanceof StudioError
      ? error
      : sourceFailure('not_protocol', { values: { protocol: 'Git' }, cause: error });
  };

  return {
    async *list({ cursor, maxItems, signal }) {
      try {
        yield* list(cursor, maxItems, signal);
      } catch (error) {
        throw readable(error, signal);
      }
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      try {
        const server = await greet(source, signal);
        if (listed === null) {
          const commit = await commitOf(server, signal);
          const found = new Map<string, string>();
          if (commit !== null)
            for await (const file of filesOf(server, commit, LOOKED_AT_ALWAYS, signal))
              if (file !== null) found.set(file.path, file.id);
          listed = found;
        }
        const content = listed.get(id);
        if (content === undefined) throw sourceFailure('document_gone');
        const bytes = await server.content(content, signal, async (packed, size) => {
          if (size > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
          return unpackTo(packed, { id: content, size, format: server.format, path }, signal);
        });
        return { bytes };
      } catch (error) {
        throw readable(error, signal);
      }
    },
    close: () => Promise.resolve(),
  };
}
