import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { type ReplyShape, jsonBytes, usageBytes } from './shape.ts';

/** The text around a piece of a delta, made once a stream. */
interface Frame {
  readonly keys: readonly string[];
  readonly before: string;
}

const END = '"},"logprobs":null,"finish_reason":null}]}\n\n';
export const DONE = 'data: [DONE]\n\n';

/**
 * Turns events into the bytes of a server-sent event stream (as latin1 text), one `data:` line an event.
 * Source of the shape: interface 2.4 and 6; decisions section 2, "Stream".
 */
export function createStreamWriter(shape: ReplyShape) {
  const head = `data: {"id":"${shape.id}","object":"chat.completion.chunk","created":${shape.created},"model":${shape.modelJson},"choices":[`;
  const starts: string[] = [];
  /** Calls that were opened but got no arguments yet. */
  const callsWithoutArguments = new Set<string>();

  const startOf = (choice: number) => (starts[choice] ??= `${head}{"index":${choice},"delta":{`);
  const chunk = (choice: number, delta: string, rest = '"logprobs":null,"finish_reason":null') =>
    `${startOf(choice)}${delta}},${rest}}]}\n\n`;

  const frames = { content: [] as Frame[], reasoning: [] as Frame[] };
  const frameOf = (channel: 'content' | 'reasoning', choice: number): Frame => {
    const known = frames[channel][choice];
    if (known) return known;
    const keys = channel === 'content' ? ['content'] : shape.reasoningKeys;
    return (frames[channel][choice] = { keys, before: `${startOf(choice)}"${keys[0] ?? ''}":"` });
  };

  const text = (event: ChatEvent & { type: 'text' }): string => {
    const frame = frameOf(event.channel, event.choice);
    if (frame.keys.length === 0) return '';
    if (frame.keys.length === 1 && event.logprobs === undefined) return frame.before + event.json + END;
    const delta = frame.keys.map((key) => `"${key}":"${event.json}"`).join(',');
    return chunk(
      event.choice,
      delta,
      `"logprobs":${event.logprobs ? jsonBytes(event.logprobs) : 'null'},"finish_reason":null`,
    );
  };

  const toolArguments = (choice: number, call: number, json: string) =>
    chunk(choice, `"tool_calls":[{"index":${call},"function":{"arguments":"${json}"}}]`);

  const toolCall = (event: ChatEvent & { type: 'tool_call' }): string => {
    callsWithoutArguments.add(`${event.choice}/${event.call}`);
    if (shape.toolStream === 'arguments') return '';
    const { call, id, name } = event;
    return chunk(
      event.choice,
      `"tool_calls":[{"index":${call},"id":${jsonBytes(id)},"type":"function","function":{"name":${jsonBytes(name)},"arguments":""}}]`,
    );
  };

  /** A call without arguments is given an empty object, so that what clients join is JSON. */
  const emptyArguments = (choice: number): string => {
    let out = '';
    for (const key of callsWithoutArguments) {
      const [of, call] = key.split('/').map(Number);
      if (of !== choice) continue;
      out += toolArguments(choice, call ?? 0, '{}');
      callsWithoutArguments.delete(key);
    }
    return out;
  };

  return {
    /** The first chunk of every choice: the role, and content as an empty string. */
    open(): string {
      let out = '';
      for (let choice = 0; choice < shape.choices; choice++) out += chunk(choice, '"role":"assistant","content":""');
      return out;
    },
    /** The bytes of an event; empty for those that have none. */
    event(event: ChatEvent): string {
      switch (event.type) {
        case 'text':
          return text(event);
        case 'tool_call':
          return toolCall(event);
        case 'tool_arguments':
          if (event.json === '') return '';
          if (callsWithoutArguments.size > 0) callsWithoutArguments.delete(`${event.choice}/${event.call}`);
          return toolArguments(event.choice, event.call, event.json);
        case 'finish':
          return (
            emptyArguments(event.choice) +
            chunk(
              event.choice,
              '',
              `"logprobs":null,"finish_reason":"${event.reason}","stop_reason":${jsonBytes(event.stop)}`,
            )
          );
        default:
          return '';
      }
    },
    /** The usage chunk, where it was asked for, and the end mark. */
    close(usage: EngineUsage): string {
      const last = shape.includeUsage ? `${head}],"usage":${usageBytes(usage)}}\n\n` : '';
      return last + DONE;
    },
  };
}
