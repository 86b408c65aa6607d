import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic, { type APIError } from '@anthropic-ai/sdk';
import type { Message, MessageCreateParams, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { covers } from '../requirements.ts';
import { makeKey, studio, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { answer, eventsOf, openStream, play, type ReplyScript } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const model = 'CORE-GOV-THINK';
const client = (options: Record<string, unknown> = {}) =>
  new Anthropic({ baseURL: house.base, apiKey: house.key, maxRetries: 0, ...options });
type Body = Partial<MessageCreateParams> & Record<string, unknown>;
const bodyOf = (more: Body) => ({ model, max_tokens: 1024, messages: [{ role: 'user', content: 'x' }], ...more });
const ask = (more: Body = {}): Promise<Message> =>
  client().messages.create({ ...bodyOf(more), stream: false } as MessageCreateParams & { stream: false });
const streamed = async (more: Body = {}): Promise<RawMessageStreamEvent[]> => {
  const events: RawMessageStreamEvent[] = [];
  const stream = await client().messages.create({ ...bodyOf(more), stream: true } as MessageCreateParams & {
    stream: true;
  });
  for await (const event of stream) events.push(event);
  return events;
};
const raw = (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) =>
  fetch(`${house.base}${path}`, { method: 'POST', ...init });
const post = (body: unknown, headers: Record<string, string> = { 'x-api-key': house.key }, path = '/v1/messages') =>
  raw(path, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

const weather = {
  name: 'get_weather',
  description: '도시의 날씨',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
};
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What holds of every stream. */
function checkOrder(events: readonly RawMessageStreamEvent[]): void {
  const names = events.map(({ type }) => type);
  expect(names[0]).toBe('message_start');
  expect(names.slice(-2)).toEqual(['message_delta', 'message_stop']);
  let open: number | null = null;
  let next = 0;
  for (const event of events) {
    if (event.type === 'content_block_start') {
      expect(open).toBeNull();
      expect(event.index).toBe(next);
      open = next++;
    } else if (event.type === 'content_block_delta') expect(event.index).toBe(open);
    else if (event.type === 'content_block_stop') {
      expect(event.index).toBe(open);
      open = null;
    }
  }
  expect(open).toBeNull();
}

describe('the SDK of Anthropic', () => {
  test('tells the conversation that its caller names to the model server', async () => {
    covers('messages.reply.whole');
    await post(bodyOf({}), { 'x-api-key': house.key, 'x-session-id': 'chat-17' });
    expect(house.upstream.one().headers['x-session-id']).toBe('chat-17');
  });

  test('reads a whole answer with its thinking', async () => {
    covers('messages.reply.whole', 'messages.reply.usage', 'messages.thinking.blocks');
    house.upstream.plays(
      play({
        text: ['안녕', '하"세요'],
        reasoning: '인사',
        usage: {
          prompt_tokens: 11,
          completion_tokens: 7,
          total_tokens: 18,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      }),
    );
    const message = await ask({ system: '짧게' });
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
      type: 'message',
      role: 'assistant',
      model,
      content: [
        { type: 'thinking', thinking: '인사', signature: expect.any(String) as string },
        { type: 'text', text: '안녕하"세요' },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 7, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 7 },
    });
    expect(house.upstream.one().json.messages).toEqual([
      { role: 'system', content: '짧게' },
      { role: 'user', content: 'x' },
    ]);
  });

  test('reads a stream, event by event', async () => {
    covers('messages.stream.order', 'messages.stream.deltas', 'messages.stream.usage');
    house.upstream.plays(play({ text: ['안녕', '하"세요'], reasoning: ['인', '사'] }));
    const events = await streamed();
    checkOrder(events);
    expect([
      ...new Set(events.map((event) => ('delta' in event && 'type' in event.delta ? event.delta.type : event.type))),
    ]).toEqual([
      'message_start',
      'content_block_start',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
      'text_delta',
      'message_delta',
      'message_stop',
    ]);
    const [start] = events;
    expect(start?.type === 'message_start' && start.message).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: expect.any(Number) as number, output_tokens: 0 },
    });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 11, output_tokens: 7 },
    });
  });

  test('gathers the same from a stream as from a whole answer', async () => {
    const script: ReplyScript = {
      text: ['알아', '볼게요'],
      reasoning: ['도', '구'],
      tools: [
        { id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"서울"}'] },
        { id: 'functions.get_weather:1', name: 'get_weather', arguments: [] },
      ],
    };
    house.upstream.plays(play(script));
    const whole = await ask({ tools: [weather] });
    const gathered = await client()
      .messages.stream(bodyOf({ tools: [weather] }) as MessageCreateParams)
      .finalMessage();
    const blocks = [
      { type: 'thinking', thinking: '도구' },
      { type: 'text', text: '알아볼게요' },
      { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: '서울' } },
      { type: 'tool_use', id: 'functions_get_weather_1', input: {} },
    ];
    expect(whole.content).toMatchObject(blocks);
    expect(gathered.content).toMatchObject(blocks);
    expect([whole.stop_reason, gathered.stop_reason]).toEqual(['tool_use', 'tool_use']);
    expect(gathered.usage).toMatchObject(whole.usage);
  });

  test('does a round of tools, whose results are text, images, documents and failures', async () => {
    covers('messages.tools.call', 'messages.tools.results', 'messages.thinking.returned', 'messages.request.turns');
    house.upstream.plays(
      play({
        reasoning: 'a',
        tools: ['call_a', 'call_b', 'call_c', 'call_d'].map((id) => ({
          id,
          name: 'get_weather',
          arguments: '{"city":"서울"}',
        })),
      }),
    );
    const vlm = { model: 'CORE-GOV-VLM', tools: [weather] };
    const first = await ask(vlm);
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls).toHaveLength(4);
    house.upstream.plays(play({ text: '맑아요' }));
    await ask({
      ...vlm,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'sealed' }, ...first.content] },
        {
          role: 'user',
          content: [
            { type: 'text', text: '결과야' },
            { type: 'tool_result', tool_use_id: 'call_a', content: '맑음' },
            {
              type: 'tool_result',
              tool_use_id: 'call_b',
              content: [
                { type: 'text', text: '지도' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'call_c', is_error: true, content: '없는 도시' },
            { type: 'tool_result', tool_use_id: 'call_d' },
          ],
        },
        { role: 'user', content: '어때?' },
      ],
    });
    const told = house.upstream.calls.at(-1)?.json.messages ?? [];
    expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'tool', 'user']);
    expect(told[1]).toMatchObject({
      tool_calls: [{ id: 'call_a' }, { id: 'call_b' }, { id: 'call_c' }, { id: 'call_d' }],
    });
    expect(told.slice(2, 6)).toMatchObject([
      { tool_call_id: 'call_a', content: '맑음' },
      { tool_call_id: 'call_b', content: '지도\n\n[An image, which follows]' },
      { tool_call_id: 'call_c', content: 'The tool failed: 없는 도시' },
      { tool_call_id: 'call_d', content: '' },
    ]);
    expect(told[6]).toMatchObject({
      content: [
        { type: 'text', text: 'Image of the result of call_b:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'text', text: '결과야' },
        { type: 'text', text: '어때?' },
      ],
    });
  });

  test('runs tools by its own runner', async () => {
    covers('messages.request.refused');
    house.upstream.plays((call) =>
      play(
        call.json.messages.some(({ role }) => role === 'tool')
          ? { text: '서울은 맑음' }
          : { tools: [{ id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"서울"}'] }] },
      )(call),
    );
    const asked: unknown[] = [];
    const run = (input: unknown) => {
      asked.push(input);
      return '맑음';
    };
    const runner = client().beta.messages.toolRunner({
      model,
      max_tokens: 1024,
      messages: [{ role: 'user', content: '날씨?' }],
      tools: [{ ...weather, type: 'custom', run, parse: (input: unknown) => input }],
    });
    const last = await runner;
    expect(last.content).toMatchObject([{ type: 'text', text: '서울은 맑음' }]);
    expect(asked).toEqual([{ city: '서울' }]);
    // Its thread was refused by name, so that it sends the whole conversation.
    expect(house.upstream.calls.map(({ json }) => json.messages.length)).toEqual([1, 3]);
  });

  test('counts tokens by the tokenizer of the server, and estimates where it has none', async () => {
    covers('messages.count');
    const count = { model, system: '짧게', messages: [{ role: 'user' as const, content: 'a'.repeat(40) }] };
    const { input_tokens: counted } = await client().messages.countTokens(count);
    expect(counted).toBe(23);
    expect(house.upstream.counted).toBe(1);
    house.upstream.restart({ tokenizer: false });
    const { input_tokens: estimated } = await client().messages.countTokens(count);
    expect(estimated).toBeGreaterThan(5);
    expect(estimated).toBeLessThan(200);
    expect(house.upstream.calls).toEqual([]);
  });

  test('knows failures by their classes', async () => {
    covers('messages.errors.form', 'messages.errors.statuses', 'messages.request-id');
    const failure = async (more: Body, options: Record<string, unknown> = {}): Promise<APIError> =>
      client(options)
        .messages.create(bodyOf(more) as MessageCreateParams)
        .then(
          () => expect.fail('it was answered'),
          (error: unknown) => error as APIError,
        );
    const wrongKey = await failure({}, { apiKey: 'aist_wrong' });
    expect(wrongKey).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(wrongKey.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    expect(wrongKey.requestID).toMatch(/^[0-9a-f]{32}$/);
    expect((wrongKey.error as { request_id: string }).request_id).toBe(wrongKey.requestID);
    const unknown = await failure({ model: 'claude-opus-5-5' });
    expect(unknown).toBeInstanceOf(Anthropic.NotFoundError);
    expect(unknown.error).toMatchObject({
      error: { type: 'not_found_error', message: expect.stringContaining('CORE-GOV') as string },
    });
    const invalid = await failure({ temperature: 7 });
    expect(invalid).toBeInstanceOf(Anthropic.BadRequestError);
    const forbidden = await failure({}, { defaultHeaders: { 'X-Tenant-Id': 'f'.repeat(32) } });
    expect(forbidden).toBeInstanceOf(Anthropic.PermissionDeniedError);
    expect(forbidden.error).toMatchObject({ error: { type: 'permission_error' } });
    house.upstream.plays(({ response }) => void response.writeHead(400).end('{"error":{"message":"no such thing"}}'));
    expect((await failure({})).error).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining('no such thing') as string },
    });
    const said = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    house.upstream.plays(answer(400, { error: { message: said, type: 'BadRequestError', param: null, code: 400 } }));
    // By these words clients know that the conversation is to be made shorter.
    expect((await failure({})).error).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(/^prompt is too long: .* 4096 tokens/) as string,
      },
    });
    house.upstream.plays(answer(429, {}, { 'retry-after': '2' }));
    const limited = await failure({});
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect(limited.headers?.get('retry-after')).toBe('2');
    house.upstream.plays(answer(200, 'this is no JSON'));
    expect([500, 529]).toContain((await failure({})).status);
    const large = await failure({ messages: [{ role: 'user', content: 'x'.repeat(17 * 1024 * 1024) }] });
    expect([large.status, (large.error as { error: { type: string } }).error.type]).toEqual([413, 'request_too_large']);
  });

  test('accepts any version and any beta', async () => {
    covers('messages.headers');
    const headers = { 'anthropic-version': '2099-01-01', 'anthropic-beta': 'interleaved-thinking-2025-05-14,new' };
    const { response } = await client()
      .messages.create(bodyOf({}) as MessageCreateParams, { headers })
      .withResponse();
    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
  });
});

