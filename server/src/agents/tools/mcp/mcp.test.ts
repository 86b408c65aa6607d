import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ServedTool,
  listen,
  startModernServer,
  startSessionServer,
} from '../../../../test/support/mcp-servers.ts';
import { createGuardedRequest } from '../../../net-guard/index.ts';
import { MAX_TEXT_LENGTH } from '../tool.ts';
import { type McpClient, createMcpClient } from './client.ts';
import { callTool, listTools } from './tools.ts';
import { postMessage } from './transport.ts';
import { covers } from '../../../../test/requirements.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});
const never = new AbortController().signal;
const request = createGuardedRequest({ allow: ['127.0.0.1'] });

function clientOf({ url }: { readonly url: string }, headers: Record<string, string> = {}): McpClient {
  const client = createMcpClient({ request, url, headers });
  closers.push(() => client.close());
  return client;
}
async function started<T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  closers.push(() => server.close());
  return server;
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const noArguments = { type: 'object' as const, properties: {} };
const tool = (name: string, call: ServedTool['call']): ServedTool => ({
  name,
  description: `About ${name}`,
  inputSchema: noArguments,
  call,
});
const echo = tool('echo', ({ args, meta }) => ({
  ...text(JSON.stringify({ args, key: meta['idempotencyKey'] })),
  structuredContent: { args },
}));
const use = (client: McpClient, name: string, args = {}, signal = never) =>
  callTool(client, { name, description: '', parameters: noArguments }, args, { signal, idempotencyKey: 'run/step/1' });

const kinds = [
  ['sessions and streams', () => (tools: ServedTool[]) => startSessionServer(tools)],
  ['sessions and JSON', () => (tools: ServedTool[]) => startSessionServer(tools, { json: true })],
  ['no sessions', () => (tools: ServedTool[]) => startModernServer(tools)],
  ['no sessions and streams', () => (tools: ServedTool[]) => startModernServer(tools, 'sse')],
] as const;

