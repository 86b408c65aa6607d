import {
  EvaluationQuestions,
  EvaluationQuestionsAdded,
  EvaluationRunDetails,
  EvaluationRuns,
  type NewEvaluationQuestions,
} from '@ai-studio/contract/console/evaluation.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { rereadDelay } from '../../../api/reread.ts';
import { pathOf } from '../queries.ts';

/** Questions of a page of the list. */
export const QUESTIONS_SIZE = 20;
const POLL_MS = 1_000;

export const questionsPath = (id: string): string => `${pathOf(id)}/evaluation/questions`;
export const runsPath = (id: string): string => `${pathOf(id)}/evaluation/runs`;

export const questionsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['collection', id, 'questions', page],
    queryFn: ({ signal }) =>
      api.get(questionsPath(id), EvaluationQuestions, {
        signal,
        query: { size: QUESTIONS_SIZE, from: (page - 1) * QUESTIONS_SIZE },
      }),
    placeholderData: keepPreviousData,
  });

export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id, 'runs'],
    queryFn: ({ signal }) => api.get(runsPath(id), EvaluationRuns, { signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some(({ state }) => state === 'running') === true ? POLL_MS : rereadDelay(query),
  });

export const runQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['collection', id, 'runs', runId],
    queryFn: ({ signal }) => api.get(`${runsPath(id)}/${encodeURIComponent(runId)}`, EvaluationRunDetails, { signal }),
    staleTime: Infinity,
  });

/** Adds questions; tells which were refused. */
export const addQuestions = (id: string, items: NewEvaluationQuestions['items']) =>
  api.post(questionsPath(id), { items }, EvaluationQuestionsAdded);
