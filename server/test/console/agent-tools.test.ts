import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import { AgentDetails, ToolServer } from '@ai-studio/contract/console/agents.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { covers } from '../requirements.ts';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { type McpTestServer, startModernServer, startSessionServer } from '../support/mcp-servers.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { within } from '../support/retrieval.ts';
import { type Upstream, openUpstream, play } from '../support/upstream.ts';

// Agents that call tools of real servers, with a model whose words the test gives.

let upstream: Upstream;
let house: ConsoleHouse;
let boss: SignedInBrowser;
let stranger: SignedInBrowser;
let old: McpTestServer;
let modern: McpTestServer;
let lender: McpTestServer;
let service: Server;
const seen: { url: string; key: string | undefined }[] = [];
const servers: Record<'old' | 'modern' | 'lender' | 'stock' | 'foreign', string> = {
  old: '',
  modern: '',
  lender: '',
  stock: '',
  foreign: '',
};

const look = (where: string) => ({
  name: 'look up',
  description: `Looks something up in ${where}`,
  inputSchema: {
    type: 'object' as const,
    properties: { word: { type: 'string' }, most: { type: 'integer' } },
    required: ['word'],
  },
  call: ({ args }: { readonly args: Record<string, unknown> }) =>
    args['word'] === 'nothing'
      ? { content: [{ type: 'text', text: 'the shelf is empty' }], isError: true }
      : {
          content: [{ type: 'text', text: `${where} knows ${String(args['word'])}` }],
          structuredContent: { most: args['most'] },
        },
});
/** Gives a picture and a document. */
const lend = {
  name: 'lend',
  description: 'Lends a document',
  inputSchema: { type: 'object' as const, properties: {} },
  call: () => ({
    content: [
      { type: 'text', text: 'Here you are' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0K' },
      { type: 'resource', resource: { uri: 'https://library.example.kr/rules.md', text: '# Rules\n\nBe quiet.' } },
    ],
  }),
};
const description = JSON.stringify({
  openapi: '3.1.0',
  paths: {
    '/items/{id}': {
      post: {
        operationId: 'order',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { count: { type: 'integer' } } } } },
        },
      },
    },
  },
});

