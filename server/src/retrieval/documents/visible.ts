import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { documentRecord, visibleDocuments } from './rows.ts';

/** A document, and what its collection is called. */
export interface VisibleDocument {
  readonly document: Document;
  readonly collectionName: string;
}

export interface VisibleDocuments {
  readonly items: readonly VisibleDocument[];
  /** `before` of the next part; null where this is the last. */
  readonly next: number | null;
}

/** Documents of all collections that are there for the actor and can be found, the newest first; `before` is where a part goes on. */
export async function listVisibleDocuments(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  { before, size }: { readonly before: number | null; readonly size: number },
): Promise<VisibleDocuments> {
  const rows = await visibleDocuments(query, actor)
    .select('collections.name as collection_name')
    .where('documents.revision', 'is not', null)
    .$if(before !== null, (some) => some.where('documents.number', '<', before ?? 0))
    .orderBy('documents.number', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  return {
    items: page.map((row) => ({ document: documentRecord(row), collectionName: row.collection_name })),
    next: rows.length > size ? (page.at(-1)?.number ?? null) : null,
  };
}
