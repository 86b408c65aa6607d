import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  type ModelServer,
  type ModelServerOptions,
  plainStream,
  startModelServer,
} from '../../../../test/fakes/model-server.ts';
import { join, streams } from '../../../../test/fixtures/streams/index.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { ChatBody, ChatCall, ChatEvent, ChatRun, EngineError } from '../../../ports/engine.ts';
import { troubleOf } from '../../../ports/engine-trouble.ts';
import { toStudioError } from '../../../ports/failure.ts';
import { type OpenAiEngine, type OpenAiEngineOptions, createOpenAiEngine } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

function bodyOf(fields: Record<string, unknown> = {}): ChatBody {
  const request = { messages: [{ role: 'user' as const, content: '안녕' }], ...fields };
  return {
    request,
    peek: (field) => (request as Record<string, unknown>)[field],
    encode: (edits) => [Buffer.from(JSON.stringify({ ...request, ...edits }))],
  };
}

interface Asked {
  readonly events: ChatEvent[];
  readonly run: ChatRun;
  readonly over: Promise<ChatEvent>;
}

function ask(engine: OpenAiEngine, fields: Record<string, unknown> = {}, more: Partial<ChatCall> = {}): Asked {
  const events: ChatEvent[] = [];
  const { promise: over, resolve } = Promise.withResolvers<ChatEvent>();
  const call: ChatCall = {
    requestId: 'r',
    model: 'served',
    stream: true,
    body: bodyOf(fields),
    thinking: null,
    maxTokens: null,
    contextLength: 8192,
    ...more,
  };
  const run = engine.chat?.(call, (event) => {
    events.push(event);
    if (event.type === 'end' || event.type === 'error') resolve(event);
  });
  if (!run) throw new Error('The engine cannot chat');
  return { events, run, over };
}

const errorOf = async (asked: Asked): Promise<EngineError> => {
  const last = await asked.over;
  if (last.type !== 'error') throw new Error(`Ended with ${last.type}`);
  return last.error;
};

const open: { close(): Promise<void> }[] = [];

