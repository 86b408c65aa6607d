import {
  ChatModelList,
  type Conversation,
  ConversationFolder,
  ConversationPage,
  TurnEvent,
} from '@ai-studio/contract/console/conversations.ts';
import type { AuditEvent } from '@ai-studio/contract/console/audit.ts';
import { ConversationShare, ConversationShares, SharedConversation } from '@ai-studio/contract/console/shares.ts';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyText } from '../support/any-text.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { writtenTypes } from '../../src/parsing/index.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { eventsOf, openStream, openUpstream, play, type Upstream } from '../support/upstream.ts';
import { times } from '../support/long.ts';
let upstream: Upstream;
let house: ConsoleHouse;
let ours: TenantId;
let ada: SignedInBrowser;
let boss: SignedInBrowser;
let stranger: SignedInBrowser;
const models = ['CORE-GOV-THINK', 'CORE-GOV'];

beforeAll(async () => {
  upstream = await openUpstream(models);
  const file = join(temporaryFolder(), 'studio.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      engines: { fake: { addresses: [upstream.url] } },
      models: {
        ...Object.fromEntries(models.map((id) => [id, { engines: [{ engine: 'fake' }] }])),
        absent: { engines: [{ engine: 'llama', model: 'no-such-file' }] },
      },
      limits: { requests_per_minute: 10_000 },
    }),
  );
  house = await openConsoleHouse({ STUDIO_CONFIG: file });
  ours = await makeTenant(house, 'Ours');
  ada = await personOf(house, ours, 'user', 'Ada');
  boss = await personOf(house, ours, 'administrator', 'Boss');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await house.close();
  await upstream.close();
});

const begin = async (browser = ada, model = 'CORE-GOV-THINK') => {
  const made = await browser.post('/conversations', { model });
  expect(made.status, made.text).toBe(201);
  return made.json<Conversation>().id;
};
const get = async (id: string, browser = ada) => (await browser.get(`/conversations/${id}`)).json<Conversation>();
const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => TurnEvent.parse(JSON.parse(event.slice(6))));

/** Plays a stream that goes on until the caller closes it. */
const endless = async (call: Parameters<Parameters<Upstream['plays']>[0]>[0]) => {
  const [first = '', second = ''] = eventsOf(call, { text: ['Half', ' an answer'] });
  const response = openStream(call);
  response.write(first);
  response.write(second);
  await call.aborted;
};

