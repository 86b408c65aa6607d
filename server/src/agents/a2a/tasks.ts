import type { RunState } from '@ai-studio/contract/agents/run.ts';
import { taskStates10 } from '@ai-studio/contract/a2a/v10.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aForm } from './form.ts';
import type { Exchange } from './replies.ts';

// A run as a task, in either form. Source: decisions section 4, `message/send`.

export const ANSWER = 'answer';

export interface TaskShape {
  /** Most messages of the history; null: all. */
  readonly historyLength: number | null;
  readonly artifacts: boolean;
  /** What was asked and answered since. */
  readonly exchanges?: readonly Exchange[];
}

const isoOf = (date: Date) => date.toISOString();

/** What stands beside an answer: the session, passages that it cites, why it failed. The same in tasks and last events. */
export function taskMetadata({
  sessionId,
  citations,
  failure,
}: Pick<RunSnapshot, 'sessionId' | 'citations' | 'failure'>): Record<string, unknown> {
  return {
    chat_session_id: sessionId,
    ...(citations.length > 0 ? { citations } : {}),
    ...(failure ? { error: { code: -32603, message: failure.message } } : {}),
  };
}

/** What the agent says in a task: its question, why it failed, else its answer; null while there is nothing. */
function agentTextOf({ state, question, answer, failure }: RunSnapshot): string | null {
  if (state === 'input-required') return question ?? '';
  if (state === 'failed') return failure?.message ?? '';
  return answer === '' && state !== 'completed' ? null : answer;
}

const textPart = (form: A2aForm, text: string) => (form === '0.3' ? { kind: 'text', text } : { text });

const message = (form: A2aForm, role: 'agent' | 'user', messageId: string, parts: readonly object[]) =>
  form === '0.3'
    ? { kind: 'message', messageId, role, parts }
    : { messageId, role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER', parts };

/** Files stand in the history by name only. */
function userParts(form: A2aForm, { text, files, data }: RunSnapshot['input']): object[] {
  const named = files.map(({ name, media_type: type }) =>
    form === '0.3'
      ? { kind: 'data', data: { file: name, media_type: type } }
      : { data: { file: name, media_type: type } },
  );
  const dataParts = data === null || data === undefined ? [] : [form === '0.3' ? { kind: 'data', data } : { data }];
  return [textPart(form, text), ...named, ...dataParts];
}

function historyOf(form: A2aForm, run: RunSnapshot, exchanges: readonly Exchange[]): object[] {
  const own = { taskId: run.id, contextId: run.contextId };
  const user = (input: RunSnapshot['input'], id: string) => ({
    ...message(form, 'user', input.message_id ?? id, userParts(form, input)),
    ...own,
  });
  return [
    user(run.input, `${run.id}-input`),
    ...exchanges.flatMap(({ seq, question, reply }) => [
      { ...message(form, 'agent', questionId(run.id, seq), [textPart(form, question)]), ...own },
      user(reply, `${run.id}-${seq}-reply`),
    ]),
  ];
}

/** Of a question: its own, since the event that it comes with has another. Clients may go on from it. */
export const questionId = (runId: string, seq: number): string => `${runId}-q${seq}`;

export const stateOf = (form: A2aForm, state: RunState): string => (form === '0.3' ? state : taskStates10[state]);

/** The task of a run. */
export function renderTask(
  form: A2aForm,
  run: RunSnapshot,
  { historyLength, artifacts, exchanges = [] }: TaskShape,
): object {
  const said = agentTextOf(run);
  const history = historyLength === 0 ? [] : historyOf(form, run, exchanges).slice(-(historyLength ?? 1_000));
  const ownId = run.state === 'input-required' ? questionId(run.id, run.lastSeq) : `${run.id}-${run.lastSeq}`;
  const own = message(form, 'agent', ownId, [textPart(form, said ?? '')]);
  return {
    ...(form === '0.3' ? { kind: 'task' } : {}),
    id: run.id,
    contextId: run.contextId,
    status: {
      state: stateOf(form, run.state),
      timestamp: isoOf(run.stateAt),
      ...(said === null ? {} : { message: own }),
    },
    ...(artifacts
      ? { artifacts: run.answer === '' ? [] : [{ artifactId: ANSWER, parts: [textPart(form, run.answer)] }] }
      : {}),
    ...(history.length > 0 ? { history } : {}),
    metadata: taskMetadata(run),
  };
}
