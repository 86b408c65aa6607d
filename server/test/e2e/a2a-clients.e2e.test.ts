import { SendMessageRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import {
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory as OldTransportFactory,
  type Client as OldClient,
} from '@a2a-js/sdk-0.3/client';
import type { Task as OldTask, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk-0.3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  askingAgent,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  plainAgent,
} from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { openStream, play, sse } from '../support/upstream.ts';

// The official clients, as their own documents use them.

let house: House;
let db: Database;
const slugs = { echo: '', plain: '', asking: '', draft: '' };
beforeAll(async () => {
  // A name that is opened is told without a look at where it leads.
  house = await openSharedHouse();
  db = await databaseOf(house);
  const tenant = await firstTenant(db);
  slugs.echo = (await makeAgent(db, tenant, echoAgent, { name: 'Echo', description: 'Says it again' })).slug;
  slugs.plain = (await makeAgent(db, tenant, plainAgent())).slug;
  slugs.asking = (await makeAgent(db, tenant, askingAgent)).slug;
  slugs.draft = (await makeAgent(db, tenant, echoAgent, { deployed: false })).slug;
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const authorized: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${house.key}`);
  return fetch(url, { ...init, headers });
};
const urlOf = (slug: string) => `${house.base}${pathOf(slug)}`;

/** Streams pieces, each once the one before was asked for, and then waits. */
function pieceByPiece(pieces: readonly string[], end: Promise<void>) {
  house.upstream.plays(async (call) => {
    const response = openStream(call);
    const chunk = (content: string, finish: string | null = null) =>
      sse({
        id: 'x',
        object: 'chat.completion.chunk',
        created: 0,
        model: call.json.model,
        choices: [{ index: 0, delta: { content }, finish_reason: finish }],
      });
    for (const piece of pieces) response.write(chunk(piece));
    await end;
    response.end(`${chunk('!', 'stop')}data: [DONE]\n\n`);
  });
}

describe('@a2a-js/sdk 1.3.0', () => {
  const open = (slug: string, legacy = false): Promise<Client> => {
    const legacyCompat = { enabled: legacy };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: authorized, legacyCompat })],
      // Cards are fetched without a key.
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    });
    return factory.createFromUrl(urlOf(slug));
  };
  const text = (value: string, fields: object = {}) =>
    SendMessageRequest.fromJSON({
      message: { messageId: hexId(), role: 'ROLE_USER', parts: [{ text: value }], ...fields },
    });
  const joined = (events: readonly StreamResponse[]) =>
    events
      .flatMap(({ payload }) => (payload?.$case === 'artifactUpdate' ? (payload.value.artifact?.parts ?? []) : []))
      .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
      .join('');
  const lastState = (events: readonly StreamResponse[]) => {
    const last = events.at(-1)?.payload;
    return last?.$case === 'task' ? last.value.status?.state : undefined;
  };
  async function all(
    events: AsyncIterable<StreamResponse>,
    onEvent: () => void = () => undefined,
  ): Promise<StreamResponse[]> {
    const list: StreamResponse[] = [];
    for await (const event of events) {
      onEvent();
      list.push(event);
    }
    return list;
  }

  test('reads the card, and the extended one', async () => {
    covers('a2a.clients.v10', 'a2a.card', 'a2a.card.extended');
    const client = await open(slugs.echo);
    expect(client.protocolVersion).toBe('1.0');
    const card = await client.getAgentCard();
    expect(card).toMatchObject({
      name: 'Echo',
      description: 'Says it again',
      capabilities: { streaming: true, pushNotifications: true },
    });
    expect(card.skills[0]?.examples).toEqual(['What is A2A?']);
    expect(card.supportedInterfaces.map(({ protocolVersion, url }) => [protocolVersion, url])).toEqual([
      ['1.0', `${urlOf(slugs.echo)}/rpc`],
      ['1.0', `${urlOf(slugs.echo)}/v1`],
      ['0.3', `${urlOf(slugs.echo)}/rpc`],
    ]);
  });

  test('sends, reads, lists', async () => {
    covers('a2a.clients.v10');
    const client = await open(slugs.echo);
    const task = await client.sendMessage(text('안녕'));
    if (!('status' in task)) throw new Error('no task');
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'text', value: 'You said: 안녕' });
    expect(task.metadata?.['chat_session_id']).toEqual(expect.any(Number));
    expect((await client.getTask({ tenant: '', id: task.id })).artifacts).toEqual(task.artifacts);
    const listed = await client.listTasks({
      tenant: '',
      contextId: task.contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(listed.tasks.map(({ id }) => id)).toEqual([task.id]);
  });

  test('streams, is cut, and goes on', async () => {
    covers('a2a.clients.v10');
    const client = await open(slugs.plain);
    const more = Promise.withResolvers<void>();
    pieceByPiece(['one ', 'two ', 'three'], more.promise);
    const seen: StreamResponse[] = [];
    const leave = new AbortController();
    let taskId = '';
    for await (const event of client.sendMessageStream(text('Go'), { signal: leave.signal })) {
      if (event.payload?.$case === 'task') taskId = event.payload.value.id;
      seen.push(event);
      if (joined(seen).includes('one')) break;
    }
    leave.abort();
    expect(seen[0]?.payload?.$case).toBe('task');
    const follows = Promise.withResolvers<void>();
    const whole = all(client.resubscribeTask({ tenant: '', id: taskId }), follows.resolve);
    // A task that has ended is not followed without the number of an event.
    await follows.promise;
    more.resolve();
    // The task as it stood, and what came since.
    const [opened, ...rest] = await whole;
    const said = opened?.payload?.$case === 'task' ? opened.payload.value.artifacts.flatMap(({ parts }) => parts) : [];
    const before = said.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
    expect(before).toContain(joined(seen));
    expect(before + joined(rest)).toBe('one two three!');
    expect(lastState(rest)).toBe(TaskState.TASK_STATE_COMPLETED);
    await expect(all(client.resubscribeTask({ tenant: '', id: taskId }))).rejects.toThrow('not supported');
  });

  test('cancels mid-token', async () => {
    covers('a2a.clients.v10', 'a2a.tasks.cancel');
    const client = await open(slugs.plain);
    pieceByPiece(['begun'], new Promise(() => undefined));
    const upstream = house.upstream.next();
    const events: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(text('Go'))) {
      events.push(event);
      const { payload } = event;
      if (payload?.$case === 'artifactUpdate' && joined([event]) === 'begun') {
        const canceled = await client.cancelTask({ tenant: '', id: payload.value.taskId, metadata: undefined });
        expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      }
    }
    expect(lastState(events)).toBe(TaskState.TASK_STATE_CANCELED);
    expect(joined(events)).toBe('begun');
    await (
      await upstream
    ).aborted;
  });

  test('is asked back', async () => {
    covers('a2a.clients.v10');
    const client = await open(slugs.asking);
    const first = await all(client.sendMessageStream(text('A car')));
    expect(lastState(first)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const opened = first[0]?.payload;
    const taskId = opened?.$case === 'task' ? opened.value.id : '';
    const waiting = await client.getTask({ tenant: '', id: taskId });
    expect(waiting.status?.message?.parts[0]?.content).toEqual({ $case: 'text', value: 'Which colour?' });
    const done = await client.sendMessage(text('Red', { taskId }));
    if (!('status' in done)) throw new Error('no task');
    expect(done.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'text', value: 'A car in Red' });
  });

  test('is told of errors by their names', async () => {
    covers('a2a.clients.v10');
    const client = await open(slugs.echo);
    await expect(client.getTask({ tenant: '', id: hexId() })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    const task = await client.sendMessage(text('Hi'));
    const id = 'status' in task ? task.id : '';
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
    await expect(client.sendMessage(text('More', { taskId: id }))).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
    await expect(client.sendMessage(text(' '))).rejects.toMatchObject({
      name: 'RequestMalformedError',
      envelopeCode: -32602,
    });
    await expect(open(slugs.draft)).rejects.toThrow('404');
  });

  test('says where it wants to be told', async () => {
    covers('a2a.clients.v10', 'a2a.push.configs');
    const client = await open(slugs.echo);
    const sent = await client.sendMessage(text('Hi'));
    const taskId = 'status' in sent ? sent.id : '';
    const url = 'https://example.kr/hook';
    const config = { tenant: '', id: 'mine', taskId, url, token: 't', authentication: undefined };
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({
      id: 'mine',
      taskId,
      url,
      token: 't',
    });
    expect(await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' })).toMatchObject({ url });
    const listed = await client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' });
    expect(listed.configs.map(({ id }) => id)).toEqual(['mine']);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' });
    await expect(client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'mine' })).rejects.toThrow();
  });

  test('works by its 0.3 side too', async () => {
    covers('a2a.clients.v03');
    const response = await fetch(`${house.base}/api/v1/external/agents/${slugs.echo}/.well-known/agent-card.json`);
    const { supportedInterfaces: _young, ...card } = (await response.json()) as Record<string, unknown>;
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: authorized, legacyCompat: { enabled: true } })],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }),
    });
    const client = await factory.createFromAgentCard(card as never);
    expect(client.protocolVersion).toMatch(/^0\.3/);
    const events = await all(client.sendMessageStream(text('Hi')));
    expect(joined(events)).toBe('You said: Hi');
    const end = events.at(-1)?.payload;
    expect(end?.$case === 'statusUpdate' && end.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await client.sendMessage(text('Hi'));
    expect('status' in task && task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'text', value: 'You said: Hi' });
  });
});

describe('@a2a-js/sdk 0.3.14', () => {
  const open = (slug: string): Promise<OldClient> =>
    new OldClientFactory({ transports: [new OldTransportFactory({ fetchImpl: authorized })] }).createFromUrl(
      urlOf(slug),
    );
  type Event = Awaited<ReturnType<ReturnType<OldClient['sendMessageStream']>['next']>>['value'];
  const params = (text: string, fields: Record<string, unknown> = {}) => ({ message: message(text, fields) as never });
  const updates = (events: readonly Event[]) =>
    events.filter((event): event is TaskStatusUpdateEvent => event?.kind === 'status-update');
  const joined = (events: readonly Event[]) =>
    events
      .filter((event): event is TaskArtifactUpdateEvent => event?.kind === 'artifact-update')
      .flatMap(({ artifact }) => artifact.parts)
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('');
  async function all(events: AsyncIterable<Event>): Promise<Event[]> {
    const list: Event[] = [];
    for await (const event of events) list.push(event);
    return list;
  }

  test('reads cards, sends and streams', async () => {
    covers('a2a.clients.v03', 'a2a.stream');
    const client = await open(slugs.plain);
    expect((await client.getAgentCard()).skills[0]?.examples).toEqual(['What is A2A?']);
    house.upstream.plays(play({ text: ['The ', 'answer'] }));
    const task = (await client.sendMessage(params('Hi'))) as OldTask;
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'The answer' }]);
    expect(await client.getTask({ id: task.id })).toEqual(task);
    const events = await all(client.sendMessageStream(params('Hi')));
    expect(joined(events)).toBe('The answer');
    expect(events[0]?.kind).toBe('task');
    expect(updates(events).map(({ final }) => final)).toEqual([false, true]);
  });

  test('goes on after a cut, and cancels', async () => {
    covers('a2a.clients.v03', 'a2a.stream.ids', 'a2a.stream.gone');
    const client = await open(slugs.plain);
    const more = Promise.withResolvers<void>();
    pieceByPiece(['one ', 'two'], more.promise);
    const seen: Event[] = [];
    const leave = new AbortController();
    for await (const event of client.sendMessageStream(params('Go'), { signal: leave.signal })) {
      seen.push(event);
      if (joined(seen).includes('one')) break;
    }
    leave.abort();
    const [first] = seen;
    const id = first?.kind === 'task' ? first.id : '';
    const whole = all(client.resubscribeTask({ id }));
    more.resolve();
    const [opened, ...rest] = await whole;
    const said = opened?.kind === 'task' ? (opened.artifacts ?? []).flatMap(({ parts }) => parts) : [];
    expect(said.map((part) => (part.kind === 'text' ? part.text : '')).join('') + joined(rest)).toBe('one two!');
    // One that has ended is told as it stands, with its end.
    const ended = await all(client.resubscribeTask({ id }));
    expect(ended[0]).toMatchObject({ kind: 'task', artifacts: [{ parts: [{ text: 'one two!' }] }] });
    expect(updates(ended)).toMatchObject([{ final: true, status: { state: 'completed' } }]);
    pieceByPiece(['begun'], new Promise(() => undefined));
    const events: Event[] = [];
    for await (const event of client.sendMessageStream(params('Go'))) {
      events.push(event);
      if (joined([event]) === 'begun' && event?.kind === 'artifact-update') {
        const canceled = await client.cancelTask({ id: event.taskId });
        expect(canceled.status.state).toBe('canceled');
      }
    }
    expect(updates(events).at(-1)).toMatchObject({ final: true, status: { state: 'canceled' } });
  });

  test('says where it wants to be told', async () => {
    covers('a2a.clients.v03', 'a2a.push.configs');
    const client = await open(slugs.echo);
    const { id: taskId } = (await client.sendMessage(params('Hi'))) as OldTask;
    const url = 'https://example.kr/hook';
    const given = { taskId, pushNotificationConfig: { id: 'mine', url, token: 't' } };
    expect(await client.setTaskPushNotificationConfig(given)).toEqual(given);
    expect(await client.getTaskPushNotificationConfig({ id: taskId })).toEqual(given);
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([given]);
    await client.deleteTaskPushNotificationConfig({ id: taskId, pushNotificationConfigId: 'mine' });
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });

  test('is asked back, and told of errors', async () => {
    covers('a2a.clients.v03', 'a2a.input-required');
    const client = await open(slugs.asking);
    const task = (await client.sendMessage(params('A car'))) as OldTask;
    expect(task.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'Which colour?' }] } });
    const done = (await client.sendMessage(params('Red', { taskId: task.id }))) as OldTask;
    expect(done.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'A car in Red' }]);
    // The question ends the turn; who subscribes while the task waits is told it again.
    const events = updates(await all(client.sendMessageStream(params('A bike'))));
    expect(events.at(-1)).toMatchObject({
      final: true,
      status: { state: 'input-required', message: { role: 'agent', parts: [{ text: 'Which colour?' }] } },
    });
    const again = updates(await all(client.resubscribeTask({ id: events.at(-1)?.taskId ?? '' })));
    expect(again).toEqual(events.slice(-1));
    await expect(client.getTask({ id: hexId() })).rejects.toThrow('Task not found');
    await expect(client.cancelTask({ id: task.id })).rejects.toThrow('Task cannot be canceled');
    await expect(client.sendMessage(params('x', { role: 'agent' }))).rejects.toThrow('-32602');
  });
});