describe('a conversation', () => {
  test('is answered as a stream of events, kept and listed', async () => {
    upstream.plays(play({ reasoning: ['음', '…'], text: ['안녕', '하세요'] }));
    const id = await begin();
    const answer = await ada.post(`/conversations/${id}/turns`, { content: '안녕?', reasoning: true });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const events = eventsIn(answer.text);
    expect(events[0]).toMatchObject({ type: 'start', question: { content: '안녕?' }, answer: { state: 'running' } });
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      title: '안녕?',
      answer: { content: '안녕하세요', reasoning: '음…', state: 'done', prompt_tokens: 11, completion_tokens: 7 },
    });
    expect((await get(id)).messages).toHaveLength(2);
    const page = ConversationPage.parse((await ada.get('/conversations?text=하세요')).json());
    expect(page.items).toMatchObject([{ id, title: '안녕?', snippet: '안녕하세요' }]);
    expect(eventsIn((await ada.get(`/conversations/${id}/turns/live`)).text).map(({ type }) => type)).toEqual([
      'start',
      'end',
    ]);
  });

  test('is pinned to the top of the list; a temporary one stands in none', async () => {
    const who = await personOf(house, ours, 'user', 'Pia');
    const [first, second] = [await begin(who), await begin(who)];
    const made = await who.post('/conversations', { model: 'CORE-GOV', temporary: true });
    const temporary = made.json<Conversation>();
    expect(temporary).toMatchObject({ temporary: true, pinned: false });
    expect((await who.patch(`/conversations/${first}`, { pinned: true })).json()).toMatchObject({ pinned: true });
    const ids = async (query: string) =>
      ConversationPage.parse((await who.get(`/conversations${query}`)).json()).items.map(({ id }) => id);
    expect(await ids('?pinned=true')).toEqual([first]);
    expect(await ids('?pinned=false')).toEqual([second]);
    expect(await ids('')).toEqual([second, first]);
    expect((await get(temporary.id, who)).id).toBe(temporary.id);
    expectRefused(await who.get('/conversations?pinned=maybe'), 400, 'invalid_field');
  });

  test('lies in a folder of its person, and stays when that goes', async () => {
    const who = await personOf(house, ours, 'user', 'Fay');
    const [first, second] = [await begin(who), await begin(who)];
    const made = await who.post('/conversation-folders', { name: ' 예산 ' });
    expect(made.status, made.text).toBe(201);
    const folder = ConversationFolder.parse(made.json());
    expect(folder.name).toBe('예산');
    expect((await who.patch(`/conversations/${first}`, { folder: folder.id })).json()).toMatchObject({
      folder: folder.id,
    });
    const ids = async (query: string, browser = who) =>
      ConversationPage.parse((await browser.get(`/conversations?folder=${query}`)).json()).items.map(({ id }) => id);
    expect(await ids(folder.id)).toEqual([first]);
    expect(await ids('none')).toEqual([second]);
    expect((await who.patch(`/conversation-folders/${folder.id}`, { name: '결산' })).json()).toMatchObject({
      name: '결산',
    });
    // Whose it is not, whatever the role, has no such folder.
    for (const other of [boss, stranger]) {
      expect((await other.get('/conversation-folders')).json()).toEqual({ items: [] });
      expect(await ids(folder.id, other)).toEqual([]);
      expectRefused(await other.patch(`/conversation-folders/${folder.id}`, { name: 'x' }), 404);
      expectRefused(await other.delete(`/conversation-folders/${folder.id}`), 404);
      expectRefused(await other.patch(`/conversations/${await begin(other)}`, { folder: folder.id }), 404);
    }
    expect((await who.delete(`/conversation-folders/${folder.id}`)).status).toBe(204);
    expect((await get(first, who)).folder).toBeNull();
    expect((await ids('none')).toSorted()).toEqual([first, second].toSorted());
  });

  test('is answered as its parameters say, which the role must allow', async () => {
    upstream.plays(play({ text: 'Yes' }));
    const parameters = { temperature: 0.2, top_p: 0.9, max_tokens: 77 };
    const made = await boss.post('/conversations', { model: 'CORE-GOV', system_prompt: 'Be brief.', parameters });
    expect(made.json()).toMatchObject({ parameters, system_prompt: 'Be brief.' });
    const { id } = made.json<Conversation>();
    await boss.post(`/conversations/${id}/turns`, { content: 'Really?' });
    expect(upstream.one().json).toMatchObject(parameters);
    expect(upstream.one().json.messages[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
    // An effort is for models that know it; here it is passed over.
    await boss.patch(`/conversations/${id}`, { parameters: { reasoning_effort: 'high' }, system_prompt: null });
    upstream.reset();
    upstream.plays(play({ text: 'Yes' }));
    await boss.post(`/conversations/${id}/turns`, { content: 'Really?' });
    const { json } = upstream.one();
    for (const key of ['temperature', 'top_p', 'reasoning_effort']) expect(json[key], key).toBeUndefined();
    expect(json.messages[0]).toMatchObject({ role: 'user' });
    for (const wrong of [
      { temperature: 3 },
      { top_p: -1 },
      { max_tokens: 0 },
      { reasoning_effort: 'much' },
      { seed: 1 },
    ])
      expectRefused(await boss.patch(`/conversations/${id}`, { parameters: wrong }), 400, 'invalid_field');
    for (const body of [{ system_prompt: 'Be long.' }, { parameters }]) {
      expectRefused(await ada.post('/conversations', { model: 'CORE-GOV', ...body }), 403, 'role_missing');
      expectRefused(await ada.patch(`/conversations/${await begin()}`, body), 403, 'role_missing');
    }
    const cleared = { system_prompt: '', parameters: { temperature: null } };
    expect((await ada.patch(`/conversations/${await begin()}`, cleared)).status).toBe(200);
  });

  test('is answered by several models side by side, and goes on with the one that is chosen', async () => {
    const both = ['CORE-GOV', 'CORE-GOV-THINK'];
    upstream.plays((call) =>
      call.json.model === 'CORE-GOV-THINK' ? endless(call) : play({ text: `of ${String(call.json.model)}` })(call),
    );
    const made = await ada.post('/conversations', { model: both[0], models_beside: [both[1]] });
    const { id } = made.json<Conversation>();
    const asking = ada.post(`/conversations/${id}/turns`, { content: 'Which?', models: both });
    const halfway = await eventually(async () => {
      const conversation = await get(id);
      expect(conversation.messages[1]).toMatchObject({ model: both[0], state: 'done', content: 'of CORE-GOV' });
      expect(conversation.answers_beside).toMatchObject([{ model: both[1], state: 'running', content: 'Half' }]);
      return conversation;
    });
    const [other] = halfway.answers_beside;
    expectRefused(await ada.post(`/conversations/${id}/turns`, { content: 'More' }), 409, 'answer_running');
    const following = ada.get(`/conversations/${id}/turns/live`);
    expect((await ada.post(`/conversations/${id}/stop?answer=${'0'.repeat(32)}`)).status).toBe(204);
    expect((await get(id)).answers_beside[0]).toMatchObject({ state: 'running' });
    expect((await ada.post(`/conversations/${id}/stop?answer=${other?.id ?? ''}`)).status).toBe(204);
    const events = eventsIn((await asking).text);
    expect(events.filter(({ type }) => type === 'start')).toHaveLength(2);
    const grown = (of: string | undefined) =>
      events.map((event) => (event.type === 'content' && event.id === of ? event.text : '')).join('');
    expect(grown(halfway.messages[1]?.id)).toBe('of CORE-GOV');
    expect(grown(other?.id)).toBe('Half');
    expect(events.flatMap((event) => (event.type === 'end' ? [event.answer.state] : [])).toSorted()).toEqual([
      'done',
      'stopped',
    ]);
    expect(eventsIn((await following).text).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });

    const shown = { shown: other?.id, model: both[1], models_beside: [] };
    expect((await ada.patch(`/conversations/${id}`, shown)).json()).toMatchObject({ model: both[1] });
    const chosen = await get(id);
    expect(chosen).toMatchObject({ models_beside: [], answers_beside: [] });
    expect(chosen.messages[1]).toMatchObject({ id: other?.id, compared: false });
    expect(chosen.messages[1]?.versions).toEqual([halfway.messages[1]?.id, other?.id]);
    // What was said by the other models is no part of what goes on.
    upstream.reset();
    upstream.plays(play({ text: 'On' }));
    await ada.post(`/conversations/${id}/turns`, { content: 'And?' });
    expect(upstream.one().json.messages.map(({ content }) => content)).toEqual(['Which?', 'Half', 'And?']);

    for (const models of [['CORE-GOV'], ['CORE-GOV', 'CORE-GOV'], ['1', '2', '3', '4', '5']])
      expectRefused(await ada.post(`/conversations/${id}/turns`, { content: 'x', models }), 400, 'invalid_field');
    // One that cannot be asked leaves nothing behind.
    expectRefused(await ada.post(`/conversations/${id}/turns`, { content: 'x', models: ['CORE-GOV', 'none'] }), 400);
    expect((await get(id)).messages).toHaveLength(4);
  });

  test('goes on when the browser goes away, is followed from elsewhere, and stops when it is told to', async () => {
    upstream.plays(endless);
    const id = await begin();
    const gone = new AbortController();
    const response = await fetch(`${house.base}/console/api/conversations/${id}/turns`, {
      method: 'POST',
      headers: { cookie: ada.cookie, origin: house.base, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Hello' }),
      signal: gone.signal,
    });
    expect(response.status).toBe(200);
    gone.abort();
    await eventually(async () => expect((await get(id)).messages[1]?.content).toBe('Half'));
    expectRefused(await ada.post(`/conversations/${id}/turns`, { content: 'More' }), 409, 'answer_running');
    const following = ada.get(`/conversations/${id}/turns/live`);
    await eventually(async () => expect((await get(id)).messages[1]).toMatchObject({ state: 'running' }));
    const call = upstream.one();
    expect((await ada.post(`/conversations/${id}/stop`)).status).toBe(204);
    await call.aborted;
    expect((await get(id)).messages[1]).toMatchObject({ state: 'stopped', content: 'Half' });
    expect(eventsIn((await following).text).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });
    expect((await ada.post(`/conversations/${id}/stop`)).status).toBe(204);
  });

  test('is told to nobody any more whose session ended, though its answer goes on', async () => {
    upstream.plays(endless);
    const guest = await personOf(house, ours, 'user', 'Guest');
    const id = await begin(guest);
    const told = guest.post(`/conversations/${id}/turns`, { content: 'Hello' });
    await eventually(async () => expect((await get(id, guest)).messages[1]?.content).toBe('Half'));
    const following = guest.get(`/conversations/${id}/turns/live`);
    const call = upstream.one();
    await house.db.query
      .updateTable('memberships')
      .set({ state: 'disabled' })
      .where('user_id', '=', guest.userId)
      .execute();
    for (const stream of [await told, await following])
      expect(eventsIn(stream.text).map(({ type }) => type)).not.toContain('end');
    await house.db.query
      .updateTable('memberships')
      .set({ state: 'active' })
      .where('user_id', '=', guest.userId)
      .execute();
    expect((await get(id, guest)).messages[1]).toMatchObject({ state: 'running', content: 'Half' });
    expect((await guest.post(`/conversations/${id}/stop`)).status).toBe(204);
    await call.aborted;
  });

  test('says why an answer failed, in words for people', async () => {
    upstream.plays(
      ({ response }) => void response.writeHead(400).end('{"error":{"message":"The prompt is too long"}}'),
    );
    const id = await begin();
    const events = eventsIn((await ada.post(`/conversations/${id}/turns`, { content: 'Hello' })).text);
    expect(events.at(-1)).toMatchObject({ type: 'end', answer: { state: 'failed', error: 'The prompt is too long' } });
    upstream.plays(({ response }) => void response.destroy());
    const lost = eventsIn((await ada.post(`/conversations/${id}/turns`, {})).text);
    expect(lost.at(-1)).toMatchObject({ type: 'end', answer: { state: 'failed', error: null } });
  });

  test('exists for nobody else, administrators included, whatever is done to it', async () => {
    const id = await begin();
    await ada.post(`/conversations/${id}/turns`, { content: 'A secret' });
    for (const other of [boss, stranger]) {
      for (const path of ['', '/turns/live', '/export?format=md', '/export?format=hwpx', '/export?format=json'])
        expectRefused(await other.get(`/conversations/${id}${path}`), 404);
      expectRefused(await other.patch(`/conversations/${id}`, { title: 'Mine' }), 404);
      expectRefused(await other.delete(`/conversations/${id}`), 404);
      expectRefused(await other.post(`/conversations/${id}/turns`, { content: 'x' }), 404);
      expectRefused(await other.post(`/conversations/${id}/stop`), 404);
      expect((await other.get('/conversations?text=secret')).json()).toEqual({ items: [], next: null });
    }
    expect((await get(id)).messages).toHaveLength(2);
  });

  test('is renamed, exported under its name, and deleted', async () => {
    upstream.plays(play({ text: '**Yes**' }));
    const id = await begin();
    await ada.post(`/conversations/${id}/turns`, { content: 'Really?' });
    const title = '예산 "2026"\r\nX: y';
    expect((await ada.patch(`/conversations/${id}`, { title })).json()).toMatchObject({ title });
    const here = await ada.get(`/conversations/${id}/export?format=md&language=ko&time_zone=Asia/Seoul`);
    expect(here.text).toContain('Asia/Seoul (GMT+09:00)');
    const unknown = await ada.get(`/conversations/${id}/export?format=md&time_zone=Nowhere/City`);
    expect(unknown.text).toContain('Times are those of UTC');
    for (const zone of ['%2B09:00', 'x'.repeat(70)])
      expectRefused(await ada.get(`/conversations/${id}/export?format=md&time_zone=${zone}`), 400, 'invalid_field');
    const markdown = await ada.get(`/conversations/${id}/export?format=md&language=ko`);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers.get('content-disposition')).toBe(
      `attachment; filename="conversation.md"; filename*=UTF-8''${encodeURIComponent(`${title}.md`)}`,
    );
    expect(markdown.text).toContain('## 답변 (CORE-GOV-THINK)\n\n**Yes**');
    for (const format of ['docx', 'hwpx'] as const) {
      const file = await ada.get(`/conversations/${id}/export?format=${format}`);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, writtenTypes[format]]);
      expect(file.text.startsWith('PK')).toBe(true);
    }
    const json = await ada.get(`/conversations/${id}/export?format=json`);
    expect(json.json()).toMatchObject({ conversation: { title, messages: [{ content: 'Really?' }, {}] } });
    expect((await ada.delete(`/conversations/${id}`)).status).toBe(204);
    expectRefused(await ada.get(`/conversations/${id}`), 404);
  });

  test('refuses fields that are not for people to set', async () => {
    const id = await begin();
    for (const body of [{ user_id: boss.userId }, { title: 'x', tenant_id: 'y' }, { own_title: true }])
      expectRefused(await ada.patch(`/conversations/${id}`, body), 400, 'invalid_field');
    for (const more of [{ user_id: boss.userId }, { id: 'x' }])
      expectRefused(await ada.post('/conversations', { model: 'CORE-GOV', ...more }), 400, 'invalid_field');
    expectRefused(await ada.post(`/conversations/${id}/turns`, { content: '' }), 400, 'invalid_field');
    expectRefused(await ada.post(`/conversations/${id}/turns`, { replace_from: 'x' }), 400, 'invalid_field');
    expectRefused(await ada.post(`/conversations/${id}/turns`, {}), 400, 'invalid_field');
  });

  test('no input is a failure of the service', async () => {
    const id = await begin();
    const text = fc.oneof(anyText(), fc.constantFrom('\0', '%', "'", '9'.repeat(400), '../..'));
    const paths = fc.oneof(
      fc.tuple(text).map(([a]) => `/conversations/${encodeURIComponent(a.toWellFormed())}`),
      fc.tuple(text).map(([a]) => `/conversations/${encodeURIComponent(a.toWellFormed())}/turns/live`),
      fc.tuple(text, text).map(([a, b]) => `/conversations?${new URLSearchParams({ text: a, before: b }).toString()}`),
      fc.tuple(text, text).map(([a, b]) => `/conversations?${new URLSearchParams({ text: a, size: b }).toString()}`),
      fc.tuple(text).map(([a]) => `/conversations/${id}/export?format=${encodeURIComponent(a.toWellFormed())}`),
    );
    const bodies = fc.oneof(
      fc.record({ title: fc.anything(), model: text, system_prompt: text }, { requiredKeys: [] }),
      fc.record({ content: fc.jsonValue(), replace_from: text, reasoning: fc.jsonValue() }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(paths, bodies, fc.constantFrom('PATCH', 'POST'), async (path, body, method) => {
        expect((await ada.get(path)).status).toBeLessThan(500);
        const at = method === 'POST' ? ['/conversations', `/conversations/${id}/turns`] : [`/conversations/${id}`];
        const json = JSON.stringify(body) ?? 'null';
        for (const to of at) {
          const answer = await ada.send(method, to, json, { 'content-type': 'application/json' });
          expect(answer.status, `${method} ${to} ${json}`).toBeLessThan(500);
        }
      }),
      { numRuns: times(30, 60) },
    );
  });
});

