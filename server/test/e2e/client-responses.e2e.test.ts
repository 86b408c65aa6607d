import OpenAI from 'openai';
import OpenAIv6 from 'openai-v6';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey } from '../support/command.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { play } from '../support/upstream.ts';

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
  name: 'get_weather',
  description: '도시의 날씨',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
} as const;

const model = 'CORE-GOV-THINK';

/** What holds of every stream. */
function checkOrder(events: readonly ResponseStreamEvent[]): void {
  expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  const added = new Set<number>();
  const done = new Set<number>();
  for (const event of events) {
    if (event.type === 'response.output_item.added') added.add(event.output_index);
    else if (event.type === 'response.output_item.done') done.add(event.output_index);
    else if ('output_index' in event) {
      expect(added).toContain(event.output_index);
      expect(done).not.toContain(event.output_index);
    }
  }
  expect(done).toEqual(added);
}

describe.each(clients)('%s', (_name, Client) => {
  const open = () => new Client({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  const streamed = async (body: Record<string, unknown>): Promise<ResponseStreamEvent[]> => {
    const stream = await open().responses.create({ model, input: 'x', ...body, stream: true });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    return events;
  };

  test('reads a whole response with thinking', async () => {
    covers('responses.create.text');
    house.upstream.plays(play({ text: ['안녕', '하세요'], reasoning: '인사' }));
    const response = await open().responses.create({
      model,
      instructions: '짧게',
      input: [{ role: 'user', content: [{ type: 'input_text', text: '안녕' }] }],
      temperature: 0.3,
      metadata: { from: 'test' },
    });
    expect(response.output_text).toBe('안녕하세요');
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model,
      instructions: '짧게',
      metadata: { from: 'test' },
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    });
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: '인사' }] },
      { type: 'message', role: 'assistant', status: 'completed' },
    ]);
    expect(house.upstream.one().json.messages).toEqual([
      { role: 'system', content: '짧게' },
      { role: 'user', content: [{ type: 'text', text: '안녕' }] },
    ]);
  });

  test('reads a stream, event by event', async () => {
    covers('responses.stream.order');
    house.upstream.plays(play({ text: ['안녕', '하"세요'], reasoning: ['인', '사'] }));
    const events = await streamed({});
    checkOrder(events);
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.reasoning_text.delta',
      'response.reasoning_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_text.delta',
      'response.output_text.done',
      'response.completed',
    ]);
    const text = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');
    expect(text).toBe('안녕하"세요');
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response).toMatchObject({
      status: 'completed',
      output: [{ type: 'reasoning' }, { type: 'message', content: [{ type: 'output_text', text: '안녕하"세요' }] }],
    });
  });

  test('tells thinking as a summary where one is asked for, and seals it', async () => {
    covers('responses.reasoning.summary');
    // With a blank, which no sealed text has by chance.
    house.upstream.plays(play({ text: 'Hi', reasoning: ['a ', 'b'] }));
    const events = await streamed({ reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] });
    checkOrder(events);
    const names = events.map(({ type }) => type);
    expect(names).toContain('response.reasoning_summary_part.added');
    expect(names).toContain('response.reasoning_summary_text.delta');
    const last = events.at(-1);
    const items = last?.type === 'response.completed' ? last.response.output : [];
    expect(items[0]).toMatchObject({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a b' }] });
    const sealed = items[0]?.type === 'reasoning' ? items[0].encrypted_content : null;
    expect(sealed).toBeTruthy();
    expect(sealed).not.toContain('a b');
    // A caller that keeps nothing here gives all of it again.
    house.upstream.plays(play({ text: 'again' }));
    const next = await open().responses.create({
      model,
      store: false,
      input: [
        { role: 'user', content: 'x' },
        ...(items as OpenAI.Responses.ResponseInputItem[]),
        { role: 'user', content: 'y' },
      ],
    });
    expect(next.output_text).toBe('again');
    expect(next).toMatchObject({ store: false });
    expect(house.upstream.calls.at(-1)?.json.messages).toMatchObject([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'y' },
    ]);
  });

  test('calls functions, several in one answer, and is told their results by the response before', async () => {
    covers('responses.functions');
    house.upstream.plays(
      play({
        text: '알아볼게요',
        tools: [
          { id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"서울"}'] },
          { id: 'call_b', name: 'get_weather', arguments: ['{"city":"부산"}'] },
        ],
      }),
    );
    const events = await streamed({ input: '날씨?', tools: [weather], tool_choice: 'auto' });
    checkOrder(events);
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error('it did not complete');
    const { id, output } = last.response;
    expect(output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', call_id: 'call_a', name: 'get_weather', arguments: '{"city":"서울"}' },
      { type: 'function_call', call_id: 'call_b', name: 'get_weather', arguments: '{"city":"부산"}' },
    ]);
    const done = events.filter(({ type }) => type === 'response.function_call_arguments.done');
    expect(done).toMatchObject([{ arguments: '{"city":"서울"}' }, { arguments: '{"city":"부산"}' }]);
    house.upstream.plays(play({ text: '맑아요' }));
    const answer = await open().responses.create({
      model,
      previous_response_id: id,
      tools: [weather],
      input: [
        { type: 'function_call_output', call_id: 'call_a', output: '맑음' },
        { type: 'function_call_output', call_id: 'call_b', output: '비' },
      ],
    });
    expect(answer.output_text).toBe('맑아요');
    expect(house.upstream.calls.at(-1)?.json.messages).toMatchObject([
      { role: 'user', content: '날씨?' },
      {
        role: 'assistant',
        content: '알아볼게요',
        tool_calls: [
          { id: 'call_a', function: { name: 'get_weather', arguments: '{"city":"서울"}' } },
          { id: 'call_b', function: { name: 'get_weather', arguments: '{"city":"부산"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: '맑음' },
      { role: 'tool', tool_call_id: 'call_b', content: '비' },
    ]);
  });

  test('reads, lists and deletes what was kept', async () => {
    covers('responses.stored');
    house.upstream.plays(play({ text: 'one' }));
    const { responses } = open();
    const first = await responses.create({ model, input: '1' });
    const second = await responses.create({ model, input: '2', previous_response_id: first.id });
    expect(await responses.retrieve(first.id)).toMatchObject({ id: first.id, output: first.output });
    const items = await responses.inputItems.list(second.id, { order: 'asc' });
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: '2' }] },
    ]);
    await responses.delete(first.id);
    await expect(responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(responses.create({ model, input: '3', previous_response_id: second.id })).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
    await expect(responses.cancel(second.id)).rejects.toMatchObject({ status: 400 });
    const unkept = await responses.create({ model, input: '1', store: false });
    await expect(responses.retrieve(unkept.id)).rejects.toMatchObject({ status: 404 });
  });

  test('takes items by reference, as clients do that let the service keep them', async () => {
    covers('responses.references');
    house.upstream.plays(
      play({ text: 'one', reasoning: 'thought', tools: [{ id: 'call_a', name: 'get_weather', arguments: '{}' }] }),
    );
    const first = await open().responses.create({ model, input: 'x', tools: [weather] });
    house.upstream.plays(play({ text: 'two' }));
    await open().responses.create({
      model,
      input: [
        { role: 'user', content: 'x' },
        ...first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' })),
        { type: 'function_call_output', call_id: 'call_a', output: '맑음' },
      ],
    });
    expect(house.upstream.calls.at(-1)?.json.messages).toMatchObject([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'one', tool_calls: [{ id: 'call_a' }] },
      { role: 'tool', tool_call_id: 'call_a', content: '맑음' },
    ]);
  });

  test('calls functions under a namespace, and leaves out a search of the web by name', async () => {
    const tools = [
      { type: 'namespace', name: 'crm', description: 'x', tools: [weather] },
      { type: 'web_search' },
    ] as never;
    house.upstream.plays(play({ tools: [{ id: 'call_a', name: 'crm__get_weather', arguments: '{}' }] }));
    const { data, response } = await open().responses.create({ model, input: 'x', tools }).withResponse();
    expect(response.headers.get('x-ignored-fields')).toBe('tools%5B1%5D');
    expect(data.output).toMatchObject([{ type: 'function_call', name: 'get_weather', namespace: 'crm' }]);
    expect(house.upstream.one().json.tools).toMatchObject([{ function: { name: 'crm__get_weather' } }]);
    house.upstream.plays(play({ text: 'ok' }));
    const output = { type: 'function_call_output' as const, call_id: 'call_a', output: '맑음' };
    await open().responses.create({
      model,
      tools,
      input: [{ role: 'user', content: 'x' }, ...(data.output as never[]), output],
    });
    expect(house.upstream.calls.at(-1)?.json.messages[1]).toMatchObject({
      tool_calls: [{ function: { name: 'crm__get_weather' } }],
    });
  });

  test('passes on structured output and settings, and says that an answer was cut', async () => {
    covers('responses.structured');
    house.upstream.plays(play({ text: '{"a":1}', finish: 'length' }));
    const response = await open().responses.create({
      model: 'CORE-GOV',
      input: 'x',
      max_output_tokens: 64,
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: {
            type: 'object',
            properties: { a: { type: 'number' } },
            required: ['a'],
            additionalProperties: false,
          },
          strict: true,
        },
      },
    });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(response.output[0]).toMatchObject({ type: 'message', status: 'incomplete' });
    expect(house.upstream.one().json).toMatchObject({
      max_tokens: 64,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true } },
    });
  });

  test('reads a document in the request', async () => {
    covers('responses.files');
    house.upstream.plays(play({ text: 'ok' }));
    const file = Buffer.from('이름,나이\n홍길동,42\n').toString('base64');
    await open().responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', filename: '명단.csv', file_data: `data:text/csv;base64,${file}` },
            { type: 'input_text', text: '몇 살?' },
          ],
        },
      ],
    });
    const told = JSON.stringify(house.upstream.one().json.messages);
    expect(told).toContain('명단.csv');
    expect(told).toContain('홍길동');
    expect(told).toContain('42');
  });

  test.each([
    [{ model: 'nobody' }, 400, 'model'],
    [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 400, 'tools[0].type'],
    [{ tools: [{ type: 'custom', name: 'x' }] }, 400, 'tools[0].type'],
    [{ input: [{ type: 'computer_call_output', call_id: 'x', output: {} }] }, 400, 'input[0].type'],
    [{ input: [{ role: 'user', content: [{ type: 'input_video' }] }] }, 400, 'input[0].content[0].type'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 400, 'input[0].id'],
    [{ tools: [weather, weather] }, 400, 'tools[1].name'],
    [{ input: '' }, 400, 'input'],
    [{ max_output_tokens: 0 }, 400, 'max_output_tokens'],
    [{ conversation: 'conv_1' }, 404, 'conversation'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['0'.repeat(32)] }] }, 404, 'tools[0].vector_store_ids[0]'],
    [{ tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://x.example' }] }, 400, 'tools[0].server_url'],
    [{ tool_choice: { type: 'file_search' } }, 400, 'tool_choice'],
    [{ previous_response_id: 'resp_1' }, 400, 'previous_response_id'],
    [{ tool_choice: 'required' }, 400, 'tool_choice'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
      400,
      'input[0].content[0].file_id',
    ],
  ])('is told what is wrong with %j', async (wrong, status, param) => {
    covers('responses.errors');
    const create = open().responses.create({ model, input: 'x', ...wrong } as never);
    await expect(create).rejects.toMatchObject({ status, param });
    expect(house.upstream.calls).toEqual([]);
  });
});

