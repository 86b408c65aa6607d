import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DescriptionPreview, ToolServer } from '@ai-studio/contract/console/agents.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

// Descriptions of HTTP services that lie at an address.

let service: Server;
let base = '';
let house: ConsoleHouse;
let boss: SignedInBrowser;
let dev: SignedInBrowser;
let stranger: SignedInBrowser;
/** What lies at `/openapi`, and how often and with what it was asked for. */
let lies: { readonly status?: number; readonly body: string | Buffer; readonly location?: string };
const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    if (request.url?.startsWith('/v1')) return void response.writeHead(200).end('{"stock":7}');
    const { status = 200, body, location } = lies;
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  house = await openConsoleHouse({ STUDIO_NETWORK_ALLOW: '["127.0.0.1"]' });
  const ours = await makeTenant(house, 'Ours');
  boss = await personOf(house, ours, 'administrator');
  dev = await personOf(house, ours, 'developer');
  stranger = await personOf(house, await makeTenant(house, 'Foreign'), 'administrator');
});
afterAll(async () => {
  await house?.close();
  service?.closeAllConnections();
  service?.close();
});
beforeEach(() => {
  asked.length = 0;
});

const get = (name: string, ...parameters: readonly string[]) => ({
  get: {
    operationId: name,
    summary: `Tells ${name}`,
    parameters: parameters.map((one) => ({ name: one, in: 'query', schema: { type: 'string' } })),
  },
});
const described = (paths: object, servers: object = { servers: [{ url: '/v1' }] }) =>
  JSON.stringify({ openapi: '3.1.0', ...servers, paths });
const yaml = `openapi: 3.0.3
info: { title: Stock, version: '1' }
paths:
  /items:
    get: { operationId: 'items', summary: "재고" }
`;

let names = 0;
const add = (fields: object = {}) =>
  boss.post('/agent-servers', {
    name: `Stock ${(names += 1)}`,
    kind: 'http',
    description_url: `${base}/openapi`,
    ...fields,
  });
async function added(fields: object = {}): Promise<ToolServer> {
  const answer = await add(fields);
  expect(answer.status, answer.text).toBe(201);
  return ToolServer.parse(answer.json());
}
const toolsOf = ({ tools }: ToolServer) => tools.map(({ name }) => name);

