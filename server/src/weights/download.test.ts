import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { StudioError } from '../kernel/errors.ts';
import { weightsCatalogue } from './catalogue.ts';
import type { PullProgress } from './pulls.ts';
import { fakeRuntime, modelBytes, openTestStore } from '../../test/support/model-store.ts';
import type { ModelStore, ModelStoreOptions } from './model-store.ts';

/** What follows the tensors is of no interest to anybody. */
const FILE = Buffer.concat([modelBytes(), randomBytes(300_000)]);
const SHA = createHash('sha256').update(FILE).digest('hex');
const NAME = 'tiny-Q8_0.gguf';
const HUB = `someone/Tiny-GGUF/${NAME}`;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let hub: Server;
let storage: Server;
let base = '';
let away = '';
let handle: Handler;
let serve: Handler;
const asked: { url: string; range: string | undefined; token: string | undefined }[] = [];
const sockets = new Set<{ destroy(): void }>();

beforeAll(async () => {
  const listen = (on: Handler) =>
    new Promise<Server>((resolve) => {
      const server = createServer((request, response) => {
        asked.push({ url: request.url ?? '', range: request.headers.range, token: request.headers.authorization });
        on(request, response);
      });
      server.on('connection', (socket) => void sockets.add(socket));
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  hub = await listen((request, response) => handle(request, response));
  storage = await listen((request, response) => serve(request, response));
  base = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  away = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  hub.close();
  storage.close();
});

let folder = '';
let store: ModelStore;
const open = (token: string | null = null, more: Partial<ModelStoreOptions> = {}) =>
  openTestStore({ folder, mirror: base, token, ...more });
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'studio-test-')), 'models');
  store = open();
  asked.length = 0;
  handle = whole;
  return async () => {
    await store.close();
    rmSync(join(folder, '..'), { recursive: true });
  };
});

/** Answers as the hub's storage does: whole, or from the byte that is asked for. */
const whole: Handler = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const etag = '"v1"';
  if (from === 0 || request.headers['if-range'] !== etag)
    return void response.writeHead(200, { etag, 'content-length': FILE.length }).end(FILE);
  if (from >= FILE.length) return void response.writeHead(416).end();
  response.writeHead(206, {
    etag,
    'content-length': FILE.length - from,
    'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}`,
  });
  response.end(FILE.subarray(from));
};

/** Breaks the connection after so many bytes of the file have been sent in all. */
function cutAt(...borders: readonly number[]): Handler {
  const left = [...borders];
  return (request, response) => {
    const border = left.shift();
    if (border === undefined) return whole(request, response);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from === 0 ? 200 : 206, {
      etag: '"v1"',
      'content-length': FILE.length - from,
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
    });
    // A moment later, so that what was sent has been read.
    response.write(FILE.subarray(from, border), () => setTimeout(() => response.socket?.destroy(), 30));
  };
}

const file = () => readFileSync(join(folder, NAME));
const leftovers = () => readdirSync(join(folder, '.downloads')).filter((name) => !name.endsWith('.origin.json'));
const originOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, '.downloads', `${name}.origin.json`), 'utf8')) as unknown;

