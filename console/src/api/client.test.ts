import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiUrl, api } from './client.ts';
import { ApiError, isSignedOut } from './error.ts';

const Answer = z.object({ name: z.string() });
const failure = {
  error: {
    code: 'conflict',
    reason: 'name_taken',
    message: 'There is one',
    param: 'name',
    values: { name: 'a' },
    retry_after_seconds: null,
    request_id: 'r1',
  },
};

let server: Server;
let answer: (req: IncomingMessage, res: ServerResponse) => void;
let asked: {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}[];
const browserFetch = globalThis.fetch;

/** The browser's fetch knows the host of the page; here it is a server of the test. */
beforeEach(async () => {
  asked = [];
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (part) => (body += String(part)));
    req.on('end', () => {
      asked.push({ method: req.method, url: req.url, type: req.headers['content-type'], body });
      answer(req, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  globalThis.fetch = (path, init) => browserFetch(new URL(path as string, `http://127.0.0.1:${port}`), init);
});

afterEach(async () => {
  globalThis.fetch = browserFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const reply = (status: number, body: unknown) => (_: IncomingMessage, res: ServerResponse) => {
  res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r2' });
  res.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as ApiError,
  );

describe('a call of the console', () => {
  test('sends JSON and reads the answer by its schema', async () => {
    answer = reply(200, { name: '키', more: 1 });
    await expect(api.post('/keys', { name: '키' }, Answer)).resolves.toEqual({ name: '키' });
    expect(asked).toEqual([
      { method: 'POST', url: '/console/api/keys', type: 'application/json', body: '{"name":"키"}' },
    ]);
  });

  test('leaves out what a query does not say', async () => {
    answer = reply(200, { name: 'a' });
    await api.get('/usage', Answer, { query: { model: 'A&B', size: 0, from: undefined, to: null, text: '' } });
    expect(asked[0]?.url).toBe('/console/api/usage?model=A%26B&size=0');
    expect(asked[0]?.type).toBe(undefined);
    expect(apiUrl('/audit')).toBe('/console/api/audit');
  });

  test('fails with what the service says', async () => {
    answer = reply(409, failure);
    const error = await failureOf(api.post('/keys', {}, Answer));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 409,
      code: 'conflict',
      reason: 'name_taken',
      param: 'name',
      requestId: 'r1',
      values: { name: 'a' },
    });
    expect(isSignedOut(error)).toBe(false);
  });

  test('an answer that is cut off is a failure of the network', async () => {
    answer = (_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"name":', () => res.destroy());
    };
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({ status: 0, code: 'network' });
  });

  test('fails in a known way whatever a broken service or a proxy says', async () => {
    answer = reply(502, '<html>Bad gateway</html>');
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({
      status: 502,
      code: '502',
      reason: null,
      requestId: 'r2',
    });
    answer = reply(200, { other: 1 });
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({ code: 'bad_answer', requestId: 'r2' });
    answer = reply(200, 'no JSON');
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({ code: 'bad_answer' });
    answer = (req) => req.socket.destroy();
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({ status: 0, code: 'network' });
  });

  test('tells that the session is gone', async () => {
    answer = reply(401, { error: { ...failure.error, code: 'unauthenticated', reason: 'signed_out' } });
    expect(isSignedOut(await failureOf(api.run('DELETE', '/keys/1')))).toBe(true);
  });

  test('follows no redirect: an answer of another page is none', async () => {
    answer = (_, res) => res.writeHead(302, { location: '/console' }).end();
    expect(await failureOf(api.get('/me', Answer))).toMatchObject({ code: 'network' });
  });

  test('ends with its signal, which is no failure of the service', async () => {
    answer = () => undefined;
    const stop = new AbortController();
    const call = failureOf(api.get('/me', Answer, { signal: stop.signal }));
    stop.abort();
    expect(await call).not.toBeInstanceOf(ApiError);
  });
});
