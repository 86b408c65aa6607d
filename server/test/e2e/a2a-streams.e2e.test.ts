import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { A2aEvent } from '@ai-studio/contract/a2a/v03.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../src/ports/database.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { covers } from '../requirements.ts';
import {
  ask,
  chain,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  message,
  parseEvents,
  pathOf,
  plainAgent,
  readingAgent,
  refused,
  rpc,
  stream,
  type StreamEvent,
  streamUntil,
  textOf,
} from '../support/a2a.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, send } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream, sse, type UpstreamCall } from '../support/upstream.ts';

let house: House;
let db: Database;
let tenant: TenantId;
let plain: { readonly id: string; readonly slug: string };
beforeAll(async () => {
  house = await openHouse({
    config: () => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      network: { allow: ['localhost'] },
    }),
  });
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  plain = await makeAgent(db, tenant, plainAgent());
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const chunk = ({ json }: UpstreamCall, content: string, finish: string | null = null) =>
  sse({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 0,
    model: json.model,
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });
/** A model that says numbers, and stops when it is told to. */
function counting(numbers: number, end: Promise<void> = Promise.resolve()): string {
  const texts = Array.from({ length: numbers }, (_, i) => `${i} `);
  house.upstream.plays(async (asked) => {
    const response = openStream(asked);
    for (const text of texts) response.write(chunk(asked, text));
    await end;
    response.end(`${chunk(asked, '.', 'stop')}data: [DONE]\n\n`);
  });
  return `${texts.join('')}.`;
}
const begun = (events: readonly StreamEvent[]) => textOf(events) !== '';

