import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  askingAgent,
  chain,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  plainAgent,
  readingAgent,
} from '../support/a2a.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call, expectError, jsonOf, type Reply, send } from '../support/http.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { openStream, play, sse } from '../support/upstream.ts';

// Agents as models in the forms of Responses and Messages, by the clients of their makers.

let house: House;
let db: Database;
let key: string;
const ids = { echo: '', plain: '', asking: '', citing: '', broken: '', reading: '' };
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  house = await openSharedHouse();
  db = await databaseOf(house);
  const tenant = await firstTenant(db);
  const input = { id: 'input', kind: 'input' };
  const { collection_id: collection } = await makeCollection(house, {});
  await uploadReady(house, collection, '취업규칙.txt', '연차 휴가는 15일이다.');
  const idOf = async (definition: Parameters<typeof makeAgent>[2]) =>
    `agent/${(await makeAgent(db, tenant, definition)).slug}`;
  ids.echo = await idOf(echoAgent);
  ids.plain = await idOf(plainAgent());
  ids.asking = await idOf(askingAgent);
  ids.broken = await idOf(plainAgent('NO-SUCH-MODEL'));
  ids.reading = await idOf(readingAgent);
  ids.citing = await idOf(
    chain(
      input,
      { id: 'search', kind: 'retrieve', collections: [collection], search_type: 'keyword', top_k: 1 },
      { id: 'answer', kind: 'answer', text: '연차는 15일입니다 [1].' },
    ),
  );
  key = (await makeKey(house, { agentModels: true })).value;
  openai = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: key });
  anthropic = new Anthropic({ baseURL: house.base, apiKey: key });
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const responses = (body: object, withKey = key): Promise<Reply> => call(house, '/v1/responses', { body, key: withKey });
const messages = (body: object, withKey = key): Promise<Reply> =>
  call(house, '/v1/messages', { body: { max_tokens: 100, ...body }, key: withKey });
