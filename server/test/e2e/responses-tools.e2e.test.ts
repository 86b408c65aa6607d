import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, fileSearchTool, hostedMcpTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import OpenAIv6 from 'openai-v6';
import type { ResponseStreamEvent, Tool } from 'openai/resources/responses/responses';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import { covers } from '../requirements.ts';
import { databaseOf, firstTenant } from '../support/a2a.ts';
import { type House, openHouse } from '../support/house.ts';
import { type McpTestServer, startModernServer } from '../support/mcp-servers.ts';
import { makeKey } from '../support/command.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { type Handler, play, type ReplyScript } from '../support/upstream.ts';

// Tools that the service runs within a response.

const model = 'CORE-GOV';
let house: House;
let mcp: McpTestServer;
let collectionId: string;
let documentId: string;
/** What was asked of the tools. */
const asked: { name: string; args: unknown; key: unknown }[] = [];
const searched: IncomingMessage[] = [];
const searx = createServer((request, response) => {
  searched.push(request);
  const results = [
    { url: 'https://news.example.com/a', title: '새 소식', content: '오늘의 소식' },
    { url: 'javascript:alert(1)', title: 'x', content: 'x' },
    { url: 'https://other.example.org/b', title: 'Other', content: 'Something else' },
  ];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => searx.listen(0, '127.0.0.1', resolve));
  const { port } = searx.address() as AddressInfo;
  mcp = await startModernServer([
    {
      name: 'lookup',
      description: 'Looks a word up',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      call: ({ name, args, meta }) => {
        asked.push({ name, args, key: meta['idempotencyKey'] ?? meta });
        return { content: [{ type: 'text', text: `meaning of ${String(args['word'])}` }] };
      },
    },
    {
      name: 'breaks',
      description: 'Fails',
      inputSchema: { type: 'object' },
      call: () => ({ isError: true, content: [{ type: 'text', text: 'it is broken' }] }),
    },
  ]);
  house = await openHouse({
    config: () => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      network: { allow: ['127.0.0.1'] },
      responses: { web_search: { url: `http://127.0.0.1:${port}/search` } },
    }),
  });
  const collection = await makeCollection(house, { visibility: 'tenant' });
  collectionId = collection.collection_id;
  const fields = { metadata: JSON.stringify({ team: 'HR' }), indexed_fields: 'team' };
  const text = '# 연차\n\n연차휴가는 15일이다.\n';
  ({ document_id: documentId } = await uploadReady(house, collectionId, '휴가.md', text, fields));
  const db = await databaseOf(house);
  const tools = [
    {
      name: 'lookup',
      description: 'Looks a word up',
      parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    },
    { name: 'breaks', description: 'Fails', parameters: { type: 'object' } },
  ];
  await db.query
    .insertInto('tool_servers')
    .values({
      id: hexId(),
      tenant_id: await firstTenant(db),
      name: 'words',
      kind: 'mcp',
      url: mcp.url,
      header_names: [],
      tools: JSON.stringify(tools),
      left_out: [],
      created_by: 'somebody',
    })
    .execute();
  await db.close();
});
afterAll(async () => {
  await house?.close();
  await mcp?.close();
  searx.close();
});
beforeEach(() => {
  house.upstream.reset();
  asked.length = 0;
  searched.length = 0;
});

/** A model that says these, one after the other; the last again and again. */
function says(...scripts: readonly ReplyScript[]): void {
  let turn = 0;
  const handler: Handler = (call) => {
    const script = scripts[Math.min(turn++, scripts.length - 1)] ?? {};
    return play(script)(call);
  };
  house.upstream.plays(handler);
}
const searching = { tools: [{ id: 'call_s', name: 'file_search', arguments: '{"queries":["연차휴가는 며칠?"]}' }] };
const looking = (word: string) => ({ tools: [{ id: 'call_l', name: 'lookup', arguments: JSON.stringify({ word }) }] });
const words = { type: 'mcp', server_label: 'words', require_approval: 'never' } as const;
const open = () => new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
const fileSearch = (more: object = {}): Tool => ({ type: 'file_search', vector_store_ids: [collectionId], ...more });

