import { ReadableStream as NodeStream } from 'node:stream/web';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, emptyAnswer, sseData, streamChat, withChunk } from './chat-stream.ts';

const chunks = (...deltas: object[]): Answer =>
  deltas.reduce<Answer>((answer, delta, i) => withChunk(answer, { choices: [{ delta }] }, i), emptyAnswer);

test('reasoning comes under either name, and is not doubled where it comes under both', () => {
  const answer = chunks(
    { role: 'assistant', content: '' },
    { reasoning: '가', reasoning_content: '가' },
    { reasoning: '나' },
    { reasoning_content: '다' },
    { content: '답' },
  );
  expect(answer).toMatchObject({ reasoning: '가나다', content: '답', firstTokenMs: 1 });
});

test.each(reasoningKeys)('thinking under %s is read', (key) => {
  expect(chunks({ [key]: '음' }, { [key]: null }).reasoning).toBe('음');
});

test('calls of tools are put together from their parts', () => {
  const answer = chunks(
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"q":' } }] },
    { tool_calls: [{ index: 1, id: 'b', function: { name: 'count', arguments: '{}' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
  );
  expect(answer.toolCalls).toEqual([
    { id: 'a', name: 'look', arguments: '{"q":1}' },
    { id: 'b', name: 'count', arguments: '{}' },
  ]);
});

test('the last chunk tells of tokens', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 2 } };
  expect(withChunk(emptyAnswer, { choices: [], usage }, 9)).toMatchObject({
    promptTokens: 3,
    completionTokens: 5,
    reasoningTokens: 2,
    firstTokenMs: null,
  });
});

test.each([
  [{}, null],
  [{ 'x-model-fallback': 'vendor/%EB%AA%A8; reason=unavailable' }, 'vendor/모'],
])(
  'the reply with the headers %j names the model that answers in place of another as %j',
  async (headers, fallback) => {
    onTestFinished(() => void vi.unstubAllGlobals());
    const body = 'data: {"choices":[{"delta":{"content":"답"}}]}\n\ndata: [DONE]\n\n';
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { headers })));
    const seen: Answer[] = [];
    await streamChat({}, { signal: new AbortController().signal, onAnswer: (answer) => void seen.push(answer) });
    expect(seen).toMatchObject([{ content: '답', fallback }]);
  },
);

test('events are read whatever pieces they come in', async () => {
  const bytes = new TextEncoder().encode(': ping\n\ndata: {"a":"한글"}\n\ndata: [DONE]\n\n');
  for (let size = 1; size <= bytes.length; size++) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
    const seen: string[] = [];
    for await (const data of sseData(NodeStream.from(parts) as unknown as ReadableStream<Uint8Array>)) seen.push(data);
    expect(seen).toEqual(['{"a":"한글"}', '[DONE]']);
  }
});
