import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type House, openSharedHouse } from '../support/house.ts';
import { play } from '../support/upstream.ts';

// Frameworks in the mode that they choose by themselves, which is the Responses interface.

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const id = 'CORE-GOV-THINK';
const prompt = '서울 날씨 알려줘';
const reply = { text: ['서울은 ', '맑음'], reasoning: ['생', '각'] };

/** A model server that calls the weather tool first and answers when it has the result. */
const weatherServer = () =>
  house.upstream.plays((call) =>
    play(
      call.json.messages.some(({ role }) => role === 'tool')
        ? reply
        : { reasoning: '도구를 쓰자', tools: [{ id: 'call_a', name: 'weather', arguments: ['{"city":', '"서울"}'] }] },
    )(call),
  );
const City = z.object({ city: z.string() });
/** The messages of the call that had the result of the tool. */
const toldLast = () => house.upstream.calls.at(-1)?.json.messages ?? [];

describe('AI SDK', () => {
  const model = () => createOpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key })(id);
  const tools = {
    weather: tool({ description: '날씨', inputSchema: City, execute: ({ city }) => Promise.resolve(`${city}: 맑음`) }),
  };

  test('reads an answer, whole and streamed', async () => {
    house.upstream.plays(play(reply));
    expect((await generateText({ model: model(), prompt })).text).toBe('서울은 맑음');
    const stream = streamText({ model: model(), prompt });
    expect(await stream.text).toBe('서울은 맑음');
    expect((await stream.usage).totalTokens).toBe(18);
  });

  test.each([true, false])('does a tool loop, where the service keeps its answers: %s', async (store) => {
    weatherServer();
    const options = { model: model(), prompt, tools, stopWhen: stepCountIs(3), providerOptions: { openai: { store } } };
    expect((await generateText(options)).text).toBe('서울은 맑음');
    expect(await streamText(options).text).toBe('서울은 맑음');
    expect(toldLast()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_a', function: { name: 'weather' } }] },
      { role: 'tool', tool_call_id: 'call_a', content: '서울: 맑음' },
    ]);
  });
});

describe('LangChain', () => {
  const model = () =>
    new ChatOpenAI({
      model: id,
      apiKey: house.key,
      useResponsesApi: true,
      maxRetries: 0,
      configuration: { baseURL: `${house.base}/v1` },
    });

  test('reads an answer, whole and streamed', async () => {
    house.upstream.plays(play(reply));
    expect((await model().invoke(prompt)).text).toBe('서울은 맑음');
    let text = '';
    for await (const piece of await model().stream(prompt)) text += piece.text;
    expect(text).toBe('서울은 맑음');
  });

  test('is given a call of a tool', async () => {
    weatherServer();
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const bound = model().bindTools([{ type: 'function', function: { name: 'weather', parameters } }]);
    expect((await bound.invoke(prompt)).tool_calls).toMatchObject([
      { id: 'call_a', name: 'weather', args: { city: '서울' } },
    ]);
  });
});

describe('OpenAI Agents SDK', () => {
  const weather = agentTool({
    name: 'weather',
    description: '날씨',
    parameters: City,
    execute: ({ city }) => Promise.resolve(`${city}: 맑음`),
  });

  test('does a tool loop, whole and streamed', async () => {
    weatherServer();
    const provider = new OpenAIProvider({ baseURL: `${house.base}/v1`, apiKey: house.key, useResponses: true });
    const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
    const agent = new Agent({ name: '안내', instructions: '도구를 쓰세요', model: id, tools: [weather] });
    expect((await runner.run(agent, prompt)).finalOutput).toBe('서울은 맑음');
    const streamed = await runner.run(agent, prompt, { stream: true });
    await streamed.completed;
    expect(streamed.finalOutput).toBe('서울은 맑음');
    expect(toldLast().at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_a', content: '서울: 맑음' });
  });
});