describe('message/stream', () => {
  test('sends events of the form of the interface', async () => {
    covers('a2a.stream', 'a2a.stream.last', 'a2a.stream.ids');
    const text = counting(50);
    const given = message('Count');
    const response = await send(house, pathOf(plain.slug), {
      body: rpc('message/stream', { message: given }, 'req-1'),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('x-ratelimit-remaining')).toBeTruthy();
    const body = await response.text();
    const events = parseEvents(body);
    expect(textOf(events)).toBe(text);
    const taskId = events[0]?.result.taskId;
    for (const [index, { event, ...told }] of events.entries()) {
      // Nothing but what the interface names.
      expect(A2aEvent.strict().parse(told)).toEqual(told);
      expect(Object.keys(told)).toEqual(['jsonrpc', 'id', 'result']);
      const last = index === events.length - 1;
      expect(Object.keys(told.result)).toEqual([
        'kind',
        'taskId',
        'contextId',
        'final',
        'status',
        ...(last ? ['metadata'] : []),
      ]);
      expect(Object.keys(told.result.status)).toEqual(['state', 'timestamp', 'message']);
      expect(Object.keys(told.result.status.message)).toEqual(['kind', 'messageId', 'role', 'parts']);
      expect(told).toMatchObject({
        id: 'req-1',
        result: { taskId, final: last, status: { message: { role: 'agent' } } },
      });
      expect(told.result.status.state).toBe(last ? 'completed' : 'working');
      expect(Number(event)).toBeGreaterThan(Number(events[index - 1]?.event ?? 0));
    }
    expect(events.at(-1)?.result.status.message.parts).toEqual([{ kind: 'text', text: '' }]);
    expect(events.at(-1)?.result.metadata).toEqual({ chat_session_id: expect.any(Number) as number });
    // What a line reader sees.
    const joined = body
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => (JSON.parse(line.slice(5)) as StreamEvent).result.status.message.parts[0]?.text ?? '')
      .join('');
    expect(joined).toBe(text);
  });

  test('goes on where it was cut, from any event, for as many as like', async () => {
    covers('a2a.stream.ids', 'a2a.stream.gone');
    const more = Promise.withResolvers<void>();
    const text = counting(30, more.promise);
    const seen = await streamUntil(house, plain.slug, 'message/stream', { message: message('Count') }, begun);
    const taskId = seen[0]?.result.taskId;
    const rest = stream(
      house,
      plain.slug,
      'tasks/resubscribe',
      { id: taskId },
      {
        headers: { 'last-event-id': seen.at(-1)?.event ?? '' },
      },
    );
    const whole = stream(house, plain.slug, 'tasks/resubscribe', { id: taskId });
    more.resolve();
    const { events } = await whole;
    expect(textOf(events)).toBe(text);
    expect(textOf(seen) + textOf((await rest).events)).toBe(text);
    for (const [index, { event }] of events.entries()) {
      const headers = { 'last-event-id': event ?? '' };
      const later = await stream(house, plain.slug, 'tasks/resubscribe', { id: taskId }, { headers });
      expect(later.events.map((one) => one.event)).toEqual(events.slice(index + 1).map((one) => one.event));
    }
    // A number of another stream is as good as none: all of it comes, with its end.
    const headers = { 'last-event-id': '99999' };
    const strange = await stream(house, plain.slug, 'tasks/resubscribe', { id: taskId }, { headers });
    expect(strange.events).toEqual(events);
    expect(house.upstream.calls).toHaveLength(1);
  });

  test('is lost to nobody who leaves: the run ends, and its task has all of it', async () => {
    covers('a2a.stream.gone');
    const more = Promise.withResolvers<void>();
    const text = counting(10, more.promise);
    const seen = await streamUntil(house, plain.slug, 'message/stream', { message: message('Count') }, begun);
    more.resolve();
    const id = seen[0]?.result.taskId;
    await eventually(async () => {
      const task = await ask(house, plain.slug, 'tasks/get', { id });
      expect(task.status.state).toBe('completed');
      expect(task.artifacts[0]?.parts[0]?.text).toBe(text);
    });
  });

  test('is answered at once where nobody wants to wait', async () => {
    covers('a2a.send.at-once');
    const more = Promise.withResolvers<void>();
    const text = counting(5, more.promise);
    const configuration = { blocking: false };
    const task = await ask(house, plain.slug, 'message/send', { message: message('Count'), configuration });
    expect(['submitted', 'working']).toContain(task.status.state);
    expect(task.artifacts).toEqual([]);
    more.resolve();
    const { events } = await stream(house, plain.slug, 'tasks/resubscribe', { id: task.id });
    expect(textOf(events)).toBe(text);
    const young = await ask<{ task: { status: { state: string } } }>(house, plain.slug, 'SendMessage', {
      message: { role: 'ROLE_USER', messageId: 'now', parts: [{ text: 'x' }] },
      configuration: { returnImmediately: true },
    });
    expect(young.task.status.state).toMatch(/^TASK_STATE_(SUBMITTED|WORKING)$/);
  });

  test('of 200 at once: none is lost, and each has its order', async () => {
    covers('a2a.parallel');
    const text = counting(20);
    const streams = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        stream(house, plain.slug, 'message/stream', { message: message(`Number ${i}`) }),
      ),
    );
    expect(new Set(streams.map(({ events }) => events[0]?.result.taskId)).size).toBe(200);
    for (const { events } of streams) {
      expect(textOf(events)).toBe(text);
      expect(events.at(-1)?.result).toMatchObject({ final: true, status: { state: 'completed' } });
      const ids = events.map(({ event }) => Number(event));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
  });
});

