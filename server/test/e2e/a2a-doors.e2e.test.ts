import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  ask,
  askingAgent,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  plainAgent,
  refused,
  rpc,
  type RpcReply,
  type Task,
} from '../support/a2a.ts';
import { makeKey } from '../support/command.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call, type CallOptions, jsonOf, send } from '../support/http.ts';
import { openStream, play, sse } from '../support/upstream.ts';

// The doors that cards name: plain A2A over JSON-RPC in both forms, and over HTTP+JSON.

let house: House;
let db: Database;
let tenant: TenantId;
const slugs = { echo: '', plain: '', asking: '' };
beforeAll(async () => {
  house = await openSharedHouse();
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  slugs.echo = (await makeAgent(db, tenant, echoAgent)).slug;
  slugs.plain = (await makeAgent(db, tenant, plainAgent())).slug;
  slugs.asking = (await makeAgent(db, tenant, askingAgent)).slug;
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const rpcPath = (slug: string) => `${pathOf(slug)}/rpc`;
const httpPath = (slug: string, path: string) => `${pathOf(slug)}/v1${path}`;
const v10 = { 'a2a-version': '1.0' };
const text10 = (text: string, fields: object = {}) => ({
  role: 'ROLE_USER',
  messageId: hexId(),
  parts: [{ text }],
  ...fields,
});
const fails = () =>
  house.upstream.plays(({ response }) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'broken' } }));
  });

async function ok<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  const reply = await call(house, path, { body, ...options });
  expect(reply.status, reply.text).toBe(200);
  const { result, error } = jsonOf<RpcReply<T>>(reply);
  expect(error, reply.text).toBeUndefined();
  return result;
}

type Json = Record<string, unknown>;
interface Streamed {
  readonly ids: (string | null)[];
  readonly events: Json[];
}

function parse(text: string): Streamed {
  const parts = text.split('\n\n').filter((part) => part !== '' && !part.startsWith(':'));
  const lines = parts.map((part) => part.split('\n'));
  return {
    ids: lines.map((part) => part.find((line) => line.startsWith('id: '))?.slice(4) ?? null),
    events: lines.map((part) => {
      const json = JSON.parse(part.find((line) => line.startsWith('data: '))?.slice(6) ?? '') as Json;
      return ('jsonrpc' in json && 'result' in json ? json['result'] : json) as Json;
    }),
  };
}