describe('what a person thinks of an answer', () => {
  test('is kept with it, changed and taken back, by its person alone', async () => {
    upstream.plays(play({ text: 'Yes' }));
    const id = await begin();
    await ada.post(`/conversations/${id}/turns`, { content: 'Really?' });
    const [question, answer] = (await get(id)).messages;
    const at = `/conversations/${id}/messages/${answer?.id}/feedback`;
    const said = { rating: 'down', reasons: ['incomplete'], comment: 'And why?' };
    expect((await ada.send('PUT', at, said)).json()).toMatchObject({ id: answer?.id, feedback: said });
    expect((await get(id)).messages.map(({ feedback }) => feedback)).toEqual([null, said]);
    expect((await ada.get(`/conversations/${id}/export?format=json`)).text).toContain('And why?');
    for (const other of [boss, stranger]) expectRefused(await other.send('PUT', at, said), 404);
    expectRefused(await ada.send('PUT', at, { rating: 'maybe' }), 400, 'invalid_field');
    for (const no of [question?.id, 'x', 'f'.repeat(32)])
      expectRefused(await ada.send('PUT', `/conversations/${id}/messages/${no}/feedback`, said), 404);
    expect((await ada.delete(at)).status).toBe(204);
    expect((await get(id)).messages[1]?.feedback).toBeNull();
  });
});

