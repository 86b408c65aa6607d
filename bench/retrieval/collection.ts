import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Documents, questions, and which documents answer them. */
export interface Collection {
  readonly docs: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** For each question how much documents have to do with it: 0 for nothing. */
  readonly relevance: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const Doc = z.object({ id: z.string(), title: z.string().default(''), text: z.string() });
const Query = z.object({ id: z.string(), text: z.string() });
const Judgement = z.object({ query: z.string(), doc: z.string(), rel: z.number() });

const lines = <T>(file: string, schema: z.ZodType<T>): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => schema.parse(JSON.parse(line)));

/** Reads docs.jsonl, queries.jsonl and qrels.jsonl of a folder. */
export function readCollection(folder: string): Collection {
  const relevance = new Map<string, Map<string, number>>();
  for (const { query, doc, rel } of lines(join(folder, 'qrels.jsonl'), Judgement)) {
    const known = relevance.get(query) ?? new Map<string, number>();
    relevance.set(query, known.set(doc, rel));
  }
  return {
    docs: lines(join(folder, 'docs.jsonl'), Doc),
    queries: lines(join(folder, 'queries.jsonl'), Query),
    relevance,
  };
}
