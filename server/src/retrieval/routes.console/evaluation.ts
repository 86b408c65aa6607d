import {
  EvaluationQuestions,
  EvaluationQuestionsAdded,
  EvaluationQuestionsQuery,
  EvaluationRun,
  EvaluationRunDetails,
  EvaluationRuns,
  NewEvaluationQuestions,
  NewEvaluationRun,
} from '@ai-studio/contract/console/evaluation.ts';
import { addQuestions, listQuestions, readCollection, removeQuestions } from '../index.ts';
import { actorOf, admitPerson } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

const QUESTIONS = '/collections/:id/evaluation/questions';
const RUNS = '/collections/:id/evaluation/runs';
const access = 'collections.manage';

/** How well searches find what questions expect. */
export function evaluationRoutes(deps: CollectionRouteDeps): ConsoleRoute[] {
  const { retrieval, evaluations } = deps.collections;
  return [
    tenantRoute({
      method: 'GET',
      path: QUESTIONS,
      access,
      query: EvaluationQuestionsQuery,
      reply: EvaluationQuestions,
      handle: async (call) => listQuestions(retrieval, await actorOf(deps, call), paramOf(call, 'id'), call.query),
    }),
    tenantRoute({
      method: 'POST',
      path: QUESTIONS,
      access,
      body: NewEvaluationQuestions,
      reply: EvaluationQuestionsAdded,
      handle: async (call) =>
        withReasons(addQuestions(retrieval, await actorOf(deps, call), paramOf(call, 'id'), call.body)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: QUESTIONS,
      access,
      async handle(call) {
        await withReasons(removeQuestions(retrieval, await actorOf(deps, call), paramOf(call, 'id'), null));
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${QUESTIONS}/:question`,
      access,
      async handle(call) {
        const question = paramOf(call, 'question');
        await withReasons(removeQuestions(retrieval, await actorOf(deps, call), paramOf(call, 'id'), question));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: RUNS,
      access,
      reply: EvaluationRuns,
      handle: async (call) => evaluations.list(await actorOf(deps, call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: RUNS,
      access,
      body: NewEvaluationRun,
      reply: EvaluationRun,
      async handle(call) {
        await admitPerson(deps, call);
        for (const [at, { query_expansion: wanted }] of call.body.settings.entries())
          requireChat(call.person.actions, `settings[${at}].query_expansion`, wanted);
        const actor = await actorOf(deps, call);
        const id = paramOf(call, 'id');
        const { collection_name: name } = await readCollection(retrieval, actor, id);
        const begun = await withReasons(
          evaluations.start(actor, id, { by: call.person.name, settings: call.body.settings }),
        );
        const target = { kind: 'collection', id, name };
        await call.audit({ action: 'collection_evaluated', target, detail: { count: begun.total } });
        void call.reply.status(201);
        return begun;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${RUNS}/:run`,
      access,
      reply: EvaluationRunDetails,
      handle: async (call) => evaluations.read(await actorOf(deps, call), paramOf(call, 'id'), paramOf(call, 'run')),
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${RUNS}/:run`,
      access,
      async handle(call) {
        await withReasons(evaluations.remove(await actorOf(deps, call), paramOf(call, 'id'), paramOf(call, 'run')));
      },
    }),
  ];
}