describe('the AI SDK', () => {
  const open = () => createAnthropic({ baseURL: `${house.base}/v1`, apiKey: house.key })(model);
  const tools = {
    get_weather: tool({
      description: '날씨',
      inputSchema: z.object({ city: z.string() }),
      execute: () => Promise.resolve('맑음'),
    }),
  };
  const weatherServer = () =>
    house.upstream.plays((call) =>
      play(
        call.json.messages.some(({ role }) => role === 'tool')
          ? { text: '서울은 맑음' }
          : { reasoning: '도구', tools: [{ id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"서울"}'] }] },
      )(call),
    );

  test('reads an answer with thinking, whole and streamed', async () => {
    house.upstream.plays(play({ text: ['안', '녕'], reasoning: ['인', '사'] }));
    const whole = await generateText({ model: open(), prompt: 'x' });
    expect([whole.text, whole.reasoningText, whole.finishReason]).toEqual(['안녕', '인사', 'stop']);
    const stream = streamText({ model: open(), prompt: 'x' });
    expect(await stream.text).toBe('안녕');
    expect(await stream.reasoningText).toBe('인사');
    expect((await stream.usage).totalTokens).toBe(18);
  });

  test('does a tool loop, whole and streamed', async () => {
    weatherServer();
    const settings = { model: open(), prompt: '날씨?', tools, stopWhen: stepCountIs(3) };
    expect((await generateText(settings)).text).toBe('서울은 맑음');
    expect(await streamText(settings).text).toBe('서울은 맑음');
    expect(house.upstream.calls.at(-1)?.json.messages.at(-1)).toMatchObject({ role: 'tool', content: '맑음' });
  });
});

describe('what reaches the model', () => {
  const chat = () => house.upstream.calls.at(-1)?.json;

  test.each<[string, Body, Record<string, unknown>]>([
    [
      'a system of several texts',
      {
        system: [
          { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'b' },
        ],
      },
      {
        messages: [
          { role: 'system', content: 'a\n\nb' },
          { role: 'user', content: 'x' },
        ],
      },
    ],
    [
      'sampling',
      {
        temperature: 0.3,
        top_p: 0.9,
        top_k: 40,
        stop_sequences: ['그만'],
        max_tokens: 64,
        metadata: { user_id: 'u-1' },
      },
      { temperature: 0.3, top_p: 0.9, top_k: 40, stop: ['그만'], max_tokens: 64, user: 'u-1' },
    ],
    ['more tokens than there are', { max_tokens: 200_000 }, { stream: true }],
    [
      'a beginning of the answer',
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: '{"a":' },
        ],
      },
      {
        messages: [{ role: 'user' }, { role: 'assistant', content: '{"a":' }],
        continue_final_message: true,
        add_generation_prompt: false,
      },
    ],
    [
      'a schema',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      { response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } },
    ],
    [
      'a schema at its older place',
      { output_format: { type: 'json_schema', schema: { type: 'object' } } },
      { response_format: { type: 'json_schema' } },
    ],
    [
      'a choice of tools',
      { tools: [weather], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      {
        tools: [
          {
            type: 'function',
            function: { name: 'get_weather', description: '도시의 날씨', parameters: weather.input_schema },
          },
        ],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
    ],
    [
      'one tool',
      { tools: [weather], tool_choice: { type: 'tool', name: 'get_weather' } },
      { tool_choice: { type: 'function', function: { name: 'get_weather' } } },
    ],
    ['any tool', { tools: [weather], tool_choice: { type: 'auto' } }, { tool_choice: 'auto' }],
    ['no tool', { tools: [weather], tool_choice: { type: 'none' } }, { tool_choice: 'none' }],
    ['no thinking', { thinking: { type: 'disabled' } }, { chat_template_kwargs: { skip_reasoning: true } }],
    ['thinking', { thinking: { type: 'adaptive' } }, { chat_template_kwargs: { force_reasoning: true } }],
    [
      'thinking with a budget',
      { model: 'vendor/gpt-oss-120b', max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 8000 } },
      { reasoning_effort: 'medium' },
    ],
    [
      'effort',
      { model: 'vendor/gpt-oss-120b', thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { reasoning_effort: 'high' },
    ],
    [
      'rules in the middle',
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y' },
          { role: 'system', content: 'z' },
          { role: 'user', content: '?' },
        ] as never,
      },
      { messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'system', content: 'z' }, { role: 'user' }] },
    ],
  ])('%s', async (_name, more, expected) => {
    covers(
      'messages.request.system',
      'messages.request.sampling',
      'messages.request.max-tokens',
      'messages.request.prefill',
      'messages.request.format',
      'messages.tools.choice',
      'messages.thinking.config',
    );
    await streamed(more);
    expect(chat()).toMatchObject(expected);
  });

  test('images, in base64', async () => {
    covers('messages.request.images');
    await ask({
      model: 'CORE-GOV-VLM',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            { type: 'text', text: '?' },
          ],
        },
      ],
    });
    expect(chat()?.messages[0]?.content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { type: 'text', text: '?' },
    ]);
  });

  test('documents as text, with title and context', async () => {
    covers('messages.request.documents', 'messages.request.passages');
    const file = Buffer.from('이름,나이\n홍길동,42\n').toString('base64');
    await ask({
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: '명단.csv',
              context: '직원',
              source: { type: 'base64', media_type: 'text/csv', data: file },
            },
            { type: 'document', title: '메모', source: { type: 'text', media_type: 'text/plain', data: '내일' } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: '조각' }] } },
            {
              type: 'search_result',
              title: '규정',
              source: 'https://example.kr',
              content: [{ type: 'text', text: '15일' }],
            },
          ] as never,
        },
      ],
    });
    const parts = chat()?.messages[0]?.content as { text: string }[] | undefined;
    const told = (parts ?? []).map(({ text }) => text);
    expect(told[0]).toMatch(/^명단\.csv:\n\n직원\n\n[^]*홍길동[^]*42/);
    expect(told.slice(1)).toEqual(['메모:\n\n내일', 'document:\n\n', '조각', '규정 (https://example.kr):\n\n15일']);
  });

  test('documents by the id of an uploaded file, of the own tenant', async () => {
    covers('messages.request.documents');
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new Blob(['이름,나이\n홍길동,42\n']), '명단.csv');
    const headers = { authorization: `Bearer ${house.key}` };
    const uploaded = await fetch(`${house.base}/v1/files`, { method: 'POST', headers, body: form });
    const { id } = (await uploaded.json()) as { readonly id: string };
    const document = (fileId: string) => ({ type: 'document', source: { type: 'file', file_id: fileId } });
    const byId = (fileId: string) => bodyOf({ messages: [{ role: 'user', content: [document(fileId)] }] as never });
    expect((await post(byId(id))).status).toBe(200);
    expect(JSON.stringify(chat()?.messages)).toMatch(/명단\.csv:[^]*홍길동/);
    const unknown = await post(byId(`file-${'0'.repeat(32)}`));
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      {
        error: {
          message: expect.stringContaining('messages[0].content[0].source.file_id: there is no file') as string,
        },
      },
    ]);
  });

  test('a request is counted before its documents are read', async () => {
    covers('messages.request.documents');
    const { value } = await makeKey(house, { requestsPerMinute: 1 });
    const data = Buffer.from('%PDF-1.7 broken').toString('base64');
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
    const body = bodyOf({ messages: [{ role: 'user', content: [document] }] as never });
    const statuses = [];
    for (let at = 0; at < 2; at++) statuses.push((await post(body, { 'x-api-key': value })).status);
    // Whoever reads it finds it broken.
    expect(statuses).toEqual([422, 429]);
  });

  test('thinking is told as sealed alone where its text is not wanted', async () => {
    covers('messages.thinking.blocks');
    house.upstream.plays(play({ text: 'Hi', reasoning: ['a secret', ' thought'] }));
    const thinking = { type: 'adaptive', display: 'omitted' };
    const whole = await ask({ thinking } as never);
    const events = await streamed({ thinking } as never);
    checkOrder(events);
    expect(JSON.stringify([whole, events])).not.toContain('secret');
    const [block] = whole.content;
    expect(block?.type === 'thinking' && block.thinking === '' && block.signature.length).toBeGreaterThan(10);
  });
});

