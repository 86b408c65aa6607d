import type { ListResourcesResult, ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { listVisibleDocuments, type RetrievalDeps } from '../retrieval/index.ts';
import type { McpCaller } from './caller.ts';
import { parseTextId, readPart, textId, type TextPlace } from './document-text.ts';

// Documents as resources. Source: MCP 2026-07-28, "Resources".

/** Resources of one page. */
const PAGE = 100;
const SCHEME = 'studio://documents/';
const TEXT = 'text/markdown';
const CURSOR = /^[1-9]\d{0,15}$/;

const uriOf = (place: TextPlace): string => SCHEME + textId(place);

/** The number that a cursor stands for. Throws StudioError `invalid_request`. */
function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!CURSOR.test(cursor)) throw invalidRequest('cursor: give back the nextCursor of the page before', 'cursor');
  return Number(cursor);
}

/** Documents that can be read, the newest first, page by page. Throws StudioError `invalid_request`. */
export async function listResources(
  { db }: RetrievalDeps,
  { ctx }: McpCaller,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { items, next } = await listVisibleDocuments({ db }, ctx.actor, { before: readCursor(cursor), size: PAGE });
  const resources = items.map(({ document, collectionName }): Resource => ({
    uri: uriOf({ documentId: document.document_id, from: 1 }),
    name: document.document_name,
    title: document.document_name,
    description: `A document of the collection ${collectionName}`,
    mimeType: TEXT,
    annotations: { lastModified: document.updated_at },
  }));
  return { resources, ...(next === null ? {} : { nextCursor: String(next) }) };
}

/** How addresses of documents are made. */
export const documentTemplate = {
  uriTemplate: `${SCHEME}{id}`,
  name: 'document',
  title: 'Text of a document',
  description: 'The document of an id, as search and fetch give it; a next_id names a later part of a long one',
  mimeType: TEXT,
};

/** The text of a resource; null where there is none of this address. Throws StudioError `conflict` for one that is not ready. */
export async function readResource(
  retrieval: RetrievalDeps,
  { ctx }: McpCaller,
  uri: string,
): Promise<ReadResourceResult | null> {
  if (!uri.startsWith(SCHEME)) return null;
  try {
    const place = parseTextId(uri.slice(SCHEME.length));
    const { text, next } = await readPart(retrieval, ctx.actor, place);
    const more = next === null ? {} : { _meta: { next_uri: uriOf({ ...place, from: next }) } };
    return { contents: [{ uri, mimeType: TEXT, text, ...more }] };
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return null;
    throw error;
  }
}
