import type { EvaluationAnswer, EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import { type CallContext, unlimitedActor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { onceBack } from '../../jobs/once-back.ts';
import { type JobRunner, type LiveTenantJob, openJobRunner } from '../../jobs/open-runner.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { EngineError } from '../../ports/engine.ts';
import { searchFor } from '../search/search.ts';
import type { EvaluationDeps } from './deps.ts';
import { type Expansions, openExpansions } from './expansions.ts';
import { DEPTH, figuresOf, meanOf, ranksOf } from './metrics.ts';
import { requestOf } from './request.ts';
import { answersJson, type ClaimedRun, claimRun, evaluationJobs } from './run-rows.ts';

/** Channel of the bus: a run waits. */
export const RUNS_CHANNEL = 'evaluation_runs';

interface Live extends LiveTenantJob {
  readonly run: ClaimedRun;
  /** In the places of their questions. */
  readonly answers: (EvaluationAnswer | null)[];
  /** Searches that were made. */
  done: number;
  /** Answers that are stored. */
  saved: number;
  /** Whether processes ended that made the run before, and nothing was stored since. */
  isCounted: boolean;
}

/** Runs at the same time in this process; each searches for so many questions at once. */
const MAX_CONCURRENT_RUNS = 2;
const CONCURRENT_SEARCHES = 2;
const POLL_MS = 5_000;
const HEARTBEAT_MS = 1_000;
/** New answers after which all are stored. */
const SAVE_EVERY = 20;

/** A question as one setting asks it. */
interface Asked {
  readonly question: string;
  readonly collectionId: string;
  readonly setting: EvaluationSetting;
}

/** The documents that a search finds, each once, best first. */
async function documentsFound(
  deps: EvaluationDeps,
  ctx: CallContext,
  expansions: Expansions,
  { question, collectionId, setting }: Asked,
): Promise<string[]> {
  const { query_expansion: wanted } = setting;
  const { result } = await searchFor(deps, ctx, {
    request: requestOf(collectionId, question, setting),
    synonyms: setting.search,
    // Those of earlier versions say nothing of it.
    ...(wanted == null ? {} : { expanded: await expansions.of(wanted) }),
  });
  // Figures of words alone, or without the reranker, would be taken for those of the setting.
  const { embedding_unavailable: away = [], rerank_unavailable: reranker } = result;
  if (away.length > 0)
    throw new StudioError('unavailable', `The embedding model ${away.join(', ')} cannot be used at the moment`);
  if (reranker !== undefined)
    throw new StudioError('unavailable', `The reranking model ${reranker} cannot be used at the moment`);
  return [...new Set(result.hits.map(({ document_id: id }) => id))].slice(0, DEPTH);
}

const failureOf = (error: unknown) =>
  error instanceof StudioError
    ? error.message
    : error instanceof EngineError
      ? (error.detail ?? 'A model could not be reached')
      : 'The evaluation could not be made';

/** Whoever ordered the run, within what they might see and use then. */
function contextOf({ tenant_id: tenantId, id, askedFor }: ClaimedRun, signal: AbortSignal): CallContext {
  const { userId, administers, models } = askedFor;
  const actor = {
    ...unlimitedActor({ tenantId, keyId: null, userId }),
    rights: new Set(administers ? (['collections.all', 'documents.all'] as const) : []),
    allowedModels: models === null ? null : new Set(models),
  };
  return { actor, requestId: `evaluation-${id}`, signal, priority: 'batch' };
}

/** Starts the evaluation worker. */
export async function startEvaluations(deps: EvaluationDeps): Promise<JobRunner> {
  const { db, bus, log } = deps;

  /** Runs the searches of the questions that have no answer yet. */
  async function ask({ run, controller: { signal }, answers }: Live, onDone: () => void): Promise<void> {
    const ctx = contextOf(run, signal);
    const left = run.questions.flatMap((one, at) => (answers[at] == null ? [{ ...one, at }] : []));
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const { question, expected, at } = next;
        const ids = expected.map(({ id }) => id);
        const expansions = openExpansions(deps, ctx, run, question);
        const ranks: (number | null)[][] = [];
        for (const setting of run.settings) {
          signal.throwIfAborted();
          const asked = { question, collectionId: run.collection_id, setting };
          ranks.push(ranksOf(ids, await documentsFound(deps, ctx, expansions, asked)));
          onDone();
        }
        answers[at] = { question, expected: expected.map(({ name }) => name), ranks, figures: ranks.map(figuresOf) };
      }
    };
    try {
      await Promise.all(Array.from({ length: CONCURRENT_SEARCHES }, work));
    } finally {
      left.length = 0;
    }
  }

  async function work(one: Live): Promise<void> {
    const { run, controller, answers } = one;
    const fail = (failure: string) => evaluationJobs.update(db.query, run, { state: 'failed', failure });
    if (evaluationJobs.isExhausted(run)) return void (await fail('It ended the service several times'));
    try {
      await ask(one, () => (one.done += 1));
      const whole = answers.flatMap((answer) => answer ?? []);
      const figures = run.settings.map((_, at) => meanOf(whole.flatMap((answer) => answer.figures[at] ?? [])));
      const outcome = { done: run.total, figures: JSON.stringify(figures), answers: answersJson(whole) };
      await evaluationJobs.update(db.query, run, { state: 'done', ...outcome });
    } catch (error) {
      // The process that claims it next resumes from here.
      if (controller.signal.aborted || isDatabaseUnavailable(error))
        await onceBack(
          () => evaluationJobs.release(db.query, run, { countsAttempt: false, change: savedProgress(one) }),
          controller.signal,
        );
      else await fail(failureOf(error));
    }
  }

  /** Searches of whole answers only: the others are made again. */
  const savedProgress = ({ run, answers }: Live) => ({
    answers: answersJson(answers),
    done: answers.filter((answer) => answer != null).length * run.settings.length,
  });

  async function heartbeat(one: Live): Promise<boolean> {
    const whole = one.answers.filter((answer) => answer != null).length;
    const isSaveDue = whole - one.saved >= (one.isCounted ? 1 : SAVE_EVERY);
    // What gets on does not end the service: only processes that end without any answer stored in between count.
    const answers = isSaveDue ? { answers: answersJson(one.answers), attempts: 1 } : {};
    if (isSaveDue) {
      one.saved = whole;
      one.isCounted = false;
    }
    return evaluationJobs.update(db.query, one.run, { done: one.done, ...answers });
  }

  return openJobRunner<Live>({
    bus,
    log,
    channel: RUNS_CHANNEL,
    name: 'evaluations',
    perTenant: MAX_CONCURRENT_RUNS,
    async claim(how) {
      const run = await claimRun(db, how);
      if (run === null) return null;
      const answers = [...run.answers];
      const saved = answers.filter((answer) => answer !== null).length;
      return {
        run,
        controller: new AbortController(),
        answers,
        done: saved * run.settings.length,
        saved,
        isCounted: run.attempts > 1,
      };
    },
    work,
    heartbeat,
    maintain: () => evaluationJobs.takeUpAbandoned(db.query),
    pollMs: POLL_MS,
    heartbeatMs: HEARTBEAT_MS,
  });
}