test.each<[ReplyScript, Body, Partial<Message>]>([
  [
    { text: 'x', finish: 'length', usage: { prompt_tokens: 5, completion_tokens: 64, total_tokens: 69 } },
    { max_tokens: 64 },
    { stop_reason: 'max_tokens' },
  ],
  [
    { text: 'x', finish: 'length', usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } },
    { max_tokens: 64 },
    { stop_reason: 'model_context_window_exceeded' },
  ],
  [{ text: 'x', stop: '그만' }, { stop_sequences: ['그만'] }, { stop_reason: 'stop_sequence', stop_sequence: '그만' }],
  [{ text: 'x', finish: 'content_filter' }, {}, { stop_reason: 'refusal', stop_sequence: null }],
])('says why it ended: %j', async (script, more, expected) => {
  covers('messages.reply.stop-reasons');
  house.upstream.plays(play(script));
  expect(await ask(more)).toMatchObject(expected);
  expect((await streamed(more)).at(-2)).toMatchObject({ delta: expected });
});

test('a failure in the middle of a stream is its last event', async () => {
  covers('messages.stream.error', 'messages.stream.ping');
  house.upstream.plays((call) => {
    const events = eventsOf(call, { text: ['안', '녕'] });
    openStream(call).write(events.slice(0, 2).join(''));
    call.response.end();
  });
  const response = await post(bodyOf({ stream: true }));
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events = (await response.text())
    .trim()
    .split('\n\n')
    .map((event) => event.split('\n'));
  const names = events.map(([name]) => name);
  expect(names).toEqual([
    'event: message_start',
    'event: ping',
    'event: content_block_start',
    'event: content_block_delta',
    'event: error',
  ]);
  expect(JSON.parse(events.at(-1)?.[1]?.slice('data: '.length) ?? '')).toMatchObject({
    type: 'error',
    error: { type: expect.stringMatching(/^(?:overloaded|api)_error$/) as string },
    request_id: response.headers.get('request-id'),
  });
});

