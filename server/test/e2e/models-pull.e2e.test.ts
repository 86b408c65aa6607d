import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { call, chat, jsonOf } from '../support/http.ts';
import { root } from '../support/modules.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-hub-'));
const model = readFileSync(
  writeScriptedModel(join(folder, 'origin.gguf'), { routes: { answer: '내려받은 모델이 대답합니다.' } }),
);
const sha256 = createHash('sha256').update(model).digest('hex');
/** The hub's storage is slow while a test wants to come in between. */
let slow = false;

function hub(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  if (url.includes('Busy')) return void response.writeHead(503, { 'retry-after': '60' }).end();
  if (!url.startsWith('/storage'))
    return void response
      .writeHead(302, { location: `/storage${url}`, 'x-linked-etag': `"${sha256}"`, 'x-linked-size': model.length })
      .end();
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const range = `bytes ${from}-${model.length - 1}/${model.length}`;
  response.writeHead(from > 0 ? 206 : 200, {
    etag: '"one"',
    'content-length': model.length - from,
    ...(from > 0 ? { 'content-range': range } : {}),
  });
  if (!slow) return void response.end(model.subarray(from));
  response.write(model.subarray(from, from + 200_000));
}

let server: Server;
let mirror = '';
let service: Service;
beforeAll(async () => {
  server = createServer(hub);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService({ config: { probe: { enabled: false } } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Starts a command beside the service, with the hub of the tests. */
const start = (...args: readonly string[]) => startIn(service.dataFolder, ...args);
const startIn = (dataFolder: string, ...args: readonly string[]) =>
  spawn(process.execPath, [join(root, 'server/src/main.mjs'), 'models', ...args], {
    cwd: dataFolder,
    env: {
      PATH: process.env['PATH'],
      STUDIO_DATA_DIR: dataFolder,
      STUDIO_SERVER_PORT: String(service.port),
      STUDIO_LOCAL_MODELS_MIRROR: mirror,
    },
  });

/** What a command printed; rejects with what it complained of. */
function run(...args: readonly string[]): Promise<string> {
  const child = start(...args);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (printed.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (printed.err += part.toString()));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(printed.out) : reject(new Error(printed.err))));
  });
}

test('models search says what there is', async () => {
  covers('local.search');
  const found = JSON.parse(await run('search', 'qwen3', 'embedding', '--json')) as { id: string }[];
  expect(found.map(({ id }) => id)).toContain('qwen3-embedding-0.6b');
  expect(await run('search')).toMatch(/MODEL +KIND +SIZE +MEMORY +LICENCE/);
  await expect(run('pull', 'no-such-model')).rejects.toThrow(/There is no model/);
});

test('models recommend says what fits this machine and why, in both languages', async () => {
  interface Recommended {
    readonly machine: { readonly cores: number; readonly memoryBudgetBytes: number };
    readonly models: readonly { readonly id: string; readonly fit: string; readonly reasons: readonly object[] }[];
  }
  const { machine, models } = JSON.parse(await run('recommend', '--json')) as Recommended;
  expect(machine.cores).toBeGreaterThan(0);
  expect(models.find(({ id }) => id === 'qwen3-0.6b')).toMatchObject({ fit: 'good' });
  expect(models.every(({ reasons }) => reasons.length > 0)).toBe(true);
  expect(await run('recommend', 'qwen3-0.6b')).toMatch(/^qwen3-0\.6b \(chat\): suits this machine/m);
  expect(await run('recommend', 'qwen3-0.6b', '--language', 'ko')).toMatch(
    /^코어 \d+개, 모델이 쓸 메모리 .*\n\nqwen3-0\.6b \(chat\): 이 컴퓨터에 맞습니다\. .*\n {2}메모리 /,
  );
  await expect(run('recommend', '--language', 'xx')).rejects.toThrow(/--language is en or ko/);
  await expect(run('pull', 'midm-2.0-mini')).rejects.toThrow(/could not be verified/);
});

test('models pull that was killed goes on, and the running service answers with what came', async () => {
  covers('local.pull', 'local.pull.resume');
  const part = join(service.dataFolder, 'models', '.downloads', 'Pulled-Q8_0.gguf.part');
  slow = true;
  const child = start('pull', 'someone/Pulled/Pulled-Q8_0.gguf');
  await eventually(() => expect(existsSync(part) && statSync(part).size).toBeGreaterThan(100_000));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  slow = false;
  const said = JSON.parse(await run('pull', 'someone/Pulled/Pulled-Q8_0.gguf', '--json')) as { id: string };
  expect(said).toEqual({ id: 'pulled-q8_0', warning: null });
  expect(existsSync(part)).toBe(false);
  await eventually(async () => {
    const reply = await chat(service, { model: 'pulled-q8_0' });
    expect(reply.status, reply.text).toBe(200);
    expect(jsonOf(reply).choices[0]?.message.content).toBe('내려받은 모델이 대답합니다.');
  });
});

