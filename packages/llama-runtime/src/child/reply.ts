import { randomBytes } from 'node:crypto';
import type { ReasoningKey } from '@ai-studio/contract/chat/reasoning-keys.ts';
import type { ChoiceCounts, ChoiceEvent } from './choice.ts';
import type { Piece } from './chat-format.ts';
import type { LogprobEntry } from './logprobs.ts';

/** What all chunks of a reply, or the whole of it, begin with. */
export interface ReplyHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** The key of thinking. */
const REASONING: ReasoningKey = 'reasoning_content';

const ID_BYTES = 12;

export const newHead = (model: string): ReplyHead => ({
  id: `chatcmpl-${randomBytes(ID_BYTES).toString('hex')}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

const newCallId = () => `call_${randomBytes(ID_BYTES).toString('hex')}`;

/** `usage` of a reply. Source: OpenAI API reference; vLLM for the details. */
export const usageOf = (promptTokens: number, cachedTokens: number, counts: readonly ChoiceCounts[]) => {
  const completion = counts.reduce((sum, { completion }) => sum + completion, 0);
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completion,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: counts.reduce((sum, { reasoning }) => sum + reasoning, 0) },
  };
};
export type ReplyUsage = ReturnType<typeof usageOf>;

const logprobsOf = (entries: readonly LogprobEntry[]) => (entries.length === 0 ? null : { content: entries });

/** Pieces of a choice as the deltas of chunks; ids of tool calls are made here. */
function deltaOf(piece: Piece): Record<string, unknown> {
  switch (piece.type) {
    case 'content':
      return { content: piece.text };
    case 'reasoning':
      return { [REASONING]: piece.text };
    case 'tool_call': {
      const call = { name: piece.name, arguments: '' };
      return { tool_calls: [{ index: piece.call, id: newCallId(), type: 'function', function: call }] };
    }
    case 'tool_arguments':
      return { tool_calls: [{ index: piece.call, function: { arguments: piece.text } }] };
  }
}

/** Writes events as chunks of a stream, each a JSON text. */
export function chunkWriter(head: ReplyHead, write: (json: string) => void) {
  const send = (index: number, delta: object, logprobs: readonly LogprobEntry[], end: object) => {
    const choice = { index, delta, logprobs: logprobsOf(logprobs), finish_reason: null, ...end };
    write(JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [choice] }));
  };
  return {
    event(index: number, event: ChoiceEvent) {
      if (event.type === 'start') send(index, { role: 'assistant', content: '' }, [], {});
      else if (event.type === 'piece') send(index, deltaOf(event.piece), event.logprobs, {});
      else if (event.type === 'finish') {
        send(index, {}, event.logprobs, { finish_reason: event.reason, stop_reason: event.stop });
      }
    },
    usage: (usage: ReplyUsage) =>
      write(JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })),
  };
}

interface GatheredCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/** Gathers the events of one choice into its place in a whole reply. */
export function gatherChoice(index: number) {
  let content = '';
  let reasoning = '';
  const calls: GatheredCall[] = [];
  const logprobs: LogprobEntry[] = [];
  let end: { finish_reason: string; stop_reason: string | null } | null = null;

  const put = (piece: Piece) => {
    switch (piece.type) {
      case 'content':
        content += piece.text;
        break;
      case 'reasoning':
        reasoning += piece.text;
        break;
      case 'tool_call':
        calls[piece.call] = { id: newCallId(), name: piece.name, arguments: '' };
        break;
      case 'tool_arguments': {
        const call = calls[piece.call];
        if (call) call.arguments += piece.text;
      }
    }
  };

  return {
    event(event: ChoiceEvent) {
      if (event.type === 'piece') put(event.piece);
      if (event.type === 'finish') end = { finish_reason: event.reason, stop_reason: event.stop };
      if (event.type === 'piece' || event.type === 'finish') logprobs.push(...event.logprobs);
    },
    result: () => {
      const tool_calls = calls
        .filter((call) => call !== undefined)
        .map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }));
      const silent = content === '' && (tool_calls.length > 0 || reasoning !== '');
      return {
        index,
        message: {
          role: 'assistant',
          content: silent ? null : content,
          [REASONING]: reasoning === '' ? null : reasoning,
          tool_calls,
        },
        logprobs: logprobsOf(logprobs),
        ...end,
      };
    },
  };
}
