import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { covers } from '../requirements.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { openStream, play, sse } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const model = (id: string, headers: Record<string, string> = {}) =>
  createOpenAICompatible({ name: 'studio', baseURL: `${house.base}/v1`, apiKey: house.key, headers })(id);
const prompt = '서울 날씨 알려줘';

/** A model server that calls the weather tool first and answers when it has the result. */
const weatherServer = () =>
  house.upstream.plays((call) =>
    play(
      call.json.messages.some(({ role }) => role === 'tool')
        ? { text: '서울은 맑음' }
        : { reasoning: '도구를 쓰자', tools: [{ id: 'call_a', name: 'weather', arguments: ['{"city":', '"서울"}'] }] },
    )(call),
  );
const asked: string[] = [];
const tools = {
  weather: tool({
    description: '날씨',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      asked.push(city);
      return Promise.resolve({ sky: '맑음' });
    },
  }),
};

test('reads a whole reply with its reasoning', async () => {
  covers('client.ai.plain');
  house.upstream.plays(play({ text: '안녕', reasoning: '인사' }));
  const { text, reasoningText, usage } = await generateText({ model: model('CORE-GOV-THINK'), prompt });
  expect({ text, reasoningText, total: usage.totalTokens }).toEqual({ text: '안녕', reasoningText: '인사', total: 18 });
});

test('reads a stream with its reasoning', async () => {
  covers('client.ai.stream');
  house.upstream.plays(play({ text: ['안', '녕'], reasoning: ['인', '사'] }));
  const result = streamText({ model: model('CORE-GOV-THINK'), prompt });
  expect(await result.text).toBe('안녕');
  expect(await result.reasoningText).toBe('인사');
  expect(await result.finishReason).toBe('stop');
});

test('does a tool loop, whole and streamed', async () => {
  covers('client.ai.tools');
  weatherServer();
  const whole = await generateText({ model: model('CORE-GOV-THINK'), prompt, tools, stopWhen: stepCountIs(3) });
  expect(whole.text).toBe('서울은 맑음');
  const streamed = streamText({
    model: model('CORE-GOV-THINK', { 'X-Tool-Stream': 'openai' }),
    prompt,
    tools,
    stopWhen: stepCountIs(3),
  });
  expect(await streamed.text).toBe('서울은 맑음');
  expect(asked).toEqual(['서울', '서울']);
});

test('gets failures as API call errors with their message', async () => {
  covers('client.ai.errors');
  const error = await generateText({ model: model('no-such-model'), prompt, maxRetries: 0 }).catch(
    (failure: unknown) => failure,
  );
  expect(APICallError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('no-such-model') as string });
});

test('stops the engine when it aborts', async () => {
  covers('client.ai.abort');
  house.upstream.plays((call) => {
    openStream(call).write(
      sse({
        id: 'x',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta: { content: '하나' }, finish_reason: null }],
      }),
    );
  });
  const arrived = house.upstream.next();
  const abort = new AbortController();
  const result = streamText({ model: model('CORE-GOV'), prompt, abortSignal: abort.signal, onError: () => undefined });
  const reading = (async () => {
    for await (const piece of result.textStream) if (piece === '하나') abort.abort();
  })().catch(() => undefined);
  await (
    await arrived
  ).aborted;
  await reading;
});
