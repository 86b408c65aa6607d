import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import {
  CHAT,
  chat,
  chatBody,
  chatStream,
  expectError,
  expectErrorObject,
  join,
  jsonOf,
  send,
} from '../support/http.ts';
import { freePort } from '../support/service.ts';
import {
  type Handler,
  type Upstream,
  type UpstreamCall,
  answer,
  eventsOf,
  openStream,
  openUpstream,
  play,
  silence,
  sse,
} from '../support/upstream.ts';

const FIRST_TOKEN_MS = 1_000;
const BETWEEN_TOKENS_MS = 800;
const TOTAL_MS = 2_500;

let house: House;
let second: Upstream;
/** Where nobody listens. */
let nowhere: string;
/** A service whose time limits are far away, so that nothing but the client ends a call. */
let patient: House;

beforeAll(async () => {
  second = await openUpstream();
  nowhere = `http://127.0.0.1:${await freePort()}/v1`;
  [house, patient] = await Promise.all([
    openHouse({
      config: ({ url }) => ({
        timeouts: {
          connect_ms: 300,
          first_token_ms: FIRST_TOKEN_MS,
          between_tokens_ms: BETWEEN_TOKENS_MS,
          total_ms: TOTAL_MS,
        },
        engines: {
          fake: { addresses: [url] },
          two: { addresses: [nowhere, second.url] },
          first: { addresses: [url] },
          second: { addresses: [second.url] },
          nobody: { addresses: [nowhere] },
          // An address of the test network of RFC 5737: no answer, or no route.
          far: { addresses: ['http://192.0.2.1:9/v1'] },
        },
      }),
      models: {
        balanced: { engines: [{ engine: 'two' }] },
        fallback: { engines: [{ engine: 'first' }, { engine: 'second', priority: 1 }] },
        dead: { engines: [{ engine: 'nobody' }] },
        far: { engines: [{ engine: 'far' }] },
      },
    }),
    openHouse({
      config: ({ url }) => ({
        engines: { fake: { addresses: [url] }, narrow: { addresses: [url], max_connections: 1 } },
      }),
      models: { queued: { engines: [{ engine: 'narrow' }] } },
    }),
  ]);
});
afterAll(() => Promise.all([house.close(), patient.close(), second.close()]));
beforeEach(() => {
  house.upstream.reset();
  patient.upstream.reset();
  second.reset();
});

const piece = (text: string) =>
  sse({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  });

