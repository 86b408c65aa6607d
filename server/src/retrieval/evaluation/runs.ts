import type { EvaluationRun, EvaluationRunDetails, EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { AskedQuestion } from '../tables.ts';
import { findOwnCollection } from '../collections/rows.ts';
import { createCollectionRuns } from '../collections/runs.ts';
import type { RetrievalDeps } from '../deps.ts';
import { checkExpansion } from '../search/expansion.ts';
import { checkSearch } from '../search/search.ts';
import { openDirectory } from './expected.ts';
import { requestOf } from './request.ts';
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
    query_expansion: one.query_expansion ?? null,
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
  /**
   * Begins a run over all questions. Throws StudioError `not_found`, `forbidden`, `invalid_request` for a setting that cannot be searched by, `conflict`
   * where there are no questions.
   */
  start(actor: Actor, collectionId: string, asked: EvaluationRequest): Promise<EvaluationRun>;
  /** Removes a run; ends it. Throws StudioError `not_found`, `forbidden`. */
  remove(actor: Actor, collectionId: string, id: string): Promise<void>;
}

/** Settings are checked by it: what they may be does not depend on what is asked. */
const ANY_QUESTION = '?';

/** Refuses a setting whose searches or chat model could not be asked, before a run of it begins. Throws StudioError `invalid_request`. */
async function checkSetting(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  { setting, at }: { readonly setting: EvaluationSetting; readonly at: number },
): Promise<void> {
  const { query_expansion: expansion } = setting;
  try {
    await checkSearch(deps, actor, requestOf(collectionId, ANY_QUESTION, setting));
    if (expansion !== null) await checkExpansion(deps, actor, expansion);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'invalid_request') throw error;
    const { message, param } = error;
    const place = param?.startsWith('query_expansion') === true ? param : `search.${param ?? ''}`;
    throw invalidRequest(message, `settings[${at}].${place}`);
  }
}

/** The verbs of evaluations. */
export function createEvaluations(deps: RetrievalDeps): Evaluations {
  const { db } = deps;
  const runs = createCollectionRuns(deps, {
    table: 'evaluation_runs',
    columns,
    noun: 'evaluation',
    channel: RUNS_CHANNEL,
    kept: MAX_RUNS,
    open: null,
  });

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

  return {
    list: async (actor, collectionId) => ({ items: (await runs.list(actor, collectionId)).map(recordOf) }),
    async read(actor, collectionId, id) {
      const row = await runs.find(actor, collectionId, id);
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
      for (const [at, setting] of settings.entries()) await checkSetting(deps, actor, collectionId, { setting, at });
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
      await runs.removeOldest(db.query, collectionId);
      await runs.announce();
      return recordOf(row);
    },
    remove: runs.remove,
  };
}
