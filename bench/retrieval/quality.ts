import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFiles, createLanceIndex } from '../../server/src/adapters/embedded/lance-index/index.ts';
import type { IndexHit, SearchIndex } from '../../server/src/ports/search-index.ts';
import { analyze, analyzeQuery, type Analysis } from '../../server/src/retrieval/analyzer/index.ts';
import { embedLexically, LEXICAL_ALPHA, LEXICAL_DIMENSION } from '../../server/src/retrieval/lexical-embedder/index.ts';
import { fuse, type Fusion, type Ranking } from '../../server/src/retrieval/search/fusion.ts';
import { expandQuery } from '../../server/src/retrieval/synonyms/expand.ts';
import { lexicalText, weighSayings } from '../../server/src/retrieval/synonyms/weigh.ts';
import type { Collection } from './collection.ts';
import { ndcg, recall } from './metrics.ts';

/** How well one way of searching did, as means over the questions. */
export interface Quality {
  readonly mode: string;
  readonly ndcg: number;
  readonly recall: number;
  /** Share of the questions whose first hit answers them. */
  readonly first: number;
}

/** Modes that know nothing of a language: words as they stand, and pairs of neighbouring letters where words are not parted or inflected by letters. */
const PLAIN_WORDS = 'plain words';
const PLAIN_PAIRS = 'plain pairs';
export const baselines: ReadonlySet<string> = new Set([PLAIN_WORDS, PLAIN_PAIRS]);

/** What is added to the names of modes that look for the words of a question alone. */
const ALONE = ', as it is said alone';

/** Hits that each way of searching brings before they are joined. */
const DEPTH = 100;

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** Words as they stand there, in lower case: what others do that know nothing of a language. */
function plainWords(text: string): Analysis {
  return { terms: text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [], stems: [] };
}

const PAIRED =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[^\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const isPaired = (run: string) => /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run);

/** Korean, Chinese and Japanese by pairs of letters, else whole words. Source: Apache Lucene, `CJKBigramFilter`. */
function plainPairs(text: string): Analysis {
  const runs = plainWords(text).terms.flatMap((word) => word.match(PAIRED) ?? []);
  const pairsOf = (run: string) =>
    run.length <= 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
  return { terms: runs.flatMap((run) => (isPaired(run) ? pairsOf(run) : [run])), stems: [] };
}

async function fill(
  index: SearchIndex,
  table: string,
  { docs }: Collection,
  analysis: (text: string) => Analysis,
): Promise<void> {
  await index.createTable(table, { dimension: LEXICAL_DIMENSION });
  await index.add(
    table,
    docs.map(({ id, title, text }) => {
      const whole = `${title}\n${text}`;
      return { rowId: id, chunkId: id, documentId: id, vector: embedLexically(whole), ...analysis(whole), fields: {} };
    }),
  );
  await index.maintain(table);
}

const rankingOf = (hits: readonly IndexHit[]): Ranking => hits.map(({ rowId: id, score }) => ({ id, score }));
const idsOf = (leg: readonly { readonly id: string }[]) => leg.map(({ id }) => id);

const fusions: readonly [readonly [string, Fusion], ...(readonly [string, Fusion])[]] = [
  [`hybrid (alpha ${LEXICAL_ALPHA})`, { kind: 'weighted', alpha: LEXICAL_ALPHA }],
  ['hybrid (alpha 0.5)', { kind: 'weighted', alpha: 0.5 }],
  [`hybrid (reciprocal, alpha ${LEXICAL_ALPHA})`, { kind: 'reciprocal', alpha: LEXICAL_ALPHA }],
];

/** Searches a collection in every mode with the lexical embedder. */
export async function measureQuality(collection: Collection): Promise<readonly Quality[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-bench-'));
  const index = createLanceIndex({
    storage: { uri: folder },
    files: createFolderFiles(folder),
    cacheMb: 256,
    log: quiet,
  });
  const rankings = new Map<string, Map<string, readonly string[]>>();
  const note = (mode: string, query: string, ranking: readonly string[]) => {
    const known = rankings.get(mode) ?? new Map<string, readonly string[]>();
    rankings.set(mode, known.set(query, ranking));
  };
  try {
    await fill(index, 'ours', collection, analyze);
    await fill(index, 'plain', collection, plainWords);
    await fill(index, 'pairs', collection, plainPairs);
    const words = async (table: string, analysis: Analysis) =>
      rankingOf(await index.keyword(table, { ...analysis, limit: DEPTH, mark: 1 }));
    const near = async (said: string) =>
      rankingOf(await index.nearest('ours', { vector: embedLexically(said), limit: DEPTH, mark: 1 }));
    for (const { id, text } of collection.queries) {
      note(PLAIN_WORDS, id, idsOf(await words('plain', plainWords(text))));
      note(PLAIN_PAIRS, id, idsOf(await words('pairs', plainPairs(text))));
      const others = await weighSayings(expandQuery(text, { sets: [], starter: true }), (terms) =>
        index.has('ours', { terms, mark: 1 }),
      );
      const alone = { keyword: await words('ours', analyzeQuery(text)), vector: await near(text) };
      note(`keyword${ALONE}`, id, idsOf(alone.keyword));
      note(`vector (lexical)${ALONE}`, id, idsOf(alone.vector));
      const [[hybrid, fusion]] = fusions;
      note(`${hybrid}${ALONE}`, id, idsOf(fuse(alone.vector, alone.keyword, fusion)));
      // Where there is no other way to say it the rankings are the same.
      const isAlone = others.length === 0;
      const keyword = isAlone ? alone.keyword : await words('ours', analyzeQuery(text, others));
      const vector = isAlone ? alone.vector : await near(lexicalText(text, others));
      note('keyword', id, idsOf(keyword));
      note('vector (lexical)', id, idsOf(vector));
      for (const [name, how] of fusions) note(name, id, idsOf(fuse(vector, keyword, how)));
    }
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
  const judged = collection.queries.filter(({ id }) => collection.relevance.has(id));
  const mean = (of: (id: string) => number) => judged.reduce((sum, { id }) => sum + of(id), 0) / judged.length;
  return [...rankings].map(([mode, found]) => ({
    mode,
    ndcg: mean((id) => ndcg(found.get(id) ?? [], collection.relevance.get(id) ?? new Map())),
    first: mean((id) => ((collection.relevance.get(id)?.get(found.get(id)?.[0] ?? '') ?? 0) > 0 ? 1 : 0)),
    recall: mean((id) => recall(found.get(id) ?? [], collection.relevance.get(id) ?? new Map())),
  }));
}
