import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../models/catalogue.ts';
import { checkMedia } from './media.ts';
import { checkPolicy } from './policy.ts';

const catalogue = createCatalogue({ models: { m: { context_length: 256, images: true }, bare: { tools: false } } });
function check(fields: Partial<ChatRequest>, { id = 'm', mayFetch = false } = {}) {
  const model = catalogue.get(id);
  if (model?.kind !== 'chat') throw new Error(id);
  const request = { model: id, messages: [{ role: 'user' as const, content: 'Hi' }], ...fields };
  checkPolicy(request, model);
  return checkMedia(request, model, { mayFetchImages: mayFetch, isCut: () => false });
}
const refused = (param: string, message = '') =>
  expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(message) as string });

describe('an image', () => {
  const image = (url: string, mayFetch = false) =>
    check({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }, { mayFetch });
  const param = 'messages[0].content[0].image_url.url';
  const must = `${param} must be a data: URL of an image, such as data:image/png;base64,…`;

  test('in the body is taken, one by address where images are fetched', () => {
    expect(image('data:image/png;base64,AA==')).toEqual({ any: true, remote: false });
    expect(image('https://a.example/1.png', true)).toEqual({ any: true, remote: true });
    expect(check({})).toEqual({ any: false, remote: false });
  });

  test('may stand beside text, and a model that takes none is told which part it is', () => {
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } },
    ];
    expect(check({ messages: [{ role: 'user', content }] })).toEqual({ any: true, remote: false });
    expect(() => check({ messages: [{ role: 'user', content }] }, { id: 'bare' })).toThrow(
      refused('messages[0].content[1]', 'which the model bare does not take'),
    );
    expect(check({ messages: [{ role: 'user', content: content.slice(0, 1) }] }, { id: 'bare' })).toEqual({
      any: false,
      remote: false,
    });
  });

  test('by address is refused with the setting that would have it fetched, another with none', () => {
    const message = (url: string) => {
      try {
        image(url);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message('https://a.example/1.png')).toBe(`${must}; this service fetches no images (images.fetch)`);
    expect(message('file:///etc/passwd')).toBe(must);
    expect(() => image('file:///etc/passwd', true)).toThrow(refused(param));
  });
});

describe('limits of tokens', () => {
  test('leave one token of the context to the prompt', () => {
    expect(() => check({ max_tokens: 255 })).not.toThrow();
    expect(() => check({ max_tokens: 256 })).toThrow(refused('max_tokens', 'maximum context length is 256 tokens'));
    expect(() => check({ max_completion_tokens: 256 })).toThrow(refused('max_tokens'));
  });

  test('are no smaller than what is asked for at least', () => {
    expect(() => check({ min_tokens: 5, max_tokens: 5 })).not.toThrow();
    expect(() => check({ min_tokens: 6, max_tokens: 5 })).toThrow(refused('min_tokens'));
    expect(() => check({ min_tokens: 6 })).not.toThrow();
  });
});

describe('answers of tools', () => {
  const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } });
  const assistant = (...ids: readonly string[]) => ({
    role: 'assistant' as const,
    content: null,
    tool_calls: ids.map(call),
  });
  const tool = (id: string) => ({ role: 'tool' as const, tool_call_id: id, content: '1' });

  test('belong to the calls of the message before them, one to each', () => {
    expect(() => check({ messages: [assistant('a', 'b'), tool('b'), tool('a')] })).not.toThrow();
    expect(() => check({ messages: [assistant('a'), tool('a'), assistant('a'), tool('a')] })).not.toThrow();
    expect(() => check({ messages: [assistant('a'), tool('a'), tool('a')] })).toThrow(
      refused('messages[2].tool_call_id', 'has its answer already'),
    );
    const user = { role: 'user' as const, content: 'x' };
    expect(() => check({ messages: [assistant('a'), user, tool('a')] })).toThrow(
      refused('messages[2].tool_call_id', 'answers no tool call'),
    );
  });
});

describe('an assistant message', () => {
  test('has text, if only an empty one, or calls', () => {
    const said = (message: object) => () => check({ messages: [{ role: 'assistant', ...message }] });
    expect(said({ content: 'x' })).not.toThrow();
    expect(said({ content: '' })).not.toThrow();
    expect(said({ content: [{ type: 'text', text: 'x' }] })).not.toThrow();
    for (const none of [{}, { content: null }, { content: null, tool_calls: [] }, { tool_calls: null }])
      expect(said(none)).toThrow(refused('messages[0].content', 'required for an assistant message'));
    // Of other roles no text is asked for here.
    expect(() => check({ messages: [{ role: 'user' } as ChatRequest['messages'][number]] })).not.toThrow();
  });
});

describe('fields that need another', () => {
  const tools = [{ type: 'function' as const, function: { name: 'f' } }];

  test('are refused without it', () => {
    expect(() => check({ stream_options: { include_usage: true } })).toThrow(refused('stream_options'));
    expect(() => check({ stream_options: { include_usage: true }, stream: true })).not.toThrow();
    expect(() => check({ top_logprobs: 1 })).toThrow(refused('top_logprobs'));
    for (const fine of [{ top_logprobs: 0 }, { top_logprobs: 1, logprobs: true }])
      expect(() => check(fine)).not.toThrow();
    expect(() => check({ parallel_tool_calls: true })).toThrow(refused('parallel_tool_calls'));
    expect(() => check({ tool_choice: 'none' })).toThrow(refused('tool_choice'));
    expect(() => check({ tools, tool_choice: 'auto', parallel_tool_calls: true })).not.toThrow();
    expect(() => check({ tools }, { id: 'bare' })).toThrow(refused('tools'));
  });

  test('name one of the tools', () => {
    const choice = (name: string) => ({ tools, tool_choice: { type: 'function' as const, function: { name } } });
    expect(() => check(choice('f'))).not.toThrow();
    expect(() => check(choice('g'))).toThrow(refused('tool_choice.function.name', 'one of the tools: f'));
  });
});
