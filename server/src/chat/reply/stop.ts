import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';
import { firstMark, partialMark } from './marks.ts';

/** Answer text of one choice: held back where a stop string may have begun. */
interface ChoiceText {
  pending: string;
  stopped: boolean;
}

/**
 * Ends each choice before the first stop string in its answer, even when the string comes in several pieces, and says
 * which one it was. For engines that stop by themselves it changes nothing.
 * `onAllStopped` is called once every one of `choices` was ended here, so that the engine can be stopped too.
 */
export function cutAtStops(
  stops: readonly string[],
  choices: number,
  onAllStopped: () => void,
  out: ChatSink,
): ChatSink {
  if (stops.length === 0) return out;
  const texts: ChoiceText[] = [];
  let stopped = 0;

  const emit = (event: ChatEvent & { type: 'text' }, text: string) => {
    if (text !== '') out({ ...event, json: toJsonText(text) });
  };

  const content = (state: ChoiceText, event: ChatEvent & { type: 'text' }) => {
    const text = state.pending + fromJsonText(event.json);
    const found = firstMark(text, stops);
    if (!found) {
      const safe = text.length - partialMark(text, stops);
      state.pending = text.slice(safe);
      emit(event, text.slice(0, safe));
      return;
    }
    emit(event, text.slice(0, found.at));
    state.pending = '';
    state.stopped = true;
    stopped++;
    out({ type: 'finish', choice: event.choice, reason: 'stop', stop: found.mark });
    if (stopped === choices) onAllStopped();
  };

  return (event) => {
    if (event.type === 'usage' || event.type === 'end' || event.type === 'error') return out(event);
    const state = (texts[event.choice] ??= { pending: '', stopped: false });
    if (state.stopped) return;
    if (event.type === 'text' && event.channel === 'content') return content(state, event);
    if (event.type !== 'text' && state.pending !== '') {
      out({ type: 'text', choice: event.choice, channel: 'content', json: toJsonText(state.pending) });
      state.pending = '';
    }
    out(event);
  };
}