test('a failure before the first event is an HTTP error, one behind it an event', async () => {
  covers('responses.failed');
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  house.upstream.plays(({ response }) => void response.writeHead(400).end('{"error":{"message":"no such thing"}}'));
  await expect(client.responses.create({ model, input: 'x', stream: true })).rejects.toMatchObject({ status: 400 });
  house.upstream.plays(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n');
    setTimeout(() => response.destroy(), 50);
  });
  const events: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model, input: 'x', stream: true })) events.push(event);
  checkOrder(events);
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error' }, output: [{ content: [{ text: 'half' }] }] },
  });
});

test('leaves out the oldest where all is longer than the context, if that is wanted', async () => {
  covers('responses.truncation');
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  const said = "This model's maximum context length is 32768 tokens. However, your request has 90000 input tokens.";
  house.upstream.plays((call) => {
    if (call.json.messages.length <= 2) return play({ text: 'short enough' })(call);
    return void call.response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: said, type: 'BadRequestError', param: null, code: 400 } }));
  });
  const turn = (at: number) => [
    { role: 'user' as const, content: `question ${at}` },
    { role: 'assistant' as const, content: `answer ${at}` },
  ];
  const input = [...Array.from({ length: 10 }, (_, at) => turn(at)).flat(), { role: 'user' as const, content: 'last' }];
  const options = { model, instructions: 'Be brief', input };
  // What programs look for, to shorten what they send.
  const tooLong = { status: 400, code: 'context_length_exceeded', message: expect.stringContaining(said.slice(0, 60)) };
  await expect(client.responses.create(options)).rejects.toMatchObject({ ...tooLong, param: 'input' });
  await expect(client.responses.create({ ...options, stream: true })).rejects.toMatchObject(tooLong);
  const answer = await client.responses.create({ ...options, truncation: 'auto' });
  expect(answer.output_text).toBe('short enough');
  expect(house.upstream.calls.at(-1)?.json.messages).toEqual([
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'last' },
  ]);
  const stream = await client.responses.create({ ...options, truncation: 'auto', stream: true });
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  checkOrder(events);
  expect(events.at(-1)?.type).toBe('response.completed');
});

