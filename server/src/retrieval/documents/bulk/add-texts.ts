import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BulkLine } from '@ai-studio/contract/retrieval/bulk.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { plainFileName } from '../../../kernel/file-name.ts';
import { hexId } from '../../../kernel/ids.ts';
import type { CollectionRow } from '../../collections/rows.ts';
import type { RetrievalDeps } from '../../deps.ts';
import { wakeIngest } from '../../ingest/wake.ts';
import { announce, type Arrival, discardArrivals, enqueue, externalIdOf, requireQueueCapacity } from '../arrival.ts';
import { checkMetadata } from '../metadata.ts';
import { originalKey } from '../rows.ts';

/** A text that is to be a document. */
export interface TextToAdd extends Arrival {
  readonly content: Buffer;
}

/** What a line is as a document. Throws StudioError `invalid_request`. */
export function textToAdd({ ingest_config: config }: CollectionRow, line: BulkLine): TextToAdd {
  const metadata = checkMetadata(line.metadata ?? {});
  const externalId = externalIdOf(line, metadata, config.external_id_field);
  const name = plainFileName(line.name ?? externalId ?? '') || 'text';
  const content = Buffer.from(line.text ?? line.content ?? '');
  return {
    id: hexId(),
    name,
    externalId,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    format: /\.(?:md|markdown)$/i.test(name) ? 'markdown' : 'text',
    metadata,
    indexedFields: [],
    content,
  };
}

/** Files that are put away at the same time. */
const PUT_AT_ONCE = 16;

/**
 * Keeps texts and has them taken in, all or none. Throws StudioError `not_found` (the collection is gone), `rate_limited`, `unavailable`.
 */
export async function addTexts(
  deps: RetrievalDeps,
  actor: Actor,
  collection: CollectionRow,
  texts: readonly TextToAdd[],
): Promise<void> {
  if (texts.length === 0) return;
  await requireQueueCapacity(deps, actor, texts.length);
  await announce(deps, actor, collection, texts);
  try {
    const waiting = [...texts];
    const put = async () => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
        await deps.blobs.put(originalKey({ id: one.id, tenantId: actor.tenantId }), Readable.from([one.content]));
    };
    const done = await Promise.allSettled(Array.from({ length: PUT_AT_ONCE }, put));
    for (const result of done) if (result.status === 'rejected') throw result.reason;
    await enqueue(deps, collection.id, texts);
  } catch (error) {
    await discardArrivals(
      deps,
      actor,
      texts.map(({ id }) => id),
    );
    throw error;
  }
  await wakeIngest(deps, 'document');
}
