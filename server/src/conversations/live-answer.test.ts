import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { type CompiledQuery, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import { databaseUnavailable } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';
import { type AnswerEnd, LiveAnswer } from './live-answer.ts';

type Answer = () => Promise<object[]>;

/** A database that notes what it is asked, and answers as the test says; a fake. */
function fakeDatabase() {
  const ran: CompiledQuery[] = [];
  const answers: Answer[] = [];
  const connection = {
    async executeQuery<R>(query: CompiledQuery) {
      ran.push(query);
      const rows = (await answers.shift()?.()) ?? [{ stop_asked: false }];
      return { rows: rows as R[] };
    },
    streamQuery: () => {
      throw new Error('nothing is streamed');
    },
  };
  const none = () => Promise.resolve();
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: none,
        acquireConnection: () => Promise.resolve(connection),
        beginTransaction: none,
        commitTransaction: none,
        rollbackTransaction: none,
        releaseConnection: none,
        destroy: none,
      }),
    },
  });
  const db = { query, transaction: (work: (tx: typeof query) => Promise<unknown>) => work(query) };
  return { db, ran, answers };
}

const place = {
  id: 'm1',
  role: 'assistant',
  content: '',
  reasoning: null,
  state: 'running',
  model: 'm',
  error: null,
} as ConversationMessage;
const usage = { promptTokens: 7, completionTokens: 3, reasoningTokens: null, promptTokensDetails: null };
const end: AnswerEnd = {
  state: 'done',
  error: null,
  result: { outcome: 'ok', error: null, usage, engine: 'e', firstTokenMs: 40, opened: true },
  durationMs: 90,
};
const failed: Answer = () => Promise.reject(new Error('no connection'));

/** An answer under way, what was stored of it, and how often its chat was stopped. */
function setting() {
  const { db, ran, answers } = fakeDatabase();
  const pauses: number[] = [];
  const deps = {
    db,
    log: silent,
    owner: { userId: 'ada' },
    conversationId: 'c1',
    mask: (text: string) => text.toUpperCase(),
    pause: (ms: number) => Promise.resolve(pauses.push(ms)),
  } as unknown as ConstructorParameters<typeof LiveAnswer>[0];
  const answer = new LiveAnswer(deps, place, 'Title');
  onTestFinished(() => answer.finish(end));
  let stops = 0;
  answer.attachRun({ stop: () => void stops++, cancel() {}, drained() {}, ping() {} });
  const say = (content: string, reasoning = '') => answer.add({ content, reasoning });
  const parameters = () => ran.map((query) => query.parameters);
  return { answer, say, ran, parameters, answers, pauses, stops: () => stops };
}
/** Until all that can go on has gone on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
const pass = async (ms: number) => {
  vi.advanceTimersByTime(ms);
  await turn();
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

describe('an answer under way', () => {
  test('is stored each half second with what has come, and says that it lives where nothing came', async () => {
    const { say, ran, parameters } = setting();
    say('a');
    await pass(499);
    expect(ran).toEqual([]);
    await pass(1);
    expect(parameters()).toEqual([['A', null, 'm1']]);
    await pass(500);
    expect(parameters().slice(1)).toEqual([['m1']]);
    expect(ran[1]?.sql).toContain('"seen_at" = clock_timestamp()');
    say('', 'why');
    await pass(500);
    expect(parameters().slice(2)).toEqual([['A', 'WHY', 'm1']]);
  });

  test('is stored where as much thinking came as answer', async () => {
    const { say, parameters } = setting();
    say('a', 'b');
    await pass(500);
    expect(parameters()).toEqual([['A', 'B', 'm1']]);
  });

  test('is told as far as it has come, without what no database holds', () => {
    const { answer, say } = setting();
    expect(answer.message()).toMatchObject({ state: 'running', content: '', reasoning: null });
    say('One\0 ', 'w\0hy');
    say('two');
    expect(answer.message()).toMatchObject({ state: 'running', content: 'One two', reasoning: 'why' });
  });

  test('ends where its row is gone, or its person asked another process to stop', async () => {
    for (const [rows, stopReason] of [
      [[], 'gone'],
      [[{ stop_asked: true }], 'stopped'],
      [[{ stop_asked: false }], null],
    ] as const) {
      const { answer, answers, stops } = setting();
      answers.push(() => Promise.resolve([...rows]));
      await pass(500);
      expect(answer.stopReason).toBe(stopReason);
      expect(stops()).toBe(stopReason === null ? 0 : 1);
    }
  });

  test('keeps the first reason that it was ended for, and stops its chat', () => {
    const { answer, stops } = setting();
    answer.requestStop('closing');
    answer.requestStop('stopped');
    expect(answer.stopReason).toBe('closing');
    expect(stops()).toBeGreaterThan(0);
  });

  test('is stored next time where it could not be stored', async () => {
    const { say, answers, parameters } = setting();
    say('a');
    answers.push(failed);
    await pass(500);
    await pass(500);
    expect(parameters()).toEqual([
      ['A', null, 'm1'],
      ['A', null, 'm1'],
    ]);
  });

  test('is stored at its end however long the database is away, unless the service stops', async () => {
    const away: Answer = () => Promise.reject(databaseUnavailable(new Error('ECONNREFUSED')));
    const long = setting();
    long.answers.push(...Array.from({ length: 100 }, () => away));
    await long.answer.finish(end);
    expect(long.ran.at(-2)?.sql).toMatch(/"state" = /);
    expect(long.pauses).toHaveLength(100);
    const stopped = setting();
    stopped.answer.requestStop('closing');
    stopped.answers.push(...Array.from({ length: 100 }, () => away));
    await stopped.answer.finish(end);
    expect(stopped.pauses.length).toBeLessThan(20);
  });

  test('is stored once at a time, the end last', async () => {
    const { answer, say, ran, answers } = setting();
    const slow = Promise.withResolvers<object[]>();
    answers.push(() => slow.promise);
    say('a');
    await pass(500);
    await pass(500);
    expect(ran).toHaveLength(1);
    const finished = answer.finish(end);
    await turn();
    expect(ran).toHaveLength(1);
    slow.resolve([{ stop_asked: false }]);
    await finished;
    expect(ran.map(({ sql }) => /"state" = /.test(sql))).toEqual([false, false, true, false]);
  });
});

describe('whoever waits for a change of an answer', () => {
  /** Whether a promise is fulfilled by now. */
  async function isOver(work: Promise<void>): Promise<boolean> {
    let over = false;
    void work.then(() => (over = true));
    await turn();
    return over;
  }

  test('hears of the next one, and at once of one that was before', async () => {
    const { answer, say } = setting();
    expect(answer.version).toBe(0);
    const next = answer.changed(0);
    expect(await isOver(next)).toBe(false);
    say('a');
    expect(answer.version).toBe(1);
    expect(await isOver(next)).toBe(true);
    expect(await isOver(answer.changed(0))).toBe(true);
    expect(await isOver(answer.changed(1))).toBe(false);
  });

  test('hears of its end once that is stored', async () => {
    const { answer, answers } = setting();
    const slow = Promise.withResolvers<object[]>();
    answers.push(() => slow.promise);
    const next = answer.changed(answer.version);
    void answer.finish(end);
    expect([await isOver(next), await isOver(answer.settled)]).toEqual([false, false]);
    expect(answer.message().state).toBe('running');
    slow.resolve([]);
    expect([await isOver(next), await isOver(answer.settled)]).toEqual([true, true]);
    expect(answer.message().state).toBe('done');
  });
});