describe('the description of a service that is named by its address', () => {
  test('is fetched, as JSON and YAML, without the headers of the service', async () => {
    covers('agents.tools.description-url');
    lies = { body: described({ '/items': get('items', 'q') }) };
    const server = await added({ headers: { Authorization: 'Bearer 4711' } });
    // Its first server is meant from where the document lies.
    expect(server).toMatchObject({ url: `${base}/v1`, description_url: `${base}/openapi`, state: 'ready' });
    expect(toolsOf(server)).toEqual(['items']);
    expect(asked.filter(({ url }) => url === '/openapi')).toEqual([{ url: '/openapi', authorization: undefined }]);
    lies = { body: `\uFEFF${yaml}` };
    const other = await added({ description_url: `${base}/openapi?x=1#/paths` });
    expect(other).toMatchObject({ url: base, description_url: `${base}/openapi?x=1` });
    expect(other.tools).toMatchObject([{ name: 'items', description: '재고' }]);
    const tried = await dev.post(`/agent-servers/${server.id}/try`, { tool: 'items', arguments: { q: 'a' } });
    expect(tried.json()).toMatchObject({ text: '{"stock":7}', failed: false });
  });

  test('is fetched again: first what would change is shown, then just that is taken in', async () => {
    covers('agents.tools.description-again');
    lies = { body: described({ '/a': get('a'), '/b': get('b', 'q', 'old'), '/c': get('c') }) };
    const { id } = await added();
    const path = `/agent-servers/${id}/description`;
    const look = async () => DescriptionPreview.parse((await boss.post(path)).json());
    expect((await look()).changes).toEqual([]);
    lies = {
      body: described({
        '/b2': get('b', 'q', 'new'),
        '/c': { get: { ...get('c').get, summary: 'Other words' } },
        '/d': get('d'),
        '/upload': { post: { requestBody: { required: true, content: { 'image/png': {} } } } },
      }),
    };
    const first = await look();
    const plain = { was: null, description: false, request: false, arguments: [] };
    expect(first.changes).toEqual([
      { ...plain, change: 'removed', name: 'a', operation: 'GET /a' },
      {
        change: 'changed',
        name: 'b',
        operation: 'GET /b2',
        was: 'GET /b',
        description: false,
        request: true,
        arguments: [
          { name: 'old', change: 'removed' },
          { name: 'new', change: 'added' },
        ],
      },
      { ...plain, change: 'changed', name: 'c', operation: 'GET /c', description: true },
      { ...plain, change: 'added', name: 'd', operation: 'GET /d' },
    ]);
    expect(first.left_out).toEqual(['POST /upload']);
    const read = async () =>
      (await boss.get('/agent-servers')).json<{ items: ToolServer[] }>().items.find((one) => one.id === id);
    // Looking changes nothing; neither does taking in what has changed since.
    lies = { body: described({ '/z': get('z') }) };
    expectRefused(await boss.post(`${path}/take`, { hash: first.hash }), 409, 'tool_description_differs');
    expect((await read())?.tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const second = await look();
    const taken = ToolServer.parse((await boss.post(`${path}/take`, { hash: second.hash })).json());
    expect(toolsOf(taken)).toEqual(['z']);
    expect((await look()).changes).toEqual([]);
    const { items } = (await boss.get('/audit')).json<{ items: { action: string; detail: object }[] }>();
    expect(items[0]).toMatchObject({ action: 'tool_server_changed', detail: { added: 1, removed: 3, changed: 0 } });
    for (const [who, status] of [
      [dev, 403],
      [stranger, 404],
    ] as const) {
      expectRefused(await who.post(path), status);
      expectRefused(await who.post(`${path}/take`, { hash: second.hash }), status);
    }
  });

  test('gives way to one that is pasted, and comes back', async () => {
    lies = { body: described({ '/a': get('a') }) };
    const { id } = await added();
    const change = async (fields: object) =>
      ToolServer.parse((await boss.patch(`/agent-servers/${id}`, fields)).json());
    expect(await change({ name: 'Kept' })).toMatchObject({
      description_url: `${base}/openapi`,
      tools: [{ name: 'a' }],
    });
    const pasted = await change({ description: described({ '/p': get('p') }) });
    expect(pasted).toMatchObject({ description_url: null, tools: [{ name: 'p' }] });
    const again = expectRefused(await boss.post(`/agent-servers/${id}/description`), 400, 'tool_description');
    expect(again.values['problem']).toBe('missing');
    expect(await change({ description_url: `${base}/openapi` })).toMatchObject({ tools: [{ name: 'a' }] });
    const both = { description_url: `${base}/openapi`, description: yaml };
    expectRefused(await boss.patch(`/agent-servers/${id}`, both), 400, 'invalid_field');
    expectRefused(await add({ description: yaml }), 400, 'invalid_field');
  });

  test.each<[string, () => typeof lies, string, number?]>([
    ['a page', () => ({ body: '\n<!doctype html><title>Swagger UI</title>' }), 'is_page'],
    ['nothing', () => ({ status: 404, body: 'no' }), 'status', 404],
    ['a door', () => ({ status: 401, body: 'no' }), 'status', 401],
    ['too much', () => ({ body: Buffer.alloc(6_000_001, 'x') }), 'too_large'],
    ['too many characters', () => ({ body: `{"a":"${'x'.repeat(2_000_000)}"}` }), 'too_large'],
    ['no text', () => ({ body: Buffer.from([0x80, 0x81, 0xff]) }), 'not_openapi'],
    ['no JSON', () => ({ body: '{"openapi":' }), 'not_json'],
    ['Swagger 2', () => ({ body: 'swagger: "2.0"' }), 'swagger_2'],
    ['a way inside', () => ({ status: 302, body: '', location: 'https://10.0.0.1/openapi.json' }), 'unreachable'],
    ['a way by http', () => ({ status: 302, body: '', location: 'http://169.254.169.254/latest' }), 'https_only'],
    ['a way round', () => ({ status: 302, body: '', location: `${base}/openapi` }), 'unreachable'],
  ])('at which %s lies is told so', async (_what, make, problem, status) => {
    lies = make();
    const refused = expectRefused(await add(), 400, 'tool_description');
    expect(refused.param).toBe('description_url');
    expect(refused.values).toMatchObject({ problem, ...(status === undefined ? {} : { status }) });
  });

  test.each([
    ['https://10.0.0.1/openapi.json', 'tool_description'],
    ['https://localhost/openapi.json', 'tool_description'],
    ['http://10.0.0.1/openapi.json', 'tool_description'],
    ['file:///etc/passwd', 'tool_address'],
    ['nowhere', 'tool_address'],
    ['https://u:p@example.kr/openapi.json', 'tool_address'],
  ] as const)('is not fetched from %s', async (url, reason) => {
    lies = { body: yaml };
    expectRefused(await add({ description_url: url }), 400, reason);
    expect(asked).toEqual([]);
  });

  test('may hold what the database cannot', async () => {
    lies = { body: described({ '/a\0': get('a\0'), '/up\0': { post: { requestBody: { required: true } } } }) };
    const server = await added();
    expect(server.tools).toHaveLength(1);
    expect((await boss.post(`/agent-servers/${server.id}/description`)).json()).toMatchObject({ changes: [] });
  });
});
