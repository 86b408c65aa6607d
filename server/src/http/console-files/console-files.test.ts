import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../kernel/log.ts';
import { type App, createApp } from '../app.ts';
import { createFailures } from '../../http-kit/failures.ts';
import { pickEncoding } from './files.ts';
import { consoleFileRoutes } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const SCRIPT = `console.log("${'x'.repeat(900)}");`;
const PAGE = '<!doctype html><script nonce="__STUDIO_NONCE__">1</script><meta nonce="__STUDIO_NONCE__">';
const SECRET = 'not of the console';

let place: string;
let folder: string;
let app: App;
let port: number;

/** A folder as tools/build-console.mjs leaves it, with a secret beside it. */
async function writeBuild(page = PAGE): Promise<void> {
  const next = join(place, 'next');
  await mkdir(join(next, 'assets'), { recursive: true });
  const script = Buffer.from(SCRIPT);
  const [br, gz] = [brotliCompressSync(script), gzipSync(script)];
  await writeFile(join(next, 'assets/main-abc.js'), script);
  await writeFile(join(next, 'assets/main-abc.js.br'), br);
  await writeFile(join(next, 'assets/main-abc.js.gz'), gz);
  await writeFile(join(next, 'favicon.svg'), '<svg/>');
  await writeFile(join(next, 'index.html'), page);
  await writeFile(join(next, 'diagram.html'), '<p>diagram</p>');
  await writeFile(join(next, '.stamp'), SECRET);
  const files = {
    'assets/main-abc.js': {
      type: 'text/javascript; charset=utf-8',
      etag: 'one',
      sizes: { raw: script.length, br: br.length, gz: gz.length },
    },
    'favicon.svg': { type: 'image/svg+xml', etag: 'two', sizes: { raw: 6 } },
    'diagram.html': { type: 'text/html; charset=utf-8', etag: 'four', sizes: { raw: 14 } },
    'index.html': { type: 'text/html; charset=utf-8', etag: 'three', sizes: { raw: page.length } },
  };
  await writeFile(join(next, 'files.json'), JSON.stringify({ files }));
  await rm(folder, { recursive: true, force: true });
  await rename(next, folder);
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends the path as it is given, dots and escapes too. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'console-files-'));
  folder = join(place, 'dist');
  await writeFile(join(place, 'secret.txt'), SECRET);
  await writeBuild();
  app = createApp({
    failures: createFailures(silent),
    onRejected: () => undefined,
    hot: {},
    maxJsonBytes: 1_000,
    maxHotBytes: 1_000,
    trustProxy: false,
  });
  consoleFileRoutes(app.fastify, { folder });
  port = await app.listen('127.0.0.1', 0);
});

afterEach(async () => {
  await app.close(0);
  await rm(place, { recursive: true, force: true });
});