describe.each(kinds)('a server with %s', (_name, kind) => {
  const start = (tools: ServedTool[]) => started<Awaited<ReturnType<typeof startModernServer>>>(kind()(tools));

  it('lists all its tools, page by page', async () => {
    covers('agents.tools.mcp');
    const names = ['a', 'b', 'c', 'd', 'e'];
    const client = clientOf(await start(names.map((name) => tool(name, () => text(name)))));
    const tools = await listTools(client, never);
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[0]).toMatchObject({ description: 'About a', parameters: { type: 'object' } });
  });

  it('is called with its headers and the idempotency key', async () => {
    const server = await start([echo]);
    const client = clientOf(server, { authorization: 'Bearer s3cret' });
    const result = await use(client, 'echo', { a: '한글' });
    expect(result).toEqual({
      failed: false,
      text: '{"args":{"a":"한글"},"key":"run/step/1"}',
      result: { args: { a: '한글' } },
    });
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer s3cret')).toBe(true);
    const call = server.requests.find(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers['idempotency-key']).toBe('run/step/1');
  });

  it('says hello once, however many ask at the same time', async () => {
    const server = await start([echo]);
    const client = clientOf(server);
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) =>
        expect((await use(client, 'echo', { i })).result).toEqual({ args: { i } }),
      ),
    );
    expect(server.requests.filter(({ rpc }) => rpc === 'server/discover')).toHaveLength(1);
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize').length).toBeLessThanOrEqual(1);
  });

  it('tells of pictures and the like in words, and of its failures', async () => {
    const client = clientOf(
      await start([
        tool('mixed', () => ({
          content: [
            { type: 'text', text: 'one' },
            { type: 'image', mimeType: 'image/png', data: 'AAAA' },
            { type: 'resource_link', uri: 'file:///a', name: 'A' },
            { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
          ],
        })),
        tool('files', () => ({
          content: [
            { type: 'audio', mimeType: 'audio/mpeg; rate=1', data: 'AAAA' },
            { type: 'resource', resource: { uri: 'https://a.kr/x/%EB%B3%B4%EA%B3%A0.pdf', blob: 'AAAA' } },
            { type: 'resource', resource: { uri: 'note:', text: '# 글', mimeType: 'text/markdown' } },
          ],
        })),
        tool('broken', () => ({ ...text('the disk is full'), isError: true })),
        tool('empty', () => ({ content: [] })),
      ]),
    );
    expect((await use(client, 'mixed')).text).toBe(
      'one\n[image: image/png, 3 bytes; not shown]\n[link: A file:///a]\n[resource file:///b]\ninside',
    );
    expect((await use(client, 'mixed')).files).toEqual([
      { name: 'image-2.png', mediaType: 'image/png', bytes: Buffer.alloc(3) },
      { name: 'b', mediaType: 'text/plain', bytes: Buffer.from('inside') },
    ]);
    expect((await use(client, 'files')).files).toEqual([
      { name: 'audio-1.mp3', mediaType: 'audio/mpeg', bytes: Buffer.alloc(3) },
      { name: '보고.pdf', mediaType: 'application/pdf', bytes: Buffer.alloc(3) },
      { name: 'resource-3.md', mediaType: 'text/markdown', bytes: Buffer.from('# 글') },
    ]);
    expect(await use(client, 'broken')).toEqual({ failed: true, text: 'the disk is full', result: null });
    expect((await use(client, 'empty')).text).toBe('[The tool gave nothing]');
    await expect(use(client, 'nothing')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('says'),
    });
  });

  it('may give more than anybody can read: it is cut, with a note', async () => {
    covers('agents.tools.large');
    const client = clientOf(await start([tool('large', () => text('가'.repeat(3_000_000)))]));
    const { text: said, failed } = await use(client, 'large');
    expect(failed).toBe(false);
    expect(said.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
    expect(said).toMatch(/^가{1000}.*\[Cut: .*ask for less of it\]$/s);
  });

  it('is told when nobody waits any more, and goes on for others', async () => {
    const began = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const client = clientOf(
      await start([
        echo,
        tool('slow', async ({ signal, progress }) => {
          await progress(1);
          began.resolve();
          signal.addEventListener('abort', () => ended.resolve());
          await ended.promise;
          return text('too late');
        }),
      ]),
    );
    const gone = new AbortController();
    const calling = use(client, 'slow', {}, gone.signal);
    await began.promise;
    gone.abort(new Error('nobody waits'));
    await expect(calling).rejects.toThrow('nobody waits');
    await ended.promise;
    expect((await use(client, 'echo')).failed).toBe(false);
  });
});

/** Keeps what was sent, so that a stream can be taken up again. */
function createEvents(): EventStore {
  const kept: { streamId: string; message: Parameters<EventStore['storeEvent']>[1] }[] = [];
  return {
    storeEvent: (streamId, message) => Promise.resolve(String(kept.push({ streamId, message }))),
    async replayEventsAfter(last, { send }) {
      const streamId = kept[Number(last) - 1]?.streamId ?? '';
      for (const [i, event] of kept.entries())
        if (i >= Number(last) && event.streamId === streamId) await send(String(i + 1), event.message);
      return streamId;
    },
  };
}

describe('a server with sessions', () => {
  it('that forgot the session gets a new one, and the call is made once', async () => {
    let calls = 0;
    const server = await started(startSessionServer([tool('count', () => text(String(++calls)))]));
    const client = clientOf(server);
    expect((await use(client, 'count')).text).toBe('1');
    await server.forget();
    expect((await use(client, 'count')).text).toBe('2');
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
  });

  it('whose stream was cut is asked for the rest, and called once', async () => {
    let calls = 0;
    const server = await started(
      startSessionServer(
        [
          tool('cut', async ({ progress }) => {
            calls++;
            await progress(1);
            await sleep(30);
            return text('the rest');
          }),
        ],
        { events: createEvents() },
      ),
    );
    const client = clientOf(server);
    await listTools(client, never);
    const calling = use(client, 'cut');
    while (calls === 0) await sleep(2);
    await sleep(5);
    // As a proxy does that has waited long enough.
    for (const [, transport] of server.sessions) for (let id = 0; id < 10; id++) transport.closeSSEStream(id);
    expect((await calling).text).toBe('the rest');
    expect(calls).toBe(1);
  });

  it('is told that the session is over', async () => {
    const server = await started(startSessionServer([echo]));
    const client = clientOf(server);
    await use(client, 'echo');
    await client.close();
    await client.close();
    expect(server.requests.at(-1)?.method).toBe('DELETE');
    expect(server.sessions.size).toBe(0);
  });
});