test('unknown fields are ignored, and named', async () => {
  covers('messages.request.unknown-fields');
  const response = await post(bodyOf({ context_management: { edits: [] }, inference_geo: 'kr' }));
  expect([response.status, response.headers.get('x-ignored-fields')]).toEqual([
    200,
    'context_management, inference_geo',
  ]);
});

test.each<[Record<string, unknown>, string]>([
  [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type "web_search_20250305"'],
  [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type "bash_20250124"'],
  [{ mcp_servers: [{ type: 'url', url: 'https://x.kr', name: 'x' }] }, 'mcp_servers'],
  [{ container: 'c' }, 'container'],
  [
    { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'x' }] }] },
    'messages[0].content[0].type "container_upload"',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'x' } }] }] },
    'messages[0].content[0].source',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://x.kr' } }] }] },
    'messages[0].content[0].source',
  ],
])('refuses what is not there: %j', async (more, named) => {
  covers('messages.request.refused');
  const response = await post(bodyOf(more));
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining(named) as string } },
  ]);
  expect(house.upstream.calls).toEqual([]);
});

test.each<[Record<string, unknown>, string]>([
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ max_tokens: undefined }, 'max_tokens'],
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  [{ temperature: 1.5 }, 'temperature'],
  [{ thinking: { type: 'enabled', budget_tokens: 100 } }, 'thinking.budget_tokens'],
  [
    { thinking: { type: 'enabled', budget_tokens: 2048 } },
    'thinking.budget_tokens (2048) must be less than max_tokens',
  ],
  [{ tool_choice: { type: 'any' } }, 'tool_choice'],
  [{ tools: [weather, weather] }, 'tools[1].name'],
  [{ tools: [weather], tool_choice: { type: 'tool', name: 'other' } }, 'tool_choice.name'],
  [
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'tool_result', tool_use_id: 'none', content: 'x' },
          ],
        },
      ],
    },
    'messages[0].content[1].tool_use_id',
  ],
  [
    {
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
        },
      ],
    },
    'messages[0].content[0].type',
  ],
  [
    {
      model: 'CORE-GOV',
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }] },
      ],
    },
    'messages[0].content',
  ],
  [
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjcgY3V0' } },
          ],
        },
      ],
    },
    'messages[0].content[0].source.data',
  ],
])('is told what is wrong with %j', async (more, named) => {
  covers('messages.request.invalid');
  const response = await post(bodyOf(more));
  const body = (await response.json()) as { error: { message: string } };
  expect(body.error.message).toContain(named);
  expect([400, 422]).toContain(response.status);
  expect(house.upstream.calls).toEqual([]);
});