describe('the page of the console', () => {
  test.each(['/console', '/console/', '/console/keys', '/console/models/CORE-GOV.v1/more?x=1', '/console/index.html'])(
    'is what %s answers',
    async (path) => {
      const { status, headers, bytes } = await ask(path);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(bytes.toString()).toContain('<!doctype html>');
    },
  );

  test('allows scripts and styles by a nonce that no other answer has', async () => {
    const nonces = new Set<string>();
    for (const { headers, bytes } of [await ask('/console'), await ask('/console')]) {
      const policy = String(headers['content-security-policy']);
      const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/]{24})';/.exec(policy)?.[1] ?? '';
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(bytes.toString()).toBe(PAGE.replaceAll('__STUDIO_NONCE__', nonce));
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  test('may load from here alone, be framed by nobody and run nothing made from text', async () => {
    const { headers } = await ask('/console/chat');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('connect-src')).toBe("'self'");
    expect(policy.get('font-src')).toBe("'self'");
    expect(policy.get('img-src')).toBe("'self' data: blob:");
    for (const rule of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(rule)).toBe("'none'");
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  test('has no body for HEAD, and other methods are refused', async () => {
    const head = await ask('/console/keys', {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-security-policy']).toContain('nonce-');
    const post = await ask('/console/keys', {}, 'POST');
    expect(post.status).toBe(405);
    expect(post.headers.allow).toContain('GET');
  });

  test('is where people who open / are sent; programs are told that there is nothing', async () => {
    const browser = await ask('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.location]).toEqual([302, '/console']);
    expect(browser.headers.vary).toBe('Accept');
    for (const accept of ['application/json', '*/*']) expect((await ask('/', { accept })).status).toBe(404);
  });

  test('tells what to do where it is not built, and is there as soon as it is', async () => {
    await rm(folder, { recursive: true });
    const { status, headers, bytes } = await ask('/console/keys');
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(bytes.toString()).toContain('npm run console');
    const nonce = /nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    expect(bytes.toString()).toContain(`<style nonce="${nonce}">`);
    expect((await ask('/console/assets/main-abc.js')).status).toBe(404);
    await writeBuild(`${PAGE}built anew`);
    expect((await ask('/console/keys')).bytes.toString()).toContain('built anew');
  });
});

describe('the page that draws diagrams', () => {
  test('has no origin, is framed by the console alone, and gets scripts and styles of this service', async () => {
    const { status, headers, bytes } = await ask('/console/diagram.html');
    expect([status, headers['content-type'], bytes.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p>diagram</p>',
    ]);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'self'",
        'sandbox allow-scripts',
      ]),
    );
    expect(policy.join(' ')).not.toMatch(/connect-src|https?:|\*|allow-same-origin/);
    expect([headers['x-frame-options'], headers['cache-control']]).toEqual([undefined, 'no-cache']);
    // It fetches its modules from no origin; nothing else of the console may be read so.
    expect((await ask('/console/assets/main-abc.js')).headers['access-control-allow-origin']).toBe('*');
    expect((await ask('/console')).headers['access-control-allow-origin']).toBeUndefined();
    expect(String((await ask('/console')).headers['content-security-policy'])).toContain("frame-src 'self'");
  });
});

describe('the files of the console', () => {
  const path = '/console/assets/main-abc.js';

  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, *', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
  ] as const)('are sent as %s to a client that takes %s', async (encoding, accepted, unpack) => {
    const { status, headers, bytes } = await ask(path, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(headers.vary).toBe('Accept-Encoding');
    expect(unpack(bytes).toString()).toBe(SCRIPT);
  });

  test('are kept for good where their name says what they hold, else for an hour', async () => {
    expect((await ask(path)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const icon = await ask('/console/favicon.svg');
    expect([icon.headers['cache-control'], icon.headers['content-type']]).toEqual([
      'public, max-age=3600',
      'image/svg+xml',
    ]);
    expect(icon.headers['x-content-type-options']).toBe('nosniff');
  });

  test('are not sent again to a client that has them, in the same encoding', async () => {
    const { headers } = await ask(path, { 'accept-encoding': 'br' });
    const etag = String(headers.etag);
    const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200);
  });

  test('HEAD tells their size', async () => {
    const head = await ask(path, { 'accept-encoding': 'identity' }, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(SCRIPT.length));
  });

  test.each(['/console/assets/gone-123.js', '/console/assets/', '/console/api', '/console/api/nothing'])(
    'those that are not there are 404: %s',
    async (missing) => {
      const { status, headers } = await ask(missing, { accept: 'text/html' });
      expect(status).toBe(404);
      expect(headers['content-type']).toContain('application/json');
    },
  );

  test.each([
    '/console/../secret.txt',
    '/console/..%2fsecret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/assets/../../secret.txt',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console/.stamp',
    '/console/files.json',
    '/console/assets/main-abc.js%00.txt',
    '/console/__proto__',
  ])('nothing else is reached by %s', async (outside) => {
    const { bytes } = await ask(outside);
    expect(bytes.toString()).not.toContain(SECRET);
    expect(bytes.toString()).not.toContain('"sizes"');
  });
});

test('an encoding that was not made, or that the client does not want, is not picked', () => {
  const plain = { type: 'x', etag: 'x', sizes: { raw: 1 } };
  const packed = { ...plain, sizes: { raw: 1, br: 1, gz: 1 } };
  expect(pickEncoding('br, gzip', plain)).toBe(null);
  expect(pickEncoding(undefined, packed)).toBe(null);
  expect(pickEncoding('*;q=0', packed)).toBe(null);
  expect(pickEncoding('BR;Q=0.5', packed)).toBe('br');
  expect(pickEncoding('br; q=0, gzip; q=0.1', packed)).toBe('gzip');
});