async function streamed(body: Record<string, unknown>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of await open().responses.create({ model, input: 'x', ...body, stream: true }))
    events.push(event);
  return events;
}
const typesOf = (events: readonly ResponseStreamEvent[]) => events.map(({ type }) => type);
/** Places in the stream are without a gap, and items are told from their beginning to their end. */
function checkOrder(events: readonly ResponseStreamEvent[]): void {
  expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at));
  const added = events.flatMap((event) => (event.type === 'response.output_item.added' ? [event.output_index] : []));
  const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.output_index] : []));
  expect(added).toEqual(added.map((_, at) => at));
  expect(done.toSorted((a, b) => a - b)).toEqual(added);
}

describe.each([
  ['openai', OpenAI],
  ['openai, the major before', OpenAIv6 as unknown as typeof OpenAI],
] as const)('%s', (_name, Client) => {
  test('searches collections and cites what it found', async () => {
    covers(
      'responses.file-search',
      'responses.file-search.citations',
      'responses.file-search.results',
      'responses.usage',
    );
    says(searching, { text: ['15일입니다', ' [1].'] });
    const client = new Client({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
    const response = await client.responses.create({
      model,
      input: '연차는?',
      tools: [fileSearch({ max_num_results: 3, filters: { type: 'eq', key: 'team', value: 'HR' } })],
      include: ['file_search_call.results'],
    });
    expect(response.output_text).toBe('15일입니다 [1].');
    expect(response.output).toMatchObject([
      {
        type: 'file_search_call',
        status: 'completed',
        queries: ['연차휴가는 며칠?'],
        results: [{ file_id: documentId, filename: '휴가.md', attributes: { team: 'HR' } }],
      },
      {
        type: 'message',
        content: [{ annotations: [{ type: 'file_citation', file_id: documentId, filename: '휴가.md', index: 7 }] }],
      },
    ]);
    // Both turns of the model.
    expect(response.usage).toMatchObject({ input_tokens: 22, output_tokens: 14, total_tokens: 36 });
    const [first, second] = house.upstream.calls;
    expect(first?.json.tools).toMatchObject([{ function: { name: 'file_search' } }]);
    expect(second?.json.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_s', function: { name: 'file_search' } }] },
      { role: 'tool', tool_call_id: 'call_s', content: expect.stringContaining('15일이다') as string },
    ]);
  });
});

test('a stream tells each step of a search', async () => {
  covers('responses.file-search.events');
  says({ text: '찾아보겠습니다', ...searching }, { text: '15일 [1]' });
  const events = await streamed({ tools: [fileSearch()] });
  checkOrder(events);
  const types = typesOf(events);
  const steps = types.filter((type) => type.startsWith('response.file_search_call'));
  expect(steps).toEqual([
    'response.file_search_call.in_progress',
    'response.file_search_call.searching',
    'response.file_search_call.completed',
  ]);
  expect(types.indexOf('response.output_text.annotation.added')).toBeLessThan(
    types.lastIndexOf('response.output_text.done'),
  );
  const last = events.at(-1);
  // What was not asked for is not told.
  expect(last).toMatchObject({
    type: 'response.completed',
    response: { output: [{ type: 'message' }, { type: 'file_search_call', results: null }, { type: 'message' }] },
  });
  const id = last?.type === 'response.completed' ? last.response.id : '';
  const later = await open().responses.retrieve(id, { include: ['file_search_call.results'] });
  expect(later.output[1]).toMatchObject({ results: [{ file_id: documentId }] });
  // The next answer is told what was found.
  says({ text: 'ok' });
  await open().responses.create({ model, input: 'y', previous_response_id: id });
  expect(JSON.stringify(house.upstream.calls.at(-1)?.json.messages)).toContain('15일이다');
});

test.each([
  [{ vector_store_ids: ['0'.repeat(32)] }, 404, 'tools[0].vector_store_ids[0]'],
  [{ vector_store_ids: ['not-an-id'] }, 404, 'tools[0].vector_store_ids[0]'],
  [{ filters: { type: 'eq', key: 'salary', value: 1 } }, 400, 'tools[0].filters'],
  [{ filters: { type: 'near', key: 'team', value: 1 } }, 400, 'tools[0].filters.type'],
  [{ filters: { type: 'or', filters: [] } }, 400, 'tools[0].filters.filters'],
  [{ max_num_results: 51 }, 400, 'tools[0].max_num_results'],
])('a search that cannot be is refused before a model is asked: %j', async (more, status, param) => {
  covers('responses.file-search.refused');
  const create = open().responses.create({ model, input: 'x', tools: [fileSearch(more)] });
  await expect(create).rejects.toMatchObject({ status, param });
  expect(house.upstream.calls).toEqual([]);
});

test('calls tools of a connected server, and lists them once', async () => {
  covers('responses.mcp', 'responses.mcp.events');
  says(looking('Haus'), { text: 'house' });
  const events = await streamed({ tools: [words] });
  checkOrder(events);
  expect(typesOf(events).filter((type) => type.includes('mcp'))).toEqual([
    'response.mcp_list_tools.in_progress',
    'response.mcp_list_tools.completed',
    'response.mcp_call.in_progress',
    'response.mcp_call_arguments.delta',
    'response.mcp_call_arguments.done',
    'response.mcp_call.completed',
  ]);
  const last = events.at(-1);
  const response = last?.type === 'response.completed' ? last.response : null;
  expect(response?.output).toMatchObject([
    { type: 'mcp_list_tools', server_label: 'words', tools: [{ name: 'lookup' }, { name: 'breaks' }] },
    { type: 'mcp_call', name: 'lookup', arguments: '{"word":"Haus"}', output: 'meaning of Haus', error: null },
    { type: 'message' },
  ]);
  expect(asked).toMatchObject([{ name: 'lookup', args: { word: 'Haus' } }]);
  says({ text: 'ok' });
  const next = await open().responses.create({
    model,
    input: 'and?',
    tools: [words],
    previous_response_id: response?.id ?? '',
  });
  expect(next.output).toMatchObject([{ type: 'message' }]);
  expect(JSON.stringify(house.upstream.calls.at(-1)?.json.messages)).toContain('meaning of Haus');
});

test('a tool that fails is told of as such, and the model goes on', async () => {
  says({ tools: [{ id: 'c', name: 'breaks', arguments: '{}' }] }, { text: 'sorry' });
  const response = await open().responses.create({ model, input: 'x', tools: [words] });
  expect(response.output).toMatchObject([
    {},
    { type: 'mcp_call', status: 'failed', output: null, error: { content: [{ text: 'it is broken' }] } },
    { type: 'message' },
  ]);
  expect(response.output_text).toBe('sorry');
});

test('a call waits for approval where none was given, and is made once it is', async () => {
  covers('responses.mcp.approval');
  says(looking('Haus'), { text: 'house' });
  const tools = [{ ...words, require_approval: 'always' } as const];
  const first = await open().responses.create({ model, input: 'x', tools });
  const request = first.output.at(-1);
  expect(request).toMatchObject({
    type: 'mcp_approval_request',
    server_label: 'words',
    name: 'lookup',
    arguments: '{"word":"Haus"}',
  });
  expect(asked).toEqual([]);
  const answer = (approve: boolean, id = request?.id ?? '') => ({
    model,
    tools,
    previous_response_id: first.id,
    input: [{ type: 'mcp_approval_response' as const, approval_request_id: id, approve, reason: 'too dear' }],
  });
  const declined = await open().responses.create(answer(false));
  expect(declined.output_text).toBe('house');
  expect(asked).toEqual([]);
  expect(JSON.stringify(house.upstream.calls.at(-1)?.json.messages)).toContain('too dear');
  const approved = await open().responses.create(answer(true));
  expect(approved.output).toMatchObject([
    { type: 'mcp_call', approval_request_id: request?.id, output: 'meaning of Haus' },
    { type: 'message' },
  ]);
  expect(asked).toHaveLength(1);
  await expect(open().responses.create(answer(true, 'mcpr_none'))).rejects.toMatchObject({
    status: 400,
    param: 'input[0].approval_request_id',
  });
});

test.each([
  [{ server_label: 'nowhere' }, 'tools[0].server_label'],
  [{ server_url: 'https://mcp.example.com' }, 'tools[0].server_url'],
  [{ headers: { authorization: 'secret' } }, 'tools[0].headers'],
  [{ allowed_tools: ['fly'] }, 'tools[0].allowed_tools'],
])('a server that is not connected so is refused, and how one is said: %j', async (more, param) => {
  covers('responses.mcp.refused');
  const create = open().responses.create({ model, input: 'x', tools: [{ ...words, ...more }] });
  await expect(create).rejects.toMatchObject({ status: 400, param });
});

test('a key without the permission for them uses neither', async () => {
  covers('responses.tools.scopes');
  const { value } = await makeKey(house, { scopes: ['chat'] });
  const client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: value, maxRetries: 0 });
  for (const tool of [fileSearch(), words])
    await expect(client.responses.create({ model, input: 'x', tools: [tool] })).rejects.toMatchObject({
      status: 403,
      param: 'tools[0]',
    });
  expect(house.upstream.calls).toEqual([]);
});