describe('a failure before the first byte', () => {
  test('that the model server calls the client’s fault is a 400 with its reason', async () => {
    covers('chat.failure.refused', 'chat.stream.error-before', 'errors.400');
    for (const stream of [false, true]) {
      house.upstream.plays(
        answer(400, {
          object: 'error',
          message: 'logit_bias is not supported by this model',
          type: 'BadRequestError',
          param: 'logit_bias',
          code: 400,
        }),
      );
      expectError(await chat(house, { stream }), 400, { message: /logit_bias is not supported/ });
      house.upstream.plays(
        answer(422, { detail: [{ loc: ['body', 'seed'], msg: 'must be small', type: 'value_error' }] }),
      );
      expectError(await chat(house, { stream }), 400, { message: /must be small/ });
    }
  });

  test('of a model whose server is not there is a 503', async () => {
    covers('chat.failure.unavailable', 'errors.503', 'chat.stream.error-before', 'builtin.missing-weights');
    for (const stream of [false, true]) {
      const reply = await chat(house, { model: 'dead', stream });
      expectError(reply, 503, { param: null });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  test.each([500, 502, 503, 401, 404])('with status %s of the model server is a 5xx', async (status) => {
    covers('errors.500', 'chat.failure.unavailable', 'chat.stream.error-before');
    house.upstream.plays(answer(status, { error: { message: 'inside', type: 'x', param: null, code: status } }));
    for (const stream of [false, true]) {
      const reply = await chat(house, { stream });
      expect(reply.status).toBeGreaterThanOrEqual(500);
      expectError(reply, reply.status);
    }
  });

  test('that is no answer of the format is a 5xx', async () => {
    covers('chat.failure.protocol', 'errors.500');
    const odd = [
      answer(200, '<html>hello</html>', { 'content-type': 'text/html' }),
      answer(200, '{"choices":'),
      answer(200, '[]'),
      answer(200, {}),
      (sent: UpstreamCall) => void sent.response.destroy(),
    ];
    for (const handler of odd) {
      for (const stream of [false, true]) {
        house.upstream.plays(handler);
        const reply = await chat(house, { stream });
        expect(reply.status, reply.text).toBeGreaterThanOrEqual(500);
        expectError(reply, reply.status);
      }
    }
    house.upstream.plays(answer(200, {}));
    expectError(await chat(house), 500);
  });

  test.each([429, 503])('for overload, a %i, asks for patience with this model and no other', async (status) => {
    covers('chat.failure.upstream-429', 'errors.429', 'errors.503');
    const busy = answer(
      status,
      { error: { message: 'slow down', type: 'x', param: null, code: status } },
      { 'retry-after': '20' },
    );
    house.upstream.plays((sent) => (sent.json.model === 'CORE-GOV' ? busy : play({ text: 'well' }))(sent));
    for (const stream of [false, true]) {
      const reply = await chat(house, { stream });
      expectError(reply, status);
      expect(reply.headers.get('retry-after')).toBe('20');
      expect(jsonOf(await chat(house, { model: 'LLM42' })).choices[0]?.message.content).toBe('well');
    }
    house.upstream.plays(play({ text: 'again' }));
    expect(jsonOf(await chat(house)).choices[0]?.message.content).toBe('again');
  });
});

describe('another try', () => {
  test('is made at another address', async () => {
    covers('chat.retry');
    second.plays(play({ text: 'second' }));
    for (let i = 0; i < 6; i++)
      expect(jsonOf(await chat(house, { model: 'balanced' })).choices[0]?.message.content).toBe('second');
    for (let i = 0; i < 3; i++)
      expect(join((await chatStream(house, { model: 'balanced' })).chunks).content).toBe('second');
  });

  test('goes to the next priority when all others fail', async () => {
    covers('chat.fallback');
    house.upstream.plays(answer(500, { error: { message: 'broken' } }));
    second.plays(play({ text: 'fallback' }));
    expect(jsonOf(await chat(house, { model: 'fallback' })).choices[0]?.message.content).toBe('fallback');
    expect(join((await chatStream(house, { model: 'fallback' })).chunks).content).toBe('fallback');
  });

  test('is not made once something was sent, nor for a refusal', async () => {
    covers('chat.retry.never-after', 'chat.stream.error-after');
    await eventually(async () => {
      house.upstream.plays(play({ text: 'first' }));
      expect(jsonOf(await chat(house, { model: 'fallback' })).choices[0]?.message.content).toBe('first');
    });
    second.reset();
    house.upstream.plays((sent) => {
      openStream(sent).write(piece('half'), () => sent.response.destroy());
    });
    const stream = await chatStream(house, { model: 'fallback' });
    expect(join(stream.chunks).content).toBe('half');
    expectErrorObject(stream.error, 503);
    house.upstream.plays(answer(400, { error: { message: 'no such thing', type: 'x', param: null, code: 400 } }));
    expectError(await chat(house, { model: 'fallback' }), 400);
    expect(second.calls).toHaveLength(0);
  });
});

describe('a failure in the stream', () => {
  const failing: [string, (sent: UpstreamCall) => void][] = [
    ['a broken connection', (sent) => void openStream(sent).write(piece('half'), () => sent.response.destroy())],
    ['an end without finish reason', (sent) => void openStream(sent).end(piece('half'))],
    ['[DONE] without finish reason', (sent) => void openStream(sent).end(`${piece('half')}data: [DONE]\n\n`)],
    [
      'an error event',
      (sent) =>
        void openStream(sent).end(
          `${piece('half')}data: {"error":{"message":"CUDA out of memory","type":"InternalServerError","code":500}}\n\ndata: [DONE]\n\n`,
        ),
    ],
    ['what is not JSON', (sent) => void openStream(sent).end(`${piece('half')}data: {"choices":[{\n\n`)],
  ];
  test.each(failing)('%s is one error event and no [DONE]', async (_name, handler) => {
    covers('chat.stream.error-after', 'chat.stream.no-finish', 'errors.form');
    house.upstream.plays(handler);
    const stream = await chatStream(house);
    expect(stream.status).toBe(200);
    expect(join(stream.chunks).content).toBe('half');
    expect(stream.done).toBe(false);
    expect(stream.error?.type).toBe('server_error');
    expectErrorObject(stream.error, Number(stream.error?.code.slice(0, 3)));
  });
});

describe('a time limit', () => {
  test('for the first token is a 504 that names it', async () => {
    covers('chat.timeout.first_token', 'errors.504');
    house.upstream.plays(silence);
    const arrived = house.upstream.next();
    expectError(await chat(house, { stream: true }), 504, { message: /first.token/i });
    await (
      await arrived
    ).aborted;
    // Headers are not a token.
    house.upstream.plays((sent) => openStream(sent).flushHeaders());
    expectError(await chat(house, { stream: true }), 504, { message: /first.token/i });
  });

  test('between tokens is an error event that names it', async () => {
    covers('chat.timeout.between_tokens', 'errors.504');
    house.upstream.plays((sent) => void openStream(sent).write(piece('half')));
    const arrived = house.upstream.next();
    const stream = await chatStream(house);
    expect(join(stream.chunks).content).toBe('half');
    expectErrorObject(stream.error, 504, { message: /between.tokens|next token/i });
    await (
      await arrived
    ).aborted;
  });

  test('for the whole is a 504 that names it', async () => {
    covers('chat.timeout.total', 'errors.504');
    house.upstream.plays(silence);
    const arrived = house.upstream.next();
    expectError(await chat(house), 504, { message: /total|whole/i });
    await (
      await arrived
    ).aborted;
    house.upstream.plays(async (sent) => {
      const response = openStream(sent);
      while (!response.destroyed) {
        response.write(piece('.'));
        await wait(100);
      }
    });
    const stream = await chatStream(house);
    expectErrorObject(stream.error, 504, { message: /total|whole/i });
  });

  test('for the connection is told apart', async () => {
    covers('chat.timeout.connect');
    const reply = await chat(house, { model: 'far', stream: true });
    expect([503, 504]).toContain(reply.status);
    const error = expectError(reply, reply.status);
    if (reply.status === 504) expect(error.message).toMatch(/connect|reached/i);
  });
});

describe('a client that goes away', () => {
  /** Calls, waits for the moment, goes away, and returns what the model server saw. */
  async function leave(
    fields: Record<string, unknown>,
    handler: Handler,
    seen: (response: Promise<Response>) => Promise<unknown>,
  ): Promise<UpstreamCall> {
    patient.upstream.plays(handler);
    const abort = new AbortController();
    const arrived = patient.upstream.next();
    const response = send(patient, CHAT, { body: chatBody(fields), signal: abort.signal });
    response.catch(() => undefined);
    const call = await arrived;
    await seen(response);
    abort.abort();
    await call.aborted;
    return call;
  }
  const soon = () => wait(30);
  const headersOnly = (sent: UpstreamCall) => openStream(sent).flushHeaders();
  const firstPiece = (sent: UpstreamCall) => void openStream(sent).write(piece('하나'));
  const halfBody = (sent: UpstreamCall) =>
    void sent.response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":');

  test.each([true, false])('before the headers ends the call, streaming %s', async (stream) => {
    covers('chat.abort.before-headers', 'chat.abort.whole');
    await leave({ stream }, silence, soon);
  });

  test.each([true, false])('before the first token ends the call, streaming %s', async (stream) => {
    covers('chat.abort.before-first-token', 'chat.abort.whole');
    await leave({ stream }, stream ? headersOnly : halfBody, soon);
  });

  test('in the stream ends the call, and what was generated is counted', async () => {
    covers('chat.abort.in-stream', 'chat.abort.counted', 'usage.cut');
    await leave({ stream: true }, firstPiece, async (response) => {
      const reader = (await response).body?.getReader();
      let text = '';
      while (!text.includes('하나')) text += new TextDecoder().decode((await reader?.read())?.value);
    });
    await eventually(async () => {
      const slices = await usageSlices(patient);
      expect(
        slices.find(
          ({ outcome, stream, completion_tokens }) => outcome === 'canceled' && stream && completion_tokens > 0,
        ),
      ).toBeDefined();
    });
  });

  test('while it waits for an engine never reaches one', async () => {
    covers('chat.abort.queue');
    patient.upstream.plays(silence);
    const busy = new AbortController();
    const arrived = patient.upstream.next();
    const first = send(patient, CHAT, { body: chatBody({ model: 'queued' }), signal: busy.signal }).catch(
      () => undefined,
    );
    await arrived;
    const waiting = new AbortController();
    const queued = send(patient, CHAT, {
      body: chatBody({ model: 'queued', messages: [{ role: 'user', content: 'queued one' }] }),
      signal: waiting.signal,
    }).catch(() => undefined);
    await wait(100);
    waiting.abort();
    await queued;
    busy.abort();
    await first;
    patient.upstream.plays(play({ text: 'free again' }));
    expect(jsonOf(await chat(patient, { model: 'queued' })).choices[0]?.message.content).toBe('free again');
    expect(patient.upstream.calls.some(({ text }) => text.includes('queued one'))).toBe(false);
  });
});

describe('usage', () => {
  test('tell key, model and counts of each call, cut ones too', async () => {
    covers('usage.rows', 'usage.cut');
    const { id, value } = await makeKey(house);
    const caller = { ...house, key: value };
    for (let i = 0; i < 3; i++) await chat(caller, { model: 'LLM42' });
    await chatStream(caller, { model: 'K-Large-236B' });
    house.upstream.plays(
      (sent) => void openStream(sent).write(piece('words and more words'), () => sent.response.destroy()),
    );
    await chatStream(caller);
    await eventually(async () => {
      const slices = await usageSlices(house, id);
      const whole = slices.filter(({ model }) => model === 'LLM42');
      const of = (wanted: string) => slices.find(({ model }) => model === wanted);
      expect(whole.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
      expect(whole.reduce((sum, { prompt_tokens: tokens }) => sum + tokens, 0)).toBe(33);
      expect(whole[0]).toMatchObject({
        endpoint: 'chat',
        model: 'LLM42',
        status: 200,
        outcome: 'ok',
        stream: false,
      });
      expect(of('K-Large-236B')).toMatchObject({
        calls: 1,
        model: 'K-Large-236B',
        outcome: 'ok',
        stream: true,
        prompt_tokens: 11,
        completion_tokens: 7,
      });
      const row = of('CORE-GOV');
      expect(row).toMatchObject({ model: 'CORE-GOV', outcome: 'error', stream: true });
      expect(row?.completion_tokens).toBeGreaterThan(0);
    });
  });
});

describe('silence', () => {
  test('of 15 s is broken by a comment, before and within a stream', async () => {
    covers('chat.stream.ping');
    const slow = (first: string) => async (sent: UpstreamCall) => {
      const response = openStream(sent);
      response.write(first);
      // A second for which the beginning of an answer may be held back, and fifteen of silence.
      await wait(18_000);
      response.end(eventsOf(sent, { text: 'late' }).join(''));
    };
    patient.upstream.plays((sent) => slow(sent.text.includes('say early') ? piece('early ') : '')(sent));
    const [one, two] = await Promise.all([
      chatStream(patient),
      chatStream(patient, { messages: [{ role: 'user', content: 'say early' }] }),
    ]);
    expect(one.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(one.comments).toEqual([': ping']);
    expect(join(one.chunks)).toMatchObject({ role: 'assistant', content: 'late', finish: 'stop' });
    expect(one.done).toBe(true);
    expect(two.comments).toEqual([': ping']);
    expect(join(two.chunks)).toMatchObject({ role: 'assistant', content: 'early late' });
  });
});
