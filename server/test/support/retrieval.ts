import type { Chunk } from '@ai-studio/contract/retrieval/chunk.ts';
import type { Collection, NewCollection } from '@ai-studio/contract/retrieval/collection.ts';
import type { Document, DocumentUploaded } from '@ai-studio/contract/retrieval/document.ts';
import type { SearchHit, SearchRequest, SearchResult, SearchUsage } from '@ai-studio/contract/retrieval/search.ts';
import type { z } from 'zod';
import { expect } from 'vitest';
import { type Caller, type CallOptions, call } from './http.ts';

export const RAG = '/v1/rag42';

/** An answer of the common envelope. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly result: T;
  readonly usage: unknown;
  readonly headers: Headers;
}

/** A request under /v1/rag42 (or a whole path), read as the envelope. */
export async function ask<T = unknown>(caller: Caller, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const reply = await call(caller, path.startsWith('/') ? path : `${RAG}/${path}`, options);
  const body = JSON.parse(reply.text) as {
    status: { code: string; message: string };
    result: T;
    usage: unknown;
  };
  const { status, result, usage } = body;
  if (reply.status === 200) expect(status).toEqual({ code: '20000', message: 'OK' });
  else expect(result).toBeUndefined();
  return { status: reply.status, code: status.code, message: status.message, result, usage, headers: reply.headers };
}

/** The same, which must succeed. */
export async function askFine<T>(caller: Caller, path: string, options: CallOptions = {}): Promise<T> {
  const answer = await ask<T>(caller, path, options);
  expect(answer.status, `${path}: ${answer.message}`).toBe(200);
  return answer.result;
}

/** A new collection. */
export const makeCollection = (caller: Caller, fields: z.input<typeof NewCollection> = {}): Promise<Collection> =>
  askFine(caller, 'collections', {
    body: { ...(fields.name === undefined ? { collection_name: '시험' } : {}), ...fields },
  });

type Fields = Readonly<Record<string, string>>;

/** A form with a file. */
export function formOf(name: string, content: string | Uint8Array, fields: Fields = {}): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set('file', new Blob([content]), name);
  return form;
}

/** Sends a form. */
export async function sendForm(caller: Caller, path: string, form: FormData): Promise<Answer<DocumentUploaded>> {
  const response = await fetch(`${caller.base}${path.startsWith('/') ? path : `${RAG}/${path}`}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}` },
    body: form,
  });
  const { status, result, usage } = (await response.json()) as {
    status: { code: string; message: string };
    result: DocumentUploaded;
    usage: unknown;
  };
  return { status: response.status, ...status, result, usage, headers: response.headers };
}

/** Uploads a file, which must be taken. */
export async function upload(
  caller: Caller,
  collectionId: string,
  name: string,
  content: string | Uint8Array,
  fields: Fields = {},
): Promise<DocumentUploaded> {
  const answer = await sendForm(caller, `collections/${collectionId}/documents/upload`, formOf(name, content, fields));
  expect(answer.status, answer.message).toBe(200);
  return answer.result;
}

export const readDocument = (caller: Caller, id: string): Promise<Document> => askFine(caller, `documents/${id}`);

const TIMEOUT_MS = 90_000;

/** Asks until the check passes; throws its last failure after a minute and a half. */
export async function within<T>(check: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = performance.now() - start;
      if (waited > timeoutMs) throw error;
      // Less often the longer it takes: a check may be many calls.
      await new Promise((resolve) => setTimeout(resolve, Math.min(200, 25 + waited / 8)));
    }
  }
}

/** Waits until nothing more is done with the document. */
export const settled = (caller: Caller, id: string): Promise<Document> =>
  within(async () => {
    const document = await readDocument(caller, id);
    expect(['ready', 'failed'], JSON.stringify(document)).toContain(document.state);
    return document;
  });

/** Uploads a file and waits until it can be found. */
export async function uploadReady(...args: Parameters<typeof upload>): Promise<Document> {
  const { document_id: id } = await upload(...args);
  const document = await settled(args[0], id);
  expect(document.state, JSON.stringify(document.error)).toBe('ready');
  return document;
}

export interface Found {
  readonly result: SearchResult;
  readonly usage: SearchUsage;
}

/** Searches one collection. */
export async function searchIn(
  caller: Caller,
  collectionId: string | readonly string[],
  query: string,
  more: Partial<z.input<typeof SearchRequest>> = {},
): Promise<Found> {
  const where = typeof collectionId === 'string' ? { collection_id: collectionId } : { collection_ids: collectionId };
  const { status, message, result, usage } = await ask<SearchResult>(caller, 'search', {
    body: { ...where, query, ...more },
  });
  expect(status, message).toBe(200);
  return { result, usage: usage as SearchUsage };
}

/** Passages that a search by keywords finds. */
export const wordHits = async (
  caller: Caller,
  collectionId: string,
  query: string,
  more: Partial<z.input<typeof SearchRequest>> = {},
): Promise<readonly SearchHit[]> =>
  (await searchIn(caller, collectionId, query, { search_type: 'keyword', top_k: 100, ...more })).result.hits;

export interface List<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly size: number;
  readonly from: number;
}

export const chunksOf = async (caller: Caller, documentId: string): Promise<readonly Chunk[]> =>
  (await askFine<List<Chunk>>(caller, `documents/${documentId}/chunks?size=100`)).items;
