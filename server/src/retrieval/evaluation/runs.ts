import type {
  EvaluationAnswer,
  EvaluationRun,
  EvaluationRunDetails,
  EvaluationSetting,
} from '@ai-studio/contract/console/evaluation.ts';
import type { Selectable, Updateable } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import { EngineError } from '../../ports/engine.ts';
import type { Tables } from '../../ports/database.ts';
import { type Caller, isId } from '../caller.ts';
import { findCollection, findOwnCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { search } from '../search/search.ts';
import { clock } from '../writing/table.ts';
import { openDirectory } from './expected.ts';
import { DEPTH, figuresOf, meanOf, ranksOf } from './metrics.ts';

type Row = Omit<Selectable<Tables['evaluation_runs']>, 'answers'>;

/** A run whose process has said nothing for so long has ended with it. */
const LOST_MS = 30_000;
const BEAT_MS = 1_000;
/** Passages that are asked for, so that they are of enough documents. */
const PASSAGES = 50;
/** Searches at the same time. */
const AT_ONCE = 2;
/** Runs of a collection that are kept. */
const KEPT = 50;

const columns = [
  'id',
  'number',
  'tenant_id',
  'collection_id',
  'state',
  'settings',
  'done',
  'total',
  'figures',
  'failure',
  'made_by',
  'created_at',
  'seen_at',
] as const;

const recordOf = (row: Row, now: number): EvaluationRun => ({
  id: row.id,
  state: row.state === 'running' && now - row.seen_at.getTime() > LOST_MS ? 'stopped' : row.state,
  done: row.done,
  total: row.total,
  settings: row.settings,
  figures: row.figures,
  failure: row.failure,
  by: row.made_by,
  created_at: row.created_at.toISOString(),
});

/** Evaluations of this process. */
export interface Evaluations {
  /** Runs of a collection, the newest first. Throws StudioError `not_found`. */
  list(caller: Caller, collectionId: string): Promise<{ items: EvaluationRun[] }>;
  /** Throws StudioError `not_found`. */
  read(caller: Caller, collectionId: string, id: string): Promise<EvaluationRunDetails>;
  /** Begins a run over all questions. Throws StudioError `not_found`, `forbidden`, `conflict` where there are no questions. */
  begin(
    caller: Caller,
    collectionId: string,
    by: string,
    settings: readonly EvaluationSetting[],
  ): Promise<EvaluationRun>;
  /** Removes a run; ends it. Throws StudioError `not_found`, `forbidden`. */
  remove(caller: Caller, collectionId: string, id: string): Promise<void>;
  /** Ends those that go on. Safe to repeat. */
  close(): Promise<void>;
}

interface Question {
  readonly question: string;
  readonly expected: readonly { readonly id: string; readonly name: string }[];
}

/** The documents that a search finds, each once, best first. */
async function documentsFound(
  deps: RetrievalDeps,
  caller: Caller,
  collectionId: string,
  question: string,
  { mode, alpha, fusion, rerank }: EvaluationSetting['search'],
): Promise<string[]> {
  const { result } = await search(deps, caller, {
    query: question,
    collection_id: collectionId,
    search_type: mode,
    top_k: PASSAGES,
    fusion,
    rerank,
    ...(alpha === null ? {} : { alpha }),
    highlight: false,
  });
  return [...new Set(result.hits.map(({ document_id: id }) => id))].slice(0, DEPTH);
}

const failureOf = (error: unknown) =>
  error instanceof StudioError
    ? error.message
    : error instanceof EngineError
      ? (error.detail ?? 'A model could not be reached')
      : 'The evaluation could not be made';

/** Creates what evaluates. */
export function createEvaluations(deps: RetrievalDeps): Evaluations {
  const { db, log, now } = deps;
  const live = new Set<Promise<void>>();
  const stop = new AbortController();

  const find = async (caller: Caller, collectionId: string, id: string): Promise<Row> => {
    await findCollection(db.query, caller, collectionId);
    const row = isId(id)
      ? await db.query
          .selectFrom('evaluation_runs')
          .select(columns)
          .where('id', '=', id)
          .where('collection_id', '=', collectionId)
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw new StudioError('not_found', 'There is no such evaluation');
    return row;
  };

  /** All questions of a collection whose documents are there. */
  async function questionsOf(collectionId: string): Promise<Question[]> {
    const directory = await openDirectory(db.query, collectionId);
    const rows = await db.query
      .selectFrom('evaluation_questions')
      .select(['question', 'expected'])
      .where('collection_id', '=', collectionId)
      .orderBy('number')
      .execute();
    return rows.map(({ question, expected }) => ({
      question,
      expected: expected.map((named) => directory.present(named) ?? named),
    }));
  }

  /** Asks all, and writes how far it is. Resolves with the answers of each question. */
  async function ask(
    caller: Caller,
    row: Row,
    questions: readonly Question[],
    end: AbortController,
  ): Promise<EvaluationAnswer[]> {
    let done = 0;
    const left = questions.map((one, at) => ({ ...one, at }));
    const answers: EvaluationAnswer[] = [];
    const over = new AbortController();
    const beat = async () => {
      while (!over.signal.aborted) {
        await sleep(BEAT_MS, undefined, { signal: over.signal }).catch(() => undefined);
        const { numUpdatedRows } = await db.query
          .updateTable('evaluation_runs')
          .set({ done, seen_at: clock })
          .where('id', '=', row.id)
          .executeTakeFirstOrThrow();
        // Somebody has removed it.
        if (numUpdatedRows === 0n) end.abort();
      }
    };
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const { question, expected, at } = next;
        const ids = expected.map(({ id }) => id);
        const ranks: (number | null)[][] = [];
        for (const { search: how } of row.settings) {
          end.signal.throwIfAborted();
          ranks.push(ranksOf(ids, await documentsFound(deps, caller, row.collection_id, question, how)));
          done += 1;
        }
        answers[at] = {
          question,
          expected: expected.map(({ name }) => name),
          ranks,
          figures: ranks.map(figuresOf),
        };
      }
    };
    const beating = beat();
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return answers;
    } finally {
      left.length = 0;
      over.abort();
      await beating;
    }
  }

  async function run(asked: Caller, row: Row, questions: readonly Question[]): Promise<void> {
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, stop.signal]);
    const caller = { ...asked, signal };
    const settle = (change: Updateable<Tables['evaluation_runs']>) =>
      db.query.updateTable('evaluation_runs').set(change).where('id', '=', row.id).execute();
    try {
      const answers = await ask(caller, row, questions, end);
      const figures = row.settings.map((_, at) => meanOf(answers.flatMap((answer) => answer.figures[at] ?? [])));
      await settle({
        state: 'done',
        done: row.total,
        figures: JSON.stringify(figures),
        answers: JSON.stringify(answers),
      });
    } catch (error) {
      if (signal.aborted) await settle({ state: 'stopped' });
      else await settle({ state: 'failed', failure: failureOf(error) });
    }
  }

  return {
    async list(caller, collectionId) {
      await findCollection(db.query, caller, collectionId);
      const rows = await db.query
        .selectFrom('evaluation_runs')
        .select(columns)
        .where('collection_id', '=', collectionId)
        .orderBy('number', 'desc')
        .limit(KEPT)
        .execute();
      return { items: rows.map((row) => recordOf(row, now())) };
    },
    async read(caller, collectionId, id) {
      const row = await find(caller, collectionId, id);
      const { answers } = await db.query
        .selectFrom('evaluation_runs')
        .select('answers')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { ...recordOf(row, now()), answers: answers ?? [] };
    },
    async begin(caller, collectionId, by, settings) {
      const collection = await findOwnCollection(db.query, caller, collectionId);
      const questions = await questionsOf(collectionId);
      if (questions.length === 0)
        throw new StudioError('conflict', 'There are no questions yet', { reason: 'no_questions' });
      const row = await db.query
        .insertInto('evaluation_runs')
        .values({
          id: hexId(),
          tenant_id: collection.tenant_id,
          collection_id: collectionId,
          settings: JSON.stringify(settings),
          total: questions.length * settings.length,
          failure: null,
          made_by: by,
        })
        .returning(columns)
        .executeTakeFirstOrThrow();
      const oldest = await db.query
        .selectFrom('evaluation_runs')
        .select('id')
        .where('collection_id', '=', collectionId)
        .orderBy('number', 'desc')
        .offset(KEPT)
        .execute();
      if (oldest.length > 0)
        await db.query
          .deleteFrom('evaluation_runs')
          .where(
            'id',
            'in',
            oldest.map(({ id }) => id),
          )
          .execute();
      const going: Promise<void> = run(caller, row, questions)
        .catch((error: unknown) => log.error({ err: error }, 'an evaluation could not be written'))
        .finally(() => live.delete(going));
      live.add(going);
      return recordOf(row, now());
    },
    async remove(caller, collectionId, id) {
      await findOwnCollection(db.query, caller, collectionId);
      await find(caller, collectionId, id);
      await db.query.deleteFrom('evaluation_runs').where('id', '=', id).execute();
    },
    async close() {
      stop.abort();
      await Promise.all(live);
    },
  };
}
