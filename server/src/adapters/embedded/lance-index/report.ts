import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexAdvice, SearchIndexState, SearchTables } from '@ai-studio/contract/console/search-index.ts';
import type { Logger } from '../../../kernel/log.ts';
import { openEngine, type LanceEngine, type LanceStorage } from './engine.ts';
import { filesBelow, TABLE_ENDING } from './files.ts';
import { closeQuietly } from './table.ts';

// How an index in files fares, for who looks after it: what lies there, beside what the engine knows of it.

/** A file of a table. */
export interface StoredFile {
  readonly table: string;
  /** Within the table, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/** Where tables lie, and how they are counted. */
export interface ReportPlace {
  readonly storage: LanceStorage;
  readonly place: SearchTables['place'];
  /** All files of all tables. */
  readonly listFiles: () => Promise<readonly StoredFile[]>;
  /** The folder whose disk is looked at; null where there is none. */
  readonly folder: string | null;
  readonly log: Logger;
}

type FilesReport = Pick<SearchIndexState, 'tables' | 'rows' | 'bytes' | 'advice'> & { readonly files: SearchTables };

/** Tables that are opened for their figures: the largest. Each takes some milliseconds. */
const MAX_LOOKED_INTO = 200;
const CACHE_MB = 16;
const VERSION = /^_versions\/[^/]+\.manifest$/;
const GIB = 1024 ** 3;
/** Commits before pieces are joined are fifty, and each may have some. */
const MANY_PIECES = 200;
/** What is obsolete is there for 15 minutes: after many writes five times as much as what is in use. Source: docs/decisions/opensearch.md. */
const MUCH_OBSOLETE = 8;
/** Of fewer rows it does not matter. */
const MANY_ROWS = 10_000;
const MUCH_UNINDEXED = 0.2;
/** Joining pieces needs room for them once more. */
const LOW_DISK = GIB;

/** Files of tables in a folder; none where there is no folder. What goes away meanwhile is left out. */
export async function listFolderFiles(folder: string): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (const path of await filesBelow(folder)) {
    const end = path.indexOf('/');
    if (!path.slice(0, end).endsWith(TABLE_ENDING)) continue;
    const size = await stat(join(folder, path)).catch(() => null);
    if (size === null) continue;
    files.push({ table: path.slice(0, end - TABLE_ENDING.length), path: path.slice(end + 1), bytes: size.size });
  }
  return files;
}

interface TableFigures {
  readonly rows: number;
  readonly bytes: number;
  readonly pieces: number;
  readonly small: number;
  readonly notIndexed: number;
}

async function lookInto({ connection }: LanceEngine, name: string): Promise<TableFigures> {
  const table = await connection.openTable(name);
  try {
    const { numRows, totalBytes, fragmentStats } = await table.stats();
    const known = await table.indexStats('terms');
    return {
      rows: numRows,
      bytes: totalBytes,
      pieces: fragmentStats.numFragments,
      small: fragmentStats.numSmallFragments,
      notIndexed: known?.numUnindexedRows ?? 0,
    };
  } finally {
    closeQuietly(table);
  }
}

/** Looks into tables; one that can't be read is left out: it is made anew when somebody searches it. */
async function lookIntoAll({ storage, log }: ReportPlace, names: readonly string[]): Promise<readonly TableFigures[]> {
  if (names.length === 0) return [];
  const engine = await openEngine(storage, CACHE_MB);
  try {
    const found: TableFigures[] = [];
    for (const name of names)
      await lookInto(engine, name).then(
        (one) => found.push(one),
        (error: unknown) => log.warn({ err: error, table: name }, 'table of the search index could not be looked into'),
      );
    return found;
  } finally {
    closeQuietly(engine.connection);
  }
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);

function adviceOn(
  { rows, bytes, files }: Omit<FilesReport, 'advice'>,
  looked: readonly TableFigures[],
  storedOfLooked: number,
): IndexAdvice[] {
  const advice: IndexAdvice[] = [];
  if (files.free_bytes !== null && files.free_bytes < Math.max(LOW_DISK, bytes))
    advice.push({ kind: 'disk_low', free: files.free_bytes });
  if (storedOfLooked > GIB && storedOfLooked > MUCH_OBSOLETE * bytes)
    advice.push({ kind: 'much_obsolete', stored: storedOfLooked, live: bytes });
  const many = looked.filter(({ pieces }) => pieces > MANY_PIECES).length;
  if (many > 0) advice.push({ kind: 'many_pieces', tables: many });
  if (files.not_indexed > MANY_ROWS && files.not_indexed > MUCH_UNINDEXED * rows)
    advice.push({ kind: 'not_indexed', rows: files.not_indexed });
  return advice;
}

/** Looks at an index in files, beside whoever works with it. Throws where the files can't be listed. */
export async function readFilesReport(given: ReportPlace): Promise<FilesReport> {
  const all = await given.listFiles();
  const sizes = new Map<string, number>();
  for (const { table, bytes } of all) sizes.set(table, (sizes.get(table) ?? 0) + bytes);
  const largest = [...sizes].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_LOOKED_INTO);
  const looked = await lookIntoAll(
    given,
    largest.map(([name]) => name),
  );
  const disk = given.folder === null ? null : await statfs(given.folder).catch(() => null);
  const report = {
    tables: sizes.size,
    rows: sum(looked, ({ rows }) => rows),
    bytes: sum(looked, ({ bytes }) => bytes),
    files: {
      place: given.place,
      stored_bytes: sum(all, ({ bytes }) => bytes),
      files: all.length,
      versions: all.filter(({ path }) => VERSION.test(path)).length,
      pieces: sum(looked, ({ pieces }) => pieces),
      small_pieces: sum(looked, ({ small }) => small),
      not_indexed: sum(looked, ({ notIndexed }) => notIndexed),
      looked_into: looked.length,
      free_bytes: disk === null ? null : disk.bavail * disk.bsize,
      total_bytes: disk === null ? null : disk.blocks * disk.bsize,
    },
  };
  return {
    ...report,
    advice: adviceOn(
      report,
      looked,
      sum(largest, ([, bytes]) => bytes),
    ),
  };
}
