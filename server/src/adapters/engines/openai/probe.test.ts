import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServerOptions, startModelServer } from '../../../../test/fakes/model-server.ts';
import { silent } from '../../../../test/support/silent-log.ts';
import { createOpenAiEngine } from './engine.ts';
import { createServerProbe } from './probe.ts';

const KEY = 'sk-look-0123456789';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const never = new AbortController().signal;
const probeAnywhere = createServerProbe();
const look = (baseUrl: string, apiKey: string | null = null) => probeAnywhere({ baseUrl, apiKey }, never);

async function fake(options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  closers.push(() => server.close());
  return server;
}

/** A server that gives one answer to everything. */
async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.headers.authorization));
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('a look at a model server', () => {
  it('finds its models, how long they read, and what it is', async () => {
    const { url } = await fake({ models: ['a', 'b/c'], ownedBy: 'vllm' });
    const found = await look(`${url}/`);
    expect(found).toMatchObject({
      ok: true,
      dialect: 'vllm',
      models: [
        { name: 'a', contextLength: 8192 },
        { name: 'b/c', contextLength: 8192 },
      ],
    });
  });

  it('takes a server without models for what it is', async () => {
    const { url } = await answering(200, '{"object":"list","data":null}');
    expect(await look(url)).toMatchObject({ ok: true, models: [] });
  });

  it('sends the key as bearer', async () => {
    const { url, seen } = await answering(200, '{"data":[{"id":"a"}]}');
    await look(url, KEY);
    expect(seen).toEqual([`Bearer ${KEY}`]);
  });

  it.each([
    [
      'refused',
      401,
      '{"error":{"message":"Incorrect API key provided: KEY"}}',
      'does not take this API key',
      'key_wrong',
    ],
    ['refused', 503, 'loading', 'may still be loading', 'starting'],
    ['refused', 429, '{}', 'too many requests', 'busy'],
    ['not_openai', 404, 'nothing', 'under /v1', 'no_list'],
    ['not_openai', 200, '<!doctype html><title>Grafana</title>', 'a web page', 'web_page'],
    ['not_openai', 200, '{"hello":"world"}', 'something else', 'other_answer'],
    ['not_openai', 200, '{"models":{"a":1}}', 'something else', 'other_answer'],
    ['not_openai', 302, '', 'another address', 'redirects'],
    ['not_openai', 418, '', 'the status 418', 'other_answer'],
  ])('says %s for the status %i', async (reason, status, body, message, problem) => {
    const { url } = await answering(status, body.replace('KEY', KEY), { location: `http://x/?${KEY}` });
    const found = await look(url, KEY);
    expect(found).toMatchObject({
      ok: false,
      reason,
      message: expect.stringContaining(message),
      problem,
      values: { host: new URL(url).host, status },
    });
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  it('tells apart a missing key and a wrong one', async () => {
    const { url } = await answering(401, '{}');
    expect(await look(url)).toMatchObject({
      message: expect.stringContaining('asks for an API key'),
      problem: 'key_missing',
    });
  });

  it('points to /v1 where the list stands there', async () => {
    const { url } = await fake();
    const root = url.replace('/v1', '');
    expect(await look(root)).toMatchObject({
      reason: 'not_openai',
      message: expect.stringContaining(`${url}: give`),
      problem: 'list_elsewhere',
      values: { address: url },
    });
  });

  it('reads no list without end', async () => {
    const { url } = await answering(200, `{"data":[{"id":"${'a'.repeat(9 * 1024 * 1024)}"}]}`);
    expect(await look(url)).toMatchObject({
      reason: 'not_openai',
      message: expect.stringContaining('no model server'),
    });
  });

  it('never asks an address that is refused, written out or behind a name', async () => {
    const { url, seen } = await answering(200, '{"data":[{"id":"a"}]}');
    const port = new URL(url).port;
    const isForbidden = (address: string) => address.startsWith('127.') || address === '::1';
    const guarded = createServerProbe(isForbidden);
    for (const base of [url, `http://localhost:${port}`, `https://localhost:${port}`])
      expect(await guarded({ baseUrl: base, apiKey: KEY }, never)).toMatchObject({
        ok: false,
        reason: 'unreachable',
        problem: 'not_allowed',
        values: { host: new URL(base).host },
      });
    expect(seen).toEqual([]);
    const engine = createOpenAiEngine({ id: 'kept', baseUrl: `http://localhost:${port}`, isForbidden, log: silent });
    await expect(engine.models(never)).rejects.toThrow('never connected to');
    expect(await engine.health(never)).toMatchObject({ ok: false, trouble: { code: 'engine_closed_address' } });
    await engine.close();
    expect(seen).toEqual([]);
    const other = createServerProbe((address) => address === '10.0.0.1');
    expect(await other({ baseUrl: `http://localhost:${port}`, apiKey: null }, never)).toMatchObject({ ok: true });
  });

  it('says why nobody is there', async () => {
    const server = await fake();
    await server.close();
    expect(await look(server.url)).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('Nothing listens'),
      problem: 'nothing_listens_here',
      values: { host: new URL(server.url).host },
      latencyMs: null,
    });
    expect(await look('http://no-such-host.invalid/v1')).toMatchObject({
      reason: 'unreachable',
      message: 'The host name no-such-host.invalid does not resolve',
      problem: 'unknown_host',
    });
  });

  it('ends with the call that asked', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(
      async () => server.closeAllConnections(),
      () => new Promise((resolve) => server.close(resolve)),
    );
    const ending = new AbortController();
    const { port } = server.address() as AddressInfo;
    const looking = probeAnywhere({ baseUrl: `http://127.0.0.1:${port}`, apiKey: null }, ending.signal);
    ending.abort(new Error('gone'));
    await expect(looking).rejects.toThrow('gone');
  });
});
