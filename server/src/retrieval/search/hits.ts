import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import type { Queryable } from '../../ports/database.ts';
import { highlight } from '../analyzer/index.ts';
import type { Candidate } from './candidates.ts';
import { type Parent, type ParentRange, parentsOf } from './parents.ts';
import type { Passage } from './passages.ts';
import type { SearchPlan } from './plan.ts';

/** A passage with what was found out about it. */
export interface Ranked {
  readonly passage: Passage;
  readonly candidate: Candidate;
  readonly score: number;
  readonly rerank: number | undefined;
  /** The larger passage that stands for it, where one does. */
  readonly range?: ParentRange | undefined;
  /** Others that say the same. */
  readonly duplicates: Passage[];
}

function hitOf(
  { passage, candidate, score, rerank: reranking, duplicates }: Ranked,
  parent: Parent | null,
  { query, highlight: marks, sayings }: Pick<SearchPlan, 'query' | 'highlight' | 'sayings'>,
): SearchHit {
  // Words that mean the same are marked as well.
  const said = [query, ...sayings.map(({ text }) => text)].join(' ');
  const { title } = passage;
  const content = parent?.content ?? passage.content;
  const spans = (field: 'title' | 'content', text: string) =>
    highlight(text, said).map(({ start, end }) => ({ field, start, end, text: text.slice(start, end) }));
  return {
    chunk_id: passage.id,
    document_id: passage.document_id,
    document_name: passage.name,
    collection_id: passage.collection_id,
    title,
    content,
    score,
    scores: {
      ...(candidate.vector === undefined ? {} : { vector: candidate.vector }),
      ...(candidate.keyword === undefined ? {} : { keyword: candidate.keyword }),
      ...(reranking === undefined ? {} : { rerank: reranking }),
      ...(candidate.weight === undefined ? {} : { weight: candidate.weight }),
    },
    page: passage.start_page,
    metadata: passage.metadata,
    ...(marks ? { highlights: [...spans('title', title), ...spans('content', content)] } : {}),
    ...(parent === null
      ? {}
      : {
          parent: {
            start_page: parent.startPage,
            end_page: parent.endPage,
            matches: parent.matches.map(({ chunkId, start, end }) => ({ chunk_id: chunkId, start, end })),
          },
        }),
    ...(duplicates.length === 0
      ? {}
      : {
          duplicates: duplicates.map((one) => ({
            chunk_id: one.id,
            document_id: one.document_id,
            document_name: one.name,
            collection_id: one.collection_id,
          })),
        }),
  };
}

/** The larger passages of those that have one; an edit may have taken all of one away meanwhile. */
async function parentsByHit(db: Queryable, ranked: readonly Ranked[]): Promise<ReadonlyMap<Ranked, Parent>> {
  const larger = ranked.flatMap((one) => (one.range === undefined ? [] : [{ one, range: one.range }]));
  const parents = await parentsOf(
    db,
    larger.map(({ range }) => range),
  );
  return new Map(
    larger.flatMap(({ one }, at) => {
      const parent = parents[at];
      return parent === undefined || parent.content === '' ? [] : [[one, parent] as const];
    }),
  );
}

/** Other requests run between hits whose words are marked. */
export async function hitsOf(
  db: Queryable,
  ranked: readonly Ranked[],
  plan: Pick<SearchPlan, 'query' | 'highlight' | 'sayings'>,
): Promise<SearchHit[]> {
  const spend = createTurnBudget();
  const parents = await parentsByHit(db, ranked);
  const hits: SearchHit[] = [];
  for (const one of ranked) {
    const parent = parents.get(one) ?? null;
    if (plan.highlight) await spend(one.passage.title.length + (parent?.content ?? one.passage.content).length);
    hits.push(hitOf(one, parent, plan));
  }
  return hits;
}
