import type {
  DocumentAccepted,
  DocumentContent,
  DocumentContentQuery,
} from '@ai-studio/contract/utilities/document.ts';
import { PARSER_MODEL, type DocumentRenderer } from '@ai-studio/documents';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';
import { pagesOf } from '../pages-of.ts';
import {
  blobKey,
  countOpen,
  type DoclingWish,
  findParse,
  findParseState,
  insertArriving,
  type ParseFields,
  queueArrived,
} from './record.ts';
import { WAKE_CHANNEL } from './runner.ts';

export interface ParseJobsDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly blobs: BlobStore;
  readonly renderer: DocumentRenderer;
  readonly log: Logger;
  /** Documents of a tenant that may wait or be read at the same time. */
  readonly mostOpen?: number;
}

/** A document to be read in the background. */
export interface AcceptedFile {
  /** Where its bytes are; they are copied. */
  readonly path: string;
  readonly name: string | null;
  readonly bytes: number;
}

/** How a document stands. */
export interface ParseState {
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  /** Why it could not be read. */
  readonly failure: string | null;
}

interface Told {
  readonly json: Uint8Array;
  readonly pages: number | null;
}

/** Documents that are read in the background. */
export interface ParseJobs {
  /**
   * Keeps a document and has it read, by whichever process has room, also after a new start. Errors: `invalid_request`,
   * `rate_limited` when too many of the tenant wait, `unavailable`.
   */
  accept(actor: Principal, file: AcceptedFile, fields: ParseFields): Promise<DocumentAccepted>;
  /**
   * What has become of a document, as JSON text (DocumentContent) in UTF-8, in the format that was asked for with it, or another.
   * `pages` is null until it was read.
   * Errors: `not_found` (also for another tenant's, and for one whose time is over).
   */
  content(tenantId: TenantId, id: string, wanted?: DocumentContentQuery): Promise<Told>;
  /** How a document stands, once it has been read or failed, or so many milliseconds are over. Errors: `not_found`. */
  state(
    tenantId: TenantId,
    id: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<ParseState>;
  /**
   * What was read, in the form of Docling that was asked for with it. Errors: `not_found`, also for one that is not read yet;
   * `unprocessable` for one that could not be read.
   */
  converted(tenantId: TenantId, id: string): Promise<Buffer>;
}

const plainly = (result: DocumentContent): Told => ({ json: Buffer.from(JSON.stringify(result)), pages: null });

const MAX_OPEN = 1_000;
const RETRY_SECONDS = 30;
const ID = /^[0-9a-f]{32}$/;

const noDocument = () =>
  new StudioError('not_found', 'There is no such document; what was read is kept for a limited time');

type Found = NonNullable<Awaited<ReturnType<typeof findParse>>>;
type Failure = Extract<DocumentContent, { status: 'FAILED' }>['reason'];

/** What an outcome has. */
const ended = ({ started_at, finished_at, expires_at }: Found) => ({
  elapsedMs: (finished_at?.getTime() ?? 0) - (started_at?.getTime() ?? 0),
  expires: (expires_at ?? new Date(0)).toISOString(),
});

async function contentOf(
  renderer: DocumentRenderer,
  row: Found,
  {
    response_format: format = row.fields.response_format,
    headers_and_footers: margins = row.fields.headers_and_footers ?? false,
  }: DocumentContentQuery,
): Promise<Told> {
  const head = { model: PARSER_MODEL, document_id: row.id, document_name: row.name };
  const { elapsedMs, expires } = ended(row);
  if (row.state === 'failed') {
    const reason = { code: row.error_code, message: row.error_message } as Failure;
    return plainly({ ...head, status: 'FAILED', processing_time_ms: elapsedMs, reason, expires_at: expires });
  }
  if (row.state !== 'done' || row.result === null) {
    const progress = { done: row.pages_done, total: row.pages_total };
    return plainly({ ...head, status: 'RUNNING_INFERENCE', progress });
  }
  const more = { document_id: row.id, expires_at: expires };
  return {
    json: await renderer.render(row.result, { name: row.name, elapsedMs, format, margins, more }),
    pages: row.pages_done,
  };
}

const MARKDOWN: DoclingWish = { formats: ['md'], pageBreak: '' };
/** How often it is looked whether a document was read. */
const STATE_POLL_MS = 300;

function asState({ state, error_code: code, error_message: message }: StateRow): ParseState {
  return { state: state === 'arriving' ? 'queued' : state, failure: state === 'failed' ? `${code}: ${message}` : null };
}
type StateRow = NonNullable<Awaited<ReturnType<typeof findParseState>>>;

/** The verbs of documents in the background. */
export function createParseJobs({ db, bus, blobs, renderer, log, mostOpen = MAX_OPEN }: ParseJobsDeps): ParseJobs {
  return {
    async accept({ tenantId, keyId, userId }, { path, name, bytes: size }, fields) {
      // Refused now rather than later.
      pagesOf(fields.pages);
      if ((await countOpen(db, tenantId)) >= mostOpen)
        throw new StudioError('rate_limited', `${mostOpen} documents of yours wait to be read; try again later`, {
          retryAfterSeconds: RETRY_SECONDS,
        });
      const id = hexId();
      // What comes with a key is in nobody's list of own documents.
      await insertArriving(db, { id, tenantId, keyId, userId: keyId === null ? userId : null, name, size, fields });
      await blobs.putFile(blobKey({ id, tenantId }), path);
      await queueArrived(db, id);
      // Whoever misses it looks by itself before long.
      await bus
        .publish(WAKE_CHANNEL, null)
        .catch((error: unknown) => log.warn({ err: error }, 'waiting document could not be announced on the bus'));
      return { model: PARSER_MODEL, document_id: id, status: 'RUNNING_INFERENCE' };
    },
    async content(tenantId, id, wanted = {}) {
      const row = ID.test(id) ? await findParse(db, tenantId, id) : undefined;
      if (row === undefined) throw noDocument();
      return contentOf(renderer, row, wanted);
    },
    async state(tenantId, id, { waitMs, signal }) {
      const endMs = performance.now() + waitMs;
      for (;;) {
        const row = ID.test(id) ? await findParseState(db, tenantId, id) : undefined;
        if (row === undefined) throw noDocument();
        const hasEnded = row.state === 'done' || row.state === 'failed';
        const leftMs = endMs - performance.now();
        if (hasEnded || leftMs <= 0) return asState(row);
        await sleep(Math.min(STATE_POLL_MS, leftMs), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
    async converted(tenantId, id) {
      const row = ID.test(id) ? await findParse(db, tenantId, id) : undefined;
      if (row === undefined) throw noDocument();
      const { failure } = asState(row);
      if (failure !== null) throw new StudioError('unprocessable', failure, { param: 'files' });
      if (row.state !== 'done' || row.result === null)
        throw new StudioError('not_found', 'There is no result yet; ask for the status until it is success');
      const { formats, pageBreak } = row.fields.docling ?? MARKDOWN;
      const { elapsedMs } = ended(row);
      const written = await renderer.render(row.result, {
        form: 'docling',
        formats,
        pageBreak,
        name: row.name,
        elapsedMs,
      });
      return Buffer.from(written.buffer, written.byteOffset, written.byteLength);
    },
  };
}
