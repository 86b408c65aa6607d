import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddingsReply } from '@ai-studio/contract/embeddings.ts';
import type { CompletionReply } from '@ai-studio/contract/completions.ts';
import { defaultModels } from '../../src/models/defaults.ts';
import { covers } from '../requirements.ts';
import { keyRows, makeKey, studio, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import {
  CHAT,
  call,
  chat,
  chatBody,
  chatStream,
  expectError,
  join,
  jsonOf,
  readStream,
  send,
} from '../support/http.ts';
import { isLong } from '../support/long.ts';
import { pidsOf } from '../support/processes.ts';
import { type Service, freePort, launch, startService, temporaryFolder, untilReady } from '../support/service.ts';
import { type UpstreamCall, answer, eventsOf, openStream, play } from '../support/upstream.ts';

const run = promisify(execFile);
/** The database server of a data folder and its sessions. */
function databaseProcesses(folder: string): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, command = '', , parent = ''] =
          /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return [
          { pid: Number(name), command, parent: Number(parent), line: readFileSync(`/proc/${name}/cmdline`, 'utf8') },
        ];
      } catch {
        return [];
      }
    });
  const servers = all
    .filter(({ command, line }) => command === 'postgres' && line.includes(folder))
    .map(({ pid }) => pid);
  return all
    .filter(({ pid, parent, command }) => servers.includes(pid) || (command === 'postgres' && servers.includes(parent)))
    .map(({ pid }) => pid);
}

const sorted = (value: object) => Object.keys(value).toSorted();

