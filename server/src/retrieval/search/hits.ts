import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import { highlight } from '../analyzer/index.ts';
import type { Candidate } from './candidates.ts';
import type { Passage } from './passages.ts';
import type { SearchPlan } from './plan.ts';

/** A passage with what was found out about it. */
export interface Ranked {
  readonly passage: Passage;
  readonly candidate: Candidate;
  readonly score: number;
  readonly rerank: number | undefined;
}

function hitOf(
  { passage, candidate, score, rerank: reranking }: Ranked,
  { query, highlight: marks, sayings }: Pick<SearchPlan, 'query' | 'highlight' | 'sayings'>,
): SearchHit {
  // Words that mean the same are marked as well.
  const said = [query, ...sayings.map(({ text }) => text)].join(' ');
  const spans = (field: 'title' | 'content') =>
    highlight(passage[field], said).map(({ start, end }) => ({
      field,
      start,
      end,
      text: passage[field].slice(start, end),
    }));
  return {
    chunk_id: passage.id,
    document_id: passage.document_id,
    document_name: passage.name,
    collection_id: passage.collection_id,
    title: passage.title,
    content: passage.content,
    score,
    scores: {
      ...(candidate.vector === undefined ? {} : { vector: candidate.vector }),
      ...(candidate.keyword === undefined ? {} : { keyword: candidate.keyword }),
      ...(reranking === undefined ? {} : { rerank: reranking }),
    },
    page: passage.start_page,
    metadata: passage.metadata,
    ...(marks ? { highlights: [...spans('title'), ...spans('content')] } : {}),
  };
}

/** Other requests run between hits whose words are marked. */
export async function hitsOf(
  ranked: readonly Ranked[],
  plan: Pick<SearchPlan, 'query' | 'highlight' | 'sayings'>,
): Promise<SearchHit[]> {
  const spend = createTurnBudget();
  const hits: SearchHit[] = [];
  for (const one of ranked) {
    if (plan.highlight) await spend(one.passage.title.length + one.passage.content.length);
    hits.push(hitOf(one, plan));
  }
  return hits;
}
