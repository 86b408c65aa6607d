import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FetchRefused, type GuardedResponse, createGuardedRequest } from './index.ts';
import { covers } from '../../test/requirements.ts';

interface Seen {
  readonly path: string;
  readonly method: string;
  readonly secret: string | undefined;
  readonly body: string;
}

describe('requests to addresses that users name', () => {
  let server: Server;
  let port = 0;
  const asked: Seen[] = [];
  const lookups: string[] = [];
  let addresses: readonly (readonly string[])[] = [['127.0.0.1']];
  const lookup = (host: string) => {
    lookups.push(host);
    return Promise.resolve(addresses[Math.min(lookups.length, addresses.length) - 1] ?? []);
  };
  const never = new AbortController().signal;
  const get = { method: 'GET', headers: {}, timeoutMs: 5_000, signal: never } as const;
  const post = {
    method: 'POST',
    headers: { 'x-secret': 's3cret', 'content-type': 'text/plain' },
    body: '한글',
    timeoutMs: 5_000,
    signal: never,
  } as const;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const path = request.url ?? '';
        asked.push({ path, method: request.method ?? '', secret: request.headers['x-secret']?.toString(), body });
        if (path === '/away') return void response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
        if (path === '/silent') return undefined;
        if (path === '/slow') return void response.writeHead(200).write('first');
        if (path === '/pieces') {
          response.writeHead(201, { 'x-kind': 'a', 'set-cookie': ['b=1', 'c=2'] }).write('one ');
          return void setImmediate(() => response.end('two'));
        }
        return void response.writeHead(404).end('nothing');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
    lookups.length = 0;
    addresses = [['127.0.0.1']];
  });

  const open = createGuardedRequest({ allow: ['127.0.0.0/8'], lookup });
  const strict = createGuardedRequest({ allow: [], lookup });
  const read = async (answer: GuardedResponse) => {
    try {
      return await text(answer.body);
    } finally {
      await answer.close();
    }
  };

  it('are sent with what they hold, and answered piece by piece', async () => {
    const answer = await open(`http://tools.test:${port}/pieces`, post);
    expect([answer.status, answer.headers.get('x-kind'), answer.headers.get('set-cookie')]).toEqual([
      201,
      'a',
      'b=1, c=2',
    ]);
    expect(await read(answer)).toBe('one two');
    await answer.close();
    expect(asked).toEqual([{ path: '/pieces', method: 'POST', secret: 's3cret', body: '한글' }]);
    expect(await read(await open(`http://127.0.0.1:${port}/x`, get))).toBe('nothing');
  });

  it('do not follow where a server sends them on, so that no secret goes there', async () => {
    covers('agents.tools.guard');
    await expect(open(`http://tools.test:${port}/away`, post)).rejects.toThrow('sends on to another address');
    expect(asked.map(({ path }) => path)).toEqual(['/away']);
  });

  it('go to the address that was looked at, whatever the name means a moment later', async () => {
    covers('agents.tools.guard');
    addresses = [['127.0.0.1'], ['10.0.0.1']];
    expect(await read(await open(`http://tools.test:${port}/x`, get))).toBe('nothing');
    expect(lookups).toEqual(['tools.test']);
    await expect(open(`http://tools.test:${port}/x`, get)).rejects.toBeInstanceOf(FetchRefused);
    expect(asked).toHaveLength(1);
  });

  it.each([
    'http://tools.test/',
    'https://tools.test/',
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://user:pass@tools.test/',
    'ftp://tools.test/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'no address',
  ])('never reach %s where nothing was opened', async (url) => {
    await expect(strict(url.replace(/(\]|test|\.1)\//, `$1:${port}/`), post)).rejects.toBeInstanceOf(FetchRefused);
    expect(asked).toEqual([]);
  });

  it('use plain http for what was opened only', async () => {
    addresses = [['1.1.1.1']];
    await expect(open('http://example.test/', get)).rejects.toThrow('only https');
    addresses = [['127.0.0.1', '1.1.1.1']];
    await expect(open('http://example.test/', get)).rejects.toThrow('only https');
    addresses = [['127.0.0.1', '10.0.0.1']];
    await expect(open(`https://example.test:${port}/`, get)).rejects.toThrow('cannot be reached');
    addresses = [[]];
    await expect(open('https://example.test/', get)).rejects.toThrow('cannot be reached');
    expect(asked).toEqual([]);
  });

  it('end when they take too long, or when nobody waits', async () => {
    await expect(open(`http://127.0.0.1:${port}/silent`, { ...get, timeoutMs: 50 })).rejects.toThrow('took too long');
    const slow = await open(`http://127.0.0.1:${port}/slow`, { ...get, timeoutMs: 100 });
    await expect(read(slow)).rejects.toThrow('took too long');
    const gone = new AbortController();
    const answer = await open(`http://127.0.0.1:${port}/slow`, { ...get, signal: gone.signal });
    gone.abort(new Error('nobody waits'));
    await expect(read(answer)).rejects.toThrow('nobody waits');
    await expect(open(`http://127.0.0.1:${port}/x`, { ...get, signal: gone.signal })).rejects.toThrow('nobody waits');
  });

  it('may be left before they were read', async () => {
    const answer = await open(`http://127.0.0.1:${port}/slow`, get);
    await answer.close();
    await answer.close();
  });
});
