import type { Logger } from '../kernel/log.ts';
import type { Journal, JournalFile } from './journal.ts';
import { OpenSlices } from './slices.ts';
import type { UsageRow } from './usage-row.ts';
import { toStored, type StoredSlice } from './usage-store.ts';

/** Slices that come to the database together. */
export interface Sealed {
  /** Null where the file is to be read. */
  rows: readonly StoredSlice[] | null;
  /** To be removed once they are stored; null where there is none. */
  readonly path: string | null;
  /** Whether the file holds all of them. */
  readonly isWhole: boolean;
}

/** The calls of a moment, in memory and on the disk. */
export interface Segment {
  readonly slices: number;
  /** On the disk. */
  readonly bytes: number;
  add(row: UsageRow): void;
  /** Returns once the disk has the calls that were added, or it is known that it cannot have them. */
  flush(): void;
  /** Ends it. */
  seal(): Sealed;
}

export interface SegmentDeps {
  readonly journal: Pick<Journal, 'begin'>;
  readonly log: Logger;
  readonly writer: string;
}

/** Opens segments, one after the other. Where the disk takes nothing they are in memory alone, which is told once until it does again. */
export function createSegments({ journal, log, writer }: SegmentDeps): () => Segment {
  let first = 0;
  let troubled = false;

  function failed(error: unknown): void {
    if (!troubled) log.error({ err: error }, 'usage is kept in memory alone: a kill of the process would lose it');
    troubled = true;
  }

  function begin(): JournalFile | null {
    try {
      return journal.begin(first);
    } catch (error) {
      failed(error);
      return null;
    }
  }

  return () => {
    const open = new OpenSlices();
    const start = first;
    const file = begin();
    let isWhole = file !== null;
    /** Does work with the file, while that holds all calls. */
    const keep = (work: (kept: JournalFile) => void) => {
      if (file === null || !isWhole) return;
      try {
        work(file);
      } catch (error) {
        isWhole = false;
        failed(error);
      }
    };
    const flush = () => keep((kept) => kept.flush());
    return {
      get slices() {
        return open.size;
      },
      get bytes() {
        return file?.bytes ?? 0;
      },
      add(row) {
        const slice = open.add(row);
        keep((kept) => kept.add(slice, row));
      },
      flush,
      seal() {
        flush();
        if (isWhole && troubled) log.info({}, 'usage is kept on the disk again until it is in the database');
        if (isWhole) troubled = false;
        file?.close();
        first += open.size;
        return { rows: open.all.map((slice) => toStored(slice, writer, start)), path: file?.path ?? null, isWhole };
      },
    };
  };
}