describe('the end of an answer', () => {
  test('is stored with its figures, and its conversation was touched then', async () => {
    const { answer, say, ran, parameters } = setting();
    say('a', 'b');
    await answer.finish({ ...end, state: 'failed', error: 'Too long' });
    expect(parameters()).toEqual([
      ['A', 'B', '[]', 'failed', 'm', null, 'Too long', 7, 3, 40, 90, expect.any(Number), null, false, 'm1'],
      ['c1'],
    ]);
    expect(ran[1]?.sql).toMatch(/^update "conversations" set "updated_at" = /);
    expect(answer.message()).toEqual({
      ...place,
      content: 'a',
      reasoning: 'b',
      state: 'failed',
      error: 'Too long',
      prompt_tokens: 7,
      completion_tokens: 3,
      first_token_ms: 40,
      duration_ms: 90,
      reasoning_ms: expect.any(Number) as number,
      fallback: null,
      citations: [],
    });
  });

  test('says that another model answered, and why', async () => {
    const { answer, parameters } = setting();
    const fallback = { asked: 'm', reason: 'overloaded' } as const;
    await answer.finish({ ...end, model: 'n', fallback });
    expect(parameters()[0]?.slice(4, 6)).toEqual(['n', JSON.stringify(fallback)]);
    expect(answer.message()).toMatchObject({ model: 'n', fallback });
  });

  test('is stored once, and nothing after it', async () => {
    const { answer, ran, pauses } = setting();
    await answer.finish(end);
    await pass(5_000);
    expect(ran).toHaveLength(2);
    expect(pauses).toEqual([]);
  });

  test('is not stored where its conversation is gone', async () => {
    const { answer, ran } = setting();
    answer.requestStop('gone');
    await answer.finish(end);
    await answer.settled;
    expect(ran).toEqual([]);
    expect(answer.message().state).toBe('done');
  });

  test('is tried to be stored eight times, with pauses that double, and is over whatever came of that', async () => {
    const { answer, answers, ran, pauses } = setting();
    answers.push(...Array<Answer>(20).fill(failed));
    await answer.finish(end);
    await answer.settled;
    expect(ran).toHaveLength(8);
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400]);
    answers.length = 0;
  });

  test('is stored by the last try where the others failed', async () => {
    const { answer, answers, ran } = setting();
    answers.push(...Array<Answer>(7).fill(failed));
    await answer.finish(end);
    expect(ran).toHaveLength(9);
  });
});
