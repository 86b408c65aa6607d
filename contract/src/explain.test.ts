import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ChatRequest } from './chat/request.ts';
import { CompletionRequest } from './completions.ts';
import { Login, LoginCode } from './console/session.ts';
import { EmbeddingsRequest } from './embeddings.ts';
import { explain, suggestKnownFields } from './explain.ts';
import { NewCollection } from './retrieval/collection.ts';
import { SearchRequest } from './retrieval/search.ts';

const messages = [{ role: 'user', content: 'x' }];
const many = (count: number) => Array.from({ length: count }, () => 'a');

function explained(schema: z.ZodType, input: unknown) {
  const parsed = schema.safeParse(input, { error: suggestKnownFields });
  if (parsed.success) throw new Error('It is valid');
  return explain(parsed.error, input);
}

test('of a text that is too short the least length is told', () => {
  expect(explained(LoginCode, { code: '123' })).toMatchObject({
    param: 'code',
    message: 'code must have at least 6 characters',
  });
  expect(explained(Login, { email: '', password: 'x' })).toMatchObject({ message: 'email must not be empty' });
});

describe('of several forms the one of the kind of the value is explained', () => {
  test.each([
    [ChatRequest, { messages, stop: many(17) }, 'stop', 'stop must hold at most 16 strings'],
    [ChatRequest, { messages, stop: '' }, 'stop', 'stop must not be empty'],
    [ChatRequest, { messages, stop: ['a', 5] }, 'stop[1]', 'stop[1] must be a string, not a number'],
    [ChatRequest, { messages, stop: 5 }, 'stop', 'stop must be a string or an array'],
    [CompletionRequest, { prompt: 'x', stop: many(17) }, 'stop', 'stop must hold at most 16 strings'],
    [CompletionRequest, { prompt: many(65) }, 'prompt', 'prompt must hold at most 64 strings'],
    [EmbeddingsRequest, { input: many(2_049) }, 'input', 'input must hold at most 2048 strings'],
    [EmbeddingsRequest, { input: [] }, 'input', 'input must hold at least 1 element'],
    [EmbeddingsRequest, { input: 5 }, 'input', 'input must be a string or an array'],
    [EmbeddingsRequest, {}, 'input', 'input is required and must be a string or an array'],
    [
      ChatRequest,
      { messages: [{ role: 'user', content: [] }] },
      'messages[0].content',
      'messages[0].content must hold at least 1 element',
    ],
    [
      ChatRequest,
      { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
      'messages[0].content[0].text is required and must be a string',
    ],
    [
      ChatRequest,
      { messages, tool_choice: 'some' },
      'tool_choice',
      'tool_choice must be one of "auto", "none", "required" or an object',
    ],
    [
      ChatRequest,
      { messages, tool_choice: { type: 'function' } },
      'tool_choice.function',
      'tool_choice.function is required and must be an object',
    ],
  ])('%#', (schema, input, param, message) => {
    const found = explained(schema, input);
    expect(found).toEqual({ param, message });
  });
});

describe('a field that is not known is named, with the one that was meant', () => {
  const search = { query: 'x', collection_id: 'c' };
  test.each([
    [SearchRequest, { ...search, filter: {} }, 'filter', /; did you mean filters\?$/],
    [SearchRequest, { ...search, topk: 3 }, 'topk', /; did you mean top_k\?$/],
    [
      SearchRequest,
      { ...search, limit: 3 },
      'limit',
      /; known here: query, collection_id, .*highlight, .*query_expansion$/,
    ],
    [SearchRequest, { ...search, rerank: { topn: 3 } }, 'rerank.topn', /; did you mean top_n\?$/],
    [NewCollection, { name: 'x', search_config: { alhpa: 1 } }, 'search_config.alhpa', /; did you mean alpha\?$/],
  ])('%#', (schema, input, param, hint) => {
    const found = explained(schema, input);
    expect(found.param).toBe(param);
    expect(found.message).toMatch(hint);
    expect(found.message.startsWith(`${param} is not a known field; `)).toBe(true);
  });

  test('also where the one that was meant is missing', () => {
    expect(explained(SearchRequest, { ...search, query: undefined, querry: 'x' }).message).toBe(
      'querry is not a known field; did you mean query?',
    );
  });

  test('of any length', () => {
    expect(explained(SearchRequest, { ...search, ['x'.repeat(10_000)]: 1 }).param).toBe('x'.repeat(100));
  });
});
