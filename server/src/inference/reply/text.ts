import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { type ReplyShape, jsonBytes, usageBytes } from './shape.ts';
import { DONE } from './stream.ts';

/** The older text form of POST /v1/completions: answers only, thinking and calls are not part of it. */
const OBJECT = '"object":"text_completion"';

const head = (shape: ReplyShape) =>
  `{"id":${jsonBytes(shape.id.replace('chatcmpl-', 'cmpl-'))},${OBJECT},"created":${shape.created},"model":${shape.modelJson},"choices":[`;

/** What is given out first of each choice, as JSON string bodies; nothing where the list has none. */
export type Echoes = readonly string[];

/** Events as the stream of a text completion. */
export function createTextStreamWriter(shape: ReplyShape, echoes: Echoes) {
  const start = `data: ${head(shape)}`;
  const chunk = (choice: number, text: string, reason: string, stop: string | null) =>
    `${start}{"index":${choice},"text":"${text}","logprobs":null,"finish_reason":${reason},"stop_reason":${jsonBytes(stop)}}]}\n\n`;
  return {
    open: () => echoes.map((echo, choice) => chunk(choice, echo, 'null', null)).join(''),
    event(event: ChatEvent): string {
      if (event.type === 'text' && event.channel === 'content') return chunk(event.choice, event.json, 'null', null);
      if (event.type === 'finish') return chunk(event.choice, '', `"${event.reason}"`, event.stop);
      return '';
    },
    close: (usage: EngineUsage) => (shape.includeUsage ? `${start}],"usage":${usageBytes(usage)}}\n\n` : '') + DONE,
  };
}

/** Events as one text completion. */
export function createWholeText(shape: ReplyShape, echoes: Echoes) {
  const choices = Array.from({ length: shape.choices }, (_, choice) => ({
    text: echoes[choice] ?? '',
    reason: 'stop',
    stop: null as string | null,
  }));
  return {
    event(event: ChatEvent): void {
      if (event.type !== 'text' && event.type !== 'finish') return;
      const choice = choices[event.choice];
      if (!choice) return;
      if (event.type === 'finish') {
        choice.reason = event.reason;
        choice.stop = event.stop;
      } else if (event.channel === 'content') choice.text += event.json;
    },
    render(usage: EngineUsage): string {
      const rendered = choices.map(
        ({ text, reason, stop }, index) =>
          `{"index":${index},"text":"${text}","logprobs":null,"finish_reason":"${reason}","stop_reason":${jsonBytes(stop)}}`,
      );
      return `${head(shape)}${rendered.join(',')}],"usage":${usageBytes(usage)}}`;
    },
  };
}