test('a download of the service that its end cut goes on when it starts again', async () => {
  covers('local.pull.resume');
  const dataFolder = await temporaryFolder();
  onTestFinished(() => rmSync(dataFolder, { recursive: true }));
  const name = '이어받은 모델.gguf';
  const hidden = join(dataFolder, 'models', '.downloads');
  slow = true;
  const child = startIn(dataFolder, 'pull', `someone/Resumed/${name}`);
  const part = join(hidden, `${name}.part`);
  await eventually(() => expect(existsSync(part) && statSync(part).size).toBeGreaterThan(100_000));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  slow = false;
  // As the service writes it down that a download is its own.
  const note = join(hidden, `${name}.download.json`);
  const said = JSON.parse(readFileSync(note, 'utf8')) as object;
  writeFileSync(note, JSON.stringify({ ...said, resumes: true }));
  const next = await startService({ dataFolder, config: { local_models: { mirror }, probe: { enabled: false } } });
  try {
    await eventually(async () => {
      const reply = await chat(next, { model: '이어받은-모델' });
      expect(reply.status, reply.text).toBe(200);
      expect(jsonOf(reply).choices[0]?.message.content).toBe('내려받은 모델이 대답합니다.');
    });
    const about = await call(next, `/v1/models/${encodeURIComponent('이어받은-모델')}`);
    expect(jsonOf<{ id: string }>(about).id).toBe('이어받은-모델');
    expect(existsSync(part)).toBe(false);
    await eventually(() => expect(existsSync(note)).toBe(false));
  } finally {
    await next.close();
  }
});

interface Row {
  readonly model: string;
  readonly state: string;
}
const rowOf = async (model: string) =>
  (JSON.parse(await run('list', '--json')) as Row[]).find((row) => row.model === model);

test('a download is seen by other processes, and ended by them; one that was killed is told from it', async () => {
  covers('local.pull.seen');
  slow = true;
  onTestFinished(() => void (slow = false));
  const child = start('pull', 'someone/Seen/Seen-Q8_0.gguf');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually(async () => {
    const row = await rowOf('seen-q8_0');
    expect(row?.state).toMatch(new RegExp(`^downloading: 200 of \\d+ kB  \\d+ % .*\\(process ${child.pid}\\)$`));
  });
  expect(await run('cancel', 'seen-q8_0')).toContain('what came is kept');
  expect(await ended).toBe(1);
  expect((await rowOf('seen-q8_0'))?.state).toMatch(/ended: [1-9][\d,]+ of [\d,]+ bytes are kept/);
  const killed = start('pull', 'someone/Seen/Seen-Q8_0.gguf');
  await eventually(async () => expect((await rowOf('seen-q8_0'))?.state).toMatch(/^downloading/));
  killed.kill('SIGKILL');
  await new Promise((resolve) => killed.once('exit', resolve));
  expect((await rowOf('seen-q8_0'))?.state).toMatch(/^failed: .*interrupted.*pull it again/);
  await run('remove', 'seen-q8_0');
  expect(await rowOf('seen-q8_0')).toBeUndefined();
});

test('a download that is ended while it waits says so in words', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const child = start('pull', 'someone/Busy/Busy-Q8_0.gguf');
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await eventually(() => expect(said).toContain('trying again in 60 s'));
    child.kill(signal);
    expect(await ended).not.toBe(0);
    expect(said.trim().split('\n').at(-1)).toBe(
      'The download was ended; what came is kept and continued the next time.',
    );
    expect(said).not.toContain('AbortError');
  }
});

test('a file without a checksum is taken with a warning, which stays', async () => {
  covers('local.pull.unverified');
  const child = start('pull', `${mirror}/storage/Bare-Q8_0.gguf`);
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(said).toContain('! Bare-Q8_0.gguf: not verified: the server gave no checksum');
  expect((await rowOf('bare-q8_0'))?.state).toMatch(/^on this machine;.*; not verified: the server gave no checksum$/);
});
