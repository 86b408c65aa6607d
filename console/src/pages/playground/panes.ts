import { type Answer, emptyAnswer } from '../../api/chat-stream.ts';
import { type SentMessage, type Settings, standardSettings } from './request.ts';

/** One turn of a pane. */
export type Turn =
  | { readonly kind: 'user'; readonly id: number; readonly text: string }
  | { readonly kind: 'tool'; readonly id: number; readonly callId: string; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly model: string;
      readonly answer: Answer;
      readonly state: 'running' | 'done' | 'stopped' | 'failed';
      readonly error: unknown;
    };

/** A model beside others, with settings and a talk of its own. */
export interface Pane {
  readonly id: number;
  readonly settings: Settings;
  readonly turns: readonly Turn[];
}

/** As many as stand side by side and can still be read. */
export const MAX_PANES = 4;

/** Everything that can happen to the panes. Ids are given by the caller, who counts. */
export type PaneAction =
  | { readonly type: 'add'; readonly id: number; readonly models: readonly string[] }
  | { readonly type: 'remove'; readonly pane: number }
  | { readonly type: 'clear' }
  | { readonly type: 'settings'; readonly pane: number; readonly settings: Settings }
  | { readonly type: 'say'; readonly pane: number; readonly turn: Turn }
  /** Drops this turn and all after it. */
  | { readonly type: 'drop'; readonly pane: number; readonly from: number }
  | { readonly type: 'grow'; readonly pane: number; readonly turn: number; readonly answer: Answer }
  | {
      readonly type: 'end';
      readonly pane: number;
      readonly turn: number;
      readonly state: 'done' | 'stopped' | 'failed';
      readonly error: unknown;
    };

const onPane = (panes: readonly Pane[], id: number, change: (pane: Pane) => Pane) =>
  panes.map((pane) => (pane.id === id ? change(pane) : pane));

type AnswerTurn = Extract<Turn, { kind: 'answer' }>;
const onAnswer = (pane: Pane, id: number, change: (turn: AnswerTurn) => Turn): Pane => ({
  ...pane,
  turns: pane.turns.map((turn) => (turn.id === id && turn.kind === 'answer' ? change(turn) : turn)),
});

export function panesReducer(panes: readonly Pane[], event: PaneAction): readonly Pane[] {
  switch (event.type) {
    case 'add': {
      const last = panes.at(-1);
      if (panes.length >= MAX_PANES || last === undefined) return panes;
      // Another pane is there to compare with another model.
      const model = event.models.find((one) => panes.every(({ settings }) => settings.model !== one));
      return [
        ...panes,
        { id: event.id, settings: { ...last.settings, model: model ?? last.settings.model }, turns: [] },
      ];
    }
    case 'remove':
      return panes.length > 1 ? panes.filter(({ id }) => id !== event.pane) : panes;
    case 'clear':
      return panes.map((pane) => ({ ...pane, turns: [] }));
    case 'settings':
      return onPane(panes, event.pane, (pane) => ({ ...pane, settings: event.settings }));
    case 'say':
      return onPane(panes, event.pane, (pane) => ({ ...pane, turns: [...pane.turns, event.turn] }));
    case 'drop':
      return onPane(panes, event.pane, (pane) => ({ ...pane, turns: pane.turns.filter(({ id }) => id < event.from) }));
    case 'grow':
      return onPane(panes, event.pane, (pane) =>
        onAnswer(pane, event.turn, (turn) => ({ ...turn, answer: event.answer })),
      );
    case 'end':
      return onPane(panes, event.pane, (pane) =>
        onAnswer(pane, event.turn, (turn) => ({ ...turn, state: event.state, error: event.error })),
      );
  }
}

export const firstPane = (model: string): Pane => ({ id: 0, settings: standardSettings(model), turns: [] });

export const newAnswer = (id: number, model: string): Turn => ({
  kind: 'answer',
  id,
  model,
  answer: emptyAnswer,
  state: 'running',
  error: null,
});

export const isRunning = ({ turns }: Pane): boolean =>
  turns.some((turn) => turn.kind === 'answer' && turn.state === 'running');

/** Calls of tools that nobody has answered: until then the model cannot go on. */
export function pendingToolCalls({ turns }: Pane): readonly string[] {
  const last = turns.findLastIndex(({ kind }) => kind === 'answer');
  const turn = turns[last];
  if (turn?.kind !== 'answer' || turn.state !== 'done') return [];
  const answered = new Set(turns.slice(last).flatMap((one) => (one.kind === 'tool' ? [one.callId] : [])));
  return turn.answer.toolCalls.map(({ id }) => id).filter((id) => !answered.has(id));
}

/** What is sent of a talk. Thinking is left out (interface section 2.2), and so are answers that never came. */
export const messagesOf = (turns: readonly Turn[]): SentMessage[] =>
  turns.flatMap((turn): SentMessage[] => {
    if (turn.kind === 'user') return [{ role: 'user', content: turn.text }];
    if (turn.kind === 'tool') return [{ role: 'tool', tool_call_id: turn.callId, content: turn.text }];
    const { content, toolCalls } = turn.answer;
    if (turn.state === 'running' || (content === '' && toolCalls.length === 0)) return [];
    if (toolCalls.length === 0 || turn.state !== 'done') return content === '' ? [] : [{ role: 'assistant', content }];
    return [
      {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      },
    ];
  });