async function streamed(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Streamed> {
  const reply = await call(house, path, { body, headers });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
  return parse(reply.text);
}

/** Reads a stream until what came satisfies; `leave` ends it. */
async function follow(path: string, options: CallOptions) {
  const response = await send(house, path, options);
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('no body');
  const decoder = new TextDecoder();
  let text = '';
  return {
    async until(enough: (events: Json[]) => boolean): Promise<Json[]> {
      for (;;) {
        const { events } = parse(text.slice(0, text.lastIndexOf('\n\n') + 2));
        if (enough(events)) return events;
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended before:\n${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
    leave: () => reader.cancel(),
  };
}

const piecesOf = (events: readonly Json[]) =>
  events
    .map((event) => (event['artifactUpdate'] ?? (event['kind'] === 'artifact-update' ? event : undefined)) as Json)
    .filter((update) => update !== undefined)
    .map(({ artifact, append, lastChunk }) => ({
      text: (artifact as Task['artifacts'][number]).parts.map(({ text }) => text).join(''),
      id: (artifact as Json)['artifactId'],
      append,
      lastChunk,
    }));
const taskOf = (event: Json | undefined) => (event?.['task'] ?? event) as unknown as Task;

describe('JSON-RPC', () => {
  test('a stream of 1.0 is the task, pieces of its artifact and the whole task', async () => {
    covers('a2a.plain.stream');
    house.upstream.plays(play({ text: ['The ', 'answer'] }));
    const { events, ids } = await streamed(
      rpcPath(slugs.plain),
      rpc('SendStreamingMessage', { message: text10('Hi') }),
      v10,
    );
    expect(taskOf(events[0])).toMatchObject({ artifacts: [], history: [{ role: 'ROLE_USER' }] });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(taskOf(events[0]).status.state);
    const pieces = piecesOf(events);
    expect(pieces.map(({ text }) => text).join('')).toBe('The answer');
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(1);
    expect(pieces.map(({ append }) => append)).toEqual(pieces.map((_, index) => index > 0));
    expect(pieces.map(({ lastChunk }) => lastChunk)).toEqual(pieces.map((_, index) => index === pieces.length - 1));
    const last = taskOf(events.at(-1));
    expect(last).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: pieces[0]?.id, parts: [{ text: 'The answer' }] }],
      metadata: { chat_session_id: expect.any(Number) },
    });
    expect(last.status.message).toBeUndefined();
    expect(await ok<Task>(rpcPath(slugs.plain), rpc('GetTask', { id: last.id }), { headers: v10 })).toMatchObject({
      status: { state: last.status.state },
      artifacts: last.artifacts,
    });
    // Between two places nothing is lost and nothing comes twice.
    const at = ids.indexOf(ids.find((id) => id !== null && id !== ids.at(-1)) ?? null);
    const rest = await streamed(rpcPath(slugs.plain), rpc('SubscribeToTask', { id: last.id }), {
      ...v10,
      'last-event-id': ids[at] ?? '',
    });
    const before = piecesOf(events.slice(0, at + 1)).map(({ text }) => text);
    expect(
      taskOf(rest.events[0])
        .artifacts.flatMap(({ parts }) => parts.map(({ text }) => text))
        .join(''),
    ).toBe(before.join(''));
    expect(
      before.join('') +
        piecesOf(rest.events)
          .map(({ text }) => text)
          .join(''),
    ).toBe('The answer');
  });

  test('a stream of 0.3 is the task, pieces of its artifact and the final status', async () => {
    covers('a2a.plain.stream');
    house.upstream.plays(play({ text: ['The ', 'answer'] }));
    const { events } = await streamed(rpcPath(slugs.plain), rpc('message/stream', { message: message('Hi') }));
    expect(events[0]).toMatchObject({ kind: 'task', artifacts: [] });
    expect(
      piecesOf(events)
        .map(({ text }) => text)
        .join(''),
    ).toBe('The answer');
    expect(events.at(-1)).toMatchObject({
      kind: 'status-update',
      final: true,
      status: { state: 'completed' },
      metadata: { chat_session_id: expect.any(Number) },
    });
    expect(events.at(-1)).not.toHaveProperty('status.message');
    expect(events.filter(({ final }) => final === true)).toHaveLength(1);
  });

  test('whole answers have the text once, at once only where they are asked to', async () => {
    covers('a2a.plain.stream');
    for (const [body, options] of [
      [rpc('message/send', { message: message('Hi') }), {}],
      [rpc('SendMessage', { message: text10('Hi') }), { headers: v10 }],
    ] as const) {
      const task = taskOf(await ok<Json>(rpcPath(slugs.echo), body, options));
      expect(task.artifacts.map(({ parts }) => parts.map(({ text }) => text))).toEqual([['You said: Hi']]);
      expect(task.status.message).toBeUndefined();
    }
    const end = Promise.withResolvers<void>();
    house.upstream.plays(async (call) => {
      await end.promise;
      await play({ text: ['Late'] })(call);
    });
    const params = { message: message('Hi'), configuration: { blocking: false } };
    const begun = await ok<Task>(rpcPath(slugs.plain), rpc('message/send', params));
    expect(['submitted', 'working']).toContain(begun.status.state);
    end.resolve();
  });

  test('a failed run is a task, and errors of JSON-RPC come with 200', async () => {
    covers('a2a.plain.failure');
    fails();
    const task = await ok<Task>(rpcPath(slugs.plain), rpc('message/send', { message: message('Hi') }));
    expect(task).toMatchObject({ status: { state: 'failed', message: { role: 'agent' } }, artifacts: [] });
    expect(task.status.message?.parts[0]?.text).toContain('broken');
    expect(task.history?.at(-1)?.parts[0]?.text).toContain('broken');
    fails();
    const { events } = await streamed(
      rpcPath(slugs.plain),
      rpc('SendStreamingMessage', { message: text10('Hi') }),
      v10,
    );
    expect(taskOf(events.at(-1))).toMatchObject({
      status: { state: 'TASK_STATE_FAILED', message: { role: 'ROLE_AGENT' } },
    });

    const post = (body: unknown, options: CallOptions = {}) => call(house, rpcPath(slugs.echo), { body, ...options });
    refused(await post('{'), 200, -32700, null);
    refused(await post(rpc('nothing', {})), 200, -32601);
    refused(await post(rpc('message/send', {})), 200, -32602);
    refused(await post(rpc('tasks/get', { id: hexId() })), 200, -32001);
    refused(await post(rpc('GetTask', { id: hexId() })), 200, -32001);
    refused(await post({ jsonrpc: '2.0', method: 'nothing', params: {} }), 200, -32601, null);
    refused(await post({ jsonrpc: '2.0', method: 'message/send', params: {} }), 200, -32602, null);
    const notified = { jsonrpc: '2.0', method: 'message/send', params: { message: message('Hi') } };
    refused(await post(notified), 200, -32600, null);
    refused(await post(rpc('tasks/get', {}), { headers: { 'content-type': 'text/plain' } }), 415, -32005, null);
    // What HTTP itself tells keeps its status.
    refused(await post(rpc('tasks/get', {}), { key: null }), 401, -32095);
    refused(await call(house, rpcPath('unknown'), { body: rpc('tasks/get', {}) }), 404, -32094);
    const get = await call(house, rpcPath(slugs.echo));
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('an error of a stream under 0.3 is an event where the caller takes events', async () => {
    covers('a2a.plain.failure');
    const { events } = await streamed(rpcPath(slugs.echo), rpc('message/stream', {}), { accept: 'text/event-stream' });
    expect(events).toMatchObject([{ jsonrpc: '2.0', id: 1, error: { code: -32602 } }]);
  });

  test('a question stands in the status; a subscription stays open until it is answered', async () => {
    covers('a2a.plain.question');
    const { events } = await streamed(
      rpcPath(slugs.asking),
      rpc('SendStreamingMessage', { message: text10('A car') }),
      v10,
    );
    const asked = taskOf(events.at(-1));
    expect(asked.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { role: 'ROLE_AGENT', parts: [{ text: 'Which colour?' }] },
    });
    const subscription = await follow(rpcPath(slugs.asking), {
      body: rpc('SubscribeToTask', { id: asked.id }),
      headers: v10,
    });
    const [first] = await subscription.until((all) => all.length > 0);
    expect(taskOf(first).status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: asked.status.message });
    const answer = text10('Red', { taskId: asked.id, contextId: asked.contextId });
    const done = taskOf(
      await ok<Json>(rpcPath(slugs.asking), rpc('SendMessage', { message: answer }), { headers: v10 }),
    );
    expect(done.artifacts[0]?.parts).toEqual([{ text: 'A car in Red' }]);
    const all = await subscription.until((seen) => taskOf(seen.at(-1)).status?.state === 'TASK_STATE_COMPLETED');
    expect(
      piecesOf(all)
        .map(({ text }) => text)
        .join(''),
    ).toBe('A car in Red');
    await subscription.leave();
  });

  test('a context of the caller is one conversation of this caller', async () => {
    covers('a2a.plain.context');
    house.upstream.plays(play({ text: ['One'] }));
    const mine = `mine-${hexId()}`;
    const say = (text: string, options: CallOptions = {}) =>
      ok<Task>(rpcPath(slugs.plain), rpc('message/send', { message: message(text, { contextId: mine }) }), options);
    const [first, second] = [await say('Hi'), await say('More')];
    expect([first.contextId, second.contextId]).toEqual([mine, mine]);
    expect(second.metadata.chat_session_id).toBe(first.metadata.chat_session_id);
    // Earlier turns reach the model.
    expect(JSON.stringify(house.upstream.calls.at(-1)?.json.messages)).toContain('Hi');
    const { value: other } = await makeKey(house);
    const foreign = await say('Hi', { key: other });
    expect(foreign.contextId).toBe(mine);
    expect(foreign.metadata.chat_session_id).not.toBe(first.metadata.chat_session_id);
    const listed = await ok<{ readonly tasks: Task[] }>(rpcPath(slugs.plain), rpc('ListTasks', { context_id: mine }), {
      headers: v10,
    });
    expect(listed.tasks.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    // By the door of the interface no context is made up.
    const unknown = message('Hi', { contextId: `none-${hexId()}` });
    refused(await call(house, pathOf(slugs.plain), { body: rpc('message/send', { message: unknown }) }), 400, -32602);
  });

  test('an id of a message that said something else is a new message', async () => {
    covers('a2a.plain.context');
    const messageId = hexId();
    const say = (text: string) =>
      ok<Task>(rpcPath(slugs.echo), rpc('message/send', { message: message(text, { messageId }) }));
    const [first, again, other] = [await say('Hi'), await say('Hi'), await say('Ho')];
    expect(again.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect(other.artifacts[0]?.parts[0]?.text).toBe('You said: Ho');
  });

  test('a task can be asked for at both doors, and an address can be taken away twice', async () => {
    covers('a2a.plain.same');
    const there = await ask(house, slugs.echo, 'message/send', { message: message('Hi') });
    expect(there.status.message?.parts[0]?.text).toBe('You said: Hi');
    const here = await ok<Task>(rpcPath(slugs.echo), rpc('tasks/get', { id: there.id }));
    expect(here).toMatchObject({ id: there.id, artifacts: there.artifacts });
    expect(here.status.message).toBeUndefined();
    const params = { taskId: here.id, id: 'mine' };
    await ok(rpcPath(slugs.echo), rpc('CreateTaskPushNotificationConfig', { ...params, url: 'https://example.kr/x' }));
    for (const _ of [1, 2])
      expect(await ok(rpcPath(slugs.echo), rpc('DeleteTaskPushNotificationConfig', params))).toEqual({});
    const body = rpc('DeleteTaskPushNotificationConfig', params);
    refused(await call(house, pathOf(slugs.echo), { body }), 200, -32602);
  });
});

describe('HTTP+JSON', () => {
  const http = async <T = Json>(method: string, path: string, body?: unknown, status = 200): Promise<T> => {
    const reply = await call(house, path, { method, ...(body === undefined ? {} : { body }), headers: v10 });
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    return jsonOf<T>(reply);
  };

  test('has all operations', async () => {
    covers('a2a.plain.http');
    const { task } = await http<{ task: Task }>('POST', httpPath(slugs.echo, '/message:send'), {
      message: text10('Hi', { contextId: `c-${hexId()}` }),
    });
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'You said: Hi' }] }],
    });
    const at = (path: string) => httpPath(slugs.echo, `/tasks/${task.id}${path}`);
    expect(await http('GET', at('?historyLength=0'))).not.toHaveProperty('history');
    const page = await http<{ tasks: Task[] }>(
      'GET',
      httpPath(slugs.echo, `/tasks?contextId=${task.contextId}&pageSize=1&includeArtifacts=true`),
    );
    expect(page).toMatchObject({ pageSize: 1, totalSize: 1, nextPageToken: '' });
    expect(page.tasks.map(({ id, artifacts }) => [id, artifacts.length])).toEqual([[task.id, 1]]);
    const push = { id: 'mine', url: 'https://example.kr/hook' };
    expect(await http('POST', at('/pushNotificationConfigs'), push)).toEqual({ taskId: task.id, ...push });
    expect(await http('GET', at('/pushNotificationConfigs/mine'))).toEqual({ taskId: task.id, ...push });
    expect(await http('GET', at('/pushNotificationConfigs'))).toMatchObject({ configs: [push] });
    for (const _ of [1, 2]) expect(await http('DELETE', at('/pushNotificationConfigs/mine'))).toEqual({});
    expect(await http('GET', httpPath(slugs.echo, '/extendedAgentCard'))).toMatchObject({
      skills: [{ examples: ['What is A2A?'] }],
    });

    house.upstream.plays(play({ text: ['The ', 'answer'] }));
    const { events } = await streamed(httpPath(slugs.plain, '/message:stream'), { message: text10('Hi') }, v10);
    expect(
      piecesOf(events)
        .map(({ text }) => text)
        .join(''),
    ).toBe('The answer');
    expect(taskOf(events.at(-1)).artifacts[0]?.parts).toEqual([{ text: 'The answer' }]);
  });

  test('a task is subscribed to and ended', async () => {
    covers('a2a.plain.http');
    const never = Promise.withResolvers<void>();
    house.upstream.plays(async (call) => {
      openStream(call).write(
        sse({
          id: 'x',
          object: 'chat.completion.chunk',
          created: 0,
          model: call.json.model,
          choices: [{ index: 0, delta: { content: 'begun' }, finish_reason: null }],
        }),
      );
      await never.promise;
    });
    const configuration = { returnImmediately: true };
    const { task } = await http<{ task: Task }>('POST', httpPath(slugs.plain, '/message:send'), {
      message: text10('Hi'),
      configuration,
    });
    const subscription = await follow(httpPath(slugs.plain, `/tasks/${task.id}:subscribe`), { headers: v10 });
    const said = (all: Json[]) =>
      ((all[0]?.['task'] as Task | undefined)?.artifacts[0]?.parts[0]?.text ?? '') +
      piecesOf(all)
        .map(({ text }) => text)
        .join('');
    await subscription.until((all) => said(all) === 'begun');
    expect(await http('POST', httpPath(slugs.plain, `/tasks/${task.id}:cancel`))).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    });
    await subscription.until((all) => taskOf(all.at(-1)).status?.state === 'TASK_STATE_CANCELED');
    await subscription.leave();
    never.resolve();
  });

  test('errors have their statuses and tell what they are', async () => {
    covers('a2a.plain.http');
    interface Failure {
      readonly error: {
        readonly code: number;
        readonly status: string;
        readonly details: { readonly reason: string }[];
      };
    }
    const failure = async (method: string, path: string, status: number, body?: unknown, options: CallOptions = {}) => {
      const reply = await call(house, path, {
        method,
        ...(body === undefined ? {} : { body }),
        ...options,
      });
      expect(reply.status, reply.text).toBe(status);
      const { error } = jsonOf<Failure>(reply);
      expect(error.code).toBe(status);
      return [error.status, error.details[0]?.reason];
    };
    const { task } = await http<{ task: Task }>('POST', httpPath(slugs.echo, '/message:send'), {
      message: text10('Hi'),
    });
    const at = (path: string) => httpPath(slugs.echo, path);
    expect(await failure('GET', at(`/tasks/${hexId()}`), 404)).toEqual(['NOT_FOUND', 'TASK_NOT_FOUND']);
    expect(await failure('POST', at(`/tasks/${task.id}:cancel`), 409)).toEqual([
      'FAILED_PRECONDITION',
      'TASK_NOT_CANCELABLE',
    ]);
    expect(await failure('GET', at(`/tasks/${task.id}:subscribe`), 400)).toEqual([
      'INVALID_ARGUMENT',
      'UNSUPPORTED_OPERATION',
    ]);
    expect(await failure('GET', at('/tasks?pageSize=x'), 400)).toEqual(['INVALID_ARGUMENT', 'INVALID_PARAMS']);
    expect(await failure('POST', at('/message:send'), 400, '{')).toEqual(['INVALID_ARGUMENT', 'PARSE_ERROR']);
    expect(await failure('POST', at('/message:send'), 400, '[]')).toEqual(['INVALID_ARGUMENT', 'INVALID_PARAMS']);
    const typed = { headers: { 'content-type': 'text/plain' } };
    expect(await failure('POST', at('/message:send'), 415, '{}', typed)).toEqual([
      'INVALID_ARGUMENT',
      'CONTENT_TYPE_NOT_SUPPORTED',
    ]);
    const old = { headers: { 'a2a-version': '0.3' } };
    expect(await failure('GET', at('/tasks'), 400, undefined, old)).toEqual([
      'INVALID_ARGUMENT',
      'VERSION_NOT_SUPPORTED',
    ]);
    expect(await failure('GET', at('/tasks'), 401, undefined, { key: null })).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
    expect(await failure('PUT', at('/message:send'), 405, '{}')).toEqual(['UNIMPLEMENTED', 'INVALID_REQUEST']);
    expect(await failure('QUERY', at('/tasks'), 405)).toEqual(['UNIMPLEMENTED', 'INVALID_REQUEST']);
    for (const [path, allow] of [
      [at('/message:send'), 'POST, OPTIONS'],
      [at('/tasks'), 'GET, HEAD, OPTIONS'],
      [rpcPath(slugs.plain), 'POST, OPTIONS'],
    ] as const)
      expect((await call(house, path, { method: 'OPTIONS' })).headers.get('allow'), path).toBe(allow);
    expect(await failure('GET', httpPath('unknown', '/tasks'), 404)).toEqual(['NOT_FOUND', 'AGENT_NOT_FOUND']);
  });
});
