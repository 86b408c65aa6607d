import { expect, test } from 'vitest';
import { bytesOfBody } from '../../../../test/support/encoded-body.ts';
import { type ChatBody, EngineError } from '../../../ports/engine.ts';
import type { Dialect } from './dialects.ts';
import { countsChats, createServerTokenizer } from './tokenizer.ts';

type Pages = Readonly<Record<string, (body: Record<string, unknown>) => unknown>>;

/** A tokenizer over the pages of a server, and what it was asked. */
function tokenizerOf(dialect: Dialect, pages: Pages) {
  const asked: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const tokenizer = createServerTokenizer({
    engineId: 'gpu/0',
    dialect: () => dialect,
    detect: () => Promise.resolve(),
    post(path, bytes) {
      const body = JSON.parse(bytesOfBody(bytes).toString('utf8')) as Record<string, unknown>;
      asked.push({ path, body });
      const page = pages[path];
      if (!page) return Promise.reject(new EngineError('unavailable', 'no page', { status: 404 }));
      return Promise.resolve(page(body));
    },
  });
  return { ...tokenizer, asked };
}

const chat = {
  encode: (edits: object) => JSON.stringify({ messages: [{ role: 'user', content: 'x' }], ...edits }),
} as unknown as ChatBody;
const common = { requestId: 'r', model: 'm', signal: new AbortController().signal };
const text = { ...common, prompt: { text: '안녕', special: true }, texts: true };

test('vLLM turns texts and chats into tokens, and back', async () => {
  const { tokenize, detokenize, asked } = tokenizerOf('vllm', {
    '/tokenize': ({ messages }) => ({
      count: messages ? 9 : 2,
      tokens: [1, 2],
      token_strs: ['안', '녕'],
      max_model_len: 10,
    }),
    '/detokenize': () => ({ prompt: '안녕' }),
  });
  expect(await tokenize(text)).toEqual({ count: 2, tokens: [1, 2], texts: ['안', '녕'] });
  expect(await tokenize({ ...common, prompt: { chat, edits: { stream: undefined } }, texts: false })).toMatchObject({
    count: 9,
  });
  expect(await detokenize({ ...common, tokens: [1, 2] })).toBe('안녕');
  expect(asked.map(({ path, body }) => [path, Object.keys(body)])).toEqual([
    ['/tokenize', ['model', 'prompt', 'add_special_tokens', 'return_token_strs']],
    ['/tokenize', ['messages', 'model']],
    ['/detokenize', ['model', 'tokens']],
  ]);
});

test('SGLang turns texts into tokens, and no chats', async () => {
  const { tokenize, detokenize } = tokenizerOf('sglang', {
    '/tokenize': () => ({ tokens: [1, 2, 3], count: 3, max_model_len: 10 }),
    '/detokenize': () => ({ text: '안녕' }),
  });
  expect(await tokenize(text)).toEqual({ count: 3, tokens: [1, 2, 3], texts: null });
  expect(await tokenize({ ...common, prompt: { chat, edits: {} }, texts: false })).toBeNull();
  expect(await detokenize({ ...common, tokens: [1] })).toBe('안녕');
});

test('llama.cpp turns a chat into its prompt first, and tells pieces that are no text as bytes', async () => {
  const { tokenize, detokenize, asked } = tokenizerOf('llama-server', {
    '/apply-template': () => ({ prompt: '<|user|>x' }),
    '/tokenize': ({ with_pieces: pieces }) => ({
      tokens:
        pieces === true
          ? [
              { id: 7, piece: '안' },
              { id: 8, piece: [0x41] },
            ]
          : [7, 8],
    }),
    '/detokenize': () => ({ content: '안A' }),
  });
  expect(await tokenize(text)).toEqual({ count: 2, tokens: [7, 8], texts: ['안', 'A'] });
  expect(await tokenize({ ...common, prompt: { chat, edits: {} }, texts: false })).toEqual({
    count: 2,
    tokens: [7, 8],
    texts: null,
  });
  expect(asked.at(-1)).toMatchObject({ path: '/tokenize', body: { content: '<|user|>x', add_special: true } });
  expect(asked.every(({ body }) => body['model'] === 'm')).toBe(true);
  expect(await detokenize({ ...common, tokens: [7] })).toBe('안A');
});

test('Text Generation Inference tells the tokens of texts and chats, with the special ones, and no way back', async () => {
  const simple = [
    { id: 7, text: '안', start: 0, stop: 1 },
    { id: 8, text: '녕', start: 1, stop: 2 },
  ];
  const { tokenize, detokenize, asked } = tokenizerOf('tgi', {
    '/chat_tokenize': () => ({ tokenize_response: simple, templated_text: '<|user|>x' }),
    '/tokenize': () => simple,
  });
  expect(await tokenize(text)).toEqual({ count: 2, tokens: [7, 8], texts: ['안', '녕'] });
  expect(await tokenize({ ...common, prompt: { chat, edits: {} }, texts: false })).toEqual({
    count: 2,
    tokens: [7, 8],
    texts: null,
  });
  expect(asked).toMatchObject([
    { path: '/tokenize', body: { inputs: '안녕' } },
    { path: '/chat_tokenize', body: { model: 'm', messages: [{ role: 'user', content: 'x' }] } },
  ]);
  expect(await tokenize({ ...text, prompt: { text: '안녕', special: false } })).toBeNull();
  expect(await detokenize({ ...common, tokens: [7] })).toBeNull();
});

test('a server without the pages, or of another kind, has no tokenizer', async () => {
  const missing = tokenizerOf('vllm', {});
  expect([await missing.tokenize(text), await missing.detokenize({ ...common, tokens: [1] })]).toEqual([null, null]);
  const other = tokenizerOf('unknown', {});
  expect([await other.tokenize(text), await other.detokenize({ ...common, tokens: [1] }), other.asked]).toEqual([
    null,
    null,
    [],
  ]);
  const odd = tokenizerOf('vllm', { '/tokenize': () => 'x', '/detokenize': () => null });
  expect([await odd.tokenize(text), await odd.detokenize({ ...common, tokens: [1] })]).toEqual([null, null]);
});

test('other failures are told', async () => {
  const { tokenize } = tokenizerOf('vllm', {
    '/tokenize': () => {
      throw new EngineError('unavailable', 'away', { status: 503 });
    },
  });
  await expect(tokenize(text)).rejects.toThrow('away');
});

test('chats are counted by those that have a page for them, and by no processes of our own, which know what is left', () => {
  const dialects: Dialect[] = [
    'vllm',
    'llama-server',
    'tgi',
    'sglang',
    'ollama',
    'lmstudio',
    'openai',
    'unknown',
    'llama-child',
  ];
  expect(dialects.filter(countsChats)).toEqual(['vllm', 'llama-server', 'tgi']);
});