test('a server is also named by connector_id, and some of its tools may be called without asking', async () => {
  says(looking('Haus'), { text: 'house' });
  const tool = {
    type: 'mcp',
    server_label: 'dictionary',
    connector_id: 'words',
    allowed_tools: { tool_names: ['lookup'] },
    require_approval: { never: { tool_names: ['lookup'] } },
  } as never;
  const response = await open().responses.create({ model, input: 'x', tools: [tool] });
  expect(response.output).toMatchObject([
    { type: 'mcp_list_tools', server_label: 'dictionary', tools: [{ name: 'lookup' }] },
    { type: 'mcp_call', server_label: 'dictionary', output: 'meaning of Haus' },
    { type: 'message' },
  ]);
});

test('a model that calls on and on has had its turns', async () => {
  says(looking('again'));
  const response = await open().responses.create({ model, input: 'x', tools: [words] });
  expect(response.status).toBe('completed');
  expect(house.upstream.calls).toHaveLength(20);
  expect(house.upstream.calls.at(-1)?.json.tool_choice).toBe('none');
});

test('searches the web by the server of the operator', async () => {
  covers('responses.web-search');
  says({ tools: [{ id: 'w', name: 'web_search', arguments: '{"query":"news"}' }] }, { text: '소식 [1]' });
  const response = await open().responses.create({
    model,
    input: 'x',
    tools: [{ type: 'web_search', filters: { allowed_domains: ['example.com'] } }],
    include: ['web_search_call.action.sources'],
  });
  expect(searched[0]?.url).toBe('/search?q=news&format=json');
  expect(response.output).toMatchObject([
    {
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'news', sources: [{ type: 'url', url: 'https://news.example.com/a' }] },
    },
    {
      content: [
        {
          annotations: [{ type: 'url_citation', url: 'https://news.example.com/a', title: '새 소식', start_index: 3 }],
        },
      ],
    },
  ]);
});

