import { SendMessageRequest, type StreamResponse, type Task } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import {
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory as OldTransportFactory,
} from '@a2a-js/sdk-0.3/client';
import type { Task as OldTask } from '@a2a-js/sdk-0.3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pngOf, scanned } from '../../../packages/documents/test/scan/index.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  ask,
  chain,
  databaseOf,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  readingAgent,
  refused,
  rpc,
} from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call, jsonOf } from '../support/http.ts';
import { play } from '../support/upstream.ts';

// Data and files that go to agents and come back, by the official clients and by hand.

let house: House;
let db: Database;
let tenant: TenantId;
beforeAll(async () => {
  house = await openSharedHouse();
  db = await databaseOf(house);
  tenant = await firstTenant(db);
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const rows = [
  { item: '연필', count: 3 },
  { item: 'pen, blue', count: 10 },
];
const csv = '\uFEFFitem,count\r\n연필,3\r\n"pen, blue",10\r\n';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
/** Gives back what came: a table, a file of it, and the files of the message. */
const counting = chain(
  { id: 'input', kind: 'input', files: true },
  {
    id: 'answer',
    kind: 'answer',
    text: 'Counted {{input.text}}',
    parts: [
      { kind: 'data', value: 'input.data.rows', name: 'table' },
      { kind: 'document', name: '{{input.text}}.csv', content: '{{input.data.rows}}' },
      { kind: 'files', files: 'input.files' },
      { kind: 'data', value: 'input.data.nothing' },
    ],
  },
);

const authorized: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${house.key}`);
  return fetch(url, { ...init, headers });
};
const urlOf = (slug: string) => `${house.base}${pathOf(slug)}`;
const agentOf = async (definition: ReturnType<typeof chain>) => (await makeAgent(db, tenant, definition)).slug;

describe('@a2a-js/sdk 1.3.0', () => {
  const open = (slug: string): Promise<Client> =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })],
      cardResolver: new DefaultAgentCardResolver({}),
    }).createFromUrl(urlOf(slug));
  const request = (fields: object = {}) =>
    SendMessageRequest.fromJSON({
      message: {
        messageId: hexId(),
        role: 'ROLE_USER',
        parts: [
          { text: 'stock' },
          { data: { rows } },
          { raw: base64('Hello'), filename: 'hello.txt', mediaType: 'text/plain' },
        ],
      },
      ...fields,
    });
  const shown = ({ artifacts }: Pick<Task, 'artifacts'>) =>
    artifacts.map(({ artifactId, name, parts: [part] }) => ({
      artifactId,
      name,
      filename: part?.filename,
      type: part?.mediaType,
      value: part?.content?.$case === 'raw' ? part.content.value.toString() : part?.content?.value,
    }));
  const expected = [
    { artifactId: 'answer', filename: '', value: 'Counted stock' },
    { artifactId: 'answer.0', name: 'table', type: 'application/json', value: rows },
    { artifactId: 'answer.1', name: 'stock.csv', filename: 'stock.csv', type: 'text/csv', value: csv },
    { artifactId: 'answer.2', name: 'hello.txt', filename: 'hello.txt', type: 'text/plain', value: 'Hello' },
  ];

  test('gives data and files, and gets them in order: whole, read again, listed', async () => {
    covers('a2a.parts', 'a2a.clients.v10');
    const client = await open(await agentOf(counting));
    const task = await client.sendMessage(request());
    if (!('status' in task)) throw new Error('no task');
    expect(shown(task)).toMatchObject(expected);
    expect((await client.getTask({ tenant: '', id: task.id })).artifacts).toEqual(task.artifacts);
    const list = { tenant: '', contextId: task.contextId, status: 0, pageToken: '', statusTimestampAfter: undefined };
    const listed = await client.listTasks({ ...list, includeArtifacts: true });
    expect(listed.tasks[0]?.artifacts).toEqual(task.artifacts);
  });

  test('and streamed, with the whole of it at the end', async () => {
    covers('a2a.parts');
    const client = await open(await agentOf(counting));
    const events: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(request())) events.push(event);
    const pieces = events.flatMap(({ payload }) => (payload?.$case === 'artifactUpdate' ? [payload.value] : []));
    expect(shown({ artifacts: pieces.flatMap(({ artifact }) => artifact ?? []) })).toMatchObject([
      ...expected,
      // Closes the text.
      { artifactId: 'answer', value: '' },
    ]);
    expect(pieces.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [false, true],
      [false, true],
      [false, true],
      [true, true],
    ]);
    const last = events.at(-1)?.payload;
    expect(last?.$case === 'task' && shown(last.value)).toMatchObject(expected);
  });

  test('gets what it says that it takes, and knows by the card what there is', async () => {
    covers('a2a.parts.modes', 'a2a.card');
    const client = await open(await agentOf(counting));
    const card = await client.getAgentCard();
    expect(card.defaultInputModes).toEqual(['text/plain', 'application/json', 'application/octet-stream']);
    expect(card.defaultOutputModes).toEqual(['text/plain', 'application/json', 'text/csv', 'application/octet-stream']);
    const taken = async (acceptedOutputModes: string[]) => {
      const task = await client.sendMessage(request({ configuration: { acceptedOutputModes } }));
      return 'status' in task ? task.artifacts.map(({ artifactId }) => artifactId) : [];
    };
    expect(await taken(['text/plain'])).toEqual(['answer', 'answer.2']);
    expect(await taken(['text/*'])).toEqual(['answer', 'answer.1', 'answer.2']);
    expect(await taken(['text/plain', 'application/json'])).toEqual(['answer', 'answer.0', 'answer.2']);
    expect(await taken(['*/*'])).toHaveLength(4);
    await expect(taken(['image/png'])).rejects.toThrow(/-32005|content types/i);
  });
});

test('@a2a-js/sdk 0.3.14 gives and gets them in its form, where data are objects', async () => {
  covers('a2a.parts', 'a2a.clients.v03');
  const factory = new OldClientFactory({ transports: [new OldTransportFactory({ fetchImpl: authorized })] });
  const client = await factory.createFromUrl(urlOf(await agentOf(counting)));
  const sent = {
    message: {
      kind: 'message' as const,
      messageId: hexId(),
      role: 'user' as const,
      parts: [
        { kind: 'text' as const, text: 'stock' },
        { kind: 'data' as const, data: { rows } },
        { kind: 'file' as const, file: { bytes: base64('Hello'), name: 'hello.txt', mimeType: 'text/plain' } },
      ],
    },
  };
  const parts = [
    [{ kind: 'text', text: 'Counted stock' }],
    [{ kind: 'data', data: { value: rows }, metadata: { data_part_compat: true } }],
    [{ kind: 'file', file: { bytes: base64(csv), name: 'stock.csv', mimeType: 'text/csv' } }],
    [{ kind: 'file', file: { bytes: base64('Hello'), name: 'hello.txt', mimeType: 'text/plain' } }],
  ];
  const task = (await client.sendMessage(sent)) as OldTask;
  expect(task.artifacts?.map((artifact) => artifact.parts)).toEqual(parts);
  const streamed: unknown[] = [];
  const again = { message: { ...sent.message, messageId: hexId() } };
  for await (const event of client.sendMessageStream(again))
    if (event.kind === 'artifact-update') streamed.push(event.artifact.parts);
  expect(streamed).toEqual([...parts, [{ kind: 'text', text: '' }]]);
});

test('the door of the interface has them behind an empty text, and in the task', async () => {
  covers('a2a.parts');
  const slug = await agentOf(counting);
  const parts = [
    { kind: 'text', text: 'stock' },
    { kind: 'data', data: { rows } },
  ];
  const reply = await call(house, pathOf(slug), { body: rpc('message/stream', { message: message('', { parts }) }) });
  const told = reply.text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map(
      (event) =>
        JSON.parse(event.slice(event.indexOf('data: ') + 6)).result as { status: { message: { parts: unknown[] } } },
    );
  expect(told.map(({ status }) => status.message.parts)).toEqual([
    [{ kind: 'text', text: '' }],
    [{ kind: 'text', text: '' }],
    [{ kind: 'text', text: 'Counted stock' }],
    [
      { kind: 'text', text: '' },
      { kind: 'data', data: { value: rows }, metadata: { data_part_compat: true }, text: '' },
    ],
    [
      { kind: 'text', text: '' },
      { kind: 'file', file: { bytes: base64(csv), name: 'stock.csv', mimeType: 'text/csv' }, text: '' },
    ],
    [{ kind: 'text', text: '' }],
  ]);
  const task = await ask(house, slug, 'message/send', { message: message('', { parts }) });
  expect(task.artifacts).toHaveLength(3);
  expect(task.status.message?.parts).toEqual([{ kind: 'text', text: 'Counted stock' }]);
});

describe('a message', () => {
  const file = (bytes: string | Buffer, name: string, mimeType = 'application/octet-stream') => ({
    kind: 'file',
    file: { name, mimeType, bytes: base64(bytes) },
  });
  const textOf = ({ content }: { content?: unknown }) =>
    typeof content === 'string' ? content : JSON.stringify(content);
  const lastContent = () => house.upstream.calls.at(-1)?.json.messages.at(-1) ?? { content: '' };
  const modelAgent = (model: string, fields: object = {}) =>
    chain(
      { id: 'input', kind: 'input', files: true },
      { id: 'model', kind: 'model', model, files: ['input.files'], ...fields },
      { id: 'answer', kind: 'answer', text: '{{model.text}}' },
    );

  test('with data alone reaches an agent that knows only texts, and turns after it', async () => {
    covers('a2a.data');
    const slug = await agentOf(
      chain(
        { id: 'input', kind: 'input' },
        { id: 'model', kind: 'model', model: 'LLM42' },
        { id: 'answer', kind: 'answer', text: '{{model.text}}' },
      ),
    );
    const data = [{ kind: 'data', data: { order: 7 } }];
    const first = await ask(house, slug, 'message/send', { message: message('', { parts: data }) });
    expect(lastContent().content).toBe('{"order":7}');
    await ask(house, slug, 'message/send', { message: message('And now?', { contextId: first.contextId }) });
    expect(house.upstream.calls.at(-1)?.json.messages.map(textOf)).toContain('{"order":7}');
  });

  test('with a picture goes to a model that takes it as a picture, with a document as its text', async () => {
    covers('a2a.files.models');
    const words = { width: 300, height: 60, lines: [{ x: 20, y: 30, text: 'A note of today' }] };
    const picture = pngOf(await scanned(words));
    const slug = await agentOf(modelAgent('LLM42'));
    const parts = [
      { kind: 'text', text: 'What is it?' },
      file(picture, 'dot.png', 'image/png'),
      file('# Rules\n\nNo.', 'rules.md'),
    ];
    await ask(house, slug, 'message/send', { message: message('', { parts }) });
    expect(lastContent().content).toEqual([
      { type: 'text', text: '<document name="rules.md">\n# Rules\n\nNo.\n</document>\n\nWhat is it?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(picture)}` } },
    ]);
    // Another model is given the text that is read in it.
    const blind = await agentOf(modelAgent('CORE-GOV'));
    await ask(house, blind, 'message/send', { message: message('', { parts }) });
    expect(textOf(lastContent())).toMatch(
      /<document name="dot\.png">[^]*note of today[^]*<document name="rules\.md">[^]*What is it\?/,
    );
    expect(textOf(lastContent())).not.toContain('base64');
  });

  test('with a file that no reader reads is refused by name before anything runs', async () => {
    covers('a2a.files.unreadable', 'a2a.codes');
    const slug = await agentOf(readingAgent);
    const path = pathOf(slug);
    const send = (bytes: string, name: string) =>
      rpc('message/send', { message: message('', { parts: [file(bytes, name)] }) });
    for (const [bytes, name] of [
      ['MZ\0\0\u0001', 'a.exe'],
      ['PK\u0005\u0006', 'a.zip'],
      ['\0\u0001\u0002\u0003\u0004\u0005', 'unknown'],
    ] as const) {
      const error = refused(await call(house, path, { body: send(bytes, name) }), 200, -32005);
      expect(error.data.detail).toContain(`The file ${JSON.stringify(name)} cannot be read: `);
      const plain = await call(house, `${path}/rpc`, { body: send(bytes, name) });
      expect(jsonOf<{ error: { code: number } }>(plain).error.code).toBe(-32005);
    }
    const count = await db.query
      .selectFrom('agent_runs')
      .innerJoin('agents', 'agents.id', 'agent_runs.agent_id')
      .select(({ fn }) => fn.countAll<number>().as('runs'))
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    expect(Number(count.runs)).toBe(0);
  });

  test('and an answer of a model with a schema are data of the answer', async () => {
    covers('a2a.parts');
    house.upstream.plays(play({ text: '{"title":"휴가","days":15}' }));
    const schema = { type: 'object', properties: { title: { type: 'string' }, days: { type: 'integer' } } };
    const slug = await agentOf(
      chain(
        { id: 'input', kind: 'input' },
        { id: 'model', kind: 'model', model: 'LLM42', schema },
        { id: 'answer', kind: 'answer', text: '', parts: [{ kind: 'data', value: 'model.json' }] },
      ),
    );
    const task = await ask(house, slug, 'message/send', { message: message('Extract') });
    expect(task.artifacts).toEqual([
      { artifactId: 'answer.0', name: 'model.json', parts: [{ kind: 'data', data: { title: '휴가', days: 15 } }] },
    ]);
  });
});