test('the key of x-api-key opens Messages alone, beside no other key', async () => {
  covers('messages.key.header');
  const bearer = { Authorization: `Bearer ${house.key}` };
  const key = { 'x-api-key': house.key };
  const status = async (headers: Record<string, string>, path = '/v1/messages') =>
    (await post(bodyOf({}), headers, path)).status;
  expect(await status(key)).toBe(200);
  expect(await status(key, '/api/v1/messages')).toBe(200);
  expect(await status(key, '/v1/messages/')).toBe(200);
  expect(await status(bearer)).toBe(200);
  expect(await status({ ...bearer, ...key })).toBe(200);
  expect(await status({ ...bearer, 'x-api-key': 'aist_other' })).toBe(401);
  expect(await status({ ...key, Authorization: 'Bearer aist_other' })).toBe(401);
  expect(await status({ ...key, Authorization: 'Basic eDp5' })).toBe(401);
  expect(await status({ 'x-api-key': `${house.key}, ${house.key}` })).toBe(401);
  expect(await status({})).toBe(401);
  expect(await status({ Cookie: `x-api-key=${house.key}` })).toBe(401);
  expect(await status(key, `/v1/messages?x-api-key=${house.key}`)).toBe(200);
  expect(await status({}, `/v1/messages?x-api-key=${house.key}`)).toBe(401);
  for (const path of [
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/embeddings',
    '/v1/rag42/search',
    '/v1/text/pii-mask',
  ])
    expect([path, await status(key, path)]).toEqual([path, 401]);
  expect((await fetch(`${house.base}/v1/models`, { headers: key })).status).toBe(401);
  expect((await fetch(`${house.base}/console/api/keys`, { headers: key })).status).toBe(401);
  const wrong = await post(bodyOf({}), { 'x-api-key': 'aist_leaked_value' });
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.not.stringContaining('leaked')]);
  expect(house.output()).not.toContain('leaked');
});