describe('a server without sessions', () => {
  it('gets names and arguments in headers too, whatever signs they have', async () => {
    const schema = {
      type: 'object' as const,
      properties: { place: { type: 'string', 'x-mcp-header': 'Place' }, note: { type: 'string' } },
    };
    const server = await started(
      startModernServer([{ ...tool('날씨', ({ args }) => text(String(args['place']))), inputSchema: schema }]),
    );
    const client = clientOf(server);
    const [weather] = await listTools(client, never);
    if (!weather) throw new Error('no tool');
    const args = { place: ' 서울', note: 'x' };
    expect((await callTool(client, weather, args, { signal: never, idempotencyKey: 'k' })).text).toBe(' 서울');
    const { headers } = server.requests.at(-1) ?? { headers: {} };
    expect(headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('날씨').toString('base64')}?=`,
      'mcp-param-place': `=?base64?${Buffer.from(' 서울').toString('base64')}?=`,
    });
  });
});

describe('a server that takes its time', () => {
  type Reply = Parameters<Parameters<typeof listen>[0]>[1];
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  const posted: { id?: unknown; method?: string; result?: unknown; error?: { code: number } }[] = [];
  const answering = (answer: (response: Reply, id: unknown) => Promise<void>) =>
    started(
      listen(async (_request, response, body) => {
        const message = JSON.parse(body) as (typeof posted)[number];
        posted.push(message);
        if (message.method === undefined) return void response.writeHead(202).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        await answer(response, message.id);
      }),
    );
  const post = ({ url }: { readonly url: string }, idleTimeoutMs: number) =>
    postMessage(
      { request, url, headers: {} },
      { id: 7, method: 'tools/call' },
      { signal: never, headers: {}, idleTimeoutMs },
    );

  it('is waited for as long as it tells of progress, and no longer', async () => {
    const busy = await answering(async (response, id) => {
      for (let done = 0; done < 30; done++) {
        response.write(event({ method: 'notifications/progress', params: { progress: done } }));
        await sleep(50);
      }
      response.end(event({ id, result: {} }));
    });
    expect((await post(busy, 1_000)).response?.result).toEqual({});
    const silent = await answering(() => new Promise(() => undefined));
    await expect(post(silent, 50)).rejects.toMatchObject({ code: 'unavailable', reason: 'slow' });
  });

  it('and asks something itself is told that nobody here knows', async () => {
    posted.length = 0;
    const server = await answering(async (response, id) => {
      const method = posted.at(-1)?.method;
      if (method === 'server/discover')
        return void response.end(event({ id, error: { code: -32_601, message: 'no' } }));
      const result = { protocolVersion: '2025-06-18', capabilities: {} };
      if (method === 'initialize') return void response.end(event({ id, result }));
      if (method !== 'tools/call') return void response.end();
      response.write(event({ id: 'p', method: 'ping' }) + event({ id: 's', method: 'sampling/createMessage' }));
      while (posted.filter((message) => message.method === undefined).length < 2) await sleep(5);
      response.end(event({ id, result: text('done') }));
    });
    expect((await use(clientOf(server), 'any')).text).toBe('done');
    const answers = posted.filter(({ method }) => method === undefined);
    expect(answers.find(({ id }) => id === 'p')).toMatchObject({ result: {} });
    expect(answers.find(({ id }) => id === 's')).toMatchObject({ error: { code: -32_601 } });
  });
});

describe('a server that breaks the rules', () => {
  type Message = { readonly id?: number; readonly method?: string };
  /** Answers `tools/call` as it is told to, and the rest as a server with sessions does. */
  const serving = (call: Parameters<typeof listen>[0]) =>
    started(
      listen((incoming, response, body) => {
        const { id, method } = (body === '' ? {} : JSON.parse(body)) as Message;
        if (method === 'tools/call' || incoming.method === 'GET') return call(incoming, response, body);
        if (id === undefined) return void response.writeHead(202).end();
        // Without `serverInfo`, which the specification wants.
        const initialized = { result: { protocolVersion: '2025-06-18', capabilities: {} } };
        const reply = method === 'initialize' ? initialized : { error: { code: -32_601, message: 'no' } };
        response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
      }),
    );
  const stream = { 'content-type': 'text/event-stream' };

  it('and ends a stream before the response is not waited for', async () => {
    const server = await serving((_incoming, response) => {
      response.writeHead(200, stream).end('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
    });
    await expect(use(clientOf(server), 'any')).rejects.toMatchObject({ reason: 'broken_off' });
  });

  it('and responds with another id is understood, as a reply has one response', async () => {
    const server = await serving((_incoming, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: 'other', result: text('done') }));
    });
    expect((await use(clientOf(server), 'any')).text).toBe('done');
  });

  it('and ends every stream at once is asked for the rest a few times', async () => {
    const server = await serving((_incoming, response) => {
      response.writeHead(200, stream).end('retry: 0\nid: 1\ndata:\n\n');
    });
    await expect(use(clientOf(server), 'any')).rejects.toMatchObject({ reason: 'broken_off' });
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(5);
  });

  it('and goes on after a call was cancelled finds its connection closed', async () => {
    const called = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const server = await serving((_incoming, response) => {
      response.writeHead(200, stream).write(': busy\n\n');
      response.once('close', () => closed.resolve());
      called.resolve();
    });
    const gone = new AbortController();
    const calling = use(clientOf(server), 'any', {}, gone.signal);
    await called.promise;
    gone.abort(new Error('nobody waits'));
    await expect(calling).rejects.toThrow('nobody waits');
    await closed.promise;
  });
});

describe('a server that is none', () => {
  it.each([
    ['asks for credentials', 401, '{}', /other credentials/],
    ['is a web page', 200, '<html>', /something else than MCP/],
    ['is not there', 404, '', /nothing speaks MCP/],
    ['is broken', 500, 'stack trace with s3cret', /status 500/],
    ['says no', 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no luck"}}', /no luck/],
    ['ends early', 200, '{"jsonrpc":"2.0","id":1,"result', /ended its answer too early/],
    ['leads elsewhere', 307, '', /sends on to another address/],
  ])('and %s is told of in words', async (_name, status, body, message) => {
    const server = await started(
      listen(
        (_request, response) =>
          void response
            .writeHead(status, { location: 'http://10.0.0.1/', 'content-type': 'application/json' })
            .end(body),
      ),
    );
    const listing = listTools(clientOf(server), never);
    await expect(listing).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) });
    await expect(listing).rejects.not.toMatchObject({ message: expect.stringContaining('s3cret') });
  });

  it('is not reached where its address is private', async () => {
    covers('agents.tools.guard');
    const server = await started(startSessionServer([echo]));
    const client = createMcpClient({ request: createGuardedRequest({ allow: [] }), url: server.url, headers: {} });
    await expect(listTools(client, never)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toEqual([]);
  });

  it('and gives pages of tools without end is left', async () => {
    let page = 0;
    const server = await started(
      listen((_request, response, body) => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const result =
          method === 'server/discover'
            ? { supportedVersions: ['2026-07-28'] }
            : { tools: [], nextCursor: String(page++) };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }),
    );
    await expect(listTools(clientOf(server), never)).rejects.toMatchObject({
      message: expect.stringContaining('does not end'),
    });
  });
});
