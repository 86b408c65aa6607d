import type { CollectionChange, IngestConfig, SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { RetrievalDeps } from '../deps.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { searchConfigOf } from './config.ts';
import type { CollectionRow } from './rows.ts';

interface SearchChange {
  readonly change: CollectionChange;
  readonly before: IngestConfig;
  readonly after: IngestConfig;
  readonly row: Pick<CollectionRow, 'search_config' | 'build'>;
  /** Indexed ones, by then. */
  readonly fields: readonly string[];
}

/**
 * How the collection is searched after a change. One that gets its first embedding model is searched by both, unless that was chosen, and by words
 * again where it is given another mind while the change is under way; `follows` says that this was not chosen.
 */
export function changedSearch(deps: RetrievalDeps, actor: Actor, { change, before, after, row, fields }: SearchChange) {
  const { search_config: present, build } = row;
  const isChosen = change.search_config?.mode !== undefined;
  const isWords = (config: IngestConfig) => config.embedding_model === LEXICAL_MODEL;
  const begins = isWords(before) && !isWords(after) && present.mode === 'keyword';
  const followed = build?.searchFollows === true && !isChosen;
  const goesBack = followed && !isWords(before) && isWords(after);
  const follows = !isChosen && (begins || (followed && !goesBack));
  if (change.search_config === undefined && !begins && !goesBack) return { follows, set: {} };
  const base: SearchConfig = begins || goesBack ? { ...present, mode: begins ? 'hybrid' : 'keyword' } : present;
  const config = searchConfigOf(deps, actor, change.search_config, { base, fields });
  return { follows, set: { search_config: JSON.stringify(config) } };
}
