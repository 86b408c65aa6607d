import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { OpenedHost, OpenedHosts } from '@ai-studio/contract/console/network.ts';
import { type NewToolServer, ToolServer, ToolServers, ToolTrialResult } from '@ai-studio/contract/console/agents.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServedTools } from '../../src/agents/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createGuardedRequest } from '../../src/net-guard/index.ts';
import { type Answer, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { type SessionServer, startModernServer, startSessionServer } from '../support/mcp-servers.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { covers } from '../requirements.ts';

const SECRET = 'a passphrase of this test';
const KEY = 'Bearer never-to-be-seen-4711';
let mcp: SessionServer;
let service: Server;
let serviceUrl = '';
const seen: { url: string; authorization: string | undefined; key: string | undefined }[] = [];
let house: ConsoleHouse;
let ours: TenantId;
let boss: SignedInBrowser;
let dev: SignedInBrowser;
let user: SignedInBrowser;
let stranger: SignedInBrowser;
/** Everything that was answered. */
const answered: string[] = [];

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const tools = [
  {
    name: 'weather',
    description: 'Tells the weather',
    inputSchema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
    call: ({ args }: { readonly args: Record<string, unknown> }) => text(`sunny in ${String(args['city'])}`),
  },
  {
    name: 'fails',
    description: '',
    inputSchema: { type: 'object' as const },
    call: () => ({ ...text('no'), isError: true }),
  },
  { name: 'third', description: '', inputSchema: { type: 'object' as const }, call: () => text('3') },
];

beforeAll(async () => {
  mcp = await startSessionServer(tools);
  service = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push({ url: request.url ?? '', authorization, key: request.headers['idempotency-key']?.toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"stock":7}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  house = await openConsoleHouse({ STUDIO_NETWORK_ALLOW: '["127.0.0.1"]', STUDIO_SECRET_KEY: SECRET });
  ours = await makeTenant(house, 'Ours');
  boss = await personOf(house, ours, 'administrator');
  dev = await personOf(house, ours, 'developer');
  user = await personOf(house, ours, 'user');
  stranger = await personOf(house, await makeTenant(house, 'Foreign'), 'administrator');
});
afterAll(async () => {
  await house.close();
  await mcp.close();
  service.closeAllConnections();
  service.close();
});

const refused = (answer: Answer, ...expected: [status: number, reason?: ConsoleReason]) => {
  answered.push(answer.text);
  return expectRefused(answer, ...expected);
};
const ok = (answer: Answer, status = 200) => {
  expect(answer.status, answer.text).toBe(status);
  answered.push(answer.text);
  return answer;
};
const add = async (server: Partial<NewToolServer>, person = boss) =>
  ToolServer.parse(ok(await person.post('/agent-servers', server), 201).json());
const listed = async (person = boss) => ToolServers.parse(ok(await person.get('/agent-servers')).json()).items;
const attempt = async (id: string, tool: string, args: object) =>
  ToolTrialResult.parse(ok(await dev.post(`/agent-servers/${id}/try`, { tool, arguments: args })).json());
const description = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Stock', version: '1' },
  servers: [{ url: 'https://stock.example.kr/v1' }],
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'stock_of',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
      put: { requestBody: { required: true, content: { 'image/png': {} } } },
    },
  },
});

