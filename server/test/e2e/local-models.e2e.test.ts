import { readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddingsReply } from '@ai-studio/contract/embeddings.ts';
import type { ModelList } from '@ai-studio/contract/models.ts';
import type { RerankReply } from '@ai-studio/contract/rerank.ts';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  writeEmbeddingModel,
  writeRandomModel,
  writeRerankModel,
  writeScriptedModel,
} from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { simpleHeader } from '@ai-studio/llama-runtime/test/gguf-header.ts';
import { covers } from '../requirements.ts';
import { studio } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import {
  CHAT,
  call,
  chat,
  chatBody,
  chatStream,
  expectError,
  expectErrorObject,
  join,
  jsonOf,
  readStream,
  send,
} from '../support/http.ts';
import { isLong } from '../support/long.ts';
import { MODEL_PROCESS, pidsOf } from '../support/processes.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

/** A connection of its own each time: workers take them in turn. */
const ids = async (service: Service) =>
  jsonOf<ModelList>(await call(service, '/v1/models', { headers: { connection: 'close' } })).data.map(({ id }) => id);

/** The same for all: a file that is put there twice is the same file, which no process takes for another one. */
const minuteAgo = Date.now() / 1000 - 60;

/** Moves a file of some age into the folder of models. */
async function put(service: Service, id: string, write: (path: string) => unknown): Promise<void> {
  const path = joinPath(service.dataFolder, 'models', `${id}.gguf`);
  write(`${path}.part`);
  utimesSync(`${path}.part`, minuteAgo, minuteAgo);
  await rename(`${path}.part`, path);
}

/** The same for a model that can be used; waits until the service knows it. */
async function drop(service: Service, id: string, write: (path: string) => unknown): Promise<void> {
  await put(service, id, write);
  await eventually(async () => {
    // Each worker has to know it.
    for (let i = 0; i < 4; i++) expect(await ids(service)).toContain(id);
  });
}
const bytes = (content: Buffer) => (path: string) => writeFileSync(path, content);
const random = (path: string) => writeRandomModel(path);
const cutOff = (path: string) => truncateSync(writeRandomModel(path), 60_000);

/** Processes with loaded models. */
const children = ({ pid }: Service) => pidsOf(pid, MODEL_PROCESS);

const script = (path: string) =>
  writeScriptedModel(path, {
    routes: {
      think: ['<think>', '먼저 ', '곱한다.', '</think>', '답은 ', '144', '입니다.'],
      plain: '첫째, 둘째, 세 번째 그리고 끝.',
      tool: ['<tool_call>', '{"name": "weather", ', '"arguments": {"city": ', '"서울"}}', '</tool_call>'],
    },
  });

/** Goes on until the connection breaks or the context is full. */
const endless = { stream: true, max_tokens: 4000, ignore_eos: true };

