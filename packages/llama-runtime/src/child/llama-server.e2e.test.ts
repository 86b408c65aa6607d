import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRandomModel, writeRerankModel } from '../../test/gguf/index.ts';
import { writeFakeLlamaServer } from '../../test/llama-server.ts';
import { type ModelLease, type ServerSettings, createSupervisor } from '../supervisor/index.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

const folder = mkdtempSync(join(tmpdir(), 'llama-server-'));
const fake = writeFakeLlamaServer(folder);
const model = join(folder, 'model.gguf');
const projector = join(folder, 'mmproj.gguf');
const damaged = join(folder, 'damaged.gguf');

type Kind = 'chat' | 'embedding' | 'rerank';
const models: Record<string, Partial<ServerSettings> & { readonly path?: string; readonly kind?: Kind }> = {
  chat: { args: ['--temp', '0.5'] },
  seeing: { projector },
  vectors: { kind: 'embedding' },
  ranks: { kind: 'rerank', path: join(folder, 'ranks.gguf') },
  // Its vocabulary is another.
  'other-ranks': { kind: 'rerank' },
  crash: {},
  damaged: { path: damaged },
  blind: { projector: damaged },
  strange: { args: ['--no-such-flag'] },
  absent: { binary: join(folder, 'nothing') },
  // Not a llama-server.
  other: { binary: '/bin/echo' },
  large: {},
};

const logged: { readonly level: string; readonly message: string; readonly fields: object }[] = [];
const note = (level: string) => (fields: object, message: string) => void logged.push({ level, message, fields });
let supervisor: Supervisor;
beforeAll(() => {
  writeRandomModel(model);
  writeRerankModel(join(folder, 'ranks.gguf'), { relevant: 'tax' });
  writeFileSync(projector, 'GGUF and more');
  writeFileSync(damaged, 'JUNK');
  supervisor = createSupervisor({
    settings: {
      memoryBudgetBytes: 2_000 * MIB,
      threads: 2,
      contextLength: 512,
      parallel: 3,
      keepAliveMs: null,
      pinned: [],
      gpu: 'off',
      runtimeDir: null,
      maxQueue: 4,
    },
    machine: { cores: 2, memoryBytes: 4_000 * MIB },
    find(id) {
      const { path = model, kind = 'chat', ...server } = models[id] ?? {};
      const bytes = id === 'large' ? 3_000 * MIB : MIB;
      return {
        id,
        path,
        kind,
        bytes,
        fingerprint: 'x',
        trainContext: 512,
        tokenBytes: 100,
        server: { binary: fake, projector: null, args: [], ...server },
      };
    },
    embedderSettings: () => ({ pooling: 'cls', normalize: false }),
    onStatus: () => undefined,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  });
});
afterAll(async () => {
  await supervisor.close();
  rmSync(folder, { recursive: true });
});

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

function post({ socketPath }: ModelLease, path: string, body: object): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const call = request({ socketPath, path, method: 'POST' }, (reply) => {
    let text = '';
    reply.setEncoding('utf8').on('data', (part: string) => (text += part));
    reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) as unknown }));
  });
  call.once('error', reject);
  call.end(JSON.stringify(body));
  return promise;
}

const ask = async (id: string, content: unknown = 'x') => {
  const lease = await supervisor.acquire(id, never);
  try {
    const { status, body } = await post(lease, '/v1/chat/completions', { messages: [{ role: 'user', content }] });
    expect(status, JSON.stringify(body)).toBe(200);
    return JSON.parse(body.choices[0].message.content) as {
      pid: number;
      call: number;
      images: string[];
      flags: Record<string, string | true>;
    };
  } finally {
    lease.release();
  }
};

describe('llama-server as the engine of a local model', () => {
  test('is given the plan of the model, no memory beyond it, and only flags that this build knows', async () => {
    const { flags } = await ask('chat');
    expect(flags).toMatchObject({
      '--model': model,
      '--alias': 'chat',
      '--ctx-size': '1536',
      '--parallel': '3',
      '--threads': '2',
      '--n-gpu-layers': '0',
      '--cache-ram': '0',
      '--jinja': true,
      '--no-mmproj': true,
      '--temp': '0.5',
    });
    expect(Object.keys(flags)).not.toContain('--fit');
    // The same process answers the next request.
    expect(await ask('chat')).toMatchObject({ call: 2 });
  });

  test('sees images by the projector beside the model', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const { images, flags } = await ask('seeing', [{ type: 'text', text: 'what?' }, picture]);
    expect(images).toEqual(['data:image/png;base64']);
    expect(flags['--mmproj']).toBe(projector);
  });

  test('makes vectors as the settings of the model say, several texts in a step', async () => {
    const lease = await supervisor.acquire('vectors', never);
    const { body } = await post(lease, '/v1/embeddings', { input: ['a', 'bcd'] });
    lease.release();
    expect(body.data.map(({ embedding }: { embedding: number[] }) => embedding[0])).toEqual([1, 3]);
    const line = supervisor.statuses().find(({ id }) => id === 'vectors');
    expect(line?.phase).toBe('loaded');
  });

  test('reads pairs of a WordPiece vocabulary with the mark at their end', async () => {
    const { flags } = await ask('ranks');
    expect(flags).toMatchObject({
      '--reranking': true,
      '--override-kv': 'tokenizer.ggml.add_eos_token=bool:true,tokenizer.ggml.add_sep_token=bool:false',
    });
    expect((await ask('other-ranks')).flags).not.toHaveProperty('--override-kv');
  });

  test('that ends is started anew, with what it wrote in the log', async () => {
    const lease = await supervisor.acquire('crash', never);
    await expect(post(lease, '/v1/chat/completions', { messages: [] })).rejects.toThrow();
    lease.release();
    // Its end is noticed in a moment.
    await expect
      .poll(async () => {
        const again = await supervisor.acquire('crash', never);
        again.release();
        return again.socketPath;
      })
      .not.toBe(lease.socketPath);
    const line = logged.find(({ message }) => message === 'model process ended unexpectedly');
    expect(JSON.stringify(line?.fields)).toMatch(/llama-server ended: exit code 7/);
  });

  test('ends when its model is taken out of memory', async () => {
    const { pid } = await ask('chat');
    expect(await supervisor.unload('chat', false)).toBe(true);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test.each([
    ['damaged', 'corrupt', /damaged or not complete: tensor 'x' of … is not there/],
    ['blind', 'corrupt', /projector \(mmproj\)/],
    ['strange', 'runtime', /invalid argument: --no-such-flag/],
    ['absent', 'runtime', /no such file/],
    ['other', 'runtime', /does not know the flags/],
    ['large', 'memory', /needs about/],
  ])('of %s says why it is not there', async (id, reason, message) => {
    const failure = await supervisor.acquire(id, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(message) as string });
    expect((failure as Error).message).not.toContain(folder);
  });
});
