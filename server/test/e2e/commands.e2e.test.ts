import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../support/modules.ts';
import { freePort, startService, type Service } from '../support/service.ts';
import { parse } from 'yaml';
import { openUpstream, play, type Upstream } from '../support/upstream.ts';

const folder = mkdtempSync(join(tmpdir(), 'ai-studio-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the service to its end. */
function studio(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'server/src/main.mjs'), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
    });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}

const config = (name: string, content: object) => {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, JSON.stringify(content));
  return `--config=${file}`;
};

describe('commands beside a running service', () => {
  let service: Service;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startService({ config: { server: { workers: 2 } } });
    env = { STUDIO_DATA_DIR: service.dataFolder, STUDIO_SERVER_PORT: String(service.port) };
  });
  afterAll(() => service.close());

  const status = async (key: string) =>
    (await fetch(`${service.base}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

  test('a key that is made is taken at once, shown once, and refused from the moment its deletion has ended', async () => {
    const made = await studio(
      ['key', 'create', '한글 key', '--scopes=chat', '--models=CORE-GOV', '--requests-per-minute=7'],
      env,
    );
    expect(made).toMatchObject({ code: 0 });
    const value = made.out.trim();
    expect(value).toMatch(/^aist_[0-9A-Za-z]{49}$/);
    expect(await status(value)).toBe(200);

    const listed = await studio(['key', 'list', '--json'], env);
    expect(listed.out).not.toContain(value);
    const keys = JSON.parse(listed.out) as { id: string; name: string }[];
    const key = keys.find(({ name }) => name === '한글 key');
    expect(key).toMatchObject({ scopes: ['chat'], allowedModels: ['CORE-GOV'], requestsPerMinute: 7 });

    expect(await studio(['key', 'delete', key?.id ?? ''], env)).toMatchObject({ code: 0 });
    expect(await status(value)).toBe(401);
    expect((await studio(['key', 'delete', 'f'.repeat(32)], env)).err).toContain('There is no such API key');
  });

  test('the doctor knows the running service, and migrating changes nothing', async () => {
    const { code, out } = await studio(['doctor'], env);
    expect(out).toContain('answered by a running AI Studio');
    expect(out).toContain('embedded PostgreSQL of the running service, up to date');
    expect(code).toBe(0);
    expect(await studio(['migrate'], env)).toMatchObject({ code: 0, out: 'The database is up to date.\n' });
  });

  test('with several workers the figures are those of all, whichever is asked', async () => {
    const call = () =>
      fetch(`${service.base}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: 'CORE-GOV', messages: [{ role: 'user', content: 'hi' }] }),
      });
    for (let i = 0; i < 6; i++) expect((await call()).status).toBe(200);
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 4; i++) {
      const text = await (await fetch(`${service.base}/metrics`, { headers: { connection: 'close' } })).text();
      seen.add(/^studio_requests_total\{.*route="chat".*\} (\d+)$/m.exec(text)?.[1]);
    }
    expect([...seen]).toEqual(['6']);
  });
});

