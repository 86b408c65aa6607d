import { z } from 'zod';
import { describedStrictly } from '../described.ts';
import { nonBlankText, text } from './text.ts';

// Settings of a search that agents have as well.

/** How a search finds passages. Source: decisions section 5. */
export const searchModes = ['vector', 'keyword', 'hybrid'] as const;
/** Source: decisions section 5. */
export const SearchMode = z.enum(searchModes).describe('How passages are found: by vectors, by keywords, or by both');
export type SearchMode = z.infer<typeof SearchMode>;

/** Source: decisions section 5. */
export const Alpha = z
  .number()
  .min(0)
  .max(1)
  .describe('Weight of the vector side, 0 (keywords alone) to 1 (vectors alone)');

/** Source: decisions section 5. */
export const Rerank = z
  .union([
    z.boolean(),
    z.strictObject({
      model: text(200).min(1).optional().describe('A rerank model; may be left out where there is only one'),
      top_n: z.int().min(1).max(100).optional().describe('Number of best passages that are kept, 1 to 100'),
    }),
  ])
  .describe('Whether a rerank model orders the passages anew, with which model, and how many are kept');
export type Rerank = z.infer<typeof Rerank>;

export const Fusion = z
  .enum(['weighted', 'rrf'])
  .describe(
    'How keyword and vector results of a hybrid search become one list: by weighted scores or by reciprocal ranks',
  );
export type Fusion = z.infer<typeof Fusion>;

/** What a chat model says beside the query, by which is searched as well. */
export const QueryExpansion = describedStrictly(
  'What a chat model says beside the query, by which is searched as well; the key needs the scope chat',
  {
    kind: z
      .enum(['rewrite', 'hyde'])
      .describe(
        'rewrite: the question in words that documents use; hyde: a passage that would answer it, near which others are looked for',
      ),
    model: nonBlankText(200)
      .optional()
      .describe('A chat model; when left out the one that the tenant chose, else the default model of the service'),
  },
);
export type QueryExpansion = z.infer<typeof QueryExpansion>;
