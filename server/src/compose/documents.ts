import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createParsePool, createRenderer, standardLimits } from '@ai-studio/documents';
import type { Config } from '../config/index.ts';
import type { ParserDeps } from '../console/index.ts';
import type { HttpOptions } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import {
  createOwnDocuments,
  createParseJobs,
  keepRemovingExpired,
  parseFailures,
  startRunner,
} from '../parsing/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { OriginalsDeps } from '../retrieval/index.ts';
import type { Metering } from '../usage/index.ts';
import { openProcessFolder } from './process-folder.ts';
import { openBlobs } from './storage.ts';

/** What reads documents in this process. */
interface Documents {
  readonly options: HttpOptions['documents'];
  /** What the page of documents works with. */
  readonly parser: ParserDeps;
  /** What shows pages. */
  readonly showing: Pick<OriginalsDeps, 'pool' | 'renderer'>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
/** The part of a process's memory that is no JavaScript: what is read, and what reads it. */
const HEAP_SHARE = 0.6;

interface Deps {
  readonly db: Database;
  readonly bus: Bus;
  readonly metering: Metering;
  readonly log: Logger;
  /** Once it says so, what is read in the background waits for another process or the next start. */
  readonly stopping: AbortSignal;
}

/** Prepares the folder of files that are being read, the processes that read them, and what is read in the background. */
export async function openDocuments(config: Config, { db, bus, metering, log, stopping }: Deps): Promise<Documents> {
  const { data_dir, documents } = config;
  const folder = await openProcessFolder(join(data_dir, 'parsing'));
  const pool = createParsePool({
    folder,
    size: documents.processes,
    maxQueue: documents.max_queue,
    heapMb: Math.floor(documents.memory_mb * HEAP_SHARE),
    memoryBytes: documents.memory_mb * MIB,
    ocrLanguages: documents.ocr ? documents.ocr_languages : [],
    failures: parseFailures,
    log,
  });
  /** Begun with the first page that is drawn. */
  const drawing = createParsePool({
    folder,
    size: 1,
    maxQueue: documents.max_queue,
    heapMb: Math.floor(documents.memory_mb * HEAP_SHARE),
    memoryBytes: documents.memory_mb * MIB,
    failures: parseFailures,
    log,
  });
  const renderer = createRenderer({
    size: documents.processes,
    heapMb: Math.floor(documents.memory_mb * HEAP_SHARE),
    timeoutMs: documents.timeout_ms,
    failures: parseFailures,
  });
  const blobs = openBlobs(config);
  const runner = await startRunner({
    db,
    bus,
    blobs,
    pool,
    folder,
    size: documents.processes,
    limits: standardLimits,
    timeoutMs: documents.async_timeout_ms,
    keepHours: documents.keep_hours,
    metering,
    log,
  });
  stopping.addEventListener('abort', () => void runner.close(), { once: true });
  const stopRemoving = keepRemovingExpired({ db, blobs, log });
  const jobs = createParseJobs({ db, bus, blobs, renderer, log });
  return {
    parser: {
      own: createOwnDocuments({ db, bus, blobs, jobs, renderer, pool: drawing, folder, log }),
      maxBytes: documents.upload_bytes,
      keepHours: documents.keep_hours,
      folder,
    },
    showing: { pool: drawing, renderer },
    options: {
      pool,
      renderer,
      folder,
      limits: standardLimits,
      timeoutMs: documents.timeout_ms,
      backgroundTimeoutMs: documents.async_timeout_ms,
      maxUploadBytes: documents.upload_bytes,
      jobs,
    },
    async close() {
      await runner.close();
      await stopRemoving();
      await pool.close();
      await drawing.close();
      await renderer.close();
      await blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