describe('tool servers', () => {
  let id = '';

  test('of MCP are added with their tools, and their headers are never shown again', async () => {
    covers('agents.tools.secrets');
    const server = await add({ name: 'Weather', kind: 'mcp', url: mcp.url, headers: { Authorization: KEY } });
    ({ id } = server);
    expect(server).toMatchObject({ state: 'ready', failure: null, headers: ['Authorization'], used_by: [] });
    expect(server.tools.map(({ name }) => name)).toEqual(['weather', 'fails', 'third']);
    expect(mcp.requests.every(({ headers }) => headers.authorization === KEY)).toBe(true);
    const row = await house.db.query
      .selectFrom('tool_servers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('never-to-be-seen');
    expect(row.sealed_headers).toMatch(/^v1\./);
    expect(await listed(dev)).toEqual([server]);
  });

  test('are tried by those who build, and tell what is wrong', async () => {
    expect(await attempt(id, 'weather', { city: 'Seoul' })).toMatchObject({ text: 'sunny in Seoul', failed: false });
    expect(await attempt(id, 'weather', {})).toMatchObject({
      failed: true,
      text: 'The arguments are wrong: city is required',
    });
    expect(await attempt(id, 'fails', {})).toMatchObject({ text: 'no', failed: true });
    refused(await dev.post(`/agent-servers/${id}/try`, { tool: 'nothing', arguments: {} }), 404);
  });

  test('of HTTP services are added by their description', async () => {
    const server = await add({
      name: 'Stock',
      kind: 'http',
      url: serviceUrl,
      description,
      headers: { authorization: KEY },
    });
    expect(server).toMatchObject({ state: 'ready', url: serviceUrl, left_out: ['PUT /items/{id}'] });
    expect(server.tools.map(({ name }) => name)).toEqual(['stock_of']);
    // Looking whether it is there tells it no secret.
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(await attempt(server.id, 'stock_of', { id: 'a b' })).toMatchObject({ text: '{"stock":7}', failed: false });
    expect(seen.at(-1)).toMatchObject({
      url: '/v1/items/a%20b',
      authorization: KEY,
      key: expect.stringMatching(/^try\//),
    });
    ok(await boss.delete(`/agent-servers/${server.id}`), 204);
  });

  test('are changed, with their headers kept for their own address only', async () => {
    covers('agents.tools.secrets');
    const other = await startModernServer([tools[2] ?? tools[0]] as never);
    try {
      refused(await boss.patch(`/agent-servers/${id}`, { url: other.url }), 400, 'tool_headers_anew');
      expect(other.requests).toEqual([]);
      const renamed = ToolServer.parse(ok(await boss.patch(`/agent-servers/${id}`, { name: 'Sky' })).json());
      expect(renamed).toMatchObject({ name: 'Sky', headers: ['Authorization'] });
      expect(mcp.requests.at(-1)?.headers.authorization).toBe(KEY);
      const moved = ToolServer.parse(
        ok(await boss.patch(`/agent-servers/${id}`, { url: other.url, headers: {} })).json(),
      );
      expect(moved).toMatchObject({ headers: [], tools: [{ name: 'third' }] });
      expect(other.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
      expect(await attempt(id, 'third', {})).toMatchObject({ text: '3' });
      ok(await boss.patch(`/agent-servers/${id}`, { url: mcp.url, headers: { Authorization: KEY } }));
      expect(await attempt(id, 'weather', { city: 'Busan' })).toMatchObject({ text: 'sunny in Busan' });
    } finally {
      await other.close();
    }
  });

  test('that are gone say so, and keep their tools until they are back', async () => {
    const gone = await startSessionServer(tools);
    const server = await add({ name: 'Gone', kind: 'mcp', url: gone.url });
    await gone.close();
    const failed = ToolServer.parse(ok(await dev.post(`/agent-servers/${server.id}/refresh`)).json());
    expect(failed).toMatchObject({ state: 'failed', failure: { problem: 'unreachable' } });
    expect(failed.tools).toHaveLength(3);
    expect(await attempt(server.id, 'third', {})).toMatchObject({
      failed: true,
      text: expect.stringContaining('did not answer'),
    });
    const early = await add({ name: 'Early', kind: 'mcp', url: 'http://127.0.0.1:9/mcp' });
    expect(early).toMatchObject({ state: 'failed', tools: [] });
    for (const one of [server, early]) ok(await boss.delete(`/agent-servers/${one.id}`), 204);
  });

  test.each([
    ['http://10.0.0.1/mcp', 'tool_address_closed'],
    ['http://169.254.169.254/latest', 'tool_address_closed'],
    ['https://169.254.169.254/latest', 'tool_address_closed'],
    ['https://[::1]/mcp', 'tool_address_closed'],
    ['https://[::ffff:10.0.0.1]/mcp', 'tool_address_closed'],
    ['http://1.1.1.1/mcp', 'tool_address_https'],
  ] as const)('at %s are refused before they are kept', async (url, reason) => {
    const answer = await boss.post('/agent-servers', { name: `Inside ${url}`, kind: 'mcp', url });
    expect(refused(answer, 400, reason)).toMatchObject({ param: 'url', values: { host: new URL(url).hostname } });
    expect((await listed()).map(({ name }) => name)).not.toContain(`Inside ${url}`);
  });

  test('inside are added once an operator has opened their host, until it is closed again', async () => {
    const inside = createServer((_request, response) => void response.end('{}'));
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve));
    try {
      const url = `http://127.0.0.2:${(inside.address() as AddressInfo).port}`;
      const server = { name: 'Inside', kind: 'http', url, description } as const;
      refused(await boss.post('/agent-servers', server), 400, 'tool_address_closed');
      const host = { host: ' 127.0.0.2 ', note: 'stock' };
      // Whoever administers a tenant does not open the operator's network.
      refused(await boss.post('/opened-hosts', host), 403, 'role_missing');
      const operator = await personOf(house, ours, 'user', 'Operator');
      await house.db.query.updateTable('users').set({ operator: true }).where('id', '=', operator.userId).execute();
      refused(await operator.post('/opened-hosts', { host: '169.254.169.254' }), 400, 'host_not_openable');
      const opened = OpenedHost.parse(ok(await operator.post('/opened-hosts', host)).json());
      expect(opened).toMatchObject({ host: '127.0.0.2', note: 'stock', opened_by: 'Operator' });
      refused(await operator.post('/opened-hosts', host), 409, 'host_opened');
      expect(OpenedHosts.parse(ok(await operator.get('/opened-hosts')).json())).toEqual({
        configured: ['127.0.0.1'],
        items: [opened],
      });
      const added = await add(server);
      expect(added.state).toBe('ready');
      ok(await operator.delete(`/opened-hosts/${opened.id}`), 204);
      refused(await operator.delete(`/opened-hosts/${opened.id}`), 404);
      const shut = ToolServer.parse(ok(await boss.post(`/agent-servers/${added.id}/refresh`)).json());
      expect(shut).toMatchObject({ state: 'failed', failure: { problem: 'https_only' } });
      ok(await boss.delete(`/agent-servers/${added.id}`), 204);
      const events = await house.db.query
        .selectFrom('audit_events')
        .select(['action', 'target_name'])
        .where('actor_user_id', '=', operator.userId)
        .orderBy('seq')
        .execute();
      expect(events).toEqual([
        { action: 'host_opened', target_name: '127.0.0.2' },
        { action: 'host_closed', target_name: '127.0.0.2' },
      ]);
    } finally {
      inside.close();
    }
  });

  test('cannot be just anything', async () => {
    const wrong = async (server: object, param: string, reason: ConsoleReason) => {
      const answer = await boss.post('/agent-servers', { name: 'x', kind: 'mcp', url: mcp.url, ...server });
      expect(refused(answer, 400, reason).param).toBe(param);
    };
    await wrong({ url: 'not an address' }, 'url', 'tool_address');
    await wrong({ url: 'file:///etc/passwd' }, 'url', 'tool_address');
    await wrong({ url: 'https://me:pw@tools.example/mcp' }, 'url', 'tool_address');
    await wrong({ headers: { 'a b': 'c' } }, 'headers', 'tool_header');
    await wrong({ headers: { Host: 'other' } }, 'headers.Host', 'tool_header');
    await wrong({ headers: { a: 'x\r\nevil: 1' } }, 'headers.a', 'tool_header');
    await wrong({ headers: { a: '1', A: '2' } }, 'headers.A', 'tool_header');
    await wrong({ kind: 'http' }, 'description', 'tool_description');
    await wrong({ kind: 'http', description: 'nothing' }, 'description', 'tool_description');
    await wrong(
      { kind: 'http', url: '', description: '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}' },
      'url',
      'tool_address_missing',
    );
    await wrong({ kind: 'http', url: `${serviceUrl}?a=b`, description }, 'url', 'tool_address');
    refused(await boss.post('/agent-servers', { name: 'Sky', kind: 'mcp', url: mcp.url }), 409, 'name_taken');
    refused(await boss.patch(`/agent-servers/${id}`, { description }), 400, 'invalid_field');
  });

  test('name the agents that use them', async () => {
    const agent = ok(await dev.post('/agents', { name: 'Forecaster', template: 'plain_assistant' }), 201).json<{
      id: string;
      revision: number;
      draft: { nodes: object[] };
    }>();
    const node = {
      id: 'ask_weather',
      kind: 'tool',
      tool: { kind: 'server', server: id, tools: ['weather'] },
      arguments: {},
    };
    const draft = { ...agent.draft, nodes: [...agent.draft.nodes, node] };
    ok(await dev.patch(`/agents/${agent.id}`, { draft, revision: agent.revision }));
    expect((await listed())[0]?.used_by).toEqual([{ id: agent.id, name: 'Forecaster' }]);
    const { servers } = ok(await dev.get('/agent-means')).json<{ servers: object[] }>();
    expect(servers).toMatchObject([{ id, name: 'Sky', kind: 'mcp' }]);
  });

  test('are of their tenant, and of those who may', async () => {
    expect(await listed(stranger)).toEqual([]);
    for (const person of [stranger, user]) {
      const status = person === user ? 403 : 404;
      refused(await person.patch(`/agent-servers/${id}`, { name: 'Mine' }), status);
      refused(await person.delete(`/agent-servers/${id}`), status);
      refused(await person.post(`/agent-servers/${id}/refresh`), status);
      refused(await person.post(`/agent-servers/${id}/try`, { tool: 'weather', arguments: { city: 'x' } }), status);
    }
    refused(await user.get('/agent-servers'), 403, 'role_missing');
    refused(await dev.post('/agent-servers', { name: 'Own', kind: 'mcp', url: mcp.url }), 403, 'role_missing');
    refused(await dev.patch(`/agent-servers/${id}`, { name: 'Own' }), 403, 'role_missing');
    refused(await dev.delete(`/agent-servers/${id}`), 403, 'role_missing');
    const served = createServedTools({
      db: house.db,
      box: createSecretBox(SECRET),
      request: createGuardedRequest({ allow: [] }),
    });
    await expect(served.find(stranger.tenantId, id, [])).rejects.toMatchObject({ code: 'not_found' });
    expect(await served.find(ours, id, [])).toHaveLength(3);
    await served.close();
  });

  test('are in the audit log, and nothing that was answered holds a secret', async () => {
    const { items } = ok(await boss.get('/audit')).json<{
      items: { action: string; target: { name: string } | null }[];
    }>();
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['tool_server_added', 'tool_server_changed', 'tool_server_removed', 'tool_tried']),
    );
    ok(await boss.delete(`/agent-servers/${id}`), 204);
    refused(await boss.delete(`/agent-servers/${id}`), 404);
    expect(await listed()).toEqual([]);
    expect(answered.join('\n')).not.toContain('never-to-be-seen');
  });
});