describe('what could be asked next', () => {
  const suggestions = play({ text: 'TITLE: 지방세 문의\nQ: 언제 내나요?\nQ: 어디서 내나요?\nQ: 얼마인가요?\nQ: 또?' });
  const asked = async (who = ada, fields: object = {}) => {
    upstream.plays(play({ text: '그렇습니다.' }));
    const id = (await who.post('/conversations', { model: 'CORE-GOV-THINK', ...fields })).json<Conversation>().id;
    await who.post(`/conversations/${id}/turns`, { content: '지방세가 무엇인가요?' });
    const at = `/conversations/${id}/messages/${(await get(id, who)).messages[1]?.id}/follow-ups`;
    upstream.reset();
    upstream.plays(suggestions);
    return { id, at };
  };

  test('is made once by the model that answered, with a title for the first answer', async () => {
    const { id, at } = await asked();
    const questions = ['언제 내나요?', '어디서 내나요?', '얼마인가요?'];
    expect((await ada.post(at)).json()).toEqual({ title: '지방세 문의', questions });
    const { json: body } = upstream.one();
    expect(JSON.stringify(body.messages)).toContain('그렇습니다.');
    expect(body['chat_template_kwargs']).toEqual({ skip_reasoning: true });
    // Again from what is kept, also after a reload.
    expect((await ada.post(at)).json()).toMatchObject({ questions });
    expect(await get(id)).toMatchObject({ title: '지방세 문의', messages: [{}, { follow_ups: questions }] });
    upstream.reset();
    upstream.plays(play({ text: 'Yes' }));
    await ada.post(`/conversations/${id}/turns`, { content: 'More?' });
    // The next question changes no title.
    expect((await get(id)).title).toBe('지방세 문의');
    for (const other of [boss, stranger]) expectRefused(await other.post(at), 404);
  });

  test('leaves a title that a person chose, and is silent where the model fails or the tenant wants none', async () => {
    const titled = await asked();
    await ada.patch(`/conversations/${titled.id}`, { title: 'Mine' });
    expect((await ada.post(titled.at)).json()).toMatchObject({ title: 'Mine', questions: { length: 3 } });
    const failing = await asked();
    upstream.plays(({ response }) => void response.writeHead(400).end('{"error":{"message":"No"}}'));
    expect((await ada.post(failing.at)).json()).toEqual({ title: '지방세가 무엇인가요?', questions: [] });
    const temporary = await asked(ada, { temporary: true });
    expect((await ada.post(temporary.at)).json()).toMatchObject({ questions: [] });
    await boss.patch('/settings', { follow_ups: 'all' });
    expect((await ada.post(temporary.at)).json()).toMatchObject({
      title: '지방세가 무엇인가요?',
      questions: { length: 3 },
    });
    await boss.patch('/settings', { follow_ups: 'off', model_titles: false });
    const unwanted = await asked();
    expect((await ada.post(unwanted.at)).json()).toEqual({ title: '지방세가 무엇인가요?', questions: [] });
    await boss.patch('/settings', { follow_ups: 'kept', model_titles: true });
  });

  test('is not asked of the built-in engine', async () => {
    const id = await begin(ada, 'LLM42');
    await ada.post(`/conversations/${id}/turns`, { content: 'Hello' });
    const answer = (await get(id)).messages[1];
    const made = await ada.post(`/conversations/${id}/messages/${answer?.id}/follow-ups`);
    expect(made.json()).toEqual({ title: 'Hello', questions: [] });
  });
});

