import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { readClassicSet } from './classic-sets.ts';
import type { Collection } from './collection.ts';

// Files of public sets as they are published: each passage once, whatever asks for it.

/** Questions about paragraphs of articles. Source: KorQuAD 1.0, SQuAD 1.1. */
const Articles = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      paragraphs: z.array(
        z.object({ context: z.string(), qas: z.array(z.object({ id: z.string(), question: z.string() })) }),
      ),
    }),
  ),
});
/** Questions with the passages that answer them. Source: the Korean translation of questions of MS MARCO (github.com/baba9811/msmarco_Kor). */
const Positives = z.array(
  z.object({ id: z.union([z.string(), z.number()]), query: z.string(), positive: z.array(z.string()) }),
);

interface Asked {
  readonly id: string;
  readonly question: string;
  readonly passages: readonly { readonly title: string; readonly text: string }[];
}

function askedIn(json: unknown): Asked[] {
  const articles = Articles.safeParse(json);
  if (!articles.success)
    return Positives.parse(json).map(({ id, query, positive }) => ({
      id: String(id),
      question: query,
      passages: positive.map((text) => ({ title: '', text })),
    }));
  return articles.data.data.flatMap(({ title, paragraphs }) =>
    paragraphs.flatMap(({ context: text, qas }) =>
      qas.map(({ id, question }) => ({ id, question, passages: [{ title: title.replaceAll('_', ' '), text }] })),
    ),
  );
}

/** Reads a public set: a file in either form, or a folder of a classic one. */
export function readPublicSet(file: string): Collection {
  if (statSync(file).isDirectory()) return readClassicSet(file);
  const docs = new Map<string, Collection['docs'][number]>();
  const relevance = new Map<string, Map<string, number>>();
  const queries = askedIn(JSON.parse(readFileSync(file, 'utf8'))).map(({ id, question, passages }) => {
    const wanted = new Map<string, number>();
    for (const { title, text } of passages) {
      const doc = docs.get(text) ?? { id: `p${docs.size}`, title, text };
      docs.set(text, doc);
      wanted.set(doc.id, 1);
    }
    relevance.set(id, wanted);
    return { id, text: question };
  });
  return { docs: [...docs.values()], queries, relevance };
}
