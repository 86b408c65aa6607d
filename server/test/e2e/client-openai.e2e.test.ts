import OpenAI from 'openai';
import OpenAIv6 from 'openai-v6';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { answer, openStream, play, sse } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const clients = [
  ['openai', OpenAI],
  ['openai, the major before', OpenAIv6 as unknown as typeof OpenAI],
] as const;

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: '도시의 날씨',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;
const messages = [{ role: 'user' as const, content: '서울 날씨 알려줘' }];

describe.each(clients)('%s', (_name, Client) => {
  const open = (options: { maxRetries?: number; apiKey?: string } = {}) =>
    new Client({ baseURL: `${house.base}/api/v1`, apiKey: house.key, maxRetries: 0, ...options });

  test('reads a whole reply', async () => {
    covers('client.openai.plain');
    house.upstream.plays(play({ text: '안녕하세요', reasoning: '인사' }));
    const reply = await open().chat.completions.create({ model: 'CORE-GOV-THINK', messages });
    expect(reply.choices[0]?.message).toMatchObject({
      role: 'assistant',
      content: '안녕하세요',
      reasoning_content: '인사',
    });
    expect(reply.usage?.total_tokens).toBe(18);
    const models = await open().models.list();
    expect(models.data.map(({ id }) => id)).toContain('vendor/gpt-oss-120b');
    expect((await open().models.retrieve('CORE-GOV')).id).toBe('CORE-GOV');
  });

  test('reads a stream with reasoning and usage', async () => {
    covers('client.openai.stream');
    house.upstream.plays(play({ text: ['안녕', '하세요'], reasoning: ['인', '사'] }));
    const stream = await open().chat.completions.create({
      model: 'K-Large-236B',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let thinking = '';
    let total: number | undefined;
    let finish: string | null | undefined;
    for await (const chunk of stream) {
      const [choice] = chunk.choices;
      text += choice?.delta.content ?? '';
      thinking += (choice?.delta as { reasoning?: string } | undefined)?.reasoning ?? '';
      finish = choice?.finish_reason ?? finish;
      total = chunk.usage?.total_tokens ?? total;
    }
    expect({ text, thinking, finish, total }).toEqual({
      text: '안녕하세요',
      thinking: '인사',
      finish: 'stop',
      total: 18,
    });
  });

  test('does a tool loop over two turns, whole', async () => {
    covers('client.openai.tools');
    house.upstream.plays(
      play({
        reasoning: '도구가 필요하다',
        tools: [{ id: 'call_a', name: 'get_weather', arguments: '{"city":"서울"}' }],
      }),
    );
    const first = await open().chat.completions.create({ model: 'CORE-GOV-THINK', messages, tools: [weather] });
    const message = first.choices[0]?.message;
    expect(message).toMatchObject({
      content: null,
      tool_calls: [{ id: 'call_a', function: { name: 'get_weather', arguments: '{"city":"서울"}' } }],
    });
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    house.upstream.reset();
    house.upstream.plays(play({ text: '맑습니다' }));
    const second = await open().chat.completions.create({
      model: 'CORE-GOV-THINK',
      messages: [...messages, message!, { role: 'tool', tool_call_id: 'call_a', content: '{"sky":"맑음"}' }],
      tools: [weather],
    });
    expect(second.choices[0]?.message.content).toBe('맑습니다');
    const sent = house.upstream.one();
    expect(sent.text).not.toContain('도구가 필요하다');
    expect(sent.json.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_a' }] },
      { role: 'tool', tool_call_id: 'call_a' },
    ]);
  });

  test('joins a streamed tool call of the model that leaves the name out, when it asks for the usual form', async () => {
    covers('client.openai.tools');
    house.upstream.plays(play({ tools: [{ id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"서울"}'] }] }));
    const runner = open().chat.completions.stream(
      { model: 'CORE-GOV-THINK', messages, tools: [weather] },
      { headers: { 'X-Tool-Stream': 'openai' } },
    );
    const reply = await runner.finalChatCompletion();
    expect(reply.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"서울"}' } },
    ]);
  });

  test('gets failures as its own error classes', async () => {
    covers('client.openai.errors', 'chat.request.context.overflow.code');
    const wrong = await open()
      .chat.completions.create({ model: 'CORE-GOV', messages, temperature: 9 })
      .catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(Client.BadRequestError);
    expect(wrong).toMatchObject({ status: 400, code: '400', param: 'temperature', type: 'invalid_request_error' });
    const said = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    house.upstream.plays(answer(400, { error: { message: said, type: 'BadRequestError', param: null, code: 400 } }));
    // Programs shorten what they send by this code, or by the words.
    const tooLong = { status: 400, code: 'context_length_exceeded', param: 'messages', type: 'invalid_request_error' };
    for (const stream of [false, true])
      await expect(open().chat.completions.create({ model: 'CORE-GOV', messages, stream })).rejects.toMatchObject({
        ...tooLong,
        message: expect.stringContaining('maximum context length is 4096 tokens') as string,
      });
    await expect(open().completions.create({ model: 'CORE-GOV', prompt: 'x' })).rejects.toMatchObject({
      ...tooLong,
      param: 'prompt',
    });
    const stranger = await open({ apiKey: 'not-a-key-at-all' })
      .models.list()
      .catch((error: unknown) => error);
    expect(stranger).toBeInstanceOf(Client.AuthenticationError);
    house.upstream.plays((call) => {
      openStream(call).end(
        sse({
          id: 'x',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ index: 0, delta: { content: '반' }, finish_reason: null }],
        }),
      );
    });
    const cut = (async () => {
      const stream = await open().chat.completions.create({ model: 'CORE-GOV', messages, stream: true });
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    })();
    await expect(cut).rejects.toBeInstanceOf(Client.APIError);
  });

  test('tries again after the time that an overloaded server asks for', async () => {
    covers('client.openai.retry');
    const busy = answer(
      429,
      { error: { message: 'busy', type: 'rate_limit_error', param: null, code: 429 } },
      { 'retry-after': '2' },
    );
    let calls = 0;
    house.upstream.plays((call) => (calls++ === 0 ? busy : play({ text: '이제' }))(call));
    const reply = await open({ maxRetries: 2 }).chat.completions.create({ model: 'CORE-GOV', messages });
    expect(reply.choices[0]?.message.content).toBe('이제');
    expect(calls).toBe(2);
  });

  test('stops the engine when it aborts', async () => {
    covers('client.openai.abort');
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
    const stream = await open().chat.completions.create({ model: 'CORE-GOV', messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === '하나') break;
    stream.controller.abort();
    await (
      await arrived
    ).aborted;
  });
});
