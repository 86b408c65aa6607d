import { createParsePool, createRenderer, standardLimits } from '@ai-studio/documents';
import { createPageReader } from '../adapters/page-readers/index.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParserDeps } from '../console/index.ts';
import type { Surfaces } from '../http/index.ts';
import { openProcessFolder } from '../kernel/process-folder.ts';
import {
  createOwnDocuments,
  type ConfiguredReader,
  createLayoutParser,
  createParseJobs,
  startParseRetention,
  parseFailures,
  startRunner,
} from '../parsing/index.ts';
import { createGuardedFetch } from '../net-guard/index.ts';
import type { OriginalsDeps } from '../retrieval/index.ts';
import type { OpenChat } from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Metering } from '../usage/index.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import { openBlobs } from './storage.ts';
import type { Data } from './store.ts';

/** The document parsers of this process. */
export interface Documents {
  readonly documents: Surfaces['documents'];
  /** Dependencies of the page of documents. */
  readonly parser: ParserDeps;
  /** Renders pages as pictures. */
  readonly pageRendering: Pick<OriginalsDeps, 'pool' | 'renderer'>;
}

const MIB = 1024 * 1024;
/** The part of a process's memory that is no JavaScript: what is read, and what reads it. */
const HEAP_SHARE = 0.6;

/** Processor time limits of a document that is parsed in the background. */
export const backgroundLimits = (settings: Base['config']['documents']) => ({
  pageMs: settings.page_cpu_ms,
  documentMs: settings.async_cpu_ms,
});

interface Deps extends Data, OpenNetwork {
  readonly metering: Metering;
  readonly openChat: OpenChat;
  readonly catalogue: Catalogue;
}

/** Who reads pages where a call does not say. */
function configuredReader({
  reader,
  model,
  prompt,
  address,
  api_key: apiKey,
}: Base['config']['documents']['layout']): ConfiguredReader {
  if (reader === 'own') return null;
  if (reader === 'model') return model === null ? null : { name: model, prompt };
  return address === null ? null : createPageReader(reader, { address, apiKey });
}

/** Opens the pools of processes and threads that parse, draw and render documents. */
function openReaders({ config: { documents }, log, parts }: Base, folder: string) {
  const heapMb = Math.floor(documents.memory_mb * HEAP_SHARE);
  const failures = parseFailures;
  const common = {
    folder,
    maxQueue: documents.max_queue,
    heapMb,
    memoryBytes: documents.memory_mb * MIB,
    failures,
    log,
  };
  const ocrLanguages = documents.ocr ? documents.ocr_languages : [];
  const office = documents.office_program === null ? {} : { officeProgram: documents.office_program };
  const pool = createParsePool({ ...common, ...office, size: documents.processes, ocrLanguages });
  /** Its process starts with the first page that is drawn. */
  const drawing = createParsePool({ ...common, size: 1 });
  const renderer = createRenderer({ size: documents.processes, heapMb, timeoutMs: documents.timeout_ms, failures });
  return {
    pool: parts.own('readers of documents', pool),
    drawing: parts.own('drawer of pages', drawing),
    renderer: parts.own('renderer of documents', renderer),
  };
}

/** Prepares the folder of files that are being read, the processes that read them, and what is read in the background. */
export async function openDocuments(
  base: Base,
  { db, bus, hosts, metering, openChat, catalogue }: Deps,
): Promise<Documents> {
  const { config, log, parts } = base;
  const { data_dir, documents: settings } = config;
  const { upload_bytes: maxUploadBytes, keep_hours: keepHours, async_timeout_ms: backgroundTimeoutMs } = settings;
  const { timeout_ms: timeoutMs, page_cpu_ms: pageMs } = settings;
  const work = { pageMs, documentMs: settings.cpu_ms };
  const folder = await openProcessFolder(join(data_dir, 'parsing'));
  parts.onClose('folder of documents', () => rm(folder, { recursive: true, force: true }));
  const { pool: reading, drawing, renderer } = openReaders(base, folder);
  const { layout } = settings;
  const configured = configuredReader(layout);
  const pool = createLayoutParser({
    pool: reading,
    drawing,
    configured,
    openChat,
    catalogue,
    pageTimeoutMs: layout.page_timeout_ms,
    pagesAtOnce: layout.pages_at_once,
    width: layout.page_width,
    now: Date.now,
    log,
  });
  const blobs = parts.own('files of documents', openBlobs(config));
  parts.onClose('removal of expired documents', startParseRetention({ db, blobs, log }));
  const runner = parts.own(
    'reading in the background',
    await startRunner({
      db,
      bus,
      blobs,
      pool,
      folder,
      size: settings.processes,
      limits: standardLimits,
      timeoutMs: backgroundTimeoutMs,
      work: backgroundLimits(settings),
      keepHours,
      metering,
      log,
    }),
  );
  parts.closeEarly(runner);
  const jobs = createParseJobs({ db, bus, blobs, renderer, log });
  const own = createOwnDocuments({ db, bus, blobs, jobs, renderer, pool: drawing, folder, log });
  return {
    parser: { own, maker: renderer, maxBytes: maxUploadBytes, keepHours, folder },
    pageRendering: { pool: drawing, renderer },
    documents: {
      pool,
      hasReader: configured !== null,
      renderer,
      maker: renderer,
      folder,
      limits: standardLimits,
      timeoutMs,
      work,
      backgroundTimeoutMs,
      maxUploadBytes,
      jobs,
      fetchFile: createGuardedFetch({ allow: hosts.allowed }),
    },
  };
}