beforeAll(async () => {
  upstream = await openUpstream(['local']);
  old = await startSessionServer([look('the old library')]);
  modern = await startModernServer([look('the new library')]);
  lender = await startModernServer([lend]);
  service = createServer((request, response) => {
    request.resume();
    seen.push({ url: request.url ?? '', key: request.headers['idempotency-key']?.toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"left":7}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  house = await openConsoleHouse({
    STUDIO_NETWORK_ALLOW: '["127.0.0.1"]',
    STUDIO_ENGINES: JSON.stringify({ gpu: { addresses: [upstream.url] } }),
    STUDIO_MODELS: JSON.stringify({ 'CORE-GOV': { engines: [{ engine: 'gpu', model: 'local' }] } }),
  });
  boss = await personOf(house, await makeTenant(house, 'Ours'), 'administrator');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator');
  const add = async (who: SignedInBrowser, server: object) =>
    ToolServer.parse((await who.post('/agent-servers', server)).json()).id;
  servers.old = await add(boss, { name: 'Old', kind: 'mcp', url: old.url });
  servers.modern = await add(boss, { name: 'New', kind: 'mcp', url: modern.url });
  servers.lender = await add(boss, { name: 'Lender', kind: 'mcp', url: lender.url });
  servers.stock = await add(boss, { name: 'Stock', kind: 'http', url: `http://127.0.0.1:${port}/v1`, description });
  servers.foreign = await add(stranger, { name: 'Foreign', kind: 'mcp', url: old.url });
});
afterAll(async () => {
  await house.close();
  await Promise.all([upstream.close(), old.close(), modern.close(), lender.close()]);
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  upstream.reset();
  seen.length = 0;
});

const server = (id: string, ...tools: string[]) => ({ kind: 'server', server: id, tools });
/** An agent of one node between what comes and what is said. */
const around = (node: object, text: string) => ({
  schema: 1,
  nodes: [
    { kind: 'input', id: 'input' },
    { id: 'work', ...node },
    { kind: 'answer', id: 'answer', text },
  ],
  edges: [
    { from: 'input', to: 'work' },
    { from: 'work', to: 'answer' },
  ],
});

/** Runs the draft of a new agent, and resolves with what was said of the run. */
async function run(definition: object, text: string) {
  const made = await boss.post('/agents', { name: 'Tried', definition });
  expect(made.status, made.text).toBe(201);
  const { id, problems } = AgentDetails.parse(made.json());
  const answer = await boss.post(`/agents/${id}/runs`, { text, what: 'draft' });
  expect(answer.status, answer.text).toBe(200);
  const told = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
    RunStreamEvent.parse(JSON.parse(data ?? '')),
  );
  const first = told.find((event) => event.type === 'run');
  const events = told.filter((event): event is RunEvent => event.type !== 'run');
  const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  const end = events.findLast((event) => event.type === 'state');
  const runId = first?.run.id ?? '';
  const trace = AgentRunTrace.parse((await boss.get(`/agents/${id}/runs/${runId}`)).json());
  return { said, events, end, runId, trace, problems };
}

/** A collection of one document, once it can be searched. */
async function collect(who: SignedInBrowser, name: string, text: string): Promise<string> {
  const made = await who.post('/collections', { collection_name: name });
  const { collection_id: id } = made.json<{ collection_id: string }>();
  const documents = `/collections/${id}/documents`;
  const sent = await fetch(`${house.base}/console/api${documents}?name=${name}&size=${Buffer.byteLength(text)}`, {
    method: 'POST',
    headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
    body: text,
  });
  expect(sent.status).toBe(201);
  await within(async () => {
    const { items } = (await who.get(documents)).json<{ items: unknown[] }>();
    expect(items.map((item) => Document.parse(item).state)).toEqual(['ready']);
  });
  return id;
}

test('what a tool server gives beside texts goes to nodes that read it, and to callers', async () => {
  covers('a2a.parts', 'agents.tools.mcp');
  const { said, events } = await run(
    {
      schema: 1,
      nodes: [
        { kind: 'input', id: 'input' },
        { kind: 'tool', id: 'lend', tool: server(servers.lender, 'lend') },
        { kind: 'parallel', id: 'each', items: 'lend.files', result: '{{item.value.name}}: {{item.value.size}}' },
        { kind: 'model', id: 'write', model: 'CORE-GOV', prompt: '{{each.results}}' },
        { kind: 'tool', id: 'nothing', parent: 'each', tool: { kind: 'current_time' } },
        { kind: 'answer', id: 'answer', text: '{{lend.text}}', parts: [{ kind: 'files', files: 'lend.files' }] },
      ],
      edges: [
        { from: 'input', to: 'lend' },
        { from: 'lend', to: 'each' },
        { from: 'each', to: 'write' },
        { from: 'write', to: 'answer' },
      ],
    },
    'Lend me the rules',
  );
  expect(said).toBe(
    'Here you are\n[image: image/png, 6 bytes; not shown]\n[resource https://library.example.kr/rules.md]\n# Rules\n\nBe quiet.',
  );
  expect(events.flatMap((event) => (event.type === 'part' ? [event.part] : []))).toMatchObject([
    { kind: 'file', file: { name: 'image-2.png', media_type: 'image/png', size: 6 } },
    { kind: 'file', file: { name: 'rules.md', media_type: 'text/markdown', size: 18 } },
  ]);
  expect(upstream.one().json.messages.at(-1)?.content).toBe('["image-2.png: 6","rules.md: 18"]');
});

test('a document of a tool server is read as those of messages are', async () => {
  const reading = {
    schema: 1,
    nodes: [
      { kind: 'input', id: 'input' },
      { kind: 'tool', id: 'lend', tool: server(servers.lender, 'lend') },
      { kind: 'loop', id: 'once', most: 1, variables: [] },
      { kind: 'parse_document', id: 'read', parent: 'once', files: 'lend.files.1' },
      { kind: 'answer', id: 'answer', text: '{{lend.files.1.name}}' },
    ],
    edges: [
      { from: 'input', to: 'lend' },
      { from: 'lend', to: 'once' },
      { from: 'once', to: 'answer' },
    ],
  };
  const { said, trace } = await run(reading, 'Lend me the rules');
  expect(said).toBe('rules.md');
  expect(trace.steps.find(({ node }) => node === 'read')?.outputs).toMatchObject({
    text: '# Rules\n\nBe quiet.',
    count: 1,
  });
});

describe('an agent', () => {
  test('calls a tool of an MCP server by a node, with the key of the call', async () => {
    covers('agents.tools.mcp');
    const definition = around(
      { kind: 'tool', tool: server(servers.old, 'look up'), arguments: { word: '{{input.text}}', most: '3' } },
      '{{work.text}}, at most {{work.result.most}}',
    );
    const { said, end, runId } = await run(definition, 'Hangul');
    expect([said, end]).toMatchObject(['the old library knows Hangul, at most 3', { state: 'completed' }]);
    const call = old.requests.findLast(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers['idempotency-key']).toBe(`${runId}/work/0`);
  });

  test('fails in words where the tool of a node fails', async () => {
    const definition = around(
      { kind: 'tool', name: 'Library', tool: server(servers.old, 'look up'), arguments: { word: '{{input.text}}' } },
      '{{work.text}}',
    );
    const { end } = await run(definition, 'nothing');
    expect(end).toMatchObject({ state: 'failed', failure: { node: 'work', message: 'Library: the shelf is empty' } });
    const wrong = await run(around({ kind: 'tool', tool: server(servers.old, 'look up'), arguments: {} }, '-'), 'x');
    expect(wrong.end).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringContaining('word is required') },
    });
  });

  test('lets a model call tools of several servers, and mend its mistakes', async () => {
    covers('agents.tools.arguments', 'agents.tools.openapi');
    let step = 0;
    const offered: string[][] = [];
    const replies: string[] = [];
    upstream.plays((call) => {
      const { tools = [], messages } = call.json;
      offered.push((tools ?? []).map(({ function: { name } }) => name));
      const last = messages.at(-1);
      if (last?.role === 'tool') replies.push(typeof last.content === 'string' ? last.content : '');
      const script = [
        { tools: [{ name: 'New_look_up', arguments: '{"words":"typo"}' }] },
        { tools: [{ name: 'New_look_up', arguments: '{"word":"moon"}' }] },
        { tools: [{ name: 'order', arguments: '{"id":"5","body":{"count":2}}' }] },
        { text: 'Done.' },
      ][step++];
      return play(script ?? { text: 'Too often.' })(call);
    });
    const definition = around(
      {
        kind: 'model',
        model: 'CORE-GOV',
        tools: [server(servers.old), server(servers.modern), server(servers.stock), { kind: 'calculator' }],
      },
      '{{work.text}}',
    );
    const { said, end, runId } = await run(definition, 'Order it');
    expect([said, end]).toMatchObject(['Done.', { state: 'completed' }]);
    expect(offered[0]).toEqual(['Old_look_up', 'New_look_up', 'order', 'calculator']);
    expect(replies).toEqual([expect.stringContaining('word is required'), 'the new library knows moon', '{"left":7}']);
    expect(seen.filter(({ url }) => url !== '/v1')).toEqual([
      { url: '/v1/items/5', key: expect.stringMatching(`^${runId}/work/`) },
    ]);
    const call = modern.requests.findLast(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers['idempotency-key']).toMatch(`${runId}/work/`);
  });

  test('reaches no tool server of another tenant', async () => {
    covers('agents.tenants');
    const before = old.requests.length;
    const node = { kind: 'tool', tool: server(servers.foreign, 'look up'), arguments: { word: 'x' } };
    const made = await boss.post('/agents', { name: 'Reaching', definition: around(node, '-') });
    // What an import names and is not there is taken out: the draft is written as a call of the console could.
    const { id, revision } = AgentDetails.parse(made.json());
    const draft = { ...around(node, '-'), limits: { seconds: 60, tokens: 1_000 } };
    const saved = AgentDetails.parse((await boss.patch(`/agents/${id}`, { draft, revision })).json());
    expect(saved.problems.map(({ code }) => code)).toContain('unknown_server');
    const answer = await boss.post(`/agents/${id}/runs`, { text: 'x', what: 'draft' });
    expect(answer.text).not.toContain('knows');
    expect(old.requests.length).toBe(before);
  });

  test('searches the collections that are named, and cites what it found, whatever the model asks for', async () => {
    covers('agents.tools.built-in', 'agents.run.eyes');
    const own = await collect(boss, 'Handbook.md', '# Leave\n\nEverybody has 15 days of leave.');
    const foreign = await collect(stranger, 'Secret.md', '# Leave\n\nDays of leave of the Quagga.');
    const replies: string[] = [];
    const script = [
      {
        tools: [
          { name: 'search_collection', arguments: JSON.stringify({ query: 'leave', collection_ids: [foreign] }) },
        ],
      },
      { tools: [{ name: 'search_collection', arguments: '{"query":"days of leave"}' }] },
      { text: 'There are 15 days [1].' },
    ];
    upstream.plays((call) => {
      const last = call.json.messages.at(-1);
      if (last?.role === 'tool') replies.push(typeof last.content === 'string' ? last.content : '');
      return play(script[replies.length] ?? { text: 'Too often.' })(call);
    });
    const tools = [{ kind: 'search_collection', collections: [own] }];
    const { said, trace } = await run(
      around({ kind: 'model', model: 'CORE-GOV', tools }, '{{work.text}}'),
      'How many?',
    );
    expect(replies).toEqual([
      expect.stringContaining('collection_ids is unknown'),
      expect.stringMatching(/^\[1\] .*Handbook\.md.*\n.*15 days/s),
    ]);
    expect(said).toBe('There are 15 days [1].');
    expect(trace.citations).toMatchObject([{ number: 1, collection_id: own, document_name: 'Handbook.md' }]);

    replies.length = 0;
    script.splice(0, 1);
    const made = await boss.post('/agents', {
      name: 'Reaching',
      definition: around({ kind: 'ask', question: '?' }, '-'),
    });
    const { id, revision } = AgentDetails.parse(made.json());
    const reaching = around(
      { kind: 'model', model: 'CORE-GOV', tools: [{ ...tools[0], collections: [foreign] }] },
      '-',
    );
    const draft = { ...reaching, limits: { seconds: 60, tokens: 10_000 } };
    const { problems } = AgentDetails.parse((await boss.patch(`/agents/${id}`, { draft, revision })).json());
    expect(problems.map(({ code }) => code)).toContain('unknown_collection');
    const answer = await boss.post(`/agents/${id}/runs`, { text: 'x', what: 'draft' });
    expect(answer.text + replies.join()).not.toContain('Quagga');
  });
});