describe('a shared conversation', () => {
  const shared = async () => {
    upstream.plays(play({ text: 'Yes', reasoning: ['Hidden'] }));
    const id = await begin();
    await ada.post(`/conversations/${id}/turns`, { content: 'Really?' });
    const made = await ada.post(`/conversations/${id}/shares`);
    expect(made.status, made.text).toBe(201);
    return { id, share: ConversationShare.parse(made.json()) };
  };

  test('is read by everybody of the tenant as far as it had come, until it is withdrawn', async () => {
    const { id, share } = await shared();
    const at = `/shared-conversations/${share.id}`;
    await ada.post(`/conversations/${id}/turns`, { content: 'A later secret' });
    const seen = SharedConversation.parse((await boss.get(at)).json());
    expect(seen).toMatchObject({ title: 'Really?', by: 'Ada', own: false });
    expect(seen.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Really?'],
      ['assistant', 'Yes'],
    ]);
    expect(JSON.stringify(seen)).not.toContain('Hidden');
    expect((await ada.get(at)).json()).toMatchObject({ own: true });
    expectRefused(await stranger.get(at), 404, null);
    expectRefused(await boss.get(`${at}/messages/${seen.messages[1]?.id}/sources/1`), 404);
    // It stays a conversation of its person.
    expectRefused(await boss.get(`/conversations/${id}`), 404);
    for (const other of [boss, stranger]) expectRefused(await other.delete(`/conversation-shares/${share.id}`), 404);
    expect((await ada.delete(`/conversation-shares/${share.id}`)).status).toBe(204);
    for (const who of [ada, boss]) expectRefused(await who.get(at), 404, 'share_withdrawn');
    expectRefused(await stranger.get(at), 404, null);
    expectRefused(await ada.delete(`/conversation-shares/${share.id}`), 404);
    const { items } = (await boss.get('/audit?size=2')).json<{ items: AuditEvent[] }>();
    expect(items.map(({ action, actor }) => [action, actor.name])).toEqual([
      ['conversation_share_withdrawn', 'Ada'],
      ['conversation_shared', 'Ada'],
    ]);
    expect(JSON.stringify(items)).not.toContain('Really');
  });

  test('has one link for as far as it has come, and is listed to its person', async () => {
    const { id, share } = await shared();
    expect((await ada.post(`/conversations/${id}/shares`)).json()).toEqual(share);
    await ada.post(`/conversations/${id}/turns`, { content: 'More' });
    const later = ConversationShare.parse((await ada.post(`/conversations/${id}/shares`)).json());
    expect(later.id).not.toBe(share.id);
    const ids = async (who = ada) =>
      ConversationShares.parse((await who.get('/conversation-shares')).json()).items.map((one) => one.id);
    expect(await ids()).toEqual([later.id, share.id]);
    expect(await ids(boss)).toEqual([]);
    expect((await ada.delete(`/conversations/${id}`)).status).toBe(204);
    expect(await ids()).toEqual([]);
    expectRefused(await boss.get(`/shared-conversations/${share.id}`), 404, 'share_withdrawn');
    for (const odd of ['x', '%00', 'f'.repeat(33)]) expectRefused(await ada.get(`/shared-conversations/${odd}`), 404);
  });

  test("is made of what is there: not of nothing, nor of what is temporary, running or somebody else's", async () => {
    const empty = await begin();
    expectRefused(await ada.post(`/conversations/${empty}/shares`), 422);
    expectRefused(await boss.post(`/conversations/${empty}/shares`), 404);
    const made = await ada.post('/conversations', { model: 'CORE-GOV', temporary: true });
    const temporary = made.json<Conversation>().id;
    await ada.post(`/conversations/${temporary}/turns`, { content: 'Hi' });
    expectRefused(await ada.post(`/conversations/${temporary}/shares`), 422);
    upstream.plays(endless);
    const running = ada.post(`/conversations/${empty}/turns`, { content: 'Hello' });
    await eventually(async () => expect((await get(empty)).messages[1]?.content).toBe('Half'));
    expectRefused(await ada.post(`/conversations/${empty}/shares`), 409, 'answer_running');
    await ada.post(`/conversations/${empty}/stop`);
    await running;
  });

  test('opens sources to those who may see their collection', async () => {
    const { id, share } = await shared();
    const collection = hexId();
    const citation = {
      number: 1,
      collection_id: collection,
      document_id: hexId(),
      chunk_id: hexId(),
      document_name: 'rules.md',
      title: '',
      content: 'Everybody has 25 days.',
      page: 1,
      score: 1,
    };
    await house.db.query
      .updateTable('conversation_messages')
      .set({ citations: JSON.stringify([citation]) })
      .where('conversation_id', '=', id)
      .where('role', '=', 'assistant')
      .execute();
    const at = `/shared-conversations/${share.id}`;
    const read = async (who = boss) => SharedConversation.parse((await who.get(at)).json()).messages[1];
    const answer = await read();
    expect(answer?.citations).toEqual([{ number: 1, document_name: 'rules.md', page: 1, opens: false }]);
    const source = `${at}/messages/${answer?.id}/sources/1`;
    for (const part of ['', '/text', '/picture'])
      expectRefused(await boss.get(`${source}${part}`), 403, 'source_not_yours');
    const visible = await boss.post('/collections', { collection_name: 'Rules', visibility: 'private' });
    const { collection_id: own } = visible.json<{ collection_id: string }>();
    await house.db.query
      .updateTable('conversation_messages')
      .set({ citations: JSON.stringify([{ ...citation, collection_id: own }]) })
      .where('id', '=', answer?.id ?? '')
      .execute();
    expect((await read())?.citations[0]?.opens).toBe(true);
    expect((await boss.get(source)).json()).toMatchObject({
      citation: { content: 'Everybody has 25 days.' },
      page: null,
    });
    const user = await personOf(house, ours, 'user', 'Uma');
    expect((await read(user))?.citations[0]?.opens).toBe(false);
    expectRefused(await user.get(source), 403, 'source_not_yours');
  });
});