const user = (content: string) => ({ role: 'user' as const, content });
const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }];
const runState = async () => {
  const row = await db.query
    .selectFrom('agent_runs')
    .select(['id', 'state'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return row;
};
/** The model says something, and then nothing until it is left; resolves once it was. */
function hangsAfter(text: string): { readonly started: Promise<void>; readonly closed: Promise<void> } {
  const [started, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  house.upstream.plays(async (asked) => {
    const response = openStream(asked);
    response.on('close', () => closed.resolve());
    const choices = [{ index: 0, delta: { content: text }, finish_reason: null }];
    response.write(sse({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices }));
    started.resolve();
    await closed.promise;
  });
  return { started: started.promise, closed: closed.promise };
}

describe('Responses', () => {
  test('are answered whole and as a stream, and go on from one another', async () => {
    covers('parts.agents.responses');
    house.upstream.plays(play({ text: '반갑습니다', usage: { prompt_tokens: 7, completion_tokens: 3 } }));
    const first = await openai.responses.create({ model: ids.plain, input: '나는 민수야' });
    expect(first).toMatchObject({ status: 'completed', model: ids.plain, output_text: '반갑습니다' });
    expect(first.usage?.total_tokens).toBeGreaterThan(0);
    house.upstream.plays(play({ text: '민수님입니다.' }));
    const stream = await openai.responses.create({
      model: ids.plain,
      input: '내 이름은?',
      previous_response_id: first.id,
      stream: true,
    });
    const types: string[] = [];
    let text = '';
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(text).toBe('민수님입니다.');
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
    const sent = house.upstream.calls.at(-1)?.json as { readonly messages: readonly { readonly content: string }[] };
    expect(sent.messages.map(({ content }) => content)).toEqual(['나는 민수야', '반갑습니다', '내 이름은?']);
  });

  test('have the sources as annotations at their places', async () => {
    covers('parts.agents.responses');
    const annotationsOf = ({ output }: OpenAI.Responses.Response) =>
      output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .flatMap((part) => (part.type === 'output_text' ? part.annotations : []));
    const whole = await openai.responses.create({ model: ids.citing, input: '연차 휴가는 며칠?' });
    const [found] = annotationsOf(whole);
    expect(found).toMatchObject({ type: 'url_citation', title: '취업규칙.txt', start_index: 11, end_index: 14 });
    const stream = await openai.responses.create({ model: ids.citing, input: '연차 휴가는 며칠?', stream: true });
    const told: unknown[] = [];
    let last: OpenAI.Responses.Response | null = null;
    for await (const event of stream) {
      if (event.type === 'response.output_text.annotation.added') told.push(event.annotation);
      if (event.type === 'response.completed') last = event.response;
    }
    expect(told).toEqual([found]);
    expect(last && annotationsOf(last)).toEqual([found]);
  });

  test('answer the question that the agent asked, in the background too, and begin a run once', async () => {
    covers('parts.agents.responses');
    const first = await openai.responses.create({ model: ids.asking, input: 'a hat' });
    expect(first.output_text).toBe('Which colour?');
    const asked = await openai.responses.create({
      model: ids.asking,
      input: 'red',
      previous_response_id: first.id,
      background: true,
    });
    expect(asked.status).toBe('queued');
    const done = await eventually(async () => {
      const now = await openai.responses.retrieve(asked.id);
      expect(now.status).toBe('completed');
      return now;
    });
    expect(done.output_text).toBe('a hat in red');
    const started = await db.query
      .selectFrom('agent_messages')
      .select('run_id')
      .where('message_id', '=', `response/${asked.id}`)
      .execute();
    expect(started).toHaveLength(1);
  });

  test('in the background end their run when they are cancelled', async () => {
    covers('parts.agents.responses');
    const { started, closed } = hangsAfter('길게');
    const { id } = await openai.responses.create({ model: ids.plain, input: '길게', background: true });
    await started;
    expect((await openai.responses.cancel(id)).status).toBe('cancelled');
    await closed;
    await eventually(async () => expect((await runState()).state).toBe('canceled'));
  });

  test('in the background end their run where no process makes them any more', async () => {
    covers('parts.agents.responses');
    const { started, closed } = hangsAfter('길게');
    const { id } = await openai.responses.create({ model: ids.plain, input: '길게', background: true });
    await started;
    // As a process leaves it that was killed: it waits to be taken up.
    const later = new Date(Date.now() + 3_600_000);
    const waits = { state: 'queued' as const, claim: null, due_at: later };
    await db.query.updateTable('response_jobs').set(waits).where('id', '=', id).execute();
    expect((await openai.responses.cancel(id)).status).toBe('cancelled');
    await closed;
    await eventually(async () => expect((await runState()).state).toBe('canceled'));
  });

  test('give files to an agent that takes some, and what they say to others', async () => {
    covers('parts.agents.files');
    const html = Buffer.from('<h1>제1조</h1><p>연차는 15일이다.</p>');
    const uploaded = await openai.files.create({ file: await toFile(html, '규정.html'), purpose: 'user_data' });
    const filesOf = async () =>
      (
        await db.query
          .selectFrom('agent_files')
          .select(['name', 'media_type'])
          .where('run_id', 'is not', null)
          .execute()
      ).length;
    const before = await filesOf();
    const file_data = `data:text/html;base64,${html.toString('base64')}`;
    for (const part of [
      { file_data, filename: '규정.html' },
      { file_id: uploaded.id },
      { file_data: html.toString('base64') },
    ])
      for (const background of [false, true]) {
        const content = [
          { type: 'input_text' as const, text: '읽어 줘' },
          { type: 'input_file' as const, ...part },
        ];
        const input = [{ role: 'user' as const, content }];
        const { id } = await openai.responses.create({ model: ids.reading, input, background });
        const read = await eventually(async () => {
          const now = await openai.responses.retrieve(id);
          expect(now.status).toBe('completed');
          return now;
        });
        expect(read.output_text).toContain('제1조');
      }
    expect(await filesOf()).toBe(before + 6);
    const content = [{ type: 'input_file' as const, file_id: uploaded.id }];
    const told = await openai.responses.create({ model: ids.echo, input: [{ role: 'user', content }] });
    expect(told.output_text).toContain('You said: 규정.html:');
    expect(told.output_text).toContain('제1조');
    expect(await filesOf()).toBe(before + 6);
    // A model that goes on is told what the agent read.
    const first = await openai.responses.create({ model: ids.reading, input: [{ role: 'user', content }] });
    house.upstream.plays(play({ text: '네' }));
    await openai.responses.create({ model: 'CORE-GOV', input: '그래서?', previous_response_id: first.id });
    expect(JSON.stringify(house.upstream.calls.at(-1)?.json)).toContain('규정.html:');
    const input = [{ role: 'user' as const, content: [{ type: 'input_file' as const, file_id: 'file-none' }] }];
    for (const model of [ids.reading, ids.echo])
      expectError(await responses({ model, input }), 400, { param: 'input[0].content[0].file_id' });
  });

  test('end their run when their caller goes away', async () => {
    covers('parts.agents.gone');
    const { started, closed } = hangsAfter('길게');
    const gone = new AbortController();
    const body = { model: ids.plain, input: '길게', stream: true };
    const response = await send(house, '/v1/responses', { key, body, signal: gone.signal });
    await started;
    await response.body?.getReader().read();
    gone.abort();
    await closed;
    await eventually(async () => expect((await runState()).state).toBe('canceled'));
  });

  test('name what changes nothing, and refuse what an agent cannot do', async () => {
    covers('parts.agents.responses');
    const reply = await responses({ model: ids.echo, input: '안녕', instructions: '규칙', temperature: 0.5 });
    expect(reply.headers.get('x-ignored-fields')).toBe('temperature, instructions');
    for (const [fields, param] of [
      [{ tools }, 'tools'],
      [{ tool_choice: 'required' }, 'tool_choice'],
      [{ text: { format: { type: 'json_object' } } }, 'text.format'],
      [{ input: [{ role: 'assistant', content: '네' }] }, 'input'],
    ] as const)
      expectError(await responses({ model: ids.echo, input: '안녕', ...fields }), 400, { param });
    const failed = await responses({ model: ids.broken, input: '안녕' });
    expectError(failed, 500, { message: /NO-SUCH-MODEL/ });
    expect(failed.headers.get('x-should-retry')).toBe('false');
    for (const model of [ids.echo, 'agent/none'])
      expectError(await responses({ model, input: '안녕' }, house.key), 400, { param: 'model' });
    expectError(await responses({ model: `agent/${'x'.repeat(22)}`, input: '안녕' }), 400, { param: 'model' });
  });

  test('count against the limits of the key', async () => {
    covers('parts.agents.responses', 'parts.keys');
    const { value: narrow } = await makeKey(house, { agentModels: true, requestsPerMinute: 1 });
    expect((await responses({ model: ids.echo, input: '하나' }, narrow)).headers.get('x-ratelimit-remaining')).toBe(
      '0',
    );
    expectError(await responses({ model: ids.echo, input: '둘' }, narrow), 429);
  });
});

describe('Messages', () => {
  const textOf = ({ content }: Anthropic.Message) =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('');

  test('are answered whole and as a stream', async () => {
    covers('parts.agents.messages');
    house.upstream.plays(play({ text: '반갑습니다', usage: { prompt_tokens: 7, completion_tokens: 3 } }));
    const reply = await anthropic.messages.create({ model: ids.plain, max_tokens: 100, messages: [user('안녕')] });
    expect(reply).toMatchObject({ model: ids.plain, stop_reason: 'end_turn' });
    expect(textOf(reply)).toBe('반갑습니다');
    expect(reply.usage.output_tokens).toBeGreaterThan(0);
    house.upstream.plays(play({ text: '또 반갑습니다' }));
    const streamed = anthropic.messages.stream({ model: ids.plain, max_tokens: 100, messages: [user('또')] });
    expect(textOf(await streamed.finalMessage())).toBe('또 반갑습니다');
  });

  test('give documents to an agent that takes files, and what they say to others', async () => {
    covers('parts.agents.files');
    const data = Buffer.from('<h1>제1조</h1>').toString('base64');
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data };
    const html = { type: 'text' as const, media_type: 'text/plain' as const, data: '제2조' };
    const asked = (model: string, of: Anthropic.DocumentBlockParam['source']) =>
      messages({
        model,
        messages: [{ role: 'user', content: [{ type: 'document', source: of, title: '규정.html' }] }],
      });
    expect((await asked(ids.reading, source)).text).toContain('제1조');
    expect((await asked(ids.echo, source)).text).toContain('You said: 규정.html:');
    expect((await asked(ids.echo, html)).text).toContain('제2조');
    const { name, media_type: type } = await db.query
      .selectFrom('agent_files')
      .select(['name', 'media_type'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect([name, type]).toEqual(['규정.html', 'application/pdf']);
  });

  test('have the sources below the text, and go on as one session', async () => {
    covers('parts.agents.messages');
    const asked = [user('연차 휴가는 며칠?')];
    const reply = await anthropic.messages.create({ model: ids.citing, max_tokens: 100, messages: asked });
    expect(textOf(reply)).toMatch(
      /^연차는 15일입니다 \[1\]\.\n\n\[1\] 취업규칙\.txt: http:\/\/\S+\/console\/collections\/[0-9a-f]{32}\/documents\/[0-9a-f]{32}\?\S*chunk=[0-9a-f]{32}$/,
    );
    const sessionOf = async () =>
      (
        await db.query
          .selectFrom('agent_runs')
          .select('session_id')
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).session_id;
    const before = await sessionOf();
    const again = [...asked, { role: 'assistant' as const, content: reply.content }, user('정말?')];
    await anthropic.messages.create({ model: ids.citing, max_tokens: 100, messages: again });
    expect(await sessionOf()).toBe(before);
  });

  test('answer the question that the agent asked', async () => {
    covers('parts.agents.messages');
    const first = await anthropic.messages.create({ model: ids.asking, max_tokens: 100, messages: [user('a hat')] });
    expect(textOf(first)).toBe('Which colour?');
    const next = [user('a hat'), { role: 'assistant' as const, content: first.content }, user('red')];
    const reply = await anthropic.messages.create({ model: ids.asking, max_tokens: 100, messages: next });
    expect(textOf(reply)).toBe('a hat in red');
  });

  test('name what changes nothing, and refuse what an agent cannot do', async () => {
    covers('parts.agents.messages');
    const body = { model: ids.echo, messages: [user('안녕')] };
    const reply = await messages({ ...body, system: '규칙', stop_sequences: ['x'] });
    expect(reply.headers.get('x-ignored-fields')).toBe('max_tokens, stop_sequences, system');
    const own = [{ name: 'f', input_schema: { type: 'object' } }];
    const refused = await messages({ ...body, tools: own });
    expect(refused.status).toBe(400);
    expect(jsonOf<{ readonly error: object }>(refused).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^tools: /) as string,
    });
    const counted = await call(house, '/v1/messages/count_tokens', { body, key });
    expect(counted.status).toBe(400);
    const failed = await messages({ ...body, model: ids.broken });
    expect([failed.status, failed.headers.get('x-should-retry')]).toEqual([500, 'false']);
    expect((await messages(body, house.key)).status).toBe(404);
  });
});
