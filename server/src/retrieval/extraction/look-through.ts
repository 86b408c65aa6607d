import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { extractFromRead, type ExtractSchema } from '../../parsing/index.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { toStudioError } from '../../ports/failure.ts';
import { findDocument } from '../documents/rows.ts';
import { loadRead } from '../documents/load-read.ts';
import { untilItPasses } from '../passing-failure.ts';
import type { ExtractionDeps } from './deps.ts';
import type { Found } from './document-rows.ts';
import type { ClaimedExtraction } from './run-rows.ts';

/** What became of a document. */
export type Outcome =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: string; readonly message: string };

async function findValues(
  deps: ExtractionDeps,
  ctx: CallContext,
  { collection_id: collectionId, model, instructions }: ClaimedExtraction,
  { documentId, schema }: Looked,
): Promise<Outcome> {
  const row = await findDocument(deps.db.query, ctx.actor, { documentId, collectionId });
  const packed = await loadRead(deps, row, { urgent: false });
  if (packed === null) {
    const { error_code: code, error_message: message } = row;
    if (code !== null) return { ok: false, code, message: message ?? '' };
    throw new StudioError('conflict', 'The document has not been read yet, or cannot be read');
  }
  const question = { schema, model: model ?? undefined, instructions };
  const { fields, missing, warnings } = await extractFromRead(deps, ctx, packed, question);
  return { ok: true, found: { fields, missing, warnings } };
}

/** Which document is looked through, and for what. */
interface Looked {
  readonly documentId: string;
  readonly schema: ExtractSchema;
}

/**
 * Looks through a document, again while the model is away or has too much to do. Rejects where the database is away, and with the reason
 * of the signal; all else is the document's own failure, and of one that could not be read the reason of that.
 */
export async function lookThrough(
  deps: ExtractionDeps,
  ctx: CallContext,
  run: ClaimedExtraction,
  looked: Looked,
): Promise<Outcome> {
  const { signal } = ctx;
  try {
    return await untilItPasses(() => findValues(deps, ctx, run, looked), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isDatabaseUnavailable(error)) throw error;
    const failure = toStudioError(error);
    if (failure.code === 'internal') deps.log.error({ err: error }, 'document could not be looked through');
    return { ok: false, code: failure.code, message: failure.message.replaceAll('\0', '') };
  }
}