async function house(
  options: Partial<OpenAiEngineOptions> = {},
  server: ModelServerOptions = {},
): Promise<{ engine: OpenAiEngine; fake: ModelServer }> {
  // A server of another kind has none of vLLM's checks.
  const other = options.dialect !== undefined && options.dialect !== 'vllm' && options.dialect !== 'auto';
  const fake = await startModelServer({ ...(other ? { checks: null } : {}), ...server });
  const engine = createOpenAiEngine({
    id: 'gov/0',
    baseUrl: fake.url,
    socketPath: fake.socketPath,
    log: silent,
    dialect: 'vllm',
    ...options,
  });
  open.push(engine, fake);
  return { engine, fake };
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('the priority of a call', () => {
  it.each([
    ['llama-child', 'batch'],
    ['vllm', undefined],
  ] as const)('is told to %s: %s', async (dialect, told) => {
    const { engine, fake } = await house({ dialect });
    await ask(engine, {}, { priority: 'batch' }).over;
    expect(fake.requests.at(-1)?.headers['x-priority']).toBe(told);
  });
});

const stream = (body: string, more: Partial<Extract<Behaviour, { do: 'stream' }>> = {}): Behaviour => ({
  do: 'stream',
  body,
  ...more,
});

describe('a stream over TCP', () => {
  it('comes to what each recorded stream says, in small packets', async () => {
    const { engine, fake } = await house();
    for (const { name, body, expected } of streams) {
      const length = Buffer.byteLength(body);
      fake.next(stream(body, { cuts: [1, 2, 3].map((i) => Math.floor((length * i) / 4)) }));
      const asked = ask(engine);
      await asked.over;
      expect({ name, ...join(asked.events) }).toEqual({ name, ...expected });
    }
  });

  it('gives out each piece as it comes, not at the end', async () => {
    const { engine, fake } = await house();
    const body = plainStream(['하나', '둘', '셋']);
    fake.next(stream(body.slice(0, body.indexOf('셋')), { ending: 'hang' }));
    const asked = ask(engine);
    while (asked.events.length < 2) await sleep(5);
    expect(asked.events.map((event) => event.type)).toEqual(['text', 'text']);
    asked.run.abort();
  });

  it('leaves the connection open for the next call', async () => {
    const { engine, fake } = await house();
    for (let i = 0; i < 5; i++) await ask(engine).over;
    expect(fake.connections).toBe(1);
  });

  it('that ends before the request was read closes its connection: no more of the request is sent', async () => {
    let closed = 0;
    let received = 0;
    let readOn: () => void = () => undefined;
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => (closed += 1));
      socket.once('readable', () => {
        received = (socket.read() as Buffer).length;
        readOn = () => socket.on('data', (bytes: Buffer) => (received += bytes.length));
        const events = Buffer.from(plainStream(['하나']));
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
        // Without the last chunk: the answer is whole all the same.
        socket.write(`${events.length.toString(16)}\r\n${events.toString('latin1')}\r\n`, 'latin1');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { engine } = await house({ baseUrl: `http://127.0.0.1:${port}/v1`, socketPath: null });
    const body: ChatBody = { ...bodyOf(), encode: () => [Buffer.alloc(30_000_000, ' ')] };
    const asked = ask(engine, {}, { body });
    expect((await asked.over).type).toBe('end');
    readOn();
    await expect.poll(() => closed).toBe(1);
    expect(received).toBeLessThan(30_000_000);
    server.close();
  });

  it('is held back while the reader is slow, and nothing of it is lost', async () => {
    const { engine, fake } = await house();
    const pieces = Array.from({ length: 40_000 }, (_, i) => `piece ${i} `);
    fake.next(stream(plainStream(pieces)));
    const asked = ask(engine);
    while (asked.events.length === 0) await sleep(1);
    asked.run.pause();
    await sleep(30);
    const held = asked.events.length;
    await sleep(100);
    expect(asked.events.length).toBe(held);
    expect(held).toBeLessThan(pieces.length);
    asked.run.resume();
    await asked.over;
    expect(join(asked.events).choices[0]?.content).toBe(pieces.join(''));
  });

  it('asked for but answered whole is given out all the same, and the other way round', async () => {
    const { engine, fake } = await house();
    fake.next({ do: 'reply', body: { choices: [{ index: 0, message: { content: '답' }, finish_reason: 'stop' }] } });
    const first = ask(engine);
    await first.over;
    expect(join(first.events).choices[0]?.content).toBe('답');
    fake.next(stream(plainStream(['답']), { contentType: 'text/plain' }));
    const second = ask(engine, {}, { stream: false });
    await second.over;
    expect(join(second.events).choices[0]?.content).toBe('답');
  });

  it('is the same over a Unix socket', async () => {
    const folder = mkdtempSync(joinPath(tmpdir(), 'engine-'));
    const { engine, fake } = await house({}, { socketPath: joinPath(folder, 's') });
    const asked = ask(engine);
    await asked.over;
    expect(join(asked.events).choices[0]?.content).toBe('안녕하세요.');
    expect(fake.requests[0]?.path).toBe('/v1/chat/completions');
    rmSync(folder, { recursive: true });
  });
});

describe('abort is seen by the server', () => {
  it('never, while the call waits for a free connection', async () => {
    const { engine, fake } = await house({ maxConnections: 1 });
    fake.next({ do: 'hang', before: 'headers' });
    const first = ask(engine);
    await fake.nextRequest();
    const second = ask(engine);
    second.run.abort();
    first.run.abort();
    await ask(engine).over;
    expect(fake.requests).toHaveLength(2);
    expect(second.events).toEqual([]);
  });

  it('before the headers', async () => {
    const { engine, fake } = await house();
    fake.next({ do: 'hang', before: 'headers' });
    const asked = ask(engine);
    const request = await fake.nextRequest();
    asked.run.abort();
    expect(await request.aborted).toBeGreaterThan(0);
    expect(asked.events).toEqual([]);
  });

  it('before the first token', async () => {
    const { engine, fake } = await house();
    fake.next({ do: 'hang', before: 'first-token' });
    const asked = ask(engine);
    const request = await fake.nextRequest();
    await sleep(20);
    asked.run.abort();
    expect(await request.aborted).toBeGreaterThan(0);
    expect(asked.events).toEqual([]);
  });

  it('within the stream, and no event follows', async () => {
    const { engine, fake } = await house();
    const body = plainStream(Array.from({ length: 200 }, () => '가'));
    fake.next(stream(body, { cuts: Array.from({ length: 200 }, (_, i) => i * 180), delayMs: 5 }));
    const asked = ask(engine);
    const request = await fake.nextRequest();
    while (asked.events.length < 3) await sleep(1);
    asked.run.abort();
    const seen = asked.events.length;
    expect(await request.aborted).toBeGreaterThan(0);
    await sleep(30);
    expect(asked.events).toHaveLength(seen);
  });

  it('while it is held back', async () => {
    const { engine, fake } = await house();
    fake.next(stream(plainStream(Array.from({ length: 60_000 }, () => '가나다'))));
    const asked = ask(engine);
    const request = await fake.nextRequest();
    asked.run.pause();
    await sleep(50);
    asked.run.abort();
    expect(await request.aborted).toBeGreaterThan(0);
  });

  it('while it connects: nothing hangs', async () => {
    // A listener that never accepts: its queue of connections is full.
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const engine = createOpenAiEngine({
      id: 'x/0',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      log: silent,
      dialect: 'vllm',
    });
    const asked = ask(engine);
    asked.run.abort();
    await engine.close();
    await new Promise((resolve) => listener.close(resolve));
    expect(asked.events).toEqual([]);
  });
});

describe('a failure', () => {
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour => ({
    do: 'reply',
    status,
    body,
    headers,
  });
  const vllm400 = {
    error: {
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000.",
      type: 'BadRequestError',
      param: 'messages',
      code: 400,
    },
  };

  it.each<[string, Behaviour, object]>([
    [
      'too long a prompt (vLLM)',
      reply(400, vllm400),
      { kind: 'refused', status: 400, param: 'messages', detail: expect.stringContaining('4096 tokens') },
    ],
    [
      'too long a prompt (llama-server)',
      reply(400, {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      }),
      { kind: 'refused', detail: 'the request exceeds the available context size' },
    ],
    [
      'too long a prompt (SGLang)',
      reply(400, {
        object: 'error',
        message: 'The input (5000 tokens) is longer than the context length',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
      { kind: 'refused', detail: expect.stringContaining('5000 tokens') },
    ],
    [
      'a field FastAPI refuses',
      reply(422, { detail: [{ loc: ['body', 'top_p'], msg: 'must be less than 1', type: 'value_error' }] }),
      { kind: 'refused', detail: 'top_p: must be less than 1', param: 'top_p' },
    ],
    [
      'a complaint with an address and a stack in it',
      reply(400, {
        error: {
          message:
            'Bad file /srv/models/a.gguf at http://10.0.0.7:8000/x\nTraceback (most recent call last):\n  File "/opt/x.py"',
        },
      }),
      { kind: 'refused', detail: 'Bad file … at …' },
    ],
    [
      'a key that is wrong',
      reply(401, { error: { message: 'Incorrect API key provided: sk-secret' } }),
      { kind: 'unavailable', status: 401, detail: null },
    ],
    [
      'a model that is not there',
      reply(404, { error: { message: 'The model `served` does not exist' } }),
      { kind: 'unavailable', status: 404, detail: null },
    ],
    [
      'too many calls',
      reply(429, {}, { 'retry-after': '7' }),
      { kind: 'unavailable', status: 429, retryAfterSeconds: 7 },
    ],
    [
      'too many calls, in plain words',
      reply(429, 'queue full', { 'retry-after': '3' }),
      { kind: 'unavailable', status: 429, isRateLimit: true, retryAfterSeconds: 3, detail: null },
    ],
    ['plain words of a refusal', reply(400, 'no such thing at /srv/x'), { kind: 'refused', status: 400, detail: null }],
    ['overload', reply(503, 'busy'), { kind: 'unavailable', status: 503, retryAfterSeconds: null }],
    ['a crash', reply(500, { error: 'CUDA error' }), { kind: 'unavailable', status: 500, detail: null }],
    ['a redirect', reply(302, '', { location: '/login' }), { kind: 'unavailable', status: 302 }],
    [
      'a page instead of a reply',
      reply(200, '<html>welcome</html>', { 'content-type': 'text/html' }),
      { kind: 'protocol' },
    ],
    ['JSON cut short', reply(200, '{"choices":[{"ind'), { kind: 'protocol' }],
    [
      'an error with status 200',
      reply(200, { error: { message: 'overloaded', code: 503 } }),
      { kind: 'unavailable', status: 503 },
    ],
    [
      'a limit with status 200',
      reply(200, { error: { message: 'slow down', type: 'rate_limit_exceeded' } }),
      { kind: 'unavailable', status: 429 },
    ],
    ['a connection that is reset', { do: 'reset' }, { kind: 'unavailable', status: null }],
    [
      'a stream that is reset',
      stream('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n', { ending: 'reset', delayMs: 20 }),
      { kind: 'unavailable' },
    ],
  ])('of %s has its kind', async (_name, behaviour, expected) => {
    const { engine, fake } = await house({ apiKey: 'sk-secret-key' });
    fake.always(behaviour);
    const error = await errorOf(ask(engine));
    expect(error).toMatchObject(expected);
    expect(error.message).toContain('gov/0');
    expect(`${error.message}${error.detail ?? ''}`).not.toMatch(/sk-|10\.0\.0|CUDA|Traceback/);
  });

  it('of a server that is not there', async () => {
    const { engine, fake } = await house();
    await fake.refuse();
    expect(await errorOf(ask(engine))).toMatchObject({
      kind: 'unavailable',
      message: 'Engine gov/0 refuses connections',
    });
  });

  it('of what speaks no HTTP is that it is away, and says what to look at', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { engine } = await house({ baseUrl: `http://127.0.0.1:${port}/v1`, socketPath: null });
    const error = await errorOf(ask(engine));
    server.close();
    expect(toStudioError(error)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('HTTP') as string,
    });
    expect(troubleOf(error).code).toBe('engine_protocol');
  });

  it('of a call beyond the queue asks for a little patience', async () => {
    const { engine, fake } = await house({ maxConnections: 1, maxWaiting: 1 });
    fake.always({ do: 'hang', before: 'headers' });
    const calls = [ask(engine), ask(engine)];
    expect(engine.refusal).toMatchObject({ busy: true, retryAfterSeconds: 1 });
    expect(await errorOf(ask(engine))).toMatchObject({ kind: 'unavailable', busy: true, retryAfterSeconds: 1 });
    for (const { run } of calls) run.abort();
    expect(engine.refusal).toBeNull();
  });

  it('leaves a place free where nobody waits for the calls, for one that somebody waits for', async () => {
    const { engine, fake } = await house({ maxConnections: 2, maxWaiting: 9 });
    fake.always({ do: 'hang', before: 'headers' });
    const background = [ask(engine, {}, { priority: 'batch' }), ask(engine, {}, { priority: 'ingest' })];
    const first = ask(engine);
    const second = ask(engine);
    expect([...background, first, second].map(({ run }) => run.waiting)).toEqual([false, true, false, true]);
    first.run.abort();
    expect([...background, second].map(({ run }) => run.waiting)).toEqual([false, true, false]);
    second.run.abort();
    expect(background[1]?.run.waiting).toBe(true);
    background[0]?.run.abort();
    expect(background[1]?.run.waiting).toBe(false);
    background[1]?.run.abort();
  });

  it('of a call that has waited for as long as it may is that of a busy engine, and the call before it goes on', async () => {
    const { engine, fake } = await house({ maxConnections: 1, maxWaiting: 9, maxWaitMs: 30 });
    fake.always({ do: 'hang', before: 'headers' });
    const first = ask(engine);
    const waiting = ask(engine);
    expect([first.run.waiting, waiting.run.waiting]).toEqual([false, true]);
    expect(await errorOf(waiting)).toMatchObject({ kind: 'unavailable', busy: true });
    expect(waiting.run.waiting).toBe(false);
    await expect.poll(() => fake.requests).toHaveLength(1);
    expect(first.events).toEqual([]);
    first.run.abort();
  });

  it.each([
    [503, { error: { message: 'The request queue is full.', code: 503 } }, true],
    [503, { error: { message: 'Loading model', type: 'unavailable_error' } }, false],
    [503, 'busy', true],
    [503, 'Queue full\n', true],
    [503, '"Server overloaded"', true],
    [503, 'starting', false],
    [503, '', false],
    [503, '<html><body>The queue of this proxy is full</body></html>', false],
    [500, 'busy', false],
    [500, { error: { message: 'overloaded' } }, false],
  ])('with status %i and %j is that of a busy engine: %s', async (status, body, busy) => {
    const { engine, fake } = await house();
    fake.always(reply(status, body));
    expect(await errorOf(ask(engine))).toMatchObject({ kind: 'unavailable', status, busy });
  });

  it('of a kept connection that the server has closed meanwhile is not one', async () => {
    const { engine, fake } = await house();
    await ask(engine).over;
    await fake.refuse();
    await fake.accept();
    expect((await ask(engine).over).type).toBe('end');
  });

  it('after close comes at once', async () => {
    const { engine } = await house();
    await engine.close();
    expect(await errorOf(ask(engine))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a request', () => {
  const sent = async (
    options: Partial<OpenAiEngineOptions>,
    fields: Record<string, unknown>,
    more: Partial<ChatCall> = {},
  ) => {
    const { engine, fake } = await house(options);
    await ask(engine, fields, more).over;
    return fake.requests[0]?.json ?? {};
  };

  it('carries the name that the engine knows, and the key', async () => {
    const { engine, fake } = await house({ apiKey: 'k1', headers: { 'x-team': 'a' } });
    await ask(engine, { model: 'GOV', kv_transfer_params: { a: 1 } }).over;
    expect(fake.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer k1', 'x-team': 'a' },
      json: { model: 'served', stream: true, stream_options: { include_usage: true } },
    });
    expect(fake.requests[0]?.json).not.toHaveProperty('kv_transfer_params');
  });

  it('has one system message before all others once its model refused another place, and not before', async () => {
    const { engine, fake } = await house({}, { models: ['served'], checks: { systemFirst: true } });
    const talk = () =>
      ask(engine, {
        messages: [
          { role: 'system', content: '하나' },
          { role: 'system', content: '둘' },
          { role: 'user', content: '안녕' },
          { role: 'system', content: '셋' },
        ],
      }).over;
    const moved = [
      { role: 'system', content: '하나\n\n둘' },
      { role: 'user', content: '안녕' },
      { role: 'user', content: '셋' },
    ];
    // Two at one time are refused each.
    expect((await Promise.all([talk(), talk()])).map(({ type }) => type)).toEqual(['end', 'end']);
    expect((await talk()).type).toBe('end');
    expect(fake.requests.map(({ json }) => json['messages'])).toEqual([moved, moved, moved]);
    // It is remembered from then on.
    expect(fake.refused).toHaveLength(2);
  });

  it('has the smallest top_p that vLLM takes instead of 0', async () => {
    expect((await sent({}, { top_p: 0 }))['top_p']).toBe(1e-6);
    expect((await sent({ dialect: 'llama-server' }, { top_p: 0 }))['top_p']).toBe(0);
    expect(await sent({ dialect: 'tgi' }, { top_p: 1 })).not.toHaveProperty('top_p');
  });

  it("says the interface's default of skip_special_tokens where the caller said nothing", async () => {
    expect((await sent({}, {}))['skip_special_tokens']).toBe(false);
    expect((await sent({}, { skip_special_tokens: true }))['skip_special_tokens']).toBe(true);
    expect(await sent({ dialect: 'unknown' }, {})).not.toHaveProperty('skip_special_tokens');
  });

  it('has none of the fields that a hosted service refuses', async () => {
    const json = await sent(
      { dialect: 'openai' },
      {
        top_k: 3,
        min_p: 0.1,
        chat_template_kwargs: {},
        skip_special_tokens: false,
        repetition_penalty: 1.1,
        max_tokens: 5,
        temperature: 0,
      },
    );
    expect(json).toEqual({
      messages: [{ role: 'user', content: '안녕' }],
      temperature: 0,
      max_completion_tokens: 5,
      model: 'served',
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    });
  });

  it('keeps stop strings from a streaming server that would not say which one matched', async () => {
    expect(await sent({ dialect: 'llama-server' }, { stop: ['a'] })).not.toHaveProperty('stop');
    const whole = await sent({ dialect: 'llama-server' }, { stop: ['a'] }, { stream: false });
    expect(whole).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(whole).not.toHaveProperty('stop');
    expect(await sent({ dialect: 'llama-server' }, {}, { stream: false })).toMatchObject({ stream: false });
    expect(await sent({ dialect: 'unknown' }, { stop: ['a'] }, { stream: false })).toMatchObject({
      stream: false,
      stop: ['a'],
    });
    expect((await sent({}, { stop: ['a'] }))['stop']).toEqual(['a']);
  });

  it('turns thinking off in the words of the server', async () => {
    expect((await sent({ dialect: 'ollama' }, {}, { thinking: false }))['reasoning_effort']).toBe('none');
  });

  it('is made again without a field of ours that the server refuses, and never with it again', async () => {
    const { engine, fake } = await house();
    fake.next({
      do: 'reply',
      status: 400,
      body: { error: { message: 'Unrecognized request argument supplied: stream_options', code: 400 } },
    });
    for (let i = 0; i < 2; i++) expect((await ask(engine).over).type).toBe('end');
    expect(fake.requests.map(({ json }) => 'stream_options' in json)).toEqual([true, false, false]);
  });

  it('is not made again when the refused field is of the caller', async () => {
    const { engine, fake } = await house();
    fake.next({
      do: 'reply',
      status: 400,
      body: { error: { message: 'skip_special_tokens must be true', code: 400 } },
    });
    expect(await errorOf(ask(engine, { skip_special_tokens: false }))).toMatchObject({ kind: 'refused' });
    expect(fake.requests).toHaveLength(1);
  });
});

describe('which server it is', () => {
  it.each<[string, ModelServerOptions]>([
    ['vllm', { ownedBy: 'vllm' }],
    ['sglang', { ownedBy: 'sglang' }],
    ['ollama', { ownedBy: 'library' }],
    ['lmstudio', { ownedBy: 'organization_owner' }],
    ['llama-server', { ownedBy: 'x', headers: { server: 'llama.cpp' } }],
    ['llama-server', { ownedBy: 'x', pages: { '/props': { default_generation_settings: {} } } }],
    ['tgi', { ownedBy: 'x', pages: { '/info': { max_total_tokens: 4096 } } }],
    ['unknown', { ownedBy: 'someone' }],
  ])('is found out: %s', async (dialect, server) => {
    const { engine } = await house({ dialect: 'auto' }, server);
    expect(await engine.health(AbortSignal.timeout(90_000))).toEqual({ ok: true, reason: null });
    expect(engine.dialect).toBe(dialect);
  });

  it('is asked once, and not waited for by a chat', async () => {
    const { engine, fake } = await house({ dialect: 'auto' });
    await ask(engine).over;
    await engine.health(AbortSignal.timeout(90_000));
    await ask(engine).over;
    expect(fake.visits.filter((path) => path === '/v1/models')).toHaveLength(1);
    expect(engine.traits).toEqual({ choices: true, reportsStop: true, drops: [] });
  });
});

describe('beside chat', () => {
  it('embeds, and reads vectors in base64', async () => {
    const { engine, fake } = await house();
    const signal = AbortSignal.timeout(90_000);
    const call = { requestId: 'r', model: 'e', input: ['가', 'b'], dimensions: null, signal };
    expect(await engine.embed?.(call)).toEqual({
      vectors: [
        [1, 44_032, 0.5, -1],
        [1, 98, 0.5, -1],
      ],
      promptTokens: 2,
    });
    const floats = Buffer.from(new Float32Array([0.25, -2]).buffer).toString('base64');
    fake.next({
      do: 'reply',
      body: {
        data: [
          { index: 1, embedding: floats },
          { index: 0, embedding: floats },
        ],
        usage: { prompt_tokens: 9, total_tokens: 9 },
      },
    });
    expect(await engine.embed?.({ ...call, dimensions: 2 })).toEqual({
      vectors: [Float32Array.of(0.25, -2), Float32Array.of(0.25, -2)],
      promptTokens: 9,
    });
    expect(fake.requests.at(-1)?.json).toEqual({
      model: 'e',
      input: ['가', 'b'],
      encoding_format: 'float',
      dimensions: 2,
    });
    fake.next({ do: 'reply', body: { data: [] } });
    await expect(engine.embed?.(call)).rejects.toMatchObject({ kind: 'protocol' });
  });

  it('stops embedding when the caller goes', async () => {
    const { engine, fake } = await house();
    fake.next({ do: 'hang', before: 'headers' });
    const gone = new AbortController();
    const done = engine.embed?.({ requestId: 'r', model: 'e', input: ['a'], dimensions: null, signal: gone.signal });
    const request = await fake.nextRequest();
    gone.abort(new Error('gone'));
    await expect(done).rejects.toThrow('gone');
    expect(await request.aborted).toBeGreaterThan(0);
  });

  it('lists models and tells how it is', async () => {
    const { engine, fake } = await house();
    const signal = AbortSignal.timeout(90_000);
    expect(await engine.models(signal)).toEqual([{ name: 'fake', contextLength: 8192 }]);
    fake.healthy = false;
    expect(await engine.health(signal)).toEqual({
      ok: false,
      reason: 'The health check answered 503',
      trouble: { code: 'engine_failed', values: { status: 503 } },
    });
    await fake.refuse();
    expect(await engine.health(signal)).toMatchObject({ ok: false });
  });
});
