import { z } from 'zod';

// Folders of a drive whose files name their folder alone. Which of them lie within the one that is taken follows from all of them.

/** A folder: the id of the one that it lies in, which its root has none of, and its name. */
export const KnownFolder = z.tuple([z.string().nullable(), z.string()]);
export type KnownFolder = z.infer<typeof KnownFolder>;

/** Folders within folders that are followed. */
const MAX_DEPTH = 200;

/** The folders of a drive by their ids. */
export class FolderTree {
  readonly folders: Map<string, KnownFolder>;
  /** Null where the whole drive is taken. */
  readonly #top: string | null;

  constructor(top: string | null, folders: Iterable<readonly [string, KnownFolder]> = []) {
    this.#top = top;
    this.folders = new Map(folders);
  }

  /**
   * Notes a folder as it is now. Whether it moved, or may have been there before without being known: then what lies in it is not told of by
   * itself.
   */
  note(id: string, folder: KnownFolder): boolean {
    const before = this.folders.get(id);
    this.folders.set(id, folder);
    return before === undefined || before[0] !== folder[0];
  }

  /** The path of a folder within the one that is taken, empty for that one itself; null for what lies elsewhere. */
  pathOf(id: string | null): string | null {
    const names: string[] = [];
    let at = id;
    for (let depth = 0; depth <= MAX_DEPTH; depth++) {
      if (at === this.#top) return names.toReversed().join('/');
      const folder: KnownFolder | undefined = at === null ? undefined : this.folders.get(at);
      // Above what can be seen is the root, or the place of what was shared.
      if (folder === undefined || at === null) return this.#top === null ? names.toReversed().join('/') : null;
      // The root has no name of its own.
      if (folder[0] !== null) names.push(folder[1]);
      [at] = folder;
    }
    return null;
  }
}
