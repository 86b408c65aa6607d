import { once } from 'node:events';
import { connect } from 'node:net';
import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import type { A2aOutcome } from '../index.ts';
import { createKeepAlive, type KeepAlive } from '../../http-kit/keep-alive.ts';
import { sendStream } from './stream.ts';

// Streams of runs that are made up here, over real connections.

const at = '2026-01-02T03:04:05.678Z';
const run = {
  id: '0123456789abcdef0123456789abcdef',
  contextId: 'c',
  sessionId: 7,
  citations: [],
} as unknown as Extract<A2aOutcome, { kind: 'stream' }>['run'];

type Follow = (signal: AbortSignal) => AsyncGenerator<RunEvent, void>;

let app: FastifyInstance;
let keepAlive: KeepAlive;
afterEach(async () => {
  keepAlive.close();
  await app.close();
});

/** A service that has one run; its port. */
async function serve(follow: Follow, silenceMs = 60_000): Promise<number> {
  keepAlive = createKeepAlive(Date.now, silenceMs);
  app = Fastify();
  app.decorateRequest('record');
  app.post('/', async (request, reply) => {
    request.record = { startedMs: 0, key: null, tenantId: null, call: null, stream: true, error: null };
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const runs = { follow: (_id: string, _after: number, signal: AbortSignal) => follow(signal) };
    const deps = { a2a: { answer: () => Promise.reject(new Error('not here')) }, runs, keepAlive, now: Date.now };
    const load = () => Promise.resolve(null);
    const outcome = {
      kind: 'stream',
      run,
      shown: run,
      shownParts: [],
      load,
      after: 0,
      pastQuestions: false,
    } as const;
    await sendStream(deps, outcome, { form: '0.3', door: 'interface', id: '1' }, request, reply, gone.signal);
    return reply;
  });
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}
const ask = (port: number) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
/** Rejects with the signal. */
const forever = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

test('a silent stream has comments', async () => {
  const port = await serve(async function* (signal) {
    yield { seq: 1, at, type: 'state', state: 'working' };
    await forever(signal);
  }, 20);
  const leave = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', signal: leave.signal });
  let text = '';
  const decoder = new TextDecoder();
  if (response.body === null) throw new Error('no body');
  for await (const bytes of response.body) {
    text += decoder.decode(bytes);
    if (text.split(': ping\n\n').length > 3) break;
  }
  expect(text.replaceAll(': ping\n\n', '')).toMatch(/^id: 1\ndata: .*\n\n$/);
});

test('a stream that is aborted says so, and where to go on', async () => {
  const begun = Promise.withResolvers<void>();
  const port = await serve(async function* (signal) {
    yield { seq: 1, at, type: 'text', text: 'x' };
    begun.resolve();
    await forever(signal);
  });
  const response = ask(port);
  await begun.promise;
  keepAlive.terminate();
  const text = await (await response).text();
  expect(text).toContain('"text":"x"');
  expect(JSON.parse(text.trimEnd().split('\ndata: ').at(-1)?.split('data: ').at(-1) ?? '')).toMatchObject({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, data: { detail: expect.stringContaining('tasks/resubscribe') as string } },
  });
});

test('a failure of the log ends the stream with an error', async () => {
  const port = await serve(async function* () {
    yield await Promise.resolve<RunEvent>({ seq: 1, at, type: 'text', text: 'x' });
    throw new Error('a secret of the database');
  });
  const text = await (await ask(port)).text();
  expect(text).toContain('"error":{"code":-32603,"message":"Internal error"');
  expect(text).not.toContain('a secret of the database');
});

test('a reader that reads nothing is waited for', async () => {
  const events = 2_000;
  const text = 'x'.repeat(10_000);
  let made = 0;
  const port = await serve(async function* () {
    for (; made < events; made++) yield await Promise.resolve<RunEvent>({ seq: made + 1, at, type: 'text', text });
    yield { seq: events + 1, at, type: 'state', state: 'completed' };
  });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  // It stands still once the buffers between are full.
  let before = -1;
  while (made === 0 || made !== before) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(made).toBeLessThan(events);
  let size = 0;
  let end = '';
  socket.on('data', (part: Buffer) => {
    size += part.length;
    end = part.toString('latin1').slice(-1_000);
  });
  socket.resume();
  await once(socket, 'close');
  expect(made).toBe(events);
  expect(size).toBeGreaterThan(events * text.length);
  expect(end).toContain('"final":true');
});

test('what comes after its client has left holds nothing up', async () => {
  const over = Promise.withResolvers<void>();
  const port = await serve(async function* (signal) {
    try {
      yield { seq: 1, at, type: 'state', state: 'working' };
      await forever(signal).catch(() => undefined);
      // They were read by then.
      for (let seq = 2; seq < 5; seq++) yield { seq, at, type: 'state', state: 'working' };
    } finally {
      over.resolve();
    }
  });
  const leave = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', signal: leave.signal });
  await response.body?.getReader().read();
  leave.abort();
  await over.promise;
});