describe('files and data', () => {
  const file = (bytes: string, name: string) => ({
    kind: 'file',
    file: { bytes: Buffer.from(bytes).toString('base64'), mimeType: 'text/plain', name },
  });
  let files: Server;
  let at: string;
  beforeAll(async () => {
    files = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('From an address.');
    });
    await new Promise<void>((resolve) => files.listen(0, resolve));
    at = `http://localhost:${(files.address() as AddressInfo).port}`;
  });
  afterAll(() => void files?.close());

  test('reach the nodes', async () => {
    covers('a2a.files');
    const reading = await makeAgent(db, tenant, readingAgent);
    const parts = [{ kind: 'text', text: 'Read' }, file('Hello from a file.', 'a.txt')];
    const task = await ask(house, reading.slug, 'message/send', { message: message('', { parts }) });
    expect(task.artifacts[0]?.parts[0]?.text).toContain('Hello from a file.');
    expect(JSON.stringify(task.history)).toContain('a.txt');
    const linked = [{ kind: 'file', file: { uri: `${at}/a.txt` } }];
    const other = await ask(house, reading.slug, 'message/send', { message: message('', { parts: linked }) });
    expect(other.artifacts[0]?.parts[0]?.text).toContain('From an address.');
    const young = await ask<{ task: typeof task }>(house, reading.slug, 'SendMessage', {
      message: {
        role: 'ROLE_USER',
        messageId: 'file-1',
        parts: [{ raw: Buffer.from('In 1.0 form.').toString('base64'), filename: 'b.txt', mediaType: 'text/plain' }],
      },
    });
    expect(young.task.artifacts[0]?.parts[0]?.text).toContain('In 1.0 form.');
    // Once the id of a message is forgotten, the message is a new one with all that it brings.
    await db.query
      .updateTable('agent_messages')
      .set({ expires_at: new Date(0) })
      .where('message_id', '=', 'file-1')
      .execute();
    const again = await ask<{ task: typeof task }>(house, reading.slug, 'SendMessage', {
      message: {
        role: 'ROLE_USER',
        messageId: 'file-1',
        parts: [{ raw: Buffer.from('In 1.0 form.').toString('base64'), filename: 'b.txt', mediaType: 'text/plain' }],
      },
    });
    expect(again.task.id).not.toBe(young.task.id);
    expect(again.task.artifacts[0]?.parts[0]?.text).toContain('In 1.0 form.');
    const data = await makeAgent(
      db,
      tenant,
      chain({ id: 'input', kind: 'input' }, { id: 'answer', kind: 'answer', text: 'Order {{input.data.order}}' }),
    );
    const order = [{ kind: 'data', data: { order: 7 } }];
    const told = await ask(house, data.slug, 'message/send', { message: message('', { parts: order }) });
    expect(told.artifacts[0]?.parts[0]?.text).toBe('Order 7');
  });

  test('go to agents that take them only', async () => {
    covers('a2a.files', 'a2a.codes');
    const echo = await makeAgent(db, tenant, echoAgent);
    const params = { message: message('', { parts: [file('x', 'x.txt')] }) };
    refused(await call(house, pathOf(echo.slug), { body: rpc('message/send', params) }), 200, -32005);
    const image = { message: message('Hi'), configuration: { acceptedOutputModes: ['image/png'] } };
    refused(await call(house, pathOf(echo.slug), { body: rpc('message/send', image) }), 200, -32005);
  });

  test('at private addresses are not fetched', async () => {
    covers('a2a.files.private');
    const reading = await makeAgent(db, tenant, readingAgent);
    const { port } = files.address() as AddressInfo;
    for (const uri of [
      `http://127.0.0.1:${port}/a.txt`,
      `https://127.0.0.1:${port}/a.txt`,
      'https://169.254.169.254/latest',
      'https://[::1]/x',
      'file:///etc/passwd',
      `${at}/away`,
      'no address',
    ]) {
      const params = { message: message('', { parts: [{ kind: 'file', file: { uri } }] }) };
      refused(await call(house, pathOf(reading.slug), { body: rpc('message/send', params) }), 400, -32602);
    }
  });
});