describe('the models of the chat', () => {
  test('are those of the catalogue that the tenant allows, with what they can do', async () => {
    const list = ChatModelList.parse((await ada.get('/chat-models')).json());
    expect(list.default_model).toBe('CORE-GOV-THINK');
    const of = (id: string) => list.items.find((item) => item.id === id);
    expect(of('CORE-GOV-THINK')).toMatchObject({
      reasoning: 'on',
      reasoning_switch: true,
      ready: true,
      builtin: false,
      template_keys: { skip_reasoning: { type: 'boolean' } },
    });
    expect(of('LLM42')).toMatchObject({ reasoning: 'none', reasoning_switch: false, builtin: true, ready: true });
    expect(of('LLM42-Translate')?.template_keys['target_language']).toMatchObject({ type: 'string' });
    expect(of('absent')).toMatchObject({ ready: false, builtin: false });
    expect(of('builtin-lexical')).toBe(undefined);

    await boss.patch('/settings', { allowed_models: ['CORE-GOV', 'LLM42'], default_model: 'LLM42' });
    const allowed = ChatModelList.parse((await ada.get('/chat-models')).json());
    expect(allowed.items.map(({ id }) => id)).toEqual(['CORE-GOV', 'LLM42']);
    expect(allowed.default_model).toBe('LLM42');
    const id = await begin();
    expect(expectRefused(await ada.post(`/conversations/${id}/turns`, { content: 'Hi' }), 400).param).toBe('model');
    await boss.patch('/settings', { allowed_models: null, default_model: null });
  });
});
