import { ConsoleChunks, ConsoleDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { z } from 'zod';
import { api } from '../../../api/client.ts';
import { documentPath, pathOf } from '../queries.ts';

/** A question that a model wrote for a passage. */
export interface Proposal {
  readonly id: string;
  readonly question: string;
  readonly documentId: string;
  readonly documentName: string;
}

/** Of a passage: the rest adds little to one question. */
const PASSAGE_CHARACTERS = 3_000;

const Reply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});

const promptOf = (passage: string) =>
  `Read the passage between the lines. Write one question that somebody who does not know it would ask and that it answers. Do not copy its sentences, do not mention a passage or a document. Write in the language of the passage, on one line, the question alone.
---
${passage.slice(0, PASSAGE_CHARACTERS).toWellFormed()}
---`;

/** What models put around an answer. */
const clean = (text: string) =>
  text
    .trim()
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.replace(/^(?:\d+[.)]|[-*•])\s+/, '')
    .replaceAll(/^["'“”‘’]+|["'“”‘’]+$/g, '')
    .trim() ?? '';

const randomBelow = (count: number) => Math.floor(Math.random() * count);

/** One of the documents that were chosen, or of all where none was; null where there is none. */
async function sampleDocument(id: string, chosen: readonly string[], signal: AbortSignal) {
  const among = chosen[randomBelow(chosen.length)];
  if (among !== undefined) return api.get(documentPath(id, among), Document, { signal });
  const one = (from: number) =>
    api.get(`${pathOf(id)}/documents`, ConsoleDocuments, { signal, query: { group: 'ready', size: 1, from } });
  const { total } = await one(0);
  return total === 0 ? undefined : (await one(randomBelow(total))).items[0];
}

/** One of the chunks of one of the documents; null where there is none. */
async function sampleChunk(id: string, chosen: readonly string[], signal: AbortSignal) {
  const document = await sampleDocument(id, chosen, signal);
  if (document === undefined || document.chunk_count === 0) return null;
  const { items } = await api.get(`${documentPath(id, document.document_id)}/chunks`, ConsoleChunks, {
    signal,
    query: { size: 1, from: randomBelow(document.chunk_count) },
  });
  return items[0] === undefined ? null : { document, chunk: items[0] };
}

interface ProposeOptions {
  readonly model: string;
  /** Ids of those that are drawn from; none: all. */
  readonly documents: readonly string[];
  readonly signal: AbortSignal;
}

/** A model's question for a passage that was drawn; null where there is none, or the model wrote none. */
export async function propose(id: string, { model, documents, signal }: ProposeOptions): Promise<Proposal | null> {
  const drawn = await sampleChunk(id, documents, signal);
  if (drawn === null) return null;
  const { document, chunk } = drawn;
  const messages = [{ role: 'user', content: promptOf(`${chunk.title}\n${chunk.content}`) }];
  const reply = await api.post('/chat/completions', { model, messages, stream: false }, Reply, { signal });
  const question = clean(reply.choices[0]?.message.content ?? '');
  if (question === '') return null;
  return {
    id: chunk.chunk_id,
    question,
    documentId: document.document_id,
    documentName: document.document_name,
  };
}