test('runs go on after a kill and after a stop, and their streams with them; whoever waits at a stop is told', async () => {
  covers('a2a.stream.ids', 'a2a.stream.gone');
  const own = await openHouse();
  const { upstream, dataFolder } = own;
  const restart = () =>
    startService({
      dataFolder,
      config: {
        server: { shutdown_grace_ms: 300 },
        engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
        models: { 'CORE-GOV': { engines: [{ engine: 'fake' }] } },
      },
    });
  /** What the model says from now on: all of it, where it ends. */
  const says = (...texts: readonly string[]) =>
    upstream.plays((asked) => {
      const last = texts.length - 1;
      const chunks = texts.map((text, at) => chunk(asked, text, at === last ? 'stop' : null));
      openStream(asked).end(`${chunks.join('')}data: [DONE]\n\n`);
    });
  let service: Service = own;
  try {
    const store = await databaseOf(own);
    const { slug } = await makeAgent(store, await firstTenant(store), plainAgent());
    upstream.plays((asked) => void openStream(asked).write(chunk(asked, 'first ')));
    const seen = await streamUntil(own, slug, 'message/stream', { message: message('Go') }, begun);
    await store.close();
    await own.kill();
    says('first ', 'second');
    service = await restart();
    const id = seen[0]?.result.taskId;
    const headers = { 'last-event-id': seen.at(-1)?.event ?? '' };
    const rest = await stream(service, slug, 'tasks/resubscribe', { id }, { headers });
    expect(textOf(seen)).toBe('first ');
    expect(textOf(rest.events)).toBe('second');
    expect(textOf((await stream(service, slug, 'tasks/resubscribe', { id })).events)).toBe('first second');

    upstream.plays((asked) => void openStream(asked).write(chunk(asked, 'begun')));
    const asked = upstream.next();
    const waiting = ask(service, slug, 'message/send', { message: message('Wait') });
    await asked;
    const streaming = stream(service, slug, 'message/stream', { message: message('Go') });
    await upstream.next();
    await service.stop();
    const task = await waiting;
    // As it stands in the database: that it is worked on may not be written yet.
    expect(['submitted', 'working']).toContain(task.status.state);
    expect((await streaming).events.at(-1)?.error).toMatchObject({ code: -32603 });
    says('begun and done');
    service = await restart();
    const { events } = await stream(service, slug, 'tasks/resubscribe', { id: task.id });
    expect(textOf(events)).toBe('begun and done');
  } finally {
    await service.close();
    await own.close();
  }
});

test('a stream goes on at any process, and any of them cancels it', async () => {
  covers('a2a.stream.ids', 'a2a.tasks.cancel');
  const own = await openHouse({
    config: () => ({ server: { workers: 2 }, limits: { requests_per_minute: null, tokens_per_minute: null } }),
  });
  const store = await databaseOf(own);
  try {
    const { slug } = await makeAgent(store, await firstTenant(store), plainAgent());
    const more = Promise.withResolvers<void>();
    own.upstream.plays(async (asked) => {
      const response = openStream(asked);
      for (let i = 0; i < 20; i++) response.write(chunk(asked, `${i} `));
      await more.promise;
      response.end(`${chunk(asked, 'end', 'stop')}data: [DONE]\n\n`);
    });
    const fresh = { headers: { connection: 'close' } };
    const seen = await streamUntil(own, slug, 'message/stream', { message: message('Go') }, begun);
    const id = seen[0]?.result.taskId;
    const others = Array.from({ length: 8 }, () => stream(own, slug, 'tasks/resubscribe', { id }, fresh));
    const task = await ask(own, slug, 'tasks/get', { id }, fresh);
    expect(task.status.state).toBe('working');
    more.resolve();
    const all = await Promise.all(others);
    for (const { events } of all)
      expect(textOf(events)).toBe(`${Array.from({ length: 20 }, (_, i) => `${i} `).join('')}end`);
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    own.upstream.plays((asked) => void openStream(asked).write(chunk(asked, 'begun')));
    const next = await Promise.all(
      Array.from({ length: 4 }, () => streamUntil(own, slug, 'message/stream', { message: message('Go') }, begun)),
    );
    for (const events of next) {
      const canceled = await ask(own, slug, 'tasks/cancel', { id: events[0]?.result.taskId }, fresh);
      expect(canceled.status.state).toBe('canceled');
    }
  } finally {
    await store.close();
    await own.close();
  }
});
