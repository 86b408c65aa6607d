import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { readdir, readFile, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileLock, LockFile } from '../ports/file-lock.ts';
import { createCallEncoder, decodeJournal, encodeKey } from './journal-records.ts';
import type { Slice } from './slices.ts';
import { decodeSpilled, isSpilled } from './spilled.ts';
import type { UsageRow } from './usage-row.ts';
import { toStored, type StoredSlice } from './usage-store.ts';

/** A file of calls that is being written. A kill of the process loses nothing of it, as the kernel has it; a power cut may. */
export interface JournalFile {
  readonly path: string;
  /** Length. */
  readonly bytes: number;
  /** Adds a call, which is in its slice already; `flush` writes it. Throws as that does. */
  add(slice: Slice, row: UsageRow): void;
  /** Writes what was added, before it returns. Throws where the disk takes it not or in part; nothing more may be added then. */
  flush(): void;
  /** Never throws. */
  close(): void;
}

/**
 * Calls on the disk, from their end until their slices are in the database. Each process has a folder of its own with a lock, which
 * the next one takes over, with the files in it, when the process is gone.
 */
export interface Journal {
  /** Begins a file; `first` is the number that its first slice is stored by. Throws where that cannot be. */
  begin(first: number): JournalFile;
  /** The rows of a file of this process. */
  read(path: string): Promise<readonly StoredSlice[]>;
  /** Hands over the rows of files that processes have left which are gone, one file after the other, and removes each that `store` took. */
  takeOver(store: (rows: readonly StoredSlice[]) => Promise<void>): Promise<void>;
  /** Gives up the folder, with what may be in it. Safe to repeat; the next file takes one again. */
  close(): void;
}

const LOCK = 'lock';
/** The process that wrote it, and the number of the first slice in it. */
const NAME = /^([0-9a-f]+)-(\d+)\.journal$/;
const FOLDER = /^\d+$/;

/** `writer` names this process's life. `folder` is that of all processes. */
export function createJournal(folder: string, writer: string, lockFile: LockFile): Journal {
  const encodeCall = createCallEncoder();
  let own: { readonly name: string; readonly lock: FileLock } | null = null;

  /** The first folder that nobody has. */
  function take(): string {
    for (let number = 0; own === null; number++) {
      const name = String(number);
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
      const lock = lockFile(join(folder, name, LOCK));
      if (lock !== null) own = { name, lock };
    }
    return own.name;
  }

  /** Does work in a folder that is of this process, or of none; nothing where another has it. */
  async function within(name: string, work: () => Promise<void>): Promise<void> {
    if (name === own?.name) return work();
    const lock = lockFile(join(folder, name, LOCK));
    try {
      if (lock !== null) await work();
    } finally {
      lock?.release();
    }
  }

  async function filesOfOthers(name: string): Promise<string[]> {
    const names = await readdir(join(folder, name));
    return names.filter((file) => NAME.test(file) && !file.startsWith(writer)).map((file) => join(folder, name, file));
  }

  return {
    begin(first) {
      const path = join(folder, take(), `${writer}-${first}.journal`);
      return beginFile(path, encodeCall);
    },
    read: async (path) => decode(path, await readFile(path)),
    async takeOver(store) {
      take();
      const names = await readdir(folder);
      for (const name of names.filter(isSpilled)) await handOver(join(folder, name), store);
      for (const name of names.filter((one) => FOLDER.test(one))) {
        if ((await filesOfOthers(name)).length === 0) continue;
        await within(name, async () => {
          // It may have been taken over, or stored by its own process, meanwhile.
          for (const path of await filesOfOthers(name)) await handOver(path, store);
        });
      }
    },
    close() {
      own?.lock.release();
      own = null;
    },
  };
}

/** Records that are written at once: those of one turn of the event loop fit in it, save for very many. */
const BUFFER_BYTES = 16 * 1024;

function beginFile(path: string, encodeCall: ReturnType<typeof createCallEncoder>): JournalFile {
  const descriptor = openSync(path, 'a', 0o600);
  const buffer = new Uint8Array(BUFFER_BYTES);
  let bytes = 0;
  let buffered = 0;
  const write = (records: Uint8Array, length: number) => {
    const written = writeSync(descriptor, records, 0, length);
    bytes += written;
    if (written < length) throw new Error('The disk took a part of a record');
  };
  const flush = () => {
    const length = buffered;
    buffered = 0;
    if (length > 0) write(buffer, length);
  };
  const add = (record: Uint8Array) => {
    if (buffered + record.length > BUFFER_BYTES) flush();
    if (record.length > BUFFER_BYTES) return write(record, record.length);
    buffer.set(record, buffered);
    buffered += record.length;
  };
  return {
    path,
    get bytes() {
      return bytes + buffered;
    },
    add(slice, row) {
      if (slice.calls === 1) add(encodeKey(slice));
      add(encodeCall(slice, row));
    },
    flush,
    close() {
      try {
        closeSync(descriptor);
      } catch {
        // What was to be said was said by a write.
      }
    },
  };
}

function decode(path: string, bytes: Uint8Array): StoredSlice[] {
  const [, writer, first] = NAME.exec(basename(path)) ?? [];
  if (writer === undefined) return decodeSpilled(bytes);
  return decodeJournal(bytes).map((slice) => toStored(slice, writer, Number(first)));
}

async function handOver(path: string, store: (rows: readonly StoredSlice[]) => Promise<void>): Promise<void> {
  const bytes = await readFile(path).catch(ignoreMissing);
  // Another process has read it.
  if (bytes === undefined) return;
  let rows: StoredSlice[];
  try {
    rows = decode(path, bytes);
  } catch {
    // Kept for inspection; it must not block later files.
    await rename(path, `${path}.unreadable`).catch(ignoreMissing);
    return;
  }
  await store(rows);
  await unlink(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