test('the key of x-api-key has its scopes, limits and models, is metered, and ends when it is deleted', async () => {
  covers('messages.key.header', 'messages.errors.statuses');
  const ask = (value: string, more: Body = {}) => post(bodyOf(more), { 'x-api-key': value });
  const embedder = await makeKey(house, { scopes: ['embeddings'] });
  const forbidden = await ask(embedder.value);
  expect([forbidden.status, await forbidden.json()]).toMatchObject([403, { error: { type: 'permission_error' } }]);
  const bound = await makeKey(house, { allowedModels: ['LLM42'] });
  expect([(await ask(bound.value)).status, (await ask(bound.value, { model: 'LLM42' })).status]).toEqual([404, 200]);
  const limited = await makeKey(house, { requestsPerMinute: 1 });
  const [first, second] = [await ask(limited.value), await ask(limited.value)];
  expect([first.status, first.headers.get('x-ratelimit-remaining'), second.status]).toEqual([200, '0', 429]);
  expect(await second.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  const { id, value } = await makeKey(house);
  expect((await ask(value)).status).toBe(200);
  await eventually(async () => {
    const [row] = await usageSlices(house, id);
    expect(row).toMatchObject({ endpoint: 'messages', model, status: 200, prompt_tokens: 11, completion_tokens: 7 });
  });
  await studio(house, 'key', 'delete', id);
  expect((await ask(value)).status).toBe(401);
});

test('wrong paths and methods below Messages are told in its form', async () => {
  covers('messages.errors.form');
  const headers = { 'x-api-key': house.key, 'content-type': 'application/json' };
  const missing = await raw('/v1/messages/batches/nothing', { headers, body: '{}' });
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { type: 'error', error: { type: 'not_found_error' } },
  ]);
  const wrong = await fetch(`${house.base}/v1/messages`, { headers });
  expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toMatchObject([
    405,
    'POST',
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
  const other = await raw('/v1/messages', { headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' });
  expect([other.status, await other.json()]).toMatchObject([415, { type: 'error' }]);
  const broken = await raw('/v1/messages', { headers, body: '{' });
  expect([broken.status, await broken.json()]).toMatchObject([
    400,
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
});
