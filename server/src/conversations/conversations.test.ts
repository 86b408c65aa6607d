import { Conversation, type TurnEvent, TurnEvent as Event } from '@ai-studio/contract/console/conversations.ts';
import { defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { covers } from '../../test/requirements.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../test/support/postgres.ts';
import { createMemoryRateLimiter } from '../adapters/embedded/memory-rate-limiter.ts';
import { createBuiltinEngine } from '../adapters/engines/builtin/index.ts';
import { systemAuditActor } from '../identity/index.ts';
import { createRouter } from '../inference/index.ts';
import { openTestChat } from '../../test/support/inference.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { type Actor, type Person, type PersonActor, unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import { createPrivacyGuard, findPii } from '../privacy/index.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { UsageRow } from '../usage/index.ts';
import {
  type Answers,
  changeConversation,
  createAnswers,
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  readShare,
  shareConversation,
  toJsonExport,
  toMarkdown,
} from './index.ts';
import { deleteOldConversations } from './retention.ts';
import { openValueMask } from './value-mask.ts';
import { unlimited } from '../kernel/rate-limits.ts';

const read = async (events: AsyncGenerator<TurnEvent, void>): Promise<TurnEvent[]> => {
  const all: TurnEvent[] = [];
  for await (const event of events) all.push(Event.parse(event));
  return all;
};
const joined = (events: readonly TurnEvent[], type: 'content' | 'reasoning') =>
  events.map((event) => (event.type === type ? event.text : '')).join('');

describe('conversations', () => {
  let fresh: FreshDatabase;
  let files: { readonly retrieval: RetrievalDeps };
  let script: ReturnType<typeof scriptedEngine>;
  let answers: Answers;
  let meter: UsageRow[];
  let make: () => Answers;
  const tenantId = 'ours' as TenantId;
  const ada: PersonActor = {
    ...unlimitedActor<Person>({ tenantId, keyId: null, userId: 'ada' }),
    rights: new Set(['chat.settings']),
  };
  const strangers = [
    { tenantId, keyId: null, userId: 'bob' },
    { tenantId: 'theirs' as TenantId, keyId: null, userId: 'ada' },
  ].map((person): PersonActor => unlimitedActor<Person>({ ...person, keyId: null }));
  const box = createSecretBox(Buffer.alloc(32, 7));
  const limits = { ...unlimited, requestsPerMinute: 100 };
  const catalogue = createCatalogue({
    models: {
      script: {
        engines: [{ engine: 'script' }],
        reasoning: { default: 'on', keys: ['reasoning'], format: 'field' },
        template_keys: { enable_thinking: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
      unknown: { engines: [{ engine: 'script' }], reasoning: { default: 'on', keys: ['reasoning'], format: 'auto' } },
    },
  });

  beforeAll(async () => {
    fresh = await freshDatabase();
    // No message of these tests brings a file: those of the service do.
    files = { retrieval: { db: fresh.db } as unknown as RetrievalDeps };
    const { query } = fresh.db;
    await query
      .insertInto('tenants')
      .values(['ours', 'theirs'].map((id) => ({ id: id as TenantId, name: id })))
      .execute();
    await query
      .insertInto('users')
      .values(['ada', 'bob'].map((id) => ({ id, email: `${id}@example.org`, name: id })))
      .execute();
  });
  beforeEach(async () => {
    await fresh.db.query.deleteFrom('conversations').execute();
    script = scriptedEngine();
    meter = [];
    const engines = new Map(
      [createBuiltinEngine(), script.engine].map((engine) => [engine.id, [{ engine, weight: 1 }]]),
    );
    const timeouts = { connect_ms: 5000, first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
    const router = createRouter({ engines, limits: timeouts, log: silent });
    const limiter = createMemoryRateLimiter(Date.now);
    make = () =>
      createAnswers({
        db: fresh.db,
        box,
        catalogue,
        openChat: openTestChat({
          catalogue,
          router,
          limiter,
          guard: createPrivacyGuard({
            box,
            search: { find: (text, policy) => Promise.resolve(findPii(text, policy)) },
            counts: { add: () => undefined },
          }),
          record: (row) => void meter.push(row),
        }),
        log: silent,
        files,
      });
    answers = make();
    return async () => {
      await answers.close();
      router.close();
      await limiter.close();
    };
  });
  afterAll(() => fresh.close());

  const begin = async (model = 'script', owner = ada) =>
    (await createConversation({ db: fresh.db, box }, owner, { model })).id;
  const get = (id: string, owner = ada) => getConversation({ db: fresh.db, box }, owner, id);
  const never = new AbortController().signal;
  const contextOf = (person: Person, more: Partial<Omit<Actor, keyof Person>> = {}, signal = never) => ({
    actor: { ...unlimitedActor(person), limits, ...more },
    requestId: hexId(),
    signal,
  });
  const ask = (id: string, input: Parameters<Answers['ask']>[2], more: Partial<Omit<Actor, keyof Person>> = {}) =>
    answers.ask(contextOf(ada, more), id, input);
  /** Asks the scripted model and gives its whole answer. */
  async function turn(id: string, content: string, answer: string) {
    const events = read(await ask(id, { content }));
    script.say(answer);
    script.end();
    return events;
  }

  it('are no more of a person than anybody has in years', async () => {
    const owner = { ...ada, userId: hexId() };
    await fresh.db.query
      .insertInto('users')
      .values({ id: owner.userId, email: 'many@example.kr', name: 'Many' })
      .execute();
    await sql`INSERT INTO conversations (id, tenant_id, user_id, model, created_at, updated_at)
      SELECT md5(n::text), ${owner.tenantId}, ${owner.userId}, 'script', now(), now() FROM generate_series(1, 9999) AS n`.execute(
      fresh.db.query,
    );
    const id = await begin('script', owner);
    await expect(begin('script', owner)).rejects.toMatchObject({ code: 'conflict' });
    await begin('script', ada);
    await deleteConversation({ db: fresh.db, forget: () => undefined, files }, owner, id);
    await begin('script', owner);
  });

  it('keeps a question and its answer as it streamed, and names itself after the first question', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: '서울의  인구는\n얼마인가요?' }));
    script.say('생각', 'reasoning');
    script.say('약 ');
    script.say('940만');
    script.end();
    const all = await events;
    expect(all.map(({ type }) => type)).toEqual(['start', 'reasoning', 'content', 'end']);
    expect([joined(all, 'reasoning'), joined(all, 'content')]).toEqual(['생각', '약 940만']);
    const kept = await get(id);
    expect(Conversation.parse(kept)).toEqual(kept);
    expect(kept.title).toBe('서울의 인구는 얼마인가요?');
    expect(kept.messages).toMatchObject([
      { role: 'user', content: '서울의  인구는\n얼마인가요?', state: 'done', model: null },
      {
        role: 'assistant',
        content: '약 940만',
        reasoning: '생각',
        state: 'done',
        model: 'script',
        error: null,
        prompt_tokens: 7,
        completion_tokens: 3,
      },
    ]);
    const [start, end] = [all[0], all.at(-1)];
    if (start?.type !== 'start' || end?.type !== 'end') throw new Error('no start and end');
    expect(start).toMatchObject({ question: kept.messages[0], answer: { state: 'running', content: '' } });
    expect(end).toEqual({ type: 'end', answer: kept.messages[1], title: kept.title });
    expect(meter).toMatchObject([
      { tenantId, userId: 'ada', keyId: null, endpoint: 'chat', model: 'script', outcome: 'ok', promptTokens: 7 },
    ]);
  });

  it('the model gets what was said, without thinking, after the system prompt', async () => {
    const { id } = await createConversation({ db: fresh.db, box }, ada, {
      model: 'script',
      system_prompt: 'Be brief.',
    });
    await turn(id, 'One', 'Two');
    await turn(id, 'Three', 'Four');
    expect(script.last().call.body.request.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ]);
  });

  it('thinking is turned on and off in the words of the model', async () => {
    const id = await begin();
    for (const reasoning of [false, true, undefined]) {
      const events = read(await ask(id, { content: 'Hello', reasoning }));
      expect(script.last().call.thinking).toBe(reasoning !== false);
      script.end();
      await events;
    }
  });

  it('the built-in engine answers a conversation', async () => {
    const id = await begin('CORE-GOV-THINK');
    const events = await read(await ask(id, { content: '12 곱하기 12는?' }));
    expect(joined(events, 'content')).toContain('144');
    expect((await get(id)).messages[1]).toMatchObject({ state: 'done', content: joined(events, 'content') });
  });

  it('runs on when its reader goes away, and can be followed again', async () => {
    const id = await begin();
    const reader = new AbortController();
    const events = read(await answers.ask(contextOf(ada, {}, reader.signal), id, { content: 'Hello' }));
    script.say('One ');
    reader.abort();
    expect((await events).at(-1)?.type).not.toBe('end');
    script.say('two ');
    const following = read(await answers.follow(ada, id, never));
    await eventually(async () => expect((await get(id)).messages[1]).toMatchObject({ content: 'One two ' }));
    script.say('three');
    script.end();
    const followed = await following;
    expect(followed[0]).toMatchObject({ type: 'start', question: null, answer: { content: 'One two ' } });
    expect(joined(followed, 'content')).toBe('three');
    expect(followed.at(-1)).toMatchObject({ type: 'end', answer: { content: 'One two three', state: 'done' } });
    const late = await read(await answers.follow(ada, id, never));
    expect(late.map(({ type }) => type)).toEqual(['start', 'end']);
  });

  it('another process follows and stops an answer', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('One ');
    const other = make();
    const following = read(await other.follow(ada, id, never));
    await eventually(async () => expect((await get(id)).messages[1]).toMatchObject({ content: 'One ' }));
    script.say('two');
    await other.stop(ada, id);
    expect(script.last().aborted).toBe(true);
    expect((await get(id)).messages[1]).toMatchObject({ state: 'stopped', content: 'One two', error: null });
    expect((await events).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });
    expect((await following).at(-1)).toMatchObject({ type: 'end', answer: { content: 'One two', state: 'stopped' } });
    await other.close();
  });

  it('stops in the middle and keeps what came', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('Half an');
    await answers.stop(ada, id);
    expect(script.last().aborted).toBe(true);
    expect((await get(id)).messages[1]).toMatchObject({ state: 'stopped', content: 'Half an', error: null });
    expect((await events).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });
    expect(meter).toMatchObject([{ outcome: 'canceled', completionTokens: 1 }]);
    await answers.stop(ada, id);
  });

  it('keeps what was held back as it may have been thinking', async () => {
    const id = await begin('unknown');
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('Seoul is ');
    script.say('the capital');
    await answers.stop(ada, id);
    expect((await get(id)).messages[1]).toMatchObject({ state: 'stopped', content: 'Seoul is the capital' });
    expect(joined(await events, 'content')).toBe('Seoul is the capital');
  });

  it('one answer at a time in a conversation, and as many conversations as one likes', async () => {
    const [a, b] = [await begin(), await begin()];
    await ask(a, { content: 'Hello' });
    await expect(ask(a, { content: 'Hello?' })).rejects.toMatchObject({ code: 'conflict', reason: 'answer_running' });
    // Before files are looked at.
    const files = ['0'.repeat(32)];
    await expect(ask(a, { content: 'Hello?', files })).rejects.toMatchObject({ reason: 'answer_running' });
    await ask(b, { content: 'Hello' });
    expect((await get(a)).messages).toHaveLength(2);
    const both = await Promise.allSettled(['1', '2', '3'].map(async (content) => ask(await begin(), { content })));
    expect(both.every(({ status }) => status === 'fulfilled')).toBe(true);
    const c = await begin();
    const race = await Promise.allSettled(['1', '2', '3'].map((content) => ask(c, { content })));
    expect(race.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('an answer of a process that died has failed, and the conversation goes on', async () => {
    const id = await begin();
    void read(await ask(id, { content: 'Hello' }));
    await sql`UPDATE conversation_messages SET id = ${hexId()}, seen_at = now() - interval '1 minute' WHERE state = 'running'`.execute(
      fresh.db.query,
    );
    expect((await get(id)).messages[1]).toMatchObject({ state: 'failed', error: null });
    const other = make();
    const followed = await read(await other.follow(ada, id, never));
    expect(followed.at(-1)).toMatchObject({ type: 'end', answer: { state: 'failed' } });
    const again = await other.ask(contextOf(ada), id, { content: 'Still there?' });
    script.end();
    await read(again);
    await other.close();
    expect(script.last().call.body.request.messages).toEqual([{ role: 'user', content: 'Hello\n\nStill there?' }]);
    expect((await get(id)).messages.map(({ state }) => state)).toEqual(['done', 'failed', 'done', 'done']);
  });

  it.each([
    [
      'that its person can mend is kept with its reason',
      new EngineError('refused', 'no', { detail: 'Too long' }),
      'Too long',
      400,
    ],
    ['of the engine is left to the words of the console', new EngineError('protocol', 'no'), null, 500],
  ])('a failure of the model %s', async (_what, failure, error, status) => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('Half');
    script.last().sink({ type: 'error', error: failure });
    expect((await events).at(-1)).toMatchObject({
      type: 'end',
      answer: { state: 'failed', error, content: 'Half' },
    });
    expect(meter).toMatchObject([{ outcome: 'error', status }]);
  });

  it('a stop of the service keeps what came', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('Half');
    await answers.close();
    expect((await events).at(-1)).toMatchObject({ type: 'end', answer: { state: 'failed', content: 'Half' } });
    expect((await get(id)).messages[1]).toMatchObject({ state: 'failed', content: 'Half' });
    await expect(ask(id, { content: 'Hello' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('answers anew, and from an edited question on', async () => {
    const id = await begin();
    await turn(id, 'One', 'first');
    await turn(id, 'Two', 'second');
    const again = read(await ask(id, {}));
    script.say('third');
    script.end();
    expect((await again)[0]).toMatchObject({ type: 'start', question: null });
    const contents = async () => (await get(id)).messages.map(({ content }) => content);
    expect(await contents()).toEqual(['One', 'first', 'Two', 'third']);

    const { messages } = await get(id);
    const anew = read(await ask(id, { replace_from: messages[2]?.id }));
    script.say('fourth');
    script.end();
    await anew;
    expect(await contents()).toEqual(['One', 'first', 'Two', 'fourth']);

    const edited = read(await ask(id, { content: 'Uno', replace_from: messages[0]?.id }));
    script.say('fifth');
    script.end();
    await edited;
    expect(await contents()).toEqual(['Uno', 'fifth']);
    expect((await get(id)).title).toBe('Uno');
    // Every version stays, beside the others, and can be shown again with what follows it.
    const first = (await get(id)).messages[0]?.versions ?? [];
    expect(first).toEqual([messages[0]?.id, expect.any(String)]);
    const show = (shown: string) => changeConversation({ db: fresh.db, box }, ada, id, { shown });
    await show(first[0] ?? '');
    expect(await contents()).toEqual(['One', 'first', 'Two', 'fourth']);
    const answered = (await get(id)).messages[3]?.versions ?? [];
    expect(answered).toHaveLength(3);
    await show(answered[0] ?? '');
    expect(await contents()).toEqual(['One', 'first', 'Two', 'second']);
    await turn(id, 'Three', 'sixth');
    expect(await contents()).toEqual(['One', 'first', 'Two', 'second', 'Three', 'sixth']);
    await expect(show(hexId())).rejects.toMatchObject({ code: 'invalid_request', param: 'shown' });
    await expect(ask(await begin(), {})).rejects.toMatchObject({ code: 'invalid_request', param: 'content' });
  });

  it('a refused turn leaves nothing behind', async () => {
    const unknown = await begin('no-such-model');
    await expect(ask(unknown, { content: 'Hello' })).rejects.toMatchObject({ code: 'invalid_request', param: 'model' });
    const id = await begin();
    await expect(ask(id, { content: 'Hello' }, { allowedModels: new Set(['CORE-GOV']) })).rejects.toMatchObject({
      param: 'model',
    });
    // Refusals count as requests, too.
    const tight = { limits: { ...unlimited, requestsPerMinute: 3 } };
    const other = await begin();
    await ask(other, { content: 'Hello' }, tight);
    await expect(ask(id, { content: 'Hello' }, tight)).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await get(unknown)).messages).toEqual([]);
    expect((await get(id)).messages).toEqual([]);
  });

  it("nobody else's conversations exist, whatever is done to them", async () => {
    const id = await begin();
    await turn(id, 'Mine', 'Yours');
    const { db } = fresh;
    for (const owner of strangers) {
      for (const attempt of [
        () => get(id, owner),
        () => changeConversation({ db, box }, owner, id, { title: 'x' }),
        () => deleteConversation({ db, forget: answers.forget, files }, owner, id),
        () => answers.ask(contextOf(owner), id, { content: 'x' }),
        () => answers.follow(owner, id, never),
        () => answers.stop(owner, id),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
      }
      expect((await listConversations({ db, box }, owner, { size: 50 })).items).toEqual([]);
      expect((await listConversations({ db, box }, owner, { size: 50, text: 'Mine' })).items).toEqual([]);
    }
    expect((await get(id)).messages).toHaveLength(2);
    for (const odd of ['', 'x', `${id}\0`, "' OR 1=1 --", id.toUpperCase().replace(/\d/, 'A')])
      await expect(get(odd)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is renamed, given another model, and deleted while an answer is under way', async () => {
    const id = await begin();
    const { db } = fresh;
    const changed = await changeConversation({ db, box }, ada, id, { title: 'Kept', system_prompt: 'Be kind.' });
    expect(changed).toMatchObject({ title: 'Kept', model: 'script' });
    await turn(id, 'Hello', 'Hi');
    expect(await get(id)).toMatchObject({ title: 'Kept', system_prompt: 'Be kind.' });
    expect(await changeConversation({ db, box }, ada, id, { system_prompt: null, model: 'CORE-GOV' })).toMatchObject({
      model: 'CORE-GOV',
    });
    expect(await changeConversation({ db, box }, ada, id, {})).toMatchObject({ title: 'Kept' });
    await changeConversation({ db, box }, ada, id, { model: 'script' });
    const events = read(await ask(id, { content: 'More' }));
    await deleteConversation({ db, forget: (of) => answers.forget(of), files }, ada, id);
    expect(script.last().aborted).toBe(true);
    await events;
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an answer ends when another process has deleted its conversation', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    const { db } = fresh;
    await deleteConversation({ db, forget: () => undefined, files }, ada, id);
    await eventually(() => expect(script.last().aborted).toBe(true));
    await events;
    expect(meter).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('lists the last touched first, page by page', async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await begin());
    await turn(ids[1] ?? '', 'Hello', 'Hi');
    const { db } = fresh;
    const seen: string[] = [];
    for (let before: string | undefined, pages = 0; pages < 3; pages++) {
      const { items, next } = await listConversations({ db, box }, ada, { size: 2, ...(before ? { before } : {}) });
      seen.push(...items.map(({ id }) => id));
      expect(next === null).toBe(pages === 2);
      before = next ?? undefined;
    }
    expect(seen[0]).toBe(ids[1]);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    await expect(listConversations({ db, box }, ada, { size: 2, before: '1-x' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('finds words in titles and messages, with no letter that means something else', async () => {
    const id = await begin();
    await turn(id, '100% of the budget_2026 was spent on \\servers', '예산은 모두 서버에 사용되었습니다.');
    const { db } = fresh;
    const find = async (text: string) => (await listConversations({ db, box }, ada, { size: 50, text })).items;
    for (const text of ['예산은', 'BUDGET', '100%', 'budget_2026 spent', '\\servers'])
      expect(await find(text), text).toHaveLength(1);
    for (const text of ['100%0', 'budgetX2026']) expect(await find(text), text).toHaveLength(0);
    expect(await find('budget 예산은')).toHaveLength(0);
    expect(await find('a\0b')).toHaveLength(0);
    expect((await find('서버에'))[0]?.snippet).toBe('예산은 모두 서버에 사용되었습니다.');
    await changeConversation({ db, box }, ada, id, { title: 'Renamed' });
    expect((await find('renamed'))[0]).toMatchObject({ title: 'Renamed', snippet: null });
  });

  it('shows where the first word stands, with the forty characters before it, in the first message that has all of them', async () => {
    const id = await begin();
    await turn(id, `${'a'.repeat(60)} Budget ${'b'.repeat(200)} year`, 'The budget of\n the   YEAR');
    const { db } = fresh;
    const snippet = async (text: string) =>
      (await listConversations({ db, box }, ada, { size: 50, text })).items.map((one) => one.snippet);
    expect(await snippet('budget year')).toEqual([`${'a'.repeat(39)} Budget ${'b'.repeat(113)}`]);
    expect(await snippet('of year')).toEqual(['The budget of the YEAR']);
    expect(await snippet('year budget')).toEqual([`${'b'.repeat(39)} year`]);
    // Of more than ten words the first ten count.
    const words = Array.from({ length: 10 }, () => 'budget').join(' ');
    expect(await snippet(`${words} nowhere`)).toHaveLength(1);
    expect(await snippet(words.replace('budget', 'nowhere'))).toHaveLength(0);
    expect(await snippet('   ')).toEqual([null]);
  });

  it('a page that is full to the last has no next one, and a place is told in the words of one', async () => {
    for (let i = 0; i < 3; i++) await begin();
    const { db } = fresh;
    const page = (size: number, before?: string) =>
      listConversations({ db, box }, ada, { size, ...(before === undefined ? {} : { before }) });
    const whole = await page(3);
    expect([whole.items.length, whole.next]).toEqual([3, null]);
    const { items, next } = await page(2);
    expect(next).toBe(`${Date.parse(items[1]?.updated_at ?? '')}-${items[1]?.id}`);
    expect((await page(2, next ?? '')).items).toEqual(whole.items.slice(2));
    await expect(page(2, `${next} `)).rejects.toMatchObject({ param: 'before', reason: 'invalid_field' });
  });

  it('a second comparison of one question shows its own answers beside each other alone', async () => {
    const id = await begin();
    const models = ['CORE-GOV', 'CORE-GOV-THINK'];
    await read(await ask(id, { content: 'Hello', models }));
    const first = await get(id);
    expect([first.messages[1]?.compared, first.answers_beside.length]).toEqual([true, 1]);
    await read(await ask(id, { replace_from: first.messages[1]?.id, models }));
    const second = await get(id);
    const known = [first.messages[1], ...first.answers_beside].map((one) => one?.id);
    expect(second.answers_beside.map((one) => known.includes(one.id))).toEqual([false]);
    expect(second.messages[1]?.compared).toBe(true);
    expect(known).not.toContain(second.messages[1]?.id);
    await changeConversation({ db: fresh.db, box }, ada, id, { shown: first.messages[1]?.id });
    expect((await get(id)).answers_beside).toEqual([]);
  });

  it('a share ends with the place of its person in the tenant', async () => {
    const id = await begin();
    await turn(id, 'Hello', 'Hi');
    const { query } = fresh.db;
    const { id: share } = await shareConversation({ db: fresh.db, box }, systemAuditActor(tenantId), ada, id);
    const open = () => readShare({ db: fresh.db }, ada, share);
    const gone = { code: 'not_found', reason: 'share_withdrawn' };
    await query
      .insertInto('memberships')
      .values({ tenant_id: tenantId, user_id: 'ada', role: 'user', state: 'active', name: 'Ada' })
      .execute();
    expect(await open()).toMatchObject({ id: share, by: 'ada' });
    await query.updateTable('memberships').set({ state: 'disabled' }).execute();
    await expect(open()).rejects.toMatchObject(gone);
    await query.deleteFrom('memberships').execute();
    await query
      .insertInto('memberships')
      .values({ tenant_id: 'theirs' as TenantId, user_id: 'ada', role: 'user', state: 'active', name: 'Ada' })
      .execute();
    await expect(open()).rejects.toMatchObject(gone);
    await query.deleteFrom('memberships').execute();
  });

  it('nothing can be followed before the first question', async () => {
    await expect(answers.follow(ada, await begin(), never)).rejects.toMatchObject({
      code: 'not_found',
      message: 'The conversation has no answer yet',
    });
  });

  it('an answer of whoever may not be in the tenant any more is stopped, nobody else is disturbed', async () => {
    const id = await begin();
    const events = read(await ask(id, { content: 'Hello' }));
    script.say('Half');
    const { query } = fresh.db;
    await query
      .insertInto('memberships')
      .values({ tenant_id: tenantId, user_id: 'ada', role: 'user', state: 'active', name: 'Ada' })
      .execute();
    for (const who of ['ada', 'bob', null]) answers.recheckAccess(who);
    await get(id);
    expect(script.last().aborted).toBe(false);
    await query.deleteFrom('memberships').execute();
    answers.recheckAccess('ada');
    expect((await events).at(-1)).toMatchObject({ answer: { state: 'stopped', content: 'Half' } });
    const again = read(await ask(id, { content: 'Hello' }));
    answers.recheckAccess(null);
    expect((await again).at(-1)).toMatchObject({ answer: { state: 'stopped' } });
  });

  it('an answer that is over holds no lease, and its times are those of the clock', async () => {
    const id = await begin();
    await turn(id, 'Hello', 'Hi');
    const { messages, updated_at: touched } = await get(id);
    const [question, answer] = messages;
    expect(question).toMatchObject({ duration_ms: null, first_token_ms: null, prompt_tokens: null });
    expect(answer?.duration_ms).toBeGreaterThanOrEqual(answer?.first_token_ms ?? Infinity);
    expect(Date.parse(touched)).toBeGreaterThanOrEqual(Date.parse(answer?.created_at ?? ''));
    const rows = await fresh.db.query
      .selectFrom('conversation_messages')
      .select(['position', 'seen_at', 'stop_asked'])
      .orderBy('position')
      .execute();
    expect(rows).toEqual([
      { position: 1, seen_at: null, stop_asked: false },
      { position: 2, seen_at: null, stop_asked: false },
    ]);
  });

  it('a place that is replaced must be one of the conversation, and a question without words answers the one there', async () => {
    const id = await begin();
    await turn(id, 'One', 'first');
    await turn(id, 'Two', 'second');
    await expect(ask(id, { content: 'x', replace_from: hexId() })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'replace_from',
      reason: 'invalid_field',
    });
    const { messages } = await get(id);
    const anew = read(await ask(id, { replace_from: messages[1]?.id }));
    script.say('third');
    script.end();
    await anew;
    expect((await get(id)).messages.map(({ content }) => content)).toEqual(['One', 'third']);
    await expect(ask(await begin(), {})).rejects.toMatchObject({ param: 'content', reason: 'invalid_field' });
  });

  it('where a policy masks, the database holds tokens, and its person reads what they wrote', async () => {
    covers('guard.stored');
    const id = await begin();
    const [rrn, phone] = ['960121-1234567', '010-1234-5678'];
    const { db } = fresh;
    await changeConversation({ db, box }, ada, id, { system_prompt: `Clerk of ${phone}` });
    await turn(id, `Before the policy: ${phone}`, `Noted ${phone}`);
    const guard = { ...defaultGuardPolicy, mode: 'mask' as const, types: ['RRN' as const, 'PHONE' as const] };
    const dumped = async () => {
      const all = await db.query.selectFrom('conversation_messages').selectAll().execute();
      return JSON.stringify([all, await db.query.selectFrom('conversations').selectAll().execute()]);
    };
    expect(await dumped()).toContain(phone);

    const events = read(await ask(id, { content: `주민번호 ${rrn}, 전화 ${phone}` }, { guard }));
    const given = Buffer.from(script.last().call.body.encode({}) as string, 'latin1').toString('utf8');
    const token = /\[RRN_\w{8}\]/.exec(given)?.[0] ?? '';
    expect(given).not.toMatch(/960121|1234-5678/);
    script.say(`생각 ${token}`, 'reasoning');
    script.say(`확인: ${token} 입니다`);
    // What grows is stored with tokens, too.
    await eventually(async () => expect(await dumped()).toContain(`확인: ${token}`));
    script.end();
    expect(joined(await events, 'content')).toBe(`확인: ${rrn} 입니다`);

    expect(await dumped()).not.toMatch(/960121|1234-5678/);
    const { title, system_prompt, messages } = await get(id);
    expect(title).toBe(`Before the policy: ${phone}`);
    expect(system_prompt).toBe(`Clerk of ${phone}`);
    expect(messages.map(({ content }) => content)).toEqual([
      `Before the policy: ${phone}`,
      `Noted ${phone}`,
      `주민번호 ${rrn}, 전화 ${phone}`,
      `확인: ${rrn} 입니다`,
    ]);
    expect(messages.at(-1)?.reasoning).toBe(`생각 ${rrn}`);
    const [head] = (await listConversations({ db, box }, ada, { size: 50, text: '확인' })).items;
    expect(head).toMatchObject({ title: `Before the policy: ${phone}`, snippet: `확인: ${rrn} 입니다` });
    const followed = await read(await answers.follow(ada, id, never));
    expect(followed[0]).toMatchObject({ answer: { content: `확인: ${rrn} 입니다` } });

    // Without the policy the model gets the values again, as it did before; what is stored stays as it is.
    await turn(id, 'And now?', 'Fine');
    expect(Buffer.from(script.last().call.body.encode({}) as string, 'latin1').toString('utf8')).toContain(rrn);
    expect(await dumped()).not.toMatch(/960121|1234-5678/);
    // With another key nobody reads the values.
    const closed = createSecretBox(Buffer.alloc(32, 8));
    expect(JSON.stringify(await getConversation({ db, box: closed }, ada, id))).not.toMatch(/960121|1234-5678/);

    // A new name and a new prompt hold tokens as well.
    const renamed = await changeConversation({ db, box }, ada, id, { title: `Call ${phone}`, system_prompt: rrn });
    expect(renamed.title).toBe(`Call ${phone}`);
    expect(await get(id)).toMatchObject({ title: `Call ${phone}`, system_prompt: rrn });
    expect(await dumped()).not.toMatch(/960121|1234-5678/);
  });

  it('what another key sealed is kept beside what this one seals', () => {
    const [first, second] = [createSecretBox(Buffer.alloc(32, 9)), createSecretBox(Buffer.alloc(32, 8))];
    const id = 'f'.repeat(32);
    const one = openValueMask(first, { id, personal: null }).with(new Map([['[PHONE_AAAAAAAA]', '010-1234-5678']]));
    const both = openValueMask(second, { id, personal: one.sealed }).with(
      new Map([['[RRN_BBBBBBBB]', '960121-1234567']]),
    );
    const text = '[PHONE_AAAAAAAA] [RRN_BBBBBBBB]';
    expect(openValueMask(second, { id, personal: both.sealed }).unmask(text)).toBe('[PHONE_AAAAAAAA] 960121-1234567');
    expect(openValueMask(first, { id, personal: both.sealed }).unmask(text)).toBe('010-1234-5678 [RRN_BBBBBBBB]');
  });

  it('a title ends in no part of a token, and of values one within the other both come back', async () => {
    const id = await begin();
    const guard = { ...defaultGuardPolicy, mode: 'mask' as const, deny_list: ['Orion', 'Orion Two'] };
    const text = `${'가'.repeat(45)} 960121-1234567 Orion Two Orion`;
    const events = read(await ask(id, { content: text }, { guard }));
    script.say('ok');
    script.end();
    await events;
    const { title, messages } = await get(id);
    expect(title).toBe(`${'가'.repeat(45)}…`);
    expect(messages[0]?.content).toBe(text);
  });

  it('holds any text', async () => {
    const id = await begin();
    const odd = `\0 \ud83d 👩‍👩‍👧 ${'x'.repeat(1000)} </script> \u2028`;
    await turn(id, odd, odd);
    const { messages, title } = await get(id);
    expect(messages[1]?.content).toContain('👩‍👩‍👧');
    expect(messages.every(({ content }) => !content.includes('\0'))).toBe(true);
    expect(title.endsWith('…')).toBe(true);
  });

  it('is exported', async () => {
    const id = await begin();
    await turn(id, '# Title of mine', 'An *answer*');
    const conversation = await get(id);
    const question = { ...conversation.messages[0], created_at: '2026-07-01T15:30:00.000Z' };
    const dated = {
      ...conversation,
      created_at: '2026-01-31T23:05:00.000Z',
      messages: [question, ...conversation.messages.slice(1)] as typeof conversation.messages,
    };
    const mark = { ko: 'AI가 만듦', en: 'Made by AI' };
    const korean = toMarkdown(dated, { language: 'ko', timeZone: 'Asia/Seoul', mark });
    expect(korean).toContain('\n\n2026년 2월 1일 오전 8:05\n\n표시된 시각의 시간대: Asia/Seoul (GMT+09:00)\n\n');
    expect(korean).toContain(
      '## 질문\n\n*2026년 7월 2일 오전 12:30*\n\n# Title of mine\n\n## 답변 (script)\n\nAn *answer*\n',
    );
    const english = toMarkdown(dated, { language: 'en', timeZone: 'America/New_York', mark });
    expect(english).toContain('January 31, 2026 at 6:05 PM\n\nTimes are those of America/New_York (GMT-05:00)\n\n');
    expect(english).toContain('*July 1, 2026 at 11:30 AM*');
    expect(toMarkdown(dated, { language: 'en', timeZone: 'UTC', mark })).toContain('Times are those of UTC\n\n');
    const cut = read(await ask(id, { content: 'More' }));
    script.say('Half');
    await answers.stop(ada, id);
    await cut;
    expect(
      toMarkdown(await get(id), { language: 'en', timeZone: 'UTC', mark }).endsWith(
        '## Answer (script)\n\nHalf\n\n*Stopped.*\n',
      ),
    ).toBe(true);
    const { snippet: _none, ...whole } = conversation;
    expect(JSON.parse(toJsonExport(conversation, mark))).toMatchObject({
      version: 1,
      answers: { generated_by_ai: true, mark },
      conversation: whole,
    });
  });

  it('goes when its tenant keeps it no longer', async () => {
    const { db } = fresh;
    const [old, recent, empty] = [await begin(), await begin(), await begin()];
    for (const id of [old, recent]) await turn(id, 'Hello', 'Hi');
    const age = (id: string, days: number) =>
      sql`UPDATE conversations SET updated_at = now() - ${days} * interval '1 day' WHERE id = ${id}`.execute(db.query);
    await age(old, 31);
    await age(recent, 29);
    await age(empty, 2);
    const { id: temporary } = await createConversation({ db, box }, ada, { model: 'script', temporary: true });
    await turn(temporary, 'Hello', 'Hi');
    await age(temporary, 2);
    expect(await deleteOldConversations({ db })).toBe(2);
    for (const gone of [temporary, empty]) await expect(get(gone)).rejects.toMatchObject({ code: 'not_found' });
    await expect(get(empty)).rejects.toMatchObject({ code: 'not_found' });
    await db.query
      .insertInto('tenant_settings')
      .values({ tenant_id: tenantId, settings: JSON.stringify({ conversation_days: 30 }) })
      .execute();
    await db.transaction(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(4203001)`.execute(tx);
      expect(await deleteOldConversations({ db })).toBe(null);
    });
    expect(await deleteOldConversations({ db })).toBe(1);
    await expect(get(old)).rejects.toMatchObject({ code: 'not_found' });
    expect((await get(recent)).messages).toHaveLength(2);
    await db.query.deleteFrom('tenant_settings').execute();
  });
});