async function failure(work: Promise<unknown>): Promise<StudioError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('a download', () => {
  it('brings the file under its name, with progress, and leaves nothing else', async () => {
    const seen: PullProgress[] = [];
    expect(await store.pull(HUB, { onProgress: (progress) => seen.push(progress) })).toMatchObject({ id: 'tiny-q8_0' });
    expect(file().equals(FILE)).toBe(true);
    expect(asked[0]?.url).toBe(`/someone/Tiny-GGUF/resolve/main/${NAME}`);
    expect(seen.at(-1)).toMatchObject({ phase: 'verifying', bytes: FILE.length, total: FILE.length });
    expect(seen[0]).toMatchObject({ phase: 'downloading', name: NAME, total: FILE.length });
    expect(leftovers()).toEqual([]);
    expect(originOf(NAME)).toMatchObject({
      from: asked[0] && `${base}${asked[0].url}`,
      sha256: SHA,
      bytes: FILE.length,
    });
  });

  it('may have a name of any script', async () => {
    const name = '한국어 모델 (Q4).gguf';
    expect(await store.pull(`someone/Tiny/${name}`)).toMatchObject({ id: '한국어-모델-q4-' });
    expect(asked[0]?.url).toBe(`/someone/Tiny/resolve/main/${encodeURIComponent(name)}`);
    const other = encodeURIComponent('다른 모델.gguf');
    expect(await store.pull(`${base}/x/${other}?download=true`)).toMatchObject({ id: '다른-모델' });
    expect(
      readdirSync(folder)
        .filter((one) => one.endsWith('.gguf'))
        .toSorted(),
    ).toEqual(['다른 모델.gguf', name]);
    const out = `${base}/x/${encodeURIComponent('../../모델.gguf')}`;
    expect((await failure(store.pull(out))).code).toBe('invalid_request');
  });

  it('does not come twice', async () => {
    await store.pull(HUB);
    asked.length = 0;
    expect(await store.pull(HUB)).toMatchObject({ id: 'tiny-q8_0' });
    expect(asked).toEqual([]);
  });

  it('goes on where it was cut, again and again', async () => {
    handle = cutAt(1_000, 90_000, 200_000);
    await store.pull(HUB);
    expect(file().equals(FILE)).toBe(true);
    // What was sent before a cut may not all have been read: it goes on from there, never from before it.
    const from = asked.map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0));
    expect(from).toEqual(from.toSorted((a, b) => a - b));
    expect(from.every((at, i) => at <= ([0, 1_000, 90_000, 200_000][i] ?? FILE.length))).toBe(true);
    expect(from.at(-1)).toBeGreaterThan(0);
  });

  it('goes on after another run was ended', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': FILE.length });
      response.write(FILE.subarray(0, 120_000));
    };
    const stop = new AbortController();
    const first = store.pull(HUB, {
      signal: stop.signal,
      onProgress: ({ bytes }) => bytes >= 60_000 && stop.abort(new Error('enough')),
    });
    await expect(first).rejects.toThrow('enough');
    expect(existsSync(join(folder, NAME))).toBe(false);
    handle = whole;
    await open().pull(HUB);
    expect(file().equals(FILE)).toBe(true);
    expect(asked.at(-1)?.range).toMatch(/^bytes=[1-9]\d+-$/);
  });

  it('starts anew with a server that ignores what it is asked for', async () => {
    let calls = 0;
    handle = (request, response) => {
      if (++calls === 1) return cutAt(100_000)(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': FILE.length }).end(FILE);
    };
    await store.pull(HUB);
    expect(file().equals(FILE)).toBe(true);
  });

  it('starts anew when the file has changed meanwhile', async () => {
    let calls = 0;
    handle = (request, response) => {
      if (++calls === 1) {
        response.writeHead(200, { etag: '"old"', 'content-length': FILE.length });
        return void response.write(Buffer.concat([Buffer.from('GGUF'), randomBytes(50_000)]), () =>
          response.socket?.destroy(),
        );
      }
      whole(request, response);
    };
    await store.pull(HUB);
    expect(file().equals(FILE)).toBe(true);
  });

  it('gives up on a server that brings nothing, and says what to do', async () => {
    handle = (_request, response) => void response.socket?.destroy();
    const error = await failure(store.pull(HUB));
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).toContain('try again');
    expect(asked.length).toBe(5);
  });

  it.each([
    [
      'sends more than it announced',
      (response: ServerResponse) =>
        response.writeHead(200, { 'x-linked-size': 100, 'transfer-encoding': 'chunked' }).end(FILE),
      /more than the 100 bytes/,
    ],
    [
      'names two sizes',
      (response: ServerResponse) =>
        response.writeHead(200, { 'x-linked-size': 100, 'content-length': FILE.length }).end(FILE),
      /two different sizes/,
    ],
    [
      'sends a page',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login</html>'),
      /no GGUF file/,
    ],
    [
      'has another checksum',
      (response: ServerResponse) =>
        response.writeHead(200, { 'x-linked-etag': `"${'a'.repeat(64)}"`, 'content-length': FILE.length }).end(FILE),
      /another checksum/,
    ],
    ['does not have it', (response: ServerResponse) => response.writeHead(404).end(), /does not have it/],
    ['wants a login', (response: ServerResponse) => response.writeHead(401).end(), /local_models\.token/],
    ['wants the licence accepted', (response: ServerResponse) => response.writeHead(403).end(), /licence/],
  ])('is refused by a server that %s, at once; nothing is left but the reason', async (_name, answer, message) => {
    handle = (_request, response) => void answer(response);
    expect((await failure(store.pull(HUB))).message).toMatch(message);
    expect(asked).toHaveLength(1);
    expect(existsSync(join(folder, NAME))).toBe(false);
    expect(leftovers()).toEqual([`${NAME}.download.json`]);
    expect((await store.list()).find(({ id }) => id === 'tiny-q8_0')).toMatchObject({
      state: 'failed',
      localId: null,
      reason: expect.stringMatching(message) as string,
    });
    await store.remove('tiny-q8_0');
    expect(leftovers()).toEqual([]);
    expect((await store.list()).find(({ id }) => id === 'tiny-q8_0')).toBeUndefined();
  });

  it('waits and tries again where a server is busy', async () => {
    let calls = 0;
    handle = (request, response) =>
      ++calls < 3 ? void response.writeHead(calls === 1 ? 429 : 503).end() : whole(request, response);
    await store.pull(HUB);
    expect(file().equals(FILE)).toBe(true);
  });

  it.each<[string, () => string, number]>([
    ['seconds', () => '7', 7_000],
    ['a date', () => new Date(Date.now() + 9_500).toUTCString(), 9_000],
  ])('waits as long as a busy server asks for, in %s, and says so', async (_name, header, atLeast) => {
    const waited: number[] = [];
    const said: string[] = [];
    let calls = 0;
    handle = (request, response) =>
      ++calls < 3
        ? void response.writeHead(calls === 1 ? 429 : 503, { 'retry-after': header() }).end()
        : whole(request, response);
    store = open(null, { wait: (ms) => Promise.resolve(waited.push(ms)) });
    await store.pull(HUB, { onProgress: ({ message }) => message !== null && said.push(message) });
    expect(waited).toHaveLength(2);
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(atLeast - 1_000);
    expect(Math.max(...waited)).toBeLessThanOrEqual(atLeast + 1_000);
    expect(said[0]).toMatch(/too many requests.*trying again in \d+ s, as it asks/);
  });

  it('does not wait for a server that asks for more than a few minutes, and says when to come back', async () => {
    handle = (_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    const error = await failure(store.pull(HUB));
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 3600 });
    expect(error.message).toContain('come back in 3600 seconds');
    expect(asked).toHaveLength(1);
  });

  it('says of a file without a checksum that it was not verified, there and in the list', async () => {
    expect(await store.pull(HUB)).toMatchObject({ warning: `${NAME}: not verified: the server gave no checksum` });
    expect(originOf(NAME)).toMatchObject({ check: 'none' });
    const listed = (await open().list()).find(({ localId }) => localId === 'tiny-q8_0');
    expect(listed).toMatchObject({ state: 'ready', warning: 'not verified: the server gave no checksum' });
    await store.remove('tiny-q8_0');
    handle = (_request, response) =>
      void response.writeHead(200, { 'x-linked-etag': `"${SHA}"`, 'content-length': FILE.length }).end(FILE);
    expect(await store.pull(HUB)).toMatchObject({ warning: null });
    expect(originOf(NAME)).toMatchObject({ check: 'hub', sha256: SHA });
    expect((await store.list()).find(({ localId }) => localId === 'tiny-q8_0')).toMatchObject({ warning: null });
  });

  it('of a file without a checksum is refused where the configuration wants one', async () => {
    store = open(null, { requireChecksum: true });
    expect((await failure(store.pull(HUB))).message).toMatch(/gives no checksum.*require_checksum/);
    expect(existsSync(join(folder, NAME))).toBe(false);
  });

  it('that ended before its last tensor is none, whatever the server says', async () => {
    handle = (_request, response) =>
      void response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(modelBytes().subarray(0, 900));
    expect((await failure(store.pull(HUB))).message).toMatch(/only 900 of its [\d]+ bytes came/);
    expect(existsSync(join(folder, NAME))).toBe(false);
  });

  it('does not take half a file for the model', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, NAME), modelBytes().subarray(0, 900));
    expect(await failure(store.pull(HUB))).toMatchObject({ code: 'conflict' });
    expect(asked).toEqual([]);
  });

  it('follows the hub to its storage, checks what the hub said, and keeps the token to itself', async () => {
    handle = (_request, response) =>
      void response
        .writeHead(302, { location: `${away}/blob?sig=1`, 'x-linked-etag': `"${SHA}"`, 'x-linked-size': FILE.length })
        .end();
    serve = whole;
    await open('hf_secret').pull(HUB);
    expect(file().equals(FILE)).toBe(true);
    expect(asked.map(({ token }) => token)).toEqual(['Bearer hf_secret', undefined]);
  });

  it('from another server than the hub is asked for without the token', async () => {
    serve = whole;
    await open('hf_secret').pull(`${away}/a/${NAME}`);
    expect(asked.map(({ token }) => token)).toEqual([undefined]);
  });

  it('writes what it verified, also after a disk that was full for a moment', async () => {
    const handle = await openFile('/dev/null');
    const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, 'write'>;
    await handle.close();
    const real = prototype.write as (this: unknown, bytes: Buffer, from?: number, length?: number) => Promise<unknown>;
    let calls = 0;
    prototype.write = function (this: FileHandle, bytes: Buffer, from = 0) {
      calls += 1;
      if (calls === 3) return Promise.reject(new Error('ENOSPC'));
      return real.call(this, bytes, from, calls === 2 ? 1_000 : bytes.length - from);
    } as FileHandle['write'];
    try {
      await store.pull(HUB);
    } finally {
      prototype.write = real as FileHandle['write'];
    }
    expect(calls).toBeGreaterThan(3);
    expect(file().equals(FILE)).toBe(true);
  });

  it('of a model in several files shows it when all are there', async () => {
    await store.pull('someone/Big/big-00001-of-00003.gguf');
    expect(asked.map(({ url }) => /(\d{5})-of/.exec(url)?.[1])).toEqual(['00002', '00003', '00001']);
  });

  it('of a model in several files brings them all', async () => {
    await store.pull('someone/Big/big-00001-of-00003.gguf');
    expect(readdirSync(folder).filter((name) => name.endsWith('.gguf'))).toEqual(
      [1, 2, 3].map((part) => `big-0000${part}-of-00003.gguf`),
    );
  });

  it('takes an address, also that of the page of a file', async () => {
    await store.pull(`${base}/a/b/blob/main/${NAME}?download=true`);
    expect(asked[0]?.url).toBe(`/a/b/resolve/main/${NAME}?download=true`);
  });

  it.each([
    'someone/x/../../../etc/passwd.gguf',
    `${'a/'.repeat(3)}..%2f..%2fx.gguf`,
    'a/b/.hidden.gguf',
    'a/b/c.txt',
    'http://h/%2e%2e%2fx.gguf',
    'http://h/%zz.gguf',
    'a/b/x-00001-of-00000.gguf',
    'a/b/x-00002-of-00003.gguf',
    'nothing-of-that-name',
  ])('of %s is refused before anything is asked', async (what) => {
    expect(['invalid_request', 'not_found']).toContain((await failure(store.pull(what))).code);
    expect(asked).toEqual([]);
  });

  it('is made by one process at a time; the lock of one that is gone is no hindrance', async () => {
    mkdirSync(join(folder, '.downloads'), { recursive: true });
    const lock = join(folder, '.downloads', `${NAME}.lock`);
    writeFileSync(lock, '1');
    expect(await failure(store.pull(HUB))).toMatchObject({ code: 'conflict' });
    for (const gone of ['99999999', String(process.pid)]) {
      writeFileSync(lock, gone);
      rmSync(join(folder, NAME), { force: true });
      await store.pull(HUB);
    }
    expect(existsSync(lock)).toBe(false);
  });

  it('begins anew after a process that died while it wrote its note', async () => {
    mkdirSync(join(folder, '.downloads'), { recursive: true });
    writeFileSync(join(folder, '.downloads', `${NAME}.part`), 'GGUF and more');
    writeFileSync(join(folder, '.downloads', `${NAME}.json`), '{"url":');
    await store.pull(HUB);
    expect(file().equals(FILE)).toBe(true);
  });
});

