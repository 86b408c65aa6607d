import { StopFilter } from '@ai-studio/reply-format/stops.ts';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';

type Text = ChatEvent & { readonly type: 'text' };

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
  const filters: StopFilter[] = [];
  let stopped = 0;

  const content = (filter: StopFilter, event: Text) => {
    const text = filter.push(fromJsonText(event.json));
    if (text !== '') out({ ...event, json: toJsonText(text) });
    if (filter.found === null) return;
    stopped++;
    out({ type: 'finish', choice: event.choice, reason: 'stop', stop: filter.found });
    if (stopped === choices) onAllStopped();
  };

  return (event) => {
    if (event.type === 'usage' || event.type === 'end' || event.type === 'error') return out(event);
    const filter = (filters[event.choice] ??= new StopFilter(stops));
    if (filter.found !== null) return;
    if (event.type === 'text' && event.channel === 'content') return content(filter, event);
    const held = event.type === 'text' ? '' : filter.flush();
    if (held !== '') out({ type: 'text', choice: event.choice, channel: 'content', json: toJsonText(held) });
    out(event);
  };
}