async function open(config: Record<string, unknown>) {
  const dataFolder = await temporaryFolder();
  await mkdir(joinPath(dataFolder, 'models'));
  // Waiting asks often.
  const limits = { requests_per_minute: null, tokens_per_minute: null };
  const service = await startService({ dataFolder, config: { limits, ...config } });
  return {
    service,
    async close() {
      await service.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Ends the service, and each process of a model, in the middle of an answer: it goes on to its end. */
async function expectAnswersFinish(service: Service, model: string): Promise<void> {
  const fields = { model, ...endless, max_tokens: 500 };
  const response = await send(service, CHAT, { body: chatBody(fields) });
  const reply = readStream(response);
  const models = children(service);
  expect(models.length).toBeGreaterThan(0);
  // As service managers do, and terminals.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) for (const pid of models) process.kill(pid, signal);
  const before = service.output().length;
  const ended = service.stop();
  const { done, error, chunks } = await reply;
  expect({ done, error }).toEqual({ done: true, error: null });
  expect(join(chunks).finish).toBe('length');
  await ended;
  expect(service.output().slice(before)).not.toMatch(/middle of/);
  for (const pid of models) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
}

/** What the command says of a model. */
const stateOf = async (service: Service, id: string): Promise<string | undefined> => {
  const rows = JSON.parse(await studio(service, 'models', 'list', '--json')) as { model: string; state: string }[];
  return rows.find(({ model }) => model === id)?.state;
};

describe.each([1, 2])('local models in %i processes', (workers) => {
  /** For what is the same however many processes answer: with two, and in the long run with one as well. */
  const once = workers === 2 || isLong ? test : null;
  let house: Awaited<ReturnType<typeof open>>;
  let service: Service;
  beforeAll(async () => {
    house = await open({
      server: { workers },
      models: {
        bound: { engines: [{ engine: 'llama', model: 'not-there' }] },
        'CORE-GOV-THINK': { engines: [{ engine: 'llama', model: 'script' }] },
      },
    });
    ({ service } = house);
    await drop(service, 'tiny', random);
  });
  afterAll(() => house.close());

  // The first begins with no model in memory.
  once?.('are listed with what the service has in memory, which a command changes', async () => {
    covers('local.state', 'local.memory.commands');
    expect(await stateOf(service, 'tiny')).toMatch(/^on this machine; .* GiB when it is loaded$/);
    expect(await studio(service, 'models', 'load', 'tiny')).toBe('tiny is loaded.');
    const [child] = children(service);
    expect(child).toBeGreaterThan(0);
    // From its bundle, where the run of the tests has made one: the sources take twice the processor time to start.
    if (process.env['STUDIO_TEST_BUNDLE'] !== undefined)
      expect(pidsOf(service.pid, '/llama-child/index.mjs')).toEqual([child]);
    expect(await stateOf(service, 'tiny')).toMatch(/^loaded \d+ s ago; .* GiB of memory, 0 requests now$/);
    await studio(service, 'models', 'pin', 'tiny');
    expect(await stateOf(service, 'tiny')).toMatch(/^loaded .*; pinned$/);
    await studio(service, 'models', 'unpin', 'tiny');
    expect(await studio(service, 'models', 'unload', 'tiny')).toBe('tiny has left the memory.');
    expect(await studio(service, 'models', 'unload', 'tiny')).toBe('tiny was not in memory.');
    expect(children(service)).toEqual([]);
    expect(await stateOf(service, 'tiny')).toMatch(/^on this machine;/);
    await expect(studio(service, 'models', 'load', 'none')).rejects.toThrow('There is no model none');
  });

  once?.('are taken in and removed by a command, beside the running service', async () => {
    covers('local.import');
    const elsewhere = await temporaryFolder();
    const file = writeRandomModel(joinPath(elsewhere, 'My Model.gguf'));
    expect(await studio(service, 'models', 'import', file)).toContain('my-model is in');
    await eventually(async () => expect(await ids(service)).toContain('my-model'));
    expect((await chat(service, { model: 'my-model', max_tokens: 1 })).status).toBe(200);
    await studio(service, 'models', 'remove', 'my-model');
    await eventually(async () => expect(await ids(service)).not.toContain('my-model'));
    await eventually(() => expect(children(service)).toEqual([]));
    await rm(elsewhere, { recursive: true });
  });

  test('answer under the name of their file, whole and streamed, and all processes share one copy', async () => {
    covers('local.chat', 'local.shared');
    const fields = { model: 'tiny', max_tokens: 8, ignore_eos: true, temperature: 0 };
    const replies = await Promise.all(Array.from({ length: 8 }, () => chat(service, fields)));
    const [first] = replies.map((reply) => jsonOf(reply));
    for (const reply of replies.map((one) => jsonOf(one))) {
      expect(reply.choices[0]?.message.content).toBe(first?.choices[0]?.message.content);
      expect(reply).toMatchObject({ model: 'tiny', usage: { completion_tokens: 8 } });
    }
    const streamed = await chatStream(service, { ...fields, stream_options: { include_usage: true } });
    expect(join(streamed.chunks)).toMatchObject({
      content: first?.choices[0]?.message.content,
      finish: 'length',
    });
    expect(streamed.done).toBe(true);
    expect(children(service)).toHaveLength(1);
  });

  once?.('answer the openai client', async () => {
    covers('local.chat');
    const client = new OpenAI({ baseURL: `${service.base}/v1`, apiKey: service.key });
    const stream = await client.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: '안녕' }],
      max_tokens: 5,
      stream: true,
    });
    let finish: string | null = null;
    for await (const chunk of stream) finish = chunk.choices[0]?.finish_reason ?? finish;
    expect(['length', 'stop']).toContain(finish);
  });

  once?.('serve an id of the interface, whose keys and defaults stay', async () => {
    covers('local.bound', 'local.reasoning');
    await drop(service, 'script', script);
    const say = { model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: 'say think' }] };
    const reply = jsonOf(await chat(service, say));
    expect(reply.model).toBe('CORE-GOV-THINK');
    expect(reply.choices[0]?.message).toMatchObject({ reasoning_content: '먼저 곱한다.', content: '답은 144입니다.' });
    expect(reply.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    const streamed = await chatStream(service, say);
    expect(join(streamed.chunks)).toMatchObject({
      reasoning_content: '먼저 곱한다.',
      content: '답은 144입니다.',
      finish: 'stop',
    });
    // The template writes an empty thought for those who want none.
    const off = jsonOf(await chat(service, { ...say, chat_template_kwargs: { skip_reasoning: true } }));
    expect((off.usage?.prompt_tokens ?? 0) - (reply.usage?.prompt_tokens ?? 0)).toBe(2);
    expectError(await chat(service, { ...say, chat_template_kwargs: { enable_thinking: true } }), 400, {
      param: 'chat_template_kwargs.enable_thinking',
    });
  });

  test('serve an id from the moment that a command says so, until another takes it back', async () => {
    covers('local.use');
    await drop(service, 'script', script);
    const say = { model: 'CORE-GOV', messages: [{ role: 'user', content: 'say plain' }] };
    const before = jsonOf(await chat(service, say));
    expect(await studio(service, 'models', 'use', 'CORE-GOV', 'script')).toBe('CORE-GOV is served by script.');
    const listed = JSON.parse(await studio(service, 'models', 'list', '--json')) as { id: string; engine: string }[];
    expect(listed.find(({ id }) => id === 'CORE-GOV')).toMatchObject({ engine: 'llama', model: 'script' });
    await eventually(async () => {
      for (let i = 0; i < 4; i++) {
        const reply = jsonOf(await chat(service, say));
        expect(reply).toMatchObject({
          model: 'CORE-GOV',
          usage: { completion_tokens_details: { reasoning_tokens: 0 } },
        });
        expect(reply.choices[0]?.message).toMatchObject({
          content: '첫째, 둘째, 세 번째 그리고 끝.',
          reasoning_content: null,
        });
      }
    });
    if (once !== null) {
      await expect(studio(service, 'models', 'use', 'CORE-GOV', 'no-such-model')).rejects.toThrow('no local model');
      // A name that nobody had is that of the model; its own it has by itself.
      await expect(studio(service, 'models', 'use', 'script', 'script')).rejects.toThrow('served by itself');
      await studio(service, 'models', 'use', 'a-new-name', 'script');
      await eventually(async () => expect((await chat(service, { ...say, model: 'a-new-name' })).status).toBe(200));
      await studio(service, 'models', 'unuse', 'a-new-name');
    }
    await studio(service, 'models', 'unuse', 'CORE-GOV');
    await eventually(async () => {
      const after = jsonOf(await chat(service, say));
      expect(after.choices[0]?.message.content).toBe(before.choices[0]?.message.content);
    });
  });

  once?.('call tools, in the stream of each kind', async () => {
    covers('local.tools');
    await drop(service, 'script', script);
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const say = {
      model: 'script',
      messages: [{ role: 'user', content: 'say tool' }],
      tools: [{ type: 'function', function: { name: 'weather', description: 'The weather', parameters } }],
    };
    const reply = await chat(service, say);
    expect(reply.status, reply.text).toBe(200);
    const [choice] = jsonOf(reply).choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const [tool] = choice?.message.tool_calls ?? [];
    expect(tool?.function.name).toBe('weather');
    expect(JSON.parse(tool?.function.arguments ?? '')).toEqual({ city: '서울' });
    const streamed = join((await chatStream(service, say)).chunks);
    expect(streamed).toMatchObject({ finish: 'tool_calls', tools: [{ name: 'weather' }] });
    expect(JSON.parse(streamed.tools[0]?.arguments ?? '')).toEqual({ city: '서울' });
    // Of this id the interface wants arguments only.
    const bare = join((await chatStream(service, { ...say, model: 'CORE-GOV-THINK' })).chunks);
    expect(bare.tools).toEqual([{ id: undefined, name: undefined, arguments: streamed.tools[0]?.arguments }]);
  });

  once?.('end at a stop string that stands across tokens, and say which', async () => {
    covers('local.stop');
    const say = { model: 'script', messages: [{ role: 'user', content: 'say plain' }], stop: ['세 번째'] };
    const reply = jsonOf(await chat(service, say));
    expect(reply.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: '세 번째' });
    expect(reply.choices[0]?.message.content).toBe('첫째, 둘째, ');
  });

  once?.('refuse what is beyond the context before any work', async () => {
    covers('local.context');
    const content = 'x'.repeat(5_000);
    expectError(await chat(service, { model: 'tiny', messages: [{ role: 'user', content }] }), 400, {
      message: /4096 tokens/,
      param: 'messages',
      code: 'context_length_exceeded',
    });
    const body = { model: 'tiny', prompt: content };
    const text = await call(service, '/v1/completions', { body });
    expectError(text, 400, {
      message: /4096 tokens, but the prompt has 5\d{3} tokens/,
      param: 'prompt',
      code: 'context_length_exceeded',
    });
  });

  once?.('give vectors, those of texts with like words near each other', async () => {
    covers('local.embeddings');
    await drop(service, 'vectors', (path) =>
      writeEmbeddingModel(path, { words: ['annual', 'leave', 'weather', 'seoul'] }),
    );
    const reply = await call(service, '/v1/embeddings', {
      body: { model: 'vectors', input: ['annual leave', 'leave', 'seoul weather'] },
    });
    const { data, usage } = jsonOf<EmbeddingsReply>(reply);
    const [leave = [], holiday = [], weather = []] = data.map(({ embedding }) => embedding as number[]);
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
    expect(leave).toHaveLength(64);
    expect(dot(leave, leave)).toBeCloseTo(1, 3);
    expect(dot(leave, holiday)).toBeGreaterThan(dot(leave, weather));
    expect(usage.prompt_tokens).toBeGreaterThan(5);
    expectError(await chat(service, { model: 'vectors' }), 400, { param: 'model' });
  });

  once?.('order documents', async () => {
    covers('local.rerank');
    await drop(service, 'ranker', (path) =>
      writeRerankModel(path, { relevant: 'leave', words: ['weather', 'holiday'] }),
    );
    const body = {
      query: 'holiday',
      documents: ['weather', 'leave leave', 'weather leave weather'],
      top_n: 2,
      return_documents: true,
    };
    const reply = jsonOf<RerankReply>(await call(service, '/v1/rerank', { body }));
    expect(reply.model).toBe('ranker');
    expect(reply.results.map(({ index }) => index)).toEqual([1, 2]);
    expect(reply.results[0]?.document?.text).toBe('leave leave');
    expect(reply.results[0]?.relevance_score).toBeGreaterThan(0.5);
    expect(reply.usage.total_tokens).toBeGreaterThan(10);
  });

  test('that crash end their requests with an error event, and the next request works', async () => {
    covers('local.crash');
    const response = await send(service, CHAT, { body: chatBody({ model: 'tiny', ...endless }) });
    const reader = response.body?.getReader();
    await reader?.read();
    const [child = 0] = children(service);
    const rest = readStream(
      new Response(
        new ReadableStream({
          async pull(controller) {
            const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
            if (value) controller.enqueue(value);
            if (done) controller.close();
          },
        }),
      ),
    );
    for (const pid of children(service)) process.kill(pid, 'SIGKILL');
    const { error, done } = await rest;
    expect(child).toBeGreaterThan(0);
    expectErrorObject(error, 503, { message: /tiny/ });
    expect(done).toBe(false);
    expect((await chat(service, { model: 'tiny', max_tokens: 2 })).status).toBe(200);
  });

  once?.('whose file is not there are a 503 that says what to do', async () => {
    covers('local.missing');
    const reply = await chat(service, { model: 'bound' });
    expectError(reply, 503, { message: /no model not-there on this machine.*studio models import/ });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expectError(await chat(service, { model: 'bound', stream: true }), 503);
  });

  once?.('whose file is damaged are a 503 that says what is wrong, and the others answer', async () => {
    covers('local.corrupt', 'local.watched');
    const unusable: [id: string, write: (path: string) => unknown, message: RegExp][] = [
      ['torn', bytes(simpleHeader({ 'general.architecture': 'qwen3' }).subarray(0, 40)), /ends within its header/],
      ['cut', cutOff, /incomplete/],
      ['empty', bytes(Buffer.alloc(0)), /ends within its header/],
      ['zip', bytes(Buffer.from('PK, and what else an archive has')), /no GGUF file/],
    ];
    for (const [id, write] of unusable) await put(service, id, write);
    for (const [id, , message] of unusable) {
      await eventually(async () => {
        // Each worker has to know it.
        for (let i = 0; i < 4; i++) {
          const said = expectError(await chat(service, { model: id }), 503, { message });
          expect(said.message).toMatch(`${id} cannot be used: `);
        }
      });
      expect(await ids(service)).not.toContain(id);
      expect((await call(service, `/v1/models/${id}`)).status).toBe(404);
      const unknown = expectError(await chat(service, { model: 'nothing' }), 400, { param: 'model' });
      expect(unknown.message).not.toContain(id);
    }
    const listed = await studio(service, 'models', 'list');
    for (const [id, , message] of unusable) expect(listed).toMatch(new RegExp(`^${id} .*${message.source}`, 'm'));
    await drop(service, 'alien', bytes(simpleHeader({ 'general.architecture': 'from-elsewhere' })));
    expectError(await chat(service, { model: 'alien' }), 503, { message: /from-elsewhere/ });
    expect((await chat(service, { model: 'tiny', max_tokens: 1 })).status).toBe(200);
  });

  once?.('are gone with their file', async () => {
    covers('local.watched');
    await drop(service, 'passing', random);
    expect((await chat(service, { model: 'passing', max_tokens: 1 })).status).toBe(200);
    await rm(joinPath(service.dataFolder, 'models', 'passing.gguf'));
    await eventually(async () => expect(await ids(service)).not.toContain('passing'));
    await eventually(async () => expectError(await chat(service, { model: 'passing' }), 400, { param: 'model' }));
  });

  // Who watches the folder is the process that keeps the models: the same one, however many answer.
  if (workers === 2) {
    test('appear when somebody has copied them whole, not before', async () => {
      covers('local.arriving');
      const source = await temporaryFolder();
      const whole = readFileSync(writeRandomModel(joinPath(source, 'copy.gguf'), { seed: 5 }));
      const path = joinPath(service.dataFolder, 'models', 'copied.gguf');
      for (const share of [0.3, 0.6, 0.9]) {
        writeFileSync(path, whole.subarray(0, Math.floor(whole.length * share)));
        await wait(1_200);
        expect(await ids(service)).not.toContain('copied');
      }
      expect(await stateOf(service, 'copied')).toMatch(/^arriving \d+ %: .* bytes are here/);
      expectError(await chat(service, { model: 'copied' }), 400, { param: 'model' });
      await expect(studio(service, 'models', 'load', 'copied')).rejects.toThrow('still being written');
      writeFileSync(path, whole);
      await eventually(async () => {
        await wait(200);
        expect(await ids(service)).toContain('copied');
      });
      expect((await chat(service, { model: 'copied', max_tokens: 1 })).status).toBe(200);
      await rm(source, { recursive: true });
    });

    test('are not removed while they serve an id, nor replaced by a file of the same name', async () => {
      covers('local.import.safe');
      const source = await temporaryFolder();
      const file = joinPath(source, 'mine.gguf');
      writeFileSync(file, 'no model at all');
      await expect(studio(service, 'models', 'import', file)).rejects.toThrow('no GGUF file');
      await studio(service, 'models', 'import', writeRandomModel(file, { seed: 1 }));
      expect(await studio(service, 'models', 'import', file)).toBe('mine is there already.');
      await expect(studio(service, 'models', 'import', writeRandomModel(file, { seed: 2 }))).rejects.toThrow('--force');
      await studio(service, 'models', 'import', file, '--force');
      await expect(studio(service, 'models', 'use', 'CORE-GOV', 'none.gguf')).rejects.toThrow('There is no file');
      await expect(studio(service, 'models', 'use', 'CORE-GOV', 'none')).rejects.toThrow('there are: ');
      expect(await studio(service, 'models', 'use', 'CORE-GOV', 'mine.gguf')).toBe('CORE-GOV is served by mine.');
      await expect(studio(service, 'models', 'remove', 'mine')).rejects.toThrow('"studio models unuse CORE-GOV"');
      await eventually(async () =>
        expect((await chat(service, { model: 'CORE-GOV', max_tokens: 1 })).status).toBe(200),
      );
      expect(children(service).length).toBeGreaterThan(0);
      await studio(service, 'models', 'unuse', 'CORE-GOV');
      await expect(studio(service, 'models', 'unuse', 'nope')).rejects.toThrow('There is no model "nope"');
      await expect(studio(service, 'models', 'list', 'extra')).rejects.toThrow('Use "studio models list');
      await studio(service, 'models', 'remove', 'mine');
      expect(await stateOf(service, 'mine')).toBeUndefined();
      await rm(source, { recursive: true });
    });
  }

  // The last: they end the service.
  if (workers === 2) {
    let models: number[] = [];
    test('lets models finish their answers at its end, when all 2 processes are asked to end', async () => {
      covers('local.end', 'process.stop.drains');
      expect((await chat(service, { model: 'tiny', max_tokens: 1 })).status).toBe(200);
      models = children(service);
      await expectAnswersFinish(service, 'tiny');
    });

    test('end with the service, which is stopped', async () => {
      covers('local.end');
      expect(models.length).toBeGreaterThan(0);
      await service.stop();
      for (const pid of models) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
  } else {
    test('end with the service, which is killed', async () => {
      covers('local.end');
      expect((await chat(service, { model: 'tiny', max_tokens: 1 })).status).toBe(200);
      const models = children(service);
      expect(models.length).toBeGreaterThan(0);
      await service.kill();
      await eventually(() => {
        for (const pid of models) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      });
    });
  }
});