describe('a download under way', () => {
  const half: Handler = (_request, response) => {
    response.writeHead(200, { etag: '"v1"', 'content-length': FILE.length });
    response.write(FILE.subarray(0, 100_000));
  };
  const seen = async (of: ModelStore) => (await of.list()).find(({ id }) => id === 'tiny-q8_0');
  const note = () => join(folder, '.downloads', `${NAME}.download.json`);

  it('is ended in the pause between two tries by the reason of its signal', async () => {
    handle = (_request, response) => void response.writeHead(503).end();
    store = open(null, { pauseMs: 60_000 });
    const stop = new AbortController();
    const pull = store.pull(HUB, { signal: stop.signal }).catch((error: unknown) => error);
    await eventually(async () =>
      expect(await seen(store)).toMatchObject({
        state: 'downloading',
        reason: expect.stringContaining('trying again in 60 s') as string,
        cause: { code: 'download_busy', values: { host: '127.0.0.1' } },
      }),
    );
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await pull).toBe(reason);
  });

  it('goes on when the service starts again that ended in between', async () => {
    handle = half;
    const service = open(null, { resumes: true });
    const pull = service.pull(HUB).catch((error: unknown) => error);
    await eventually(async () => expect((await seen(service))?.download?.bytes).toBe(100_000));
    await service.close();
    expect(await pull).toMatchObject({ code: 'client_closed' });
    expect(await seen(open())).toMatchObject({ state: 'failed', cause: { code: 'download_interrupted' } });
    handle = whole;
    const next = open(null, { resumes: true });
    await next.resume();
    await eventually(async () => expect(await seen(next)).toMatchObject({ state: 'ready' }));
    expect(asked.at(-1)?.range).toBe('bytes=100000-');
    expect(file().equals(FILE)).toBe(true);
    await next.close();
  });

  it.each<[string, Partial<ModelStoreOptions>, string, (of: ModelStore) => Promise<unknown>]>([
    ['a command made', {}, '', (of) => of.close()],
    ['somebody ended', { resumes: true }, '', (of) => of.cancel('tiny-q8_0')],
    ['had an address for one person', { resumes: true }, '?secret=1', (of) => of.close()],
  ])('does not go on by itself where %s', async (_, options, query, end) => {
    handle = half;
    const service = open(null, options);
    const pull = service.pull(`${base}/a/${NAME}${query}`).catch((error: unknown) => error);
    await eventually(async () => expect((await seen(service))?.download?.bytes).toBe(100_000));
    await end(service);
    await pull;
    asked.length = 0;
    const next = open(null, { resumes: true });
    await next.resume();
    expect(await seen(next)).not.toMatchObject({ state: 'downloading' });
    expect(asked).toEqual([]);
    await next.close();
    await service.close();
  });

  it('is seen by others: how far it is, how fast, and whose it is', async () => {
    handle = half;
    const pull = store.pull(`${base}/a/${NAME}?secret=1`).catch((error: unknown) => error);
    const other = open();
    await eventually(async () => {
      const entry = await seen(other);
      expect(entry).toMatchObject({ state: 'downloading', localId: null, reason: null });
      expect(entry?.download).toMatchObject({
        what: `${base}/a/${NAME}`,
        status: 'running',
        pid: process.pid,
        bytes: 100_000,
        total: FILE.length,
      });
      expect(entry?.progress).toBeCloseTo(100_000 / FILE.length);
    });
    await expect(other.pull(HUB)).rejects.toMatchObject({ code: 'conflict' });
    await expect(other.remove('tiny-q8_0')).rejects.toMatchObject({ code: 'conflict' });
    await store.close();
    expect(await pull).toMatchObject({ code: 'client_closed' });
  });

  it('is ended by another, by its id; what came is kept, continued, or thrown away', async () => {
    handle = half;
    const pull = store.pull(HUB).catch((error: unknown) => error);
    const other = open();
    await eventually(async () => expect((await seen(other))?.download?.bytes).toBe(100_000));
    expect(await other.cancel('tiny-q8_0')).toBe(true);
    expect(await pull).toMatchObject({ code: 'client_closed' });
    expect(await seen(other)).toMatchObject({
      state: 'absent',
      reason: expect.stringMatching(/bytes are kept/) as string,
    });
    expect(await other.cancel('tiny-q8_0')).toBe(false);
    handle = whole;
    await other.pull(HUB);
    expect(asked.at(-1)?.range).toMatch(/^bytes=[1-9]/);
    expect(await seen(other)).toMatchObject({ state: 'ready', download: null });
  });

  it('whose process is gone is told from one that runs', async () => {
    handle = half;
    const pull = store.pull(HUB).catch((error: unknown) => error);
    await eventually(async () => expect((await seen(open()))?.download?.bytes).toBe(100_000));
    const running = readFileSync(note());
    await store.close();
    await pull;
    writeFileSync(note(), running);
    expect(await seen(open())).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/interrupted.*100,000 of [\d,]+ bytes are kept/) as string,
      download: { status: 'interrupted', bytes: 100_000 },
    });
    // A process of that number lives, but has said nothing for long.
    writeFileSync(join(folder, '.downloads', `${NAME}.lock`), String(process.ppid));
    expect(await seen(open())).toMatchObject({ state: 'downloading' });
    const old = { ...(JSON.parse(running.toString()) as object), updatedAt: Date.now() - 3_600_000 };
    writeFileSync(note(), JSON.stringify(old));
    expect(await seen(open())).toMatchObject({ state: 'failed' });
    writeFileSync(note(), '{"what":');
    expect(await seen(open())).toBeUndefined();
  });

  it('of a model in several files says which of them comes', async () => {
    const told = new Set<string>();
    await store.pull('someone/Big/big-00001-of-00002.gguf', {
      onProgress: ({ file: name, part, parts }) => told.add(`${name} ${part}/${parts}`),
    });
    expect([...told]).toEqual(['big-00002-of-00002.gguf 1/2', 'big-00001-of-00002.gguf 2/2']);
  });
});