describe('with a model server', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({
      config: () => ({
        metrics: { token: 'metrics-token' },
        server: { json_bytes: 2_000, json_with_images_bytes: 4_000 },
      }),
      models: {
        embedder: { kind: 'embedding', engines: [{ engine: 'fake', model: 'served-embedder' }], dimensions: 3 },
      },
    });
  });
  afterAll(() => house.close());
  beforeEach(() => house.upstream.reset());

  test('GET models lists every model', async () => {
    covers('models.list', 'models.list.form');
    const list = jsonOf<{ object: string; data: Record<string, unknown>[] }>(await call(house, '/v1/models'));
    expect(list.object).toBe('list');
    const ids = list.data.map(({ id }) => id);
    for (const id of Object.keys(defaultModels)) expect(ids).toContain(id);
    for (const model of list.data) {
      expect(model).toMatchObject({
        id: expect.any(String) as string,
        object: 'model',
        owned_by: expect.any(String) as string,
        name: model['id'],
      });
      expect(Number.isInteger(model['created'])).toBe(true);
    }
  });

  test('GET models tells what each model is for, and lists aliases with the model they stand for', async () => {
    covers('models.list', 'models.list.form');
    const list = jsonOf<{ data: Record<string, unknown>[] }>(await call(house, '/v1/models'));
    const entry = (id: string) => list.data.find((model) => model['id'] === id);
    expect(entry('CORE-GOV-VLM')).toMatchObject({
      root: 'CORE-GOV-VLM',
      type: 'chat',
      capabilities: ['chat', 'tools', 'vision', 'reasoning'],
      max_model_len: expect.any(Number) as number,
    });
    expect(entry('embedder')).toMatchObject({ root: 'embedder', type: 'embedding', capabilities: ['embeddings'] });
    const alias = { root: 'builtin-lexical', type: 'embedding', capabilities: ['embeddings'], max_model_len: 8192 };
    expect(entry('rag42-embed-v1')).toMatchObject(alias);
    expect(jsonOf(await call(house, '/v1/models/rag42-embed-v1'))).toMatchObject({ id: 'rag42-embed-v1', ...alias });
    const { model } = jsonOf<{ model: string }>(
      await call(house, '/v1/embeddings', { body: { model: 'rag42-embed-v1', input: '사과' } }),
    );
    expect(model).toBe('builtin-lexical');
  });

  test('a model of another kind than the call needs is told as what it is', async () => {
    covers('models.kind');
    const body = { messages: [{ role: 'user', content: '안녕' }], input: '안녕' };
    const asked = (path: string, model: string) => call(house, path, { body: { ...body, model } });
    expectError(await asked('/v1/chat/completions', 'embedder'), 400, {
      message: /"embedder" is an embedding model; use one of: /,
    });
    expectError(await asked('/v1/responses', 'embedder'), 400, {
      message: /"embedder" is an embedding model; use one of: /,
    });
    expectError(await asked('/v1/embeddings', 'CORE-GOV'), 400, {
      message: /"CORE-GOV" is a chat model; use one of: /,
    });
  });

  test('GET models/{id} gives one, also with a slash in its id', async () => {
    covers('models.get', 'models.get.slash', 'models.get.unknown', 'errors.404');
    for (const path of [
      '/v1/models/vendor/gpt-oss-120b',
      '/v1/models/vendor%2Fgpt-oss-120b',
      '/api/v1/models/vendor/gpt-oss-120b/',
    ]) {
      expect(jsonOf<{ id: string }>(await call(house, path))).toMatchObject({
        id: 'vendor/gpt-oss-120b',
        object: 'model',
      });
    }
    expectError(await call(house, '/v1/models/nothing'), 404, { message: /nothing/ });
    expectError(await call(house, '/v1/models/constructor'), 404);
  });

  test('an embedding model of an engine answers on both paths', async () => {
    covers('embeddings.engine', 'embeddings.paths', 'embeddings.reply');
    house.upstream.plays((sent) => {
      const input = [sent.json['input']].flat();
      return answer(200, {
        object: 'list',
        data: input.map((_, index) => ({ object: 'embedding', index, embedding: [index, 0.5, -1] })),
        model: 'served-embedder',
        usage: { prompt_tokens: 5, total_tokens: 5 },
      })(sent);
    });
    for (const path of ['/v1/embeddings', '/v1/text/embeddings']) {
      const reply = jsonOf<EmbeddingsReply>(
        await call(house, path, { body: { model: 'embedder', input: ['a', 'b'] } }),
      );
      expect(reply).toEqual({
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: [0, 0.5, -1] },
          { object: 'embedding', index: 1, embedding: [1, 0.5, -1] },
        ],
        model: 'embedder',
        usage: { prompt_tokens: 5, total_tokens: 5 },
      });
    }
    expect(
      house.upstream.calls.every(({ path, json }) => path === '/v1/embeddings' && json.model === 'served-embedder'),
    ).toBe(true);
  });

  test('completions answer in the older form', async () => {
    covers('completions.reply', 'completions.prompt');
    house.upstream.plays(play({ text: '옛 방식', reasoning: '생각' }));
    const reply = jsonOf<CompletionReply>(
      await call(house, '/v1/completions', { body: { model: 'CORE-GOV', prompt: '안녕' } }),
    );
    expect(sorted(reply)).toEqual(['choices', 'created', 'id', 'model', 'object', 'usage']);
    expect(reply).toMatchObject({
      object: 'text_completion',
      model: 'CORE-GOV',
      choices: [{ index: 0, text: '옛 방식', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
    expect(reply.id).toMatch(/^cmpl-[0-9a-f]{32}$/);
    expect(house.upstream.one().text).toContain('안녕');
    expectError(await call(house, '/v1/completions', { body: { model: 'CORE-GOV' } }), 400, { param: 'prompt' });
    expectError(await call(house, '/v1/completions', { body: { model: 'CORE-GOV', prompt: 7 } }), 400, {
      param: 'prompt',
    });
  });

  test.each([
    ['temperature', 3],
    ['top_p', -1],
    ['max_tokens', 0],
    ['n', 0],
    ['stop', 5],
    ['stream', 'yes'],
    ['presence_penalty', 5],
    ['frequency_penalty', -5],
    ['seed', 'x'],
    ['model', 'nothing'],
  ])('completions refuse %s %s', async (field, value) => {
    covers('completions.fields');
    expectError(
      await call(house, '/v1/completions', { body: { model: 'CORE-GOV', prompt: 'a', [field]: value } }),
      400,
      { param: field },
    );
  });

  test('completions stream pieces of text', async () => {
    covers('completions.stream', 'completions.stop');
    house.upstream.plays(play({ text: ['하나 ', '둘', ' 셋'] }));
    const stream = await readStream(
      await send(house, '/v1/completions', {
        body: { model: 'CORE-GOV', prompt: 'a', stream: true, stop: '둘', max_tokens: 9 },
      }),
    );
    const choices = stream.chunks.flatMap((chunk) => chunk.choices as unknown as CompletionReply['choices']);
    expect(choices.map(({ text }) => text).join('')).toBe('하나 ');
    expect(choices.at(-1)).toMatchObject({ finish_reason: 'stop', stop_reason: '둘' });
    expect(stream.chunks.every((chunk) => (chunk.object as string) === 'text_completion')).toBe(true);
    expect(stream.done).toBe(true);
    expect(house.upstream.one().json.max_tokens).toBe(9);
  });

  test('body limits can be set', async () => {
    covers('limits.body.configurable');
    const padded = (bytes: number, model: string) => JSON.stringify(chatBody({ model, padding: 'x'.repeat(bytes) }));
    expect((await call(house, CHAT, { body: padded(1_000, 'CORE-GOV') })).status).toBe(200);
    expectError(await call(house, CHAT, { body: padded(2_500, 'CORE-GOV') }), 413);
    expectError(await call(house, CHAT, { body: padded(4_500, 'LLM42') }), 413);
    expectError(await call(house, '/v1/embeddings', { body: { input: 'x'.repeat(2_500) } }), 413);
  });

  test('metrics ask for their own token', async () => {
    covers('health.metrics', 'health.metrics.guarded');
    await chat(house);
    expectError(await call(house, '/metrics', { key: null }), 401);
    expectError(await call(house, '/metrics'), 401);
    const reply = await call(house, '/metrics', { key: 'metrics-token' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(reply.text).toMatch(/studio_requests_total\{[^}]*route="chat"[^}]*status="200"[^}]*\} [1-9]/);
    expect(reply.text).toMatch(/studio_tokens_total/);
  });

  test('/livez and /readyz need no key', async () => {
    covers('health.livez', 'health.readyz');
    expect((await call(house, '/livez', { key: null })).status).toBe(200);
    expect((await call(house, '/readyz', { key: null })).status).toBe(200);
  });

  test('/openapi.json has the paths and the ranges', async () => {
    covers('self.openapi', 'self.openapi.same-schemas');
    const reply = await call(house, '/openapi.json', { key: null });
    expect(reply.headers.get('content-type')).toMatch(/json/);
    const document = jsonOf<{
      openapi: string;
      paths: Record<string, unknown>;
      components: { schemas: Record<string, { required?: string[]; properties: Record<string, unknown> }> };
    }>(reply);
    expect(document.openapi).toMatch(/^3\.1\./);
    const paths = Object.keys(document.paths).map((path) => path.replace(/^(\/api)?\/v1/, ''));
    for (const path of ['/chat/completions', '/completions', '/embeddings', '/text/embeddings', '/models'])
      expect(paths).toContain(path);
    const request = document.components.schemas['ChatRequest'];
    const properties = JSON.stringify(request?.properties);
    expect(JSON.stringify(request?.properties['temperature'])).toMatch(
      /"minimum":0,"maximum":2|"maximum":2,"minimum":0/,
    );
    expect(JSON.stringify(request?.properties['max_tokens'])).toContain('32768');
    for (const field of ['messages', 'chat_template_kwargs', 'stop', 'tools', 'stream_options'])
      expect(properties).toContain(`"${field}"`);
    expect(request?.required).toContain('messages');
    // No reference leads nowhere.
    for (const [, name = ''] of reply.text.matchAll(/"#\/components\/schemas\/([^"/]+)"/g))
      expect(document.components.schemas).toHaveProperty([name]);
  });

  test('/docs is a page that asks nothing of other hosts', async () => {
    covers('self.docs', 'self.docs.offline');
    const reply = await call(house, '/docs', { key: null });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
    expect(reply.text).toContain('/v1/chat/completions');
    expect(reply.text).toContain('temperature');
    expect(reply.text).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\/|@import|url\(["']?(?:https?:)?\/\//i);
  });

  test('embedding calls are usage rows too', async () => {
    covers('usage.embeddings', 'usage.rows');
    const { id, value } = await makeKey(house);
    await call(house, '/v1/embeddings', { key: value, body: { input: 'Hello world' } });
    await eventually(async () => {
      const [row] = await usageSlices(house, id);
      expect(row).toMatchObject({
        calls: 1,
        endpoint: 'embeddings',
        model: 'builtin-lexical',
        status: 200,
        outcome: 'ok',
        completion_tokens: 0,
      });
      expect(row?.prompt_tokens).toBeGreaterThan(0);
    });
  });
});

describe('as it starts by itself', () => {
  let dataFolder: string;
  let port: number;
  let service: Service;
  let issued: string;
  beforeAll(async () => {
    dataFolder = await temporaryFolder();
    port = await freePort();
    service = await startService({
      dataFolder,
      port,
      initKey: null,
      config: { probe: { enabled: false } },
      env: { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' },
    });
    issued = await eventually(() => {
      const found = /aist_[0-9A-Za-z]{49}/.exec(service.output())?.[0];
      if (found === undefined) throw new Error(service.output());
      return found;
    });
    service = { ...service, key: issued };
  });
  afterAll(async () => {
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  test('it prints where it listens, the key, the models and how to connect others', async () => {
    covers('process.start.prints', 'auth.key.shown-once', 'auth.key.shape');
    await eventually(() => expect(service.output()).toContain('/v1/chat/completions'));
    expect(service.output()).toContain(service.base);
    for (const id of Object.keys(defaultModels)) expect(service.output()).toContain(id);
    expect(service.output()).toMatch(/connect/i);
  });

  test('the printed curl line works', async () => {
    covers('process.start.curl');
    const line = /curl [^]*?-d '[^']*'/.exec(service.output())?.[0] ?? '';
    const { stdout } = await run('bash', ['-c', line.replace('curl ', 'curl -sS ')]);
    expect((JSON.parse(stdout) as { choices: { message: { content: string } }[] }).choices[0]?.message.content).toMatch(
      /\w/,
    );
  });

  test('the built-in engine says what it is and greets in the language of the greeting', async () => {
    covers('builtin.honest', 'builtin.languages');
    const ask = async (content: string) => jsonOf(await chat(service, { messages: [{ role: 'user', content }] }));
    const english = await ask('Hello! What can you do?');
    expect(english.system_fingerprint).toBe('builtin');
    expect(english.choices[0]?.message.content).not.toMatch(/[가-힣]/);
    expect((await ask('안녕하세요! 무엇을 할 수 있나요?')).choices[0]?.message.content).toMatch(/[가-힣]/);
  });

  test('it answers from the context that it is given', async () => {
    covers('builtin.context');
    const context =
      '연차 휴가는 1년에 15일이다.\n병가는 1년에 60일까지 쓸 수 있다.\n출장비는 귀임 후 7일 안에 청구한다.';
    const reply = jsonOf(
      await chat(service, {
        messages: [
          { role: 'system', content: `다음 문맥으로 답하세요.\n\n${context}` },
          { role: 'user', content: '병가는 며칠까지 쓸 수 있나요?' },
        ],
      }),
    );
    expect(reply.choices[0]?.message.content).toContain('60일');
  });

  test('it calculates with a visible trace, whole and streamed', async () => {
    covers('builtin.arithmetic', 'chat.reply.usage.reasoning_tokens');
    const fields = { model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: 'What is 12 * 34 + 5?' }] };
    const {
      choices: [choice],
      usage,
    } = jsonOf(await chat(service, fields));
    expect(choice?.message.content).toContain('413');
    expect(choice?.message.reasoning_content).toMatch(/12/);
    expect(usage.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    expect(usage.completion_tokens).toBeGreaterThan(usage.completion_tokens_details?.reasoning_tokens ?? 0);
    const streamed = join((await chatStream(service, fields)).chunks);
    expect(streamed).toMatchObject({
      content: choice?.message.content,
      reasoning_content: choice?.message.reasoning_content,
      finish: 'stop',
    });
    const short = jsonOf(await chat(service, { ...fields, max_tokens: 2 }));
    expect(short.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: null } });
  });

  test("it calls a tool with the user's words and answers from its result", async () => {
    covers('builtin.tools');
    const tools = [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Weather of a city',
          parameters: {
            type: 'object',
            required: ['city'],
            properties: { city: { type: 'string', description: 'City' } },
          },
        },
      },
    ];
    const messages: Record<string, unknown>[] = [{ role: 'user', content: 'What is the weather in Seoul?' }];
    const first = jsonOf(await chat(service, { messages, tools })).choices[0];
    expect(first?.finish_reason).toBe('tool_calls');
    const [toolCall] = first?.message.tool_calls ?? [];
    expect(toolCall?.function.name).toBe('get_weather');
    expect(JSON.parse(toolCall?.function.arguments ?? '')).toEqual({ city: 'Seoul' });
    messages.push(
      { ...first?.message },
      { role: 'tool', tool_call_id: toolCall?.id, content: '{"sky":"clear","temperature":22}' },
    );
    const second = jsonOf(await chat(service, { messages, tools })).choices[0];
    expect(second?.message.content).toMatch(/clear|22/);
    const streamed = await chatStream(service, { model: 'CORE-GOV-THINK', messages: messages.slice(0, 1), tools });
    expect(join(streamed.chunks)).toMatchObject({
      finish: 'tool_calls',
      tools: [{ id: undefined, name: undefined, arguments: toolCall?.function.arguments }],
    });
  });

  describe('the built-in embedder', () => {
    const embed = async (body: Record<string, unknown>) => call(service, '/v1/embeddings', { body });
    const vectorsOf = async (body: Record<string, unknown>) =>
      jsonOf<EmbeddingsReply>(await embed(body)).data.map(({ embedding }) => embedding as number[]);
    const cosine = (a: number[], b: number[]) => {
      const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    };

    test('gives one vector a text, in order', async () => {
      covers(
        'embeddings.input.string',
        'embeddings.input.array',
        'embeddings.reply',
        'embeddings.paths',
        'embeddings.builtin',
        'embeddings.model',
      );
      const one = jsonOf<EmbeddingsReply>(await embed({ input: '연차 휴가 규정' }));
      expect(sorted(one)).toEqual(['data', 'model', 'object', 'usage']);
      expect(one).toMatchObject({
        object: 'list',
        model: 'builtin-lexical',
        data: [{ object: 'embedding', index: 0 }],
      });
      expect(sorted(one.usage)).toEqual(['prompt_tokens', 'total_tokens']);
      expect(one.data[0]?.embedding).toHaveLength(1024);
      const [leave = [], holiday = [], weather = []] = await vectorsOf({
        input: ['연차 휴가 규정', '휴가 규정 안내', 'weather in Seoul'],
      });
      expect(leave).toEqual(one.data[0]?.embedding);
      expect(cosine(leave, holiday)).toBeGreaterThan(cosine(leave, weather) + 0.1);
      expect(
        jsonOf<EmbeddingsReply>(await call(service, '/api/v1/text/embeddings', { body: { input: '연차 휴가 규정' } })),
      ).toEqual(one);
    });

    test('gives base64 of the same floats, and vectors of a wanted length', async () => {
      covers('embeddings.base64', 'embeddings.dimensions');
      const [floats = []] = await vectorsOf({ input: 'Hello world' });
      const encoded = jsonOf<EmbeddingsReply>(await embed({ input: 'Hello world', encoding_format: 'base64' })).data[0]
        ?.embedding as string;
      const bytes = Buffer.from(encoded, 'base64');
      const decoded = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
      expect(decoded).toEqual(floats.map(Math.fround));
      expect((await vectorsOf({ input: 'Hello world', dimensions: 256 }))[0]).toHaveLength(256);
    });

    const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
      [{}, 'input'],
      [{ input: '' }, 'input'],
      [{ input: [] }, 'input'],
      [{ input: Array.from({ length: 2049 }, () => 'x') }, 'input'],
      [{ input: 5 }, 'input'],
      [{ input: 'x', encoding_format: 'hex' }, 'encoding_format'],
      [{ input: 'x', dimensions: 0 }, 'dimensions'],
      [{ input: 'x', model: 'nothing' }, 'model'],
      [{ input: 'x', model: 'CORE-GOV' }, 'model'],
    ];
    test.each(wrong)('refuses %j', async (body, param) => {
      covers(
        'embeddings.input.required',
        'embeddings.input.limits',
        'embeddings.base64',
        'embeddings.dimensions',
        'embeddings.model',
      );
      expectError(await embed(body), 400, { param });
    });

    test('refuses an empty text among others by its place, and takes 2,048', async () => {
      covers('embeddings.input.limits');
      expect(expectError(await embed({ input: ['a', ''] }), 400).param).toMatch(/^input/);
      const many = await embed({ input: Array.from({ length: 2048 }, (_, i) => `text ${i}`), dimensions: 64 });
      expect(many.status, many.text.slice(0, 300)).toBe(200);
      expect(jsonOf<EmbeddingsReply>(many).data).toHaveLength(2048);
    });
  });

  test('a later start keeps the key, shows none, and takes no other as the first', async () => {
    covers('auth.key.shown-once', 'auth.key.init-only-first');
    expect(await service.stop()).toBe(0);
    const stranger = `${issued.slice(0, 5)}${'A'.repeat(49)}`;
    service = await startService({
      dataFolder,
      port,
      initKey: null,
      makesDatabase: true,
      config: { probe: { enabled: false } },
    });
    await eventually(() => expect(service.output()).toContain(service.base));
    expect(service.output()).not.toMatch(/aist_/);
    await service.stop();
    service = await startService({ dataFolder, port });
    // The key of STUDIO_INIT_API_KEY comes too late.
    expectError(await call(service, '/v1/models'), 401);
    expectError(await call(service, '/v1/models', { key: stranger }), 401);
    expect((await call(service, '/v1/models', { key: issued })).status).toBe(200);
    expect((await keyRows(service)).hashes).toHaveLength(1);
  });
});

