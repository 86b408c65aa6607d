import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingsReply } from '@ai-studio/contract/embeddings.ts';
import type { ModelList } from '@ai-studio/contract/models.ts';
import { writeEmbeddingModel, writeRandomModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { writeFakeLlamaServer } from '@ai-studio/llama-runtime/test/llama-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { studio } from '../support/command.ts';
import { CHAT, call, chat, chatBody, chatStream, expectError, join as joined, jsonOf } from '../support/http.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

const minuteAgo = Date.now() / 1000 - 60;

let dataFolder: string;
let service: Service;
const put = (name: string, write: (path: string) => unknown) => {
  const path = join(dataFolder, 'models', name);
  write(path);
  // Whole since a while: nobody is still writing it.
  utimesSync(path, minuteAgo, minuteAgo);
};

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  mkdirSync(join(dataFolder, 'models'));
  put('seeing.gguf', writeRandomModel);
  put('mmproj-seeing.gguf', (path) => writeFileSync(path, 'GGUF and a projector'));
  put('blind.gguf', writeRandomModel);
  put('crash.gguf', writeRandomModel);
  put('my-embedder.gguf', (path) => writeEmbeddingModel(path, { words: ['river', 'bank', 'tax'] }));
  put('cut.gguf', (path) => truncateSync(writeRandomModel(path), 60_000));
  put('page.gguf', (path) => writeFileSync(path, '<!DOCTYPE html><title>Sign in</title>'.repeat(50)));
  service = await startService({
    dataFolder,
    config: {
      limits: { requests_per_minute: null, tokens_per_minute: null },
      local_models: {
        llama_server: writeFakeLlamaServer(dataFolder),
        models: {
          seeing: { mmproj: 'mmproj-seeing.gguf' },
          blind: { runtime: 'llama-server' },
          crash: { runtime: 'llama-server' },
        },
      },
    },
  });
});
afterAll(async () => {
  await service.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const looking = [{ role: 'user', content: [{ type: 'text', text: 'what is it?' }, picture] }];
interface Said {
  readonly images: readonly string[];
  readonly flags: Readonly<Record<string, string | true>>;
}

describe('llama-server as another engine of local models', () => {
  test('sees images where a projector stands beside the model, whole and streamed', async () => {
    covers('local.images');
    const reply = jsonOf(await chat(service, { model: 'seeing', messages: looking }));
    const said = JSON.parse(String(reply.choices[0]?.message.content)) as Said;
    expect(said.images).toEqual(['data:image/png;base64']);
    expect(said.flags['--mmproj']).toBe(join(dataFolder, 'models', 'mmproj-seeing.gguf'));
    const { done, chunks } = await chatStream(service, { model: 'seeing', messages: looking });
    expect(done).toBe(true);
    expect((JSON.parse(joined(chunks).content) as Said).images).toHaveLength(1);
    // Several choices are several calls of it.
    expect(jsonOf(await chat(service, { model: 'seeing', messages: looking, n: 2 })).choices).toHaveLength(2);
  });

  test('takes no images without a projector, and is one of the local models otherwise', async () => {
    const response = await call(service, CHAT, { body: chatBody({ model: 'blind', messages: looking }) });
    expectError(response, 400);
    expect(jsonOf(await chat(service, { model: 'blind' })).choices).toHaveLength(1);
    const { data } = jsonOf<ModelList>(await call(service, '/v1/models'));
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['seeing', 'blind']));
    expect(data.some(({ id }) => id.includes('mmproj'))).toBe(false);
    const listed = await studio(service, 'models', 'list');
    expect(listed).toMatch(/seeing .*loaded/);
    expect(listed).not.toMatch(/mmproj/);
    expect(await studio(service, 'models', 'unload', 'blind')).toMatch(/left the memory/);
  });

  test('answers whole after a stream, whose connection it closes though it had said that it keeps it', async () => {
    for (let i = 0; i < 5; i++) {
      expect((await chatStream(service, { model: 'blind' })).done).toBe(true);
      expect((await chat(service, { model: 'blind' })).status).toBe(200);
    }
  });

  test('that ends at a request again and again is told as a model that may be damaged', async () => {
    const response = await call(service, CHAT, { body: chatBody({ model: 'crash' }) });
    const { message } = expectError(response, 503);
    expect(message).toMatch(/crash ended twice at this request/);
  });
});

const vectorOf = async (model: string, input: string) => {
  const reply = await call(service, '/v1/embeddings', { body: { model, input } });
  expect(reply.status).toBe(200);
  return jsonOf<EmbeddingsReply>(reply).data[0]?.embedding as number[];
};

describe('an embedding model of one’s own', () => {
  test('is given a new name and read as somebody says, at once, without a file of settings', async () => {
    covers('local.embedder');
    const before = await vectorOf('my-embedder', 'river bank tax');
    const said = await studio(
      service,
      'models',
      'use',
      'text-embedding-3-small',
      'my-embedder',
      '--pooling=cls',
      '--max-tokens=200',
      '--query-prefix=query: ',
      '--normalize=no',
    );
    expect(said).toMatch(/text-embedding-3-small is served by my-embedder\./);
    expect(said).toMatch(/vectors of 64 numbers with the norm .*reads 200 tokens/);
    const { data } = jsonOf<ModelList>(await call(service, '/v1/models'));
    for (const id of ['text-embedding-3-small', 'my-embedder'])
      expect(data.find((model) => model.id === id)).toMatchObject({ max_model_len: 200 });
    const after = await vectorOf('text-embedding-3-small', 'river bank tax');
    expect(after).toHaveLength(64);
    const norm = Math.hypot(...after);
    expect(norm).not.toBeCloseTo(1, 2);
    expect(after.map((value) => value / norm)).not.toEqual(before);
    const long = await call(service, '/v1/embeddings', {
      body: { model: 'my-embedder', input: 'river '.repeat(220) },
    });
    expect(expectError(long, 400, { code: 'context_length_exceeded' }).message).toMatch(/222.*200|200.*222/);
    expect(await studio(service, 'models', 'set', 'text-embedding-3-small', '--reset')).toMatch(/the norm 1\.00/);
    expect(await vectorOf('my-embedder', 'river bank tax')).toEqual(before);
  });

  test('refuses settings that mean nothing, and those of other models', async () => {
    await expect(studio(service, 'models', 'set', 'my-embedder', '--pooling', 'median')).rejects.toThrow(/pooling/);
    await expect(studio(service, 'models', 'set', 'my-embedder')).rejects.toThrow(/--max-tokens N/);
    await expect(studio(service, 'models', 'set', 'seeing', '--pooling', 'mean')).rejects.toThrow(/of kind chat/);
    await expect(studio(service, 'models', 'set', 'nothing', '--pooling', 'mean')).rejects.toThrow(/no local model/);
    const use = studio(service, 'models', 'use', 'new-name', 'seeing', '--pooling', 'mean');
    await expect(use).rejects.toThrow(/of kind chat/);
    expect(await studio(service, 'models', 'list')).not.toContain('new-name');
  });
});

test('a damaged file is told as what it is', async () => {
  covers('local.corrupt');
  const messageOf = async (model: string) =>
    expectError(await call(service, CHAT, { body: chatBody({ model }) }), 503).message;
  expect(await messageOf('cut')).toMatch(/incomplete: only 60,000 of its [\d,]+ bytes are here/);
  expect(await messageOf('page')).toMatch(/no GGUF file/);
});