/** The file of a model of the catalogue, by its place on the hub: its checksum is not looked at then. */
const QWEN = 'Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0.gguf';

describe('the store', () => {
  it('downloads what is not pinned wholly for who confirms it, and records what came', async () => {
    await expect(store.pull('MIDM-2.0-mini')).rejects.toMatchObject({
      code: 'conflict',
      reason: 'download_unverified',
      message: expect.stringContaining('its revision, size, SHA-256 could not be verified') as string,
    });
    const { id } = await store.pull('midm-2.0-mini', { unverified: true });
    const entry = (await store.list()).find(({ localId }) => localId === id);
    expect(entry).toMatchObject({
      state: 'ready',
      origin: { bytes: FILE.length, sha256: expect.any(String) as string },
    });
  });

  it('refuses a pinned file of another size before it downloads it', async () => {
    await expect(store.pull('qwen3.5-4b')).rejects.toMatchObject({
      reason: 'download_wrong',
      message: expect.stringContaining('not 2740937888') as string,
    });
  });

  it('knows each state of a model and tells of changes', async () => {
    const runtime = fakeRuntime();
    store = open(null, { runtime });
    const about = weightsCatalogue.find(({ id }) => id === 'qwen3-0.6b');
    const states: string[] = [];
    const stateOf = async () => (await store.list()).find(({ id }) => id === 'qwen3-0.6b');
    expect(await stateOf()).toMatchObject({ state: 'absent', localId: null });
    let changes = 0;
    const leave = store.onChange(() => changes++);
    let release: () => void = () => undefined;
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': FILE.length });
      response.write(FILE.subarray(0, 30_000));
      release = () => void response.end(FILE.subarray(30_000));
    };
    const pull = store.pull(QWEN);
    await expect(store.pull(QWEN)).rejects.toMatchObject({ code: 'conflict' });
    await eventually(async () => {
      const entry = await stateOf();
      states.push(entry?.state ?? '');
      expect(entry).toMatchObject({ state: 'downloading', progress: 30_000 / FILE.length });
    });
    release();
    const { id: localId } = await pull;
    expect(await stateOf()).toMatchObject({ state: 'ready', localId, about });
    runtime.set(localId, 'loading', { progress: 0.5 });
    expect(await stateOf()).toMatchObject({ state: 'loading', progress: 0.5 });
    runtime.set(localId, 'loaded', { memoryBytes: 7 });
    expect(await stateOf()).toMatchObject({ state: 'loaded', progress: null, running: { memoryBytes: 7 } });
    runtime.set(localId, 'failed', { reason: 'corrupt' });
    expect(await stateOf()).toMatchObject({ state: 'failed', reason: 'corrupt' });
    expect(changes).toBeGreaterThan(3);
    leave();
  });

  it('keeps why a download failed, until it goes well', async () => {
    handle = (_request, response) => void response.writeHead(404).end();
    await expect(store.pull(QWEN)).rejects.toThrow();
    const entry = async () => (await store.list()).find(({ id }) => id === 'qwen3-0.6b');
    expect(await entry()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('does not have it') as string,
      cause: { code: 'download_missing', values: { host: '127.0.0.1', status: 404 } },
    });
    handle = whole;
    await store.pull(QWEN);
    expect(await entry()).toMatchObject({ state: 'ready' });
  });

  it('ends downloads when it is told to, and when it closes', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': FILE.length });
      response.write(FILE.subarray(0, 10_000));
    };
    const canceled = store.pull(QWEN);
    canceled.catch(() => undefined);
    expect(await store.cancel('qwen3-0.6b')).toBe(true);
    expect(await store.cancel('qwen3-8b')).toBe(false);
    await expect(canceled).rejects.toMatchObject({ code: 'client_closed' });
    expect((await store.list()).find(({ id }) => id === 'qwen3-0.6b')).toMatchObject({
      state: 'absent',
      download: { status: 'stopped' },
    });
    const closed = store.pull('someone/Other/other.gguf').catch((error: unknown) => error);
    await store.close();
    expect(await closed).toMatchObject({ code: 'client_closed' });
  });

  it('finds models by their words', () => {
    expect(new Set(store.search('rerank').map(({ kind }) => kind))).toEqual(new Set(['rerank']));
    expect(store.search('embedding ko').length).toBeGreaterThan(0);
    expect(store.search('')).toHaveLength(weightsCatalogue.length);
    expect(store.search('no such model')).toEqual([]);
    expect(new Set(weightsCatalogue.map(({ kind }) => kind))).toEqual(new Set(['chat', 'embedding', 'rerank']));
  });
});
