import { EMPTY_JSON_TEXT } from '../../kernel/json-text.ts';
import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { type ReplyShape, jsonBytes, wireUsage } from './shape.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  json: string;
}

interface Choice {
  content: string;
  reasoning: string;
  calls: Call[];
  logprobs: Record<string, unknown> | null;
  reason: string;
  stop: string | null;
}

const quoted = (json: string) => `"${json}"`;

/**
 * Collects events into a whole reply with exactly the keys of interface 2.3, nulls included, as latin1 text of its
 * JSON bytes.
 */
export function createWholeReply(shape: ReplyShape) {
  const choices: Choice[] = Array.from({ length: shape.choices }, () => ({
    content: EMPTY_JSON_TEXT,
    reasoning: EMPTY_JSON_TEXT,
    calls: [],
    logprobs: null,
    reason: 'stop',
    stop: null,
  }));
  let systemFingerprint: string | null = null;
  let promptLogprobs: unknown = null;

  const message = (choice: Choice): string => {
    // Without an answer (only calls, or cut while thinking) there is no content, as in vLLM's replies.
    const silent = choice.content === '' && (choice.calls.length > 0 || choice.reasoning !== '');
    const content = silent ? 'null' : quoted(choice.content);
    const thinking = shape.reasoningNullKeys
      .map(
        (key) =>
          `"${key}":${choice.reasoning === '' || !shape.reasoningKeys.includes(key) ? 'null' : quoted(choice.reasoning)},`,
      )
      .join('');
    const calls = choice.calls.map(
      ({ id, name, json }) =>
        `{"id":${jsonBytes(id)},"type":"function","function":{"name":${jsonBytes(name)},"arguments":${quoted(json === '' ? '{}' : json)}}}`,
    );
    return `{"role":"assistant","content":${content},${thinking}"tool_calls":[${calls.join(',')}]}`;
  };

  const addLogprobs = (choice: Choice, more: Record<string, unknown>) => {
    const before = choice.logprobs?.['content'];
    const after = more['content'];
    choice.logprobs =
      Array.isArray(before) && Array.isArray(after)
        ? { ...choice.logprobs, content: [...(before as unknown[]), ...(after as unknown[])] }
        : more;
  };

  return {
    event(event: ChatEvent): void {
      if (event.type === 'end') {
        systemFingerprint = event.systemFingerprint;
        promptLogprobs = event.promptLogprobs ?? null;
        return;
      }
      if (event.type === 'usage' || event.type === 'error') return;
      const choice = choices[event.choice];
      if (!choice) return;
      switch (event.type) {
        case 'text':
          if (event.channel === 'content') choice.content += event.json;
          else choice.reasoning += event.json;
          if (event.logprobs) addLogprobs(choice, event.logprobs);
          return;
        case 'tool_call':
          choice.calls[event.call] = { id: event.id, name: event.name, json: '' };
          return;
        case 'tool_arguments': {
          const call = choice.calls[event.call];
          if (call) call.json += event.json;
          return;
        }
        case 'finish':
          choice.reason = event.reason;
          choice.stop = event.stop;
      }
    },
    /** The reply's JSON. */
    render(usage: EngineUsage): string {
      const rendered = choices.map(
        (choice, index) =>
          `{"index":${index},"message":${message(choice)},"logprobs":${jsonBytes(choice.logprobs)},"finish_reason":"${choice.reason}","stop_reason":${jsonBytes(choice.stop)}}`,
      );
      return (
        `{"id":${jsonBytes(shape.id)},"object":"chat.completion","created":${shape.created},"model":${jsonBytes(shape.model)},` +
        `"choices":[${rendered.join(',')}],"usage":${jsonBytes(wireUsage(usage))},` +
        `"prompt_logprobs":${jsonBytes(promptLogprobs)},"service_tier":null,` +
        `"system_fingerprint":${jsonBytes(systemFingerprint)},"kv_transfer_params":null}`
      );
    },
  };
}