describe('the life of the process', () => {
  test('a graceful stop lets streams end, refuses new calls, and loses no usage; what outlives its grace is told so', async () => {
    covers('process.stop.drains', 'usage.graceful');
    const dataFolder = await temporaryFolder();
    let house = await openHouse({ dataFolder });
    let goOn: () => void = () => undefined;
    const halfway = new Promise<void>((resolve) => (goOn = resolve));
    house.upstream.plays(async (sent: UpstreamCall) => {
      const events = eventsOf(sent, { text: ['first', 'second'] });
      const response = openStream(sent);
      for (const event of events) {
        response.write(event);
        if (event.includes('first')) await halfway;
      }
      response.end();
    });
    const { id, value } = await makeKey(house);
    const response = await send(house, CHAT, { key: value, body: chatBody({ stream: true }) });
    const reading = readStream(response);
    const stopped = house.stop();
    await eventually(async () => {
      const refused = await call(house, '/livez', { key: null }).then(
        (reply) => reply.status >= 500,
        () => true,
      );
      expect(refused).toBe(true);
    });
    goOn();
    const stream = await reading;
    expect(join(stream.chunks)).toMatchObject({ content: 'firstsecond', finish: 'stop' });
    expect(stream.done).toBe(true);
    expect(await stopped).toBe(0);
    await house.upstream.close();
    const config = () => ({ server: { shutdown_grace_ms: 200 }, probe: { enabled: false } });
    house = await openHouse({ dataFolder, config });
    expect(await usageSlices(house, id)).toMatchObject([{ outcome: 'ok', stream: true, calls: 1 }]);

    // The same service, which waits for a moment alone: a stream that outlives it is told so.
    house.upstream.plays(async (sent: UpstreamCall) => {
      const open = openStream(sent);
      for (const event of eventsOf(sent, { text: ['first', 'second'] })) {
        open.write(event);
        if (event.includes('first')) await new Promise((resolve) => open.once('close', resolve));
      }
    });
    const cut = (await send(house, CHAT, { body: chatBody({ stream: true }) })).text();
    const cutting = house.stop();
    const text = await cut;
    expect(text).toContain('first');
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^data: \{"error":\{"message":"The service is stopping/);
    expect(text).not.toContain('[DONE]');
    expect(await cutting).toBe(0);
    await house.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  describe('of several workers', () => {
    let service: Service;
    // No longer grace than a test itself has.
    const config = { server: { workers: 2, shutdown_grace_ms: 300_000 }, probe: { enabled: false } };
    beforeAll(async () => void (service = await startService({ config })));
    afterAll(() => service.close());

    /** Kills a worker, waits until another one has begun and a while more, and stops the service. */
    const stopAfterKill = async (stopped: Service, afterMs: number) => {
      const [killed = -1] = pidsOf(stopped.pid, 'main.mjs');
      process.kill(killed, 'SIGKILL');
      await eventually(() => expect(pidsOf(stopped.pid, 'main.mjs').filter((pid) => pid !== killed)).toHaveLength(2));
      await wait(afterMs);
      expect(await stopped.stop()).toBe(0);
    };

    test('several workers answer on one port, share limits, and all refuse a deleted key', async () => {
      covers('process.workers', 'auth.key.deleted-every-process');
      const { id, value } = await makeKey(service);
      const statuses = async () => {
        // Each call on a connection of its own, so that both workers are asked.
        const replies = await Promise.all(
          Array.from({ length: 12 }, () =>
            call(service, '/v1/models', { key: value, headers: { connection: 'close' } }),
          ),
        );
        return new Set(replies.map(({ status }) => status));
      };
      expect(await statuses()).toEqual(new Set([200]));
      await studio(service, 'key', 'delete', id);
      expect(await statuses()).toEqual(new Set([401]));
    });

    // While it starts; at once below.
    test.each(isLong ? [200, 400, 600, 800] : [400])(
      'a stop %i ms after a worker began does not wait out the grace',
      async (afterMs) => {
        covers('process.workers');
        const own = await startService({ config });
        await stopAfterKill(own, afterMs);
        await own.close();
      },
    );

    test('a port that is in use is told, with several workers too', async () => {
      covers('process.workers');
      const second = await launch({
        port: service.port,
        config: { server: { workers: 2 }, probe: { enabled: false } },
      });
      expect(await second.exited).not.toBe(0);
      expect(second.output()).toContain('EADDRINUSE');
      await second.close();
    });

    test('/readyz names what is not ready', async () => {
      covers('health.readyz.names');
      const pids = databaseProcesses(service.dataFolder);
      expect(pids.length).toBeGreaterThan(1);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      try {
        await eventually(async () => {
          const reply = await call(service, '/readyz', { key: null, signal: AbortSignal.timeout(9_000) });
          expect(reply.status).toBe(503);
          expect(reply.text).toMatch(/database/i);
          expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        });
        expect((await call(service, '/livez', { key: null })).status).toBe(200);
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
      await untilReady(service);
    });

    test('a worker that is killed leaves no caller without an answer, whatever it had not taken yet', async () => {
      covers('process.workers');
      const workers = pidsOf(service.pid, 'main.mjs');
      expect(workers).toHaveLength(2);
      const [halted = -1] = workers;
      process.kill(halted, 'SIGSTOP');
      const headers = { connection: 'close' };
      const calls = Array.from({ length: 24 }, () =>
        call(service, '/v1/models', { headers, signal: AbortSignal.timeout(150_000) }).then(
          ({ status }) => status,
          (error: Error) => error.name,
        ),
      );
      // Some have their answer from the other one; the rest waits for the one that is halted.
      await Promise.any(calls);
      await wait(300);
      process.kill(halted, 'SIGKILL');
      const ends = await Promise.all(calls);
      expect(ends).toContain(200);
      expect(ends).not.toContain('TimeoutError');
    });

    // The last: it ends the service.
    test('a stop at once after a worker began does not wait out the grace', async () => {
      covers('process.workers');
      await eventually(() => expect(pidsOf(service.pid, 'main.mjs')).toHaveLength(2));
      await stopAfterKill(service, 50);
    });
  });

  test('a wrong configuration is refused with its place', async () => {
    covers('builtin.missing-weights');
    const wrong = await launch({ config: { models: { 'CORE-GOV': { engines: [{ engine: 'never-configured' }] } } } });
    expect(await wrong.exited).not.toBe(0);
    expect(wrong.output()).toMatch(/models\.CORE-GOV\.engines\[0\]\.engine.*never-configured/);
    await wrong.close();
  });
});
