import type { RunFile, RunState } from '@ai-studio/contract/agents/run.ts';
import { taskStates10 } from '@ai-studio/contract/a2a/v10.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aForm, A2aWire } from './form.ts';
import { artifactOf, dataPart, type ShownPart } from './parts.ts';
import type { Exchange } from './replies.ts';

// A run as a task, in either form. Source: decisions section 4, `message/send`.

export const ANSWER = 'answer';

export interface TaskShape {
  /** Most messages of the history; null: all. */
  readonly historyLength: number | null;
  readonly artifacts: boolean;
  /** What the answer brings beside its text. */
  readonly parts?: readonly ShownPart[];
  /** Files that are not among them, as they are too large. */
  readonly leftOut?: readonly RunFile[];
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

/**
 * What the agent says in the status of a task: its question, why it failed, else, where the interface is spoken, its answer; null while there
 * is nothing.
 */
function agentTextOf({ door }: A2aWire, { state, question, answer, failure }: RunSnapshot): string | null {
  if (state === 'input-required') return question ?? '';
  if (state === 'failed') return failure?.message ?? '';
  if (door !== 'interface') return null;
  return answer === '' && state !== 'completed' ? null : answer;
}

export const textPart = (form: A2aForm, text: string) => (form === '0.3' ? { kind: 'text', text } : { text });

export const renderMessage = (form: A2aForm, role: 'agent' | 'user', messageId: string, parts: readonly object[]) =>
  form === '0.3'
    ? { kind: 'message', messageId, role, parts }
    : { messageId, role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER', parts };

/** Files stand in the history by name only. */
function userParts(form: A2aForm, { text, files, data }: RunSnapshot['input']): object[] {
  const named = files.map(({ name, media_type: type }) => dataPart(form, { file: name, media_type: type }));
  const dataParts = data === null || data === undefined ? [] : [dataPart(form, data)];
  return [textPart(form, text), ...named, ...dataParts];
}

function historyOf({ form, door }: A2aWire, run: RunSnapshot, exchanges: readonly Exchange[]): object[] {
  const own = { taskId: run.id, contextId: run.contextId };
  const user = (input: RunSnapshot['input'], id: string) => ({
    ...renderMessage(form, 'user', input.message_id ?? id, userParts(form, input)),
    ...own,
  });
  return [
    user(run.input, `${run.id}-input`),
    ...exchanges.flatMap(({ seq, question, reply }) => [
      { ...renderMessage(form, 'agent', questionId(run.id, seq), [textPart(form, question)]), ...own },
      user(reply, `${run.id}-${seq}-reply`),
    ]),
    // Clients that look for no status find here why it failed.
    ...(door !== 'interface' && run.state === 'failed'
      ? [
          {
            ...renderMessage(form, 'agent', `${run.id}-${run.lastSeq}`, [textPart(form, run.failure?.message ?? '')]),
            ...own,
          },
        ]
      : []),
  ];
}

/** Of a question: its own, since the event that it comes with has another. Clients may go on from it. */
export const questionId = (runId: string, seq: number): string => `${runId}-q${seq}`;

export const stateOf = (form: A2aForm, state: RunState): string => (form === '0.3' ? state : taskStates10[state]);

/** The task of a run. */
export function renderTask(
  wire: A2aWire,
  run: RunSnapshot,
  { historyLength, artifacts, parts = [], leftOut = [], exchanges = [] }: TaskShape,
): object {
  const { form, door } = wire;
  const said = agentTextOf(wire, run);
  const history = historyLength === 0 ? [] : historyOf(wire, run, exchanges).slice(-(historyLength ?? 1_000));
  const ownId = run.state === 'input-required' ? questionId(run.id, run.lastSeq) : `${run.id}-${run.lastSeq}`;
  const own = {
    ...renderMessage(form, 'agent', ownId, [textPart(form, said ?? '')]),
    ...(door === 'interface' ? {} : { taskId: run.id, contextId: run.contextId }),
  };
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
      ? {
          artifacts: [
            ...(run.answer === '' ? [] : [{ artifactId: ANSWER, parts: [textPart(form, run.answer)] }]),
            ...parts.map((part) => artifactOf(form, part)),
          ],
        }
      : {}),
    ...(history.length > 0 ? { history } : {}),
    metadata: { ...taskMetadata(run), ...(leftOut.length > 0 ? { files_left_out: leftOut } : {}) },
  };
}
