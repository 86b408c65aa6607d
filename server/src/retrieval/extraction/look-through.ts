import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { extractFromRead, type ExtractSchema } from '../../parsing/index.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { toStudioError } from '../../ports/failure.ts';
import { findDocument } from '../documents/rows.ts';
import { loadRead } from '../documents/load-read.ts';
import type { ExtractionDeps } from './deps.ts';
import type { Found } from './document-rows.ts';
import type { ClaimedExtraction } from './run-rows.ts';

/** Tries of a document whose model is away, or has too much to do. */
const MAX_TRIES = 20;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** The longest that a failure may ask for: a server may say anything, and timers hold no more than some weeks. */
const MAX_ASKED_PAUSE_MS = 3_600_000;

/** What became of a document. */
export type Outcome =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** A failure that may be gone after a while. */
const isPassing = ({ code }: StudioError) => code === 'rate_limited' || code === 'unavailable';

/** How long to wait before the next try, in milliseconds: as the failure says, and longer each time. */
const pauseAfter = ({ retryAfterSeconds = 0 }: StudioError, tries: number) =>
  Math.max(
    Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
    Math.min(MAX_ASKED_PAUSE_MS, retryAfterSeconds * 1000),
  );

async function findValues(
  deps: ExtractionDeps,
  ctx: CallContext,
  { collection_id: collectionId, model, instructions }: ClaimedExtraction,
  { documentId, schema }: Looked,
): Promise<Found> {
  const row = await findDocument(deps.db.query, ctx.actor, { documentId, collectionId });
  const packed = await loadRead(deps, row, { urgent: false });
  if (packed === null) throw new StudioError('conflict', 'The document has not been read yet, or cannot be read');
  const question = { schema, model: model ?? undefined, instructions };
  const { fields, missing, warnings } = await extractFromRead(deps, ctx, packed, question);
  return { fields, missing, warnings };
}

/** Which document is looked through, and for what. */
interface Looked {
  readonly documentId: string;
  readonly schema: ExtractSchema;
}

/**
 * Looks through a document, again while the model is away or has too much to do. Rejects where the database is away, and with the reason
 * of the signal; all else is the document's own failure.
 */
export async function lookThrough(
  deps: ExtractionDeps,
  ctx: CallContext,
  run: ClaimedExtraction,
  looked: Looked,
): Promise<Outcome> {
  const { signal } = ctx;
  for (let tries = 1; ; tries++) {
    try {
      return { ok: true, found: await findValues(deps, ctx, run, looked) };
    } catch (error) {
      signal.throwIfAborted();
      if (isDatabaseUnavailable(error)) throw error;
      const failure = toStudioError(error);
      if (failure.code === 'internal') deps.log.error({ err: error }, 'document could not be looked through');
      if (!isPassing(failure) || tries >= MAX_TRIES)
        return { ok: false, code: failure.code, message: failure.message.replaceAll('\0', '') };
      await sleep(pauseAfter(failure, tries), undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    }
  }
}
