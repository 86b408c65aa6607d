import { describe, expect, test } from 'vitest';
import { prepareChat } from './chat-request.ts';
import type { ChatFormat } from './chat-format.ts';
import type { Vocabulary } from './tokens.ts';

/** What a request tells the template of thinking. */
function thinkingOf(fields: object): boolean | null | undefined {
  let told: boolean | null | undefined;
  const dialogue = {
    thinking: 'optional',
    render(request: Parameters<ChatFormat['render']>[0]) {
      told = request.thinking;
      return { prompt: 'x', literals: [], thinkingOpen: false, stops: [] };
    },
  } as unknown as ChatFormat;
  const vocabulary = { tokenize: () => Uint32Array.of(1) } as unknown as Vocabulary;
  prepareChat({ messages: [{ role: 'user', content: 'x' }], ...fields }, { dialogue, vocabulary, contextLength: 64 });
  return told;
}

describe('thinking', () => {
  test.each([
    [{}, null],
    [{ enable_thinking: true }, true],
    [{ enable_thinking: false }, false],
    [{ thinking: false }, false],
    [{ force_reasoning: true }, true],
    [{ skip_reasoning: true }, false],
    [{ force_reasoning: true, skip_reasoning: true }, true],
    [{ force_reasoning: false }, null],
    [{ skip_reasoning: false }, null],
    [{ enable_thinking: false, force_reasoning: true }, false],
  ])('asked for by %j', (kwargs, wanted) => {
    expect(thinkingOf({ chat_template_kwargs: kwargs })).toBe(wanted);
  });

  test('is off where no effort is wanted', () => {
    expect(thinkingOf({ reasoning_effort: 'none' })).toBe(false);
    expect(thinkingOf({ reasoning_effort: 'high' })).toBeNull();
  });
});