test('a model server of this machine is found at a start without engines, and the printed lines bind it', async () => {
  const upstream = await openUpstream(['local-embedder', 'local-chat']);
  const port = Number(new URL(upstream.url).port);
  const first = await startService({ config: { probe: { ports: [port, await freePort()] } } });
  await expect.poll(() => first.output()).toContain('Found on this machine');
  const lines = first.output().split('\n');
  const from = lines.findIndex((line) => line.trim() === 'engines:');
  const snippet = lines.slice(from, lines.indexOf('', from)).join('\n');
  await first.close();

  const second = await startService({ config: parse(snippet) as Record<string, unknown> });
  try {
    upstream.plays(play({ text: 'from the local server' }));
    const response = await fetch(`${second.base}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(await response.text()).toContain('from the local server');
    expect(second.output()).not.toContain('Found on this machine');
  } finally {
    await second.close();
    await upstream.close();
  }
});

test('keys can be made while no service runs, and the database is at rest again afterwards', async () => {
  const env = { STUDIO_DATA_DIR: join(folder, 'rest') };
  const made = await studio(['key', 'create', 'x', '--json'], env);
  expect(made.code).toBe(0);
  expect((JSON.parse(made.out) as { value: string }).value).toMatch(/^aist_/);
  expect((await studio(['doctor'], { ...env, STUDIO_SERVER_PORT: String(await freePort()) })).out).toContain('at rest');
});

describe('the doctor', () => {
  let upstream: Upstream;
  beforeAll(async () => {
    upstream = await openUpstream(['model-a']);
  });
  afterAll(() => upstream.close());

  test('says which engines answer, which models they lack, and what to do', async () => {
    const dead = `http://127.0.0.1:${await freePort()}/v1`;
    const file = config('engines', {
      server: { port: await freePort() },
      engines: { good: { addresses: [upstream.url] }, dead: { addresses: [dead] } },
      models: {
        'CORE-GOV': { engines: [{ engine: 'good', model: 'model-a' }] },
        LLM42: { engines: [{ engine: 'good', model: 'model-b' }] },
        'K-Large-236B': { engines: [{ engine: 'dead' }] },
      },
    });
    const { code, out } = await studio(['doctor', '--json', file]);
    const findings = JSON.parse(out) as { level: string; subject: string; text: string; advice: string | null }[];
    const of = (subject: string) => findings.find((finding) => finding.subject === subject);
    expect(of('Engine good')).toMatchObject({ level: 'warn', text: 'answers, but has no model-b; it has model-a' });
    expect(of('Engine dead')?.level).toBe('warn');
    expect(of('Engine dead')?.advice).not.toBeNull();
    // A dead engine troubles its models; the service itself works.
    expect(code).toBe(0);

    const listed = JSON.parse((await studio(['models', 'list', '--json', file])).out) as {
      id: string;
      state: string;
    }[];
    expect(listed.find(({ id }) => id === 'CORE-GOV')?.state).toBe('answers (1 of 1 addresses)');
    expect(listed.find(({ id }) => id === 'K-Large-236B')?.state).toMatch(/^does not answer/);
  });

  test('names what holds a port, and fails', async () => {
    const server = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out } = await studio(['doctor', `--port=${port}`]);
    expect(out).toContain(`✘ Port: 127.0.0.1:${port} is in use`);
    expect(code).toBe(1);
    const started = await studio(['serve', `--port=${port}`], { STUDIO_DATA_DIR: join(folder, 'port') });
    expect(started.code).toBe(1);
    expect(started.err).toContain('address already in use');
    server.close();
  });

  test('fails for a data folder that is a file and a database that does not answer', async () => {
    writeFileSync(join(folder, 'file'), '');
    const file = config('broken', {
      data_dir: join(folder, 'file'),
      server: { port: await freePort() },
      database: { url: `postgres://u:hunter2@127.0.0.1:${await freePort()}/x` },
    });
    const { code, out, err } = await studio(['doctor', file]);
    expect(out).toContain('✘ Data folder');
    expect(out).toContain('✘ Database');
    expect(out + err).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});

describe('a wrong command line', () => {
  test('is told with what would be right, and exit code 2', async () => {
    expect(await studio(['bogus'])).toMatchObject({ code: 2, err: expect.stringContaining('There is no command') });
    expect(await studio(['serve', '--sever.port=1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean --server.port?'),
    });
    expect(await studio(['key', 'create'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give the key a name'),
    });
    expect(await studio(['key', 'create', 'x', '--scopes=all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('known: chat'),
    });
  });

  test('help and version need no configuration', async () => {
    expect(await studio(['help'], { STUDIO_SERVER_PORT: 'x' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('studio doctor'),
    });
    expect(await studio(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^AI Studio \d/) });
  });
});
