import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReachable, parseAllowList } from './addresses.ts';
import { FetchRefused, createAddressCheck, createGuardedFetch } from './index.ts';

const none = parseAllowList([]);

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:db8::1',
    'fec0::1',
    'not an address',
  ])('%s is not reached', (address) => {
    expect(isReachable(address, none)).toBe(false);
  });

  it.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '203.0.112.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is',
    (address) => {
      expect(isReachable(address, none)).toBe(true);
    },
  );

  it('of a network that was opened is, and no other', () => {
    const some = parseAllowList(['10.1.0.0/16', 'fd00::/8', '192.168.0.7']);
    expect(
      ['10.1.9.9', 'fd12::1', '192.168.0.7', '::ffff:10.1.2.3'].map((address) => isReachable(address, some)),
    ).toEqual([true, true, true, true]);
    expect(['10.2.0.1', '192.168.0.8'].map((address) => isReachable(address, some))).toEqual([false, false]);
  });
});

describe('a host that was opened in the console', () => {
  const allow = () => ({
    ...none,
    added: parseAllowList(['10.0.0.0/8', '100.0.0.0/8', 'tools.internal', 'moved.internal']),
  });
  const names: Readonly<Record<string, string>> = {
    'tools.internal': '192.168.3.4',
    'moved.internal': '169.254.169.254',
  };
  const lookup = async (host: string) => [names[host] ?? '10.9.9.9'];

  it('is reached by its name, and by its network', async () => {
    const check = createAddressCheck({ allow, lookup });
    expect(await check(new URL('http://tools.internal/mcp'))).toBe('opened');
    expect(await check(new URL('http://10.2.3.4/'))).toBe('opened');
    expect(await check(new URL('http://192.168.3.4/'))).toBe('closed');
  });

  it('never leads to what tells credentials of the machine', async () => {
    expect(isReachable('100.100.100.200', allow())).toBe(false);
    expect(isReachable('100.100.100.201', allow())).toBe(true);
    const fetch = createGuardedFetch({ allow, lookup });
    const options = { maxBytes: 10, timeoutMs: 1_000, types: null, signal: new AbortController().signal };
    await expect(fetch('http://moved.internal/', options)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('fetching', () => {
  let server: Server;
  let base = '';
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const path = request.url ?? '';
      if (path === '/image') return void response.writeHead(200, { 'content-type': 'image/png; x=y' }).end('PNG');
      if (path === '/page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      if (path === '/large')
        return void response.writeHead(200, { 'content-type': 'image/png' }).end('x'.repeat(5_000));
      if (path === '/slow') return void response.writeHead(200, { 'content-type': 'image/png' }).write('x');
      if (path === '/inside') return void response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end();
      if (path === '/once') return void response.writeHead(302, { location: '/image' }).end();
      if (path === '/round') return void response.writeHead(302, { location: '/round' }).end();
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://images.test:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const lookups: string[] = [];
  const lookup = async (host: string) => {
    lookups.push(host);
    return host === 'images.test' ? ['127.0.0.1'] : host === 'mixed.test' ? ['1.1.1.1', '10.0.0.1'] : ['10.0.0.1'];
  };
  const open = createGuardedFetch({ allow: ['images.test'], lookup });
  const strict = createGuardedFetch({ allow: [], lookup });
  const options = { maxBytes: 1_000, timeoutMs: 2_000, types: ['image/png'], signal: new AbortController().signal };

  it('brings what is there, once resolved, also after a redirect', async () => {
    lookups.length = 0;
    expect(await open(`${base}/image`, options)).toEqual({ bytes: Buffer.from('PNG'), type: 'image/png' });
    expect(lookups).toEqual(['images.test']);
    expect((await open(`${base}/once`, options)).bytes.toString()).toBe('PNG');
  });

  it.each([
    ['another type', '/page', /is no image\/png/],
    ['too much', '/large', /larger than 1000 bytes/],
    ['an error', '/nowhere', /answered 404/],
    ['redirects without end', '/round', /from one address to the next/],
    ['a way inside', '/inside', /only https/],
  ])('refuses %s', async (_name, path, message) => {
    await expect(open(base + path, options)).rejects.toThrow(message);
    await expect(open(base + path, options)).rejects.toBeInstanceOf(FetchRefused);
  });

  it.each([
    'http://example.com/a.png',
    'ftp://example.com/a',
    'file:///etc/passwd',
    'https://user:pass@example.com/',
    'no address',
    'https://inside.test/',
    'https://mixed.test/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
  ])('never goes to %s', async (url) => {
    const before = asked.length;
    await expect(strict(url, options)).rejects.toBeInstanceOf(FetchRefused);
    expect(asked.length).toBe(before);
  });

  it('gives up on what is slow, and when nobody waits', async () => {
    await expect(open(`${base}/slow`, { ...options, timeoutMs: 50 })).rejects.toThrow('took too long');
    const gone = new AbortController();
    const fetching = open(`${base}/slow`, { ...options, signal: gone.signal });
    gone.abort(new Error('nobody waits'));
    await expect(fetching).rejects.toThrow('nobody waits');
  });

  it('does not wait for a look-up that never answers', async () => {
    const stuck = createGuardedFetch({ allow: [], lookup: () => new Promise(() => undefined) });
    await expect(stuck('https://images.test/', { ...options, timeoutMs: 50 })).rejects.toThrow('took too long');
    const gone = new AbortController();
    const fetching = stuck('https://images.test/', { ...options, signal: gone.signal });
    gone.abort(new Error('nobody waits'));
    await expect(fetching).rejects.toThrow('nobody waits');
    await expect(strict('https://inside.test/', { ...options, signal: gone.signal })).rejects.toThrow('nobody waits');
  });
});
