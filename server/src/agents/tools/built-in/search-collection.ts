import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import type { CallContext, Principal } from '../../../kernel/actor.ts';
import { type Passage, passageOf, type RetrievalDeps, search, shortened } from '../../../retrieval/index.ts';
import { succeeded } from '../tool.ts';
import { type UncheckedTool, parameters } from './built-in.ts';

/** Longest passage of a result, in UTF-16 units. */
const MAX_PASSAGE_LENGTH = 2_000;
/** The same where the collection gives larger passages around what was found. */
const MAX_PARENT_LENGTH = 8_000;
const STANDARD_COUNT = 5;
const MAX_PASSAGES = 15;

/** A passage that is no longer than a model is told of one. */
export const shortPassageOf = (hit: SearchHit): Passage =>
  shortened(passageOf(hit), hit.parent === undefined ? MAX_PASSAGE_LENGTH : MAX_PARENT_LENGTH);

/** A passage as a model is told it, under its number. */
export function passageText({ document_name: name, page, title, content }: Passage, number: number): string {
  const place = page === null ? name : `${name}, page ${page}`;
  return `[${number}] ${title === '' ? '' : `${title} `}(${place})\n${content}`;
}

/** Names of the collections that are there. Those of other tenants are not. */
async function namesOf({ db }: RetrievalDeps, { tenantId }: Principal, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('collections')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/**
 * Searches the named collections and no others, whatever a model asks for. Gives `{passages}`, and tells them with the numbers under
 * which they may be cited.
 */
export async function searchCollection(
  retrieval: RetrievalDeps,
  ctx: CallContext,
  ids: readonly string[],
): Promise<UncheckedTool> {
  const names = await namesOf(retrieval, ctx.actor, ids);
  return {
    name: 'search_collection',
    description: `Finds passages of documents that fit a question. ${names.length === 0 ? '' : `Collections: ${names.join(', ')}. `}Passages come with numbers; cite them as [1].`,
    parameters: parameters(
      {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 4_096,
          description: 'What to look for, in a few words or as a question',
        },
        count: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_PASSAGES,
          description: `Passages; ${STANDARD_COUNT} where left out`,
        },
      },
      ['query'],
    ),
    async run({ query, count = STANDARD_COUNT }, { signal, onPassages }) {
      const { result } = await search(
        retrieval,
        { ...ctx, signal },
        { query: String(query), collection_ids: [...ids], top_k: Number(count), highlight: false },
      );
      const passages = result.hits.map(shortPassageOf);
      const numbers = onPassages?.(passages) ?? passages.map((_, i) => i + 1);
      const text = passages.map((passage, i) => passageText(passage, numbers[i] ?? i + 1)).join('\n\n');
      return { ...succeeded(text === '' ? 'No passage was found' : text, { passages }), passages };
    },
  };
}