test.each([
  ['', 'The body is not valid JSON'],
  ['{"input":', 'The body is not valid JSON'],
  [`{"input":[${'[],'.repeat(60_000)}[]]}`, 'The body holds more than 100000 values'],
  [`{"input":"x","model":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'model'],
])('a body that is none is told so: %.20s', async (body, said) => {
  const headers = { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${house.base}/v1/responses`, { method: 'POST', body, headers });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
  expect(await response.text()).toContain(said);
});

test('a document that cannot be read is named by its place', async () => {
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  const file = {
    type: 'input_file' as const,
    filename: 'a.hwp',
    file_data: Buffer.from('%PDF-1.7 broken').toString('base64'),
  };
  const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: 'x' }, file] }];
  const refused = client.responses.create({ model, input });
  await expect(refused).rejects.toMatchObject({ status: 422, param: 'input[0].content[1].file_data' });
});

test('a request is counted before its documents are read', async () => {
  covers('responses.files.counted');
  const key = await makeKey(house, { requestsPerMinute: 1 });
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: key.value, maxRetries: 0 });
  const file = {
    type: 'input_file' as const,
    filename: 'a.hwp',
    file_data: Buffer.from('%PDF- no').toString('base64'),
  };
  const ask = () => client.responses.create({ model, input: [{ role: 'user', content: [file] }] });
  // Whoever reads it finds it broken.
  await expect(ask()).rejects.toMatchObject({ status: 422 });
  await expect(ask()).rejects.toMatchObject({ status: 429 });
});

test('a request with a document is one request, with all of its tokens', async () => {
  covers('responses.files.counted');
  house.upstream.plays(play({ text: 'ok' }));
  const key = await makeKey(house, { requestsPerMinute: 3, tokensPerMinute: 100_000 });
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: key.value, maxRetries: 0 });
  const file = { type: 'input_file' as const, filename: 'a.txt', file_data: Buffer.from('text').toString('base64') };
  const { response } = await client.responses
    .create({ model, input: [{ role: 'user', content: [file] }] })
    .withResponse();
  const told = ['limit', 'remaining'].map((name) => response.headers.get(`x-ratelimit-${name}`));
  expect(told).toEqual(['3', '2']);
});

test('a caller that goes away stops the model', async () => {
  const aborted = Promise.withResolvers<void>();
  house.upstream.plays((call) => {
    call.response.writeHead(200, { 'content-type': 'text/event-stream' });
    call.response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n');
    void call.aborted.then(aborted.resolve);
  });
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  const stream = await client.responses.create({ model, input: 'x', stream: true });
  for await (const event of stream) if (event.type === 'response.output_text.delta') break;
  await aborted.promise;
});