describe('memory for local models', () => {
  test('goes to those in use: the least recently used leaves, a busy one stays, to the end of its answer when all is ended', async () => {
    covers('local.eviction', 'local.end', 'process.stop.drains');
    const house = await open({ local_models: { memory_budget: '150MiB', context_length: 4096, parallel: 1 } });
    const { service } = house;
    try {
      await drop(service, 'first', random);
      await drop(service, 'second', random);
      expect((await chat(service, { model: 'first', max_tokens: 1 })).status).toBe(200);
      const [before] = children(service);
      expect((await chat(service, { model: 'second', max_tokens: 1 })).status).toBe(200);
      const [after] = children(service);
      expect(children(service)).toHaveLength(1);
      expect(after).not.toBe(before);
      // While it answers it stays, and the other waits for it.
      const gone = new AbortController();
      const busy = await send(service, CHAT, { body: chatBody({ model: 'second', ...endless }), signal: gone.signal });
      const reader = busy.body?.getReader();
      await reader?.read();
      const over = { now: false };
      const waiting = chat(service, { model: 'first', max_tokens: 1 }).finally(() => (over.now = true));
      for (let i = 0; i < 20; i++) await reader?.read();
      expect(over.now).toBe(false);
      expect(children(service)).toEqual([after]);
      gone.abort();
      expect((await waiting).status).toBe(200);
      await expectAnswersFinish(service, 'first');
    } finally {
      await house.close();
    }
  });

  test('too little of it is a 503 that says how much is needed', async () => {
    covers('local.memory');
    const house = await open({ local_models: { memory_budget: '1MiB' } });
    try {
      await drop(house.service, 'tiny', random);
      expectError(await chat(house.service, { model: 'tiny' }), 503, { message: /needs about .* MiB .*memory_budget/ });
    } finally {
      await house.close();
    }
  });
});

describe('a worker that dies', () => {
  test('no longer holds the models that it used', async () => {
    covers('local.shared');
    const { service, close } = await open({ server: { workers: 2 }, local_models: { keep_alive_s: 1 } });
    try {
      await drop(service, 'tiny', random);
      const response = await send(service, CHAT, { body: chatBody({ model: 'tiny', ...endless }) });
      const reader = response.body?.getReader();
      await reader?.read();
      expect(children(service)).toHaveLength(1);
      for (const worker of pidsOf(service.pid, 'server/src/main.mjs')) process.kill(worker, 'SIGKILL');
      await eventually(() => expect(children(service)).toEqual([]));
      await reader?.cancel().catch(() => undefined);
      await eventually(async () => expect((await chat(service, { model: 'tiny', max_tokens: 1 })).status).toBe(200));
    } finally {
      await close();
    }
  });
});