test('no more tools are called than may be, and the model has to answer then', async () => {
  covers('responses.max-tool-calls');
  says({ tools: [...looking('a').tools, { id: 'call_2', name: 'lookup', arguments: '{"word":"b"}' }] }, looking('c'), {
    text: 'done',
  });
  const response = await open().responses.create({ model, input: 'x', tools: [words], max_tool_calls: 2 });
  expect(asked.map(({ args }) => args)).toEqual([{ word: 'a' }, { word: 'b' }]);
  expect(response.output_text).toBe('done');
  expect(house.upstream.calls[1]?.json.tools).toBeUndefined();
});

test('a function of the caller beside a tool of the service: what is ours is run, then the caller is asked', async () => {
  covers('responses.tools.mixed');
  const own = { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false } as const;
  says({ tools: [...looking('a').tools, { id: 'call_w', name: 'weather', arguments: '{}' }] });
  const first = await open().responses.create({ model, input: 'x', tools: [words, own], tool_choice: 'required' });
  expect(first.output.slice(1)).toMatchObject([
    { type: 'mcp_call', output: 'meaning of a' },
    { type: 'function_call', name: 'weather', call_id: 'call_w' },
  ]);
  says({ text: 'ok' });
  await open().responses.create({
    model,
    tools: [words, own],
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: 'call_w', output: 'sunny' }],
  });
  const told = JSON.stringify(house.upstream.calls.at(-1)?.json.messages);
  expect(told).toContain('meaning of a');
  expect(told).toContain('sunny');
});

