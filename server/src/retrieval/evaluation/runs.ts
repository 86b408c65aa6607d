import type { EvaluationRun, EvaluationRunDetails, EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { AskedQuestion } from '../tables.ts';
import { isId } from '../visibility.ts';
import { findCollection, findOwnCollection } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { openDirectory } from './expected.ts';
import type { RunRow } from './run-rows.ts';
import { RUNS_CHANNEL } from './runner.ts';

/** Runs of a collection that are kept. */
const MAX_RUNS = 50;

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
] as const;
type Row = Pick<RunRow, (typeof columns)[number]>;

const recordOf = (row: Row): EvaluationRun => ({
  id: row.id,
  state: row.state,
  done: row.done,
  total: row.total,
  // Those of earlier versions say less.
  settings: row.settings.map((one) => ({
    name: one.name,
    search: one.search,
    top_k: one.top_k ?? null,
    threshold: one.threshold ?? null,
  })),
  figures: row.figures,
  failure: row.failure,
  by: row.made_by,
  created_at: row.created_at.toISOString(),
});

/** What is to be evaluated. */
interface EvaluationRequest {
  /** Name of the person who asks. */
  readonly by: string;
  readonly settings: readonly EvaluationSetting[];
}

/** Evaluations of collections; any process makes them. */
export interface Evaluations {
  /** Runs of a collection, the newest first. Throws StudioError `not_found`. */
  list(actor: Actor, collectionId: string): Promise<{ items: EvaluationRun[] }>;
  /** Throws StudioError `not_found`. */
  read(actor: Actor, collectionId: string, id: string): Promise<EvaluationRunDetails>;
  /** Begins a run over all questions. Throws StudioError `not_found`, `forbidden`, `conflict` where there are no questions. */
  start(actor: Actor, collectionId: string, asked: EvaluationRequest): Promise<EvaluationRun>;
  /** Removes a run; ends it. Throws StudioError `not_found`, `forbidden`. */
  remove(actor: Actor, collectionId: string, id: string): Promise<void>;
}

/** The verbs of evaluations. */
export function createEvaluations({ db, bus, log }: RetrievalDeps): Evaluations {
  const find = async (actor: Actor, collectionId: string, id: string): Promise<Row> => {
    await findCollection(db.query, actor, collectionId);
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

  /** All questions of a collection, with the documents that are there. */
  async function questionsOf(collectionId: string): Promise<AskedQuestion[]> {
    const directory = await openDirectory(db.query, collectionId);
    const rows = await db.query
      .selectFrom('evaluation_questions')
      .select(['question', 'expected'])
      .where('collection_id', '=', collectionId)
      .orderBy('number')
      .execute();
    return rows.map(({ question, expected }) => ({
      question,
      expected: expected.map((named) => {
        const { id, name } = directory.present(named) ?? named;
        return { id, name };
      }),
    }));
  }

  /** Those that are older than the last go. */
  async function removeOldest(collectionId: string): Promise<void> {
    const oldest = await db.query
      .selectFrom('evaluation_runs')
      .select('id')
      .where('collection_id', '=', collectionId)
      .orderBy('number', 'desc')
      .offset(MAX_RUNS)
      .execute();
    const ids = oldest.map(({ id }) => id);
    if (ids.length > 0) await db.query.deleteFrom('evaluation_runs').where('id', 'in', ids).execute();
  }

  return {
    async list(actor, collectionId) {
      await findCollection(db.query, actor, collectionId);
      const rows = await db.query
        .selectFrom('evaluation_runs')
        .select(columns)
        .where('collection_id', '=', collectionId)
        .orderBy('number', 'desc')
        .limit(MAX_RUNS)
        .execute();
      return { items: rows.map(recordOf) };
    },
    async read(actor, collectionId, id) {
      const row = await find(actor, collectionId, id);
      if (row.state === 'running') return { ...recordOf(row), answers: [] };
      const { answers } = await db.query
        .selectFrom('evaluation_runs')
        .select('answers')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { ...recordOf(row), answers: (answers ?? []).flatMap((answer) => answer ?? []) };
    },
    async start(actor, collectionId, { by, settings }) {
      const collection = await findOwnCollection(db.query, actor, collectionId);
      const questions = await questionsOf(collectionId);
      if (questions.length === 0)
        throw new StudioError('conflict', 'There are no questions yet', { reason: 'no_questions' });
      const { userId, rights, allowedModels } = actor;
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
          questions: JSON.stringify(questions),
          asked_for: JSON.stringify({
            userId,
            administers: rights.has('collections.all'),
            models: allowedModels === null ? null : [...allowedModels],
          }),
          claim: null,
        })
        .returning(columns)
        .executeTakeFirstOrThrow();
      await removeOldest(collectionId);
      // A process that misses the message finds the run with its next poll.
      await bus
        .publish(RUNS_CHANNEL, null)
        .catch((error: unknown) => log.warn({ err: error }, 'waiting evaluation could not be announced on the bus'));
      return recordOf(row);
    },
    async remove(actor, collectionId, id) {
      await findOwnCollection(db.query, actor, collectionId);
      await find(actor, collectionId, id);
      await db.query.deleteFrom('evaluation_runs').where('id', '=', id).execute();
    },
  };
}