test('tools are chosen by their kind', async () => {
  covers('responses.tools.choice');
  says(searching, { text: 'x' });
  await open().responses.create({
    model,
    input: 'x',
    tools: [fileSearch(), words],
    tool_choice: { type: 'file_search' },
  });
  expect(house.upstream.calls[0]?.json.tool_choice).toEqual({ type: 'function', function: { name: 'file_search' } });
  expect(house.upstream.calls[1]?.json.tool_choice).toBe('auto');
  says({ text: 'x' });
  await open().responses.create({
    model,
    input: 'x',
    tools: [fileSearch(), words],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 'words' }] },
  });
  const names = house.upstream.calls.at(-1)?.json.tools?.map(({ function: { name } }) => name);
  expect(names).toEqual(['lookup', 'breaks']);
});

test('tools are run in the background, too', async () => {
  says(searching, looking('b'), { text: '15일 [1]' });
  const client = open();
  const events = await streamed({ tools: [fileSearch(), words], background: true });
  checkOrder(events);
  const last = events.at(-1);
  const response = last?.type === 'response.completed' ? last.response : null;
  expect(response?.output.map(({ type }) => type)).toEqual([
    'mcp_list_tools',
    'file_search_call',
    'mcp_call',
    'message',
  ]);
  expect(await client.responses.retrieve(response?.id ?? '')).toMatchObject({ output: response?.output });
});

describe('frameworks', () => {
  test('OpenAI Agents SDK, with hosted search and a hosted server', async () => {
    covers('responses.clients.agents');
    const provider = new OpenAIProvider({ baseURL: `${house.base}/v1`, apiKey: house.key, useResponses: true });
    const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
    const tools = [
      fileSearchTool(collectionId, { includeSearchResults: true }),
      hostedMcpTool({ serverLabel: 'words', serverUrl: mcp.url, requireApproval: 'never' } as never),
    ];
    const agent = new Agent({ name: '안내', model, tools });
    says(searching, looking('x'), { text: '15일 [1]' });
    const result = await runner.run(agent, '연차는?');
    expect(result.finalOutput).toBe('15일 [1]');
    expect(result.newItems.map(({ type }) => type)).toContain('tool_call_item');
    says(searching, { text: '15일 [1]' });
    const stream = await runner.run(agent, '연차는?', { stream: true });
    await stream.completed;
    expect(stream.finalOutput).toBe('15일 [1]');
  });

  test('AI SDK, with hosted search', async () => {
    covers('responses.clients.ai-sdk');
    const openai = createOpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key });
    const options = {
      model: openai(model),
      prompt: '연차는?',
      tools: { file_search: openai.tools.fileSearch({ vectorStoreIds: [collectionId] }) },
    };
    says(searching, { text: '15일 [1]' });
    const { text, sources } = await generateText(options);
    expect(text).toBe('15일 [1]');
    expect(sources).toMatchObject([{ sourceType: 'document', title: '휴가.md' }]);
    says(searching, { text: '15일 [1]' });
    expect(await streamText(options).text).toBe('15일 [1]');
  });

  test('LangChain, with hosted search', async () => {
    covers('responses.clients.langchain');
    const chat = new ChatOpenAI({
      model,
      apiKey: house.key,
      useResponsesApi: true,
      maxRetries: 0,
      configuration: { baseURL: `${house.base}/v1` },
    }).bindTools([fileSearch() as never]);
    says(searching, { text: '15일 [1]' });
    expect((await chat.invoke('연차는?')).text).toBe('15일 [1]');
    says(searching, { text: '15일 [1]' });
    let text = '';
    for await (const piece of await chat.stream('연차는?')) text += piece.text;
    expect(text).toBe('15일 [1]');
  });
});
