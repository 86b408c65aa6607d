import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  definitionOf,
  type AgentHouse,
  answerOf,
  aTenant,
  insertAgent,
  openAgentHouse,
  usesAgentHouse,
} from '../../../test/support/agent-runs.ts';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { RevokedKey } from '../../identity/index.ts';
import { databaseUnavailable } from '../../ports/database.ts';
import { requeueRuns } from './claims.ts';

const input = { id: 'input', kind: 'input' };
const plain = definitionOf(
  [input, { id: 'model', kind: 'model', model: 'script' }, { id: 'answer', kind: 'answer', text: '{{model.text}}' }],
  ['input>model', 'model>answer'],
);
const fixed = definitionOf(
  [input, { id: 'answer', kind: 'answer', text: 'You said {{input.text}}' }],
  ['input>answer'],
);

const asks = definitionOf(
  [input, { id: 'ask', kind: 'ask', question: 'Which?' }, { id: 'answer', kind: 'answer', text: '{{ask.text}}' }],
  ['input>ask', 'ask>answer'],
);

const each = usesAgentHouse();

const start = async (definition: Parameters<AgentHouse['order']>[0], text = 'Hello', more = {}) =>
  (await each.house.runs.start(each.house.actor, each.house.order(definition, text, more))).run;
const read = (id: string) => each.house.runs.read(aTenant, each.house.agentId, id);

/** A process's way to the database, which a test cuts. */
function linkTo(database: AgentHouse['deps']['db']) {
  const link = {
    away: false,
    db: {
      ...database,
      get query() {
        if (link.away) throw new Error('the database is away');
        return database.query;
      },
    },
  };
  return link;
}

describe('a run', () => {
  test('tells its events in order, from 1 without a gap, and ends', async () => {
    const run = await start(fixed);
    expect(run).toMatchObject({ state: 'submitted', answer: '', lastSeq: 1, sessionType: 'api' });
    const events = await each.house.events(run.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.map((event) => (event.type === 'state' ? event.state : event.type))).toEqual([
      'submitted',
      'working',
      'step_begin',
      'step_end',
      'step_begin',
      'text',
      'step_end',
      'completed',
    ]);
    expect(answerOf(events)).toBe('You said Hello');
    expect(await read(run.id)).toMatchObject({ state: 'completed', answer: 'You said Hello', lastSeq: 8 });
    expect(await each.house.events(run.id, 6)).toEqual(events.slice(6));
    expect(await each.house.events(run.id, 8)).toEqual([]);
  });

  test('streams what its model says while it says it', async () => {
    const run = await start(plain);
    const call = await each.house.script.next();
    expect(call.call.body.request.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(call.call.priority).toBe('interactive');
    call.say('One ');
    const seen: string[] = [];
    for await (const event of each.house.runs.follow(run.id, 0, AbortSignal.timeout(150_000))) {
      if (event.type === 'text') seen.push(event.text);
      if (seen.join('') === 'One ') call.say('two 한글 ');
      if (seen.join('') === 'One two 한글 ') {
        call.say('😀'.slice(0, 1));
        call.say('😀'.slice(1));
        call.end();
      }
    }
    expect(seen.join('')).toBe('One two 한글 😀');
    expect(await read(run.id)).toMatchObject({
      state: 'completed',
      answer: 'One two 한글 😀',
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
    expect(each.house.usage).toMatchObject([{ endpoint: 'agents', userId: 'ada', model: 'script', status: 200 }]);
  });

  test('is ended mid-token', async () => {
    covers('agents.run.cancel');
    const run = await start(plain);
    const call = await each.house.script.next();
    call.say('Begun');
    await eventually(async () =>
      expect((await each.house.runs.read(aTenant, each.house.agentId, run.id)).lastSeq).toBeGreaterThan(5),
    );
    expect(await each.house.runs.cancel(aTenant, each.house.agentId, run.id)).toMatchObject({
      state: 'canceled',
      answer: 'Begun',
    });
    expect(call.aborted()).toBe(true);
    await expect(each.house.runs.cancel(aTenant, each.house.agentId, run.id)).rejects.toMatchObject({
      code: 'conflict',
    });
    const events = await each.house.events(run.id);
    expect(events.at(-1)).toMatchObject({ type: 'state', state: 'canceled' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'step_end', step: 'model', state: 'canceled' }));
    expect(each.house.usage).toMatchObject([{ outcome: 'canceled' }]);
  });

  test('is ended by its process also where the message of it was missed', async () => {
    const run = await start(plain);
    (await each.house.script.next()).say('Begun');
    // As another process does whose message is lost.
    const runs = each.db.query.updateTable('agent_runs').where('id', '=', run.id);
    await runs.set({ cancel_requested: true }).execute();
    expect((await each.house.events(run.id)).at(-1)).toMatchObject({ type: 'state', state: 'canceled' });
  });

  test('of another tenant or agent is not there', async () => {
    const run = await start(plain);
    const stranger = 'x' as typeof aTenant;
    await expect(each.house.runs.cancel(stranger, each.house.agentId, run.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    const call = await each.house.script.next();
    call.say('Done');
    call.end();
    expect((await each.house.events(run.id)).at(-1)).toMatchObject({ type: 'state', state: 'completed' });
    const other = await insertAgent(each.db);
    await expect(each.house.runs.read(aTenant, other, run.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(each.house.runs.read(stranger, each.house.agentId, run.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(each.house.runs.cancel(aTenant, other, run.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(each.house.runs.read(aTenant, each.house.agentId, 'nonsense')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('fails with the first node that fails, and says which', async () => {
    const definition = definitionOf(
      [
        input,
        { id: 'bad', name: 'Bad one', kind: 'model', model: 'script' },
        { id: 'slow', kind: 'model', model: 'script' },
        { id: 'answer', kind: 'answer', text: '{{bad.text}}{{slow.text}}' },
      ],
      ['input>bad', 'input>slow', 'bad>answer', 'slow>answer'],
    );
    const run = await start(definition);
    const [first, second] = [await each.house.script.next(), await each.house.script.next()];
    first.fails();
    const events = await each.house.events(run.id);
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'refused', node: 'bad' } });
    expect(second.aborted()).toBe(true);
    expect(await read(run.id)).toMatchObject({ state: 'failed', failure: { node: 'bad' } });
  });

  test('uses no model that the one who pays may not use', async () => {
    const definition = definitionOf([input, { id: 'm', kind: 'model', model: 'other' }], ['input>m']);
    const run = await start(definition);
    expect((await each.house.events(run.id)).at(-1)).toMatchObject({ state: 'failed', failure: { node: 'm' } });
    expect(each.house.script.calls).toEqual([]);
  });

  test('that nobody waits for asks a model again that takes no more calls for now; another one fails', async () => {
    const patient = await start(plain, 'Hello', { priority: 'batch' });
    (await each.house.script.next()).refuses();
    const again = await each.house.script.next();
    again.say('In time');
    again.end();
    expect(answerOf(await each.house.events(patient.id))).toBe('In time');
    const waited = await start(plain);
    (await each.house.script.next()).refuses();
    const events = await each.house.events(waited.id);
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'unavailable' } });
    expect(each.house.script.calls).toHaveLength(3);
  });

  test('ends at its budget of tokens, and of seconds', async () => {
    covers('agents.run.budgets');
    const two = definitionOf(
      [input, { id: 'a', kind: 'model', model: 'script' }, { id: 'b', kind: 'model', model: 'script' }],
      ['input>a', 'a>b'],
      { tokens: 100 },
    );
    each.house.script.answerBy((call) => {
      call.say('x'.repeat(1000));
      call.end();
    });
    const { id } = await start(definitionOf(two.nodes, ['input>a', 'a>b'], { tokens: 12 }), 'x');
    expect((await each.house.events(id)).at(-1)).toMatchObject({ state: 'failed', failure: { code: 'unprocessable' } });
    each.house.script.answerBy(() => undefined);
    const slow = await start(definitionOf(plain.nodes, ['input>model', 'model>answer'], { seconds: 1 }));
    expect((await each.house.events(slow.id)).at(-1)).toMatchObject({ state: 'failed', failure: { code: 'timeout' } });
  });
});

describe('sessions and messages', () => {
  test('earlier turns of the session reach the model', async () => {
    each.house.script.answerBy((call) => {
      call.say('Yes.');
      call.end();
    });
    const first = await start(plain, 'One?');
    await each.house.events(first.id);
    const second = await start(plain, 'Two?', { session: { contextId: first.contextId } });
    await each.house.events(second.id);
    expect(second.sessionId).toBe(first.sessionId);
    expect(each.house.script.calls.at(-1)?.call.body.request.messages).toEqual([
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Two?' },
    ]);
    const strange = { session: { id: first.sessionId + 1_000 } };
    await expect(start(plain, 'x', strange)).rejects.toMatchObject({ param: 'session' });
    await expect(start(plain, 'x', { session: { id: first.sessionId }, sessionType: 'chat' })).rejects.toMatchObject({
      param: 'session',
    });
  });

  test('what a run asked and a person replied is a turn as well', async () => {
    each.house.script.answerBy((call) => {
      call.say('Yes.');
      call.end();
    });
    const asks = definitionOf(
      [
        input,
        { id: 'ask', kind: 'ask', question: 'Which rank?' },
        { id: 'model', kind: 'model', model: 'script' },
        { id: 'answer', kind: 'answer', text: '{{model.text}}' },
      ],
      ['input>ask', 'ask>model', 'model>answer'],
    );
    const first = await start(asks, 'Leave?');
    await each.house.events(first.id);
    const session = { id: first.sessionId };
    await start(asks, 'Manager', { session, continues: first.id });
    await each.house.events(first.id);
    await each.house.events((await start(plain, 'How long?', { session })).id);
    expect(each.house.script.calls.at(-1)?.call.body.request.messages).toEqual([
      { role: 'user', content: 'Leave?' },
      { role: 'assistant', content: 'Which rank?' },
      { role: 'user', content: 'Manager' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'How long?' },
    ]);
  });

  test('of long sessions the model is given as much as it has room for', async () => {
    each.house.script.answerBy((call) => {
      call.say('x'.repeat(4_000));
      call.end();
    });
    const short = definitionOf(
      [
        input,
        { id: 'model', kind: 'model', model: 'brief', history_turns: 20 },
        { id: 'answer', kind: 'answer', text: '{{model.text}}' },
      ],
      ['input>model', 'model>answer'],
    );
    const first = await start(short, '0');
    await each.house.events(first.id);
    for (let turn = 1; turn < 6; turn++)
      await each.house.events((await start(short, String(turn), { session: { id: first.sessionId } })).id);
    // 8,192 tokens of two bytes: the prompt and four answers of 4,000.
    const said = each.house.script.calls.at(-1)?.call.body.request.messages.map(({ content }) => content);
    expect(said?.filter((text) => text !== 'x'.repeat(4_000))).toEqual(['1', '2', '3', '4', '5']);
  });

  test('a message is run once, however often it comes; with other words it is refused', async () => {
    const message = { id: 'm1', hash: 'h' };
    const both = await Promise.all(
      [1, 2].map(() => each.house.runs.start(each.house.actor, each.house.order(fixed, 'x', { message }))),
    );
    expect(new Set(both.map(({ run }) => run.id)).size).toBe(1);
    expect(both.filter(({ joined }) => joined)).toHaveLength(1);
    await each.house.events(both[0]?.run.id ?? '');
    const again = await each.house.runs.start(each.house.actor, each.house.order(fixed, 'x', { message }));
    expect(again).toMatchObject({ joined: true, run: { state: 'completed' } });
    await expect(start(fixed, 'y', { message: { id: 'm1', hash: 'other' } })).rejects.toMatchObject({
      param: 'message',
    });
  });
});

describe('many runs', () => {
  test('of a tenant beyond 2,000 at a time are turned away, and nothing of them is left', async () => {
    const message = { id: 'known', hash: 'h' };
    const known = await start(fixed, 'x', { message });
    await each.house.events(known.id);
    await sql`
      INSERT INTO agent_runs (id, tenant_id, agent_id, session_id, definition, input, claim, seen_at)
      SELECT md5('open' || number), ${aTenant}, ${each.house.agentId}, ${known.sessionId}, '{}', '{}', 'far',
        now() + interval '1 day'
      FROM generate_series(1, 2000) AS number`.execute(each.db.query);
    const counts = async () => {
      const { rows } = await sql`SELECT (SELECT count(*) FROM agent_sessions) AS sessions,
        (SELECT count(*) FROM agent_messages) AS messages, (SELECT count(*) FROM agent_runs) AS runs`.execute(
        each.db.query,
      );
      return rows;
    };
    const before = await counts();
    const more = { message: { id: 'new', hash: 'h' } };
    await expect(start(fixed, 'x', more)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(start(fixed, 'x', { ...more, session: { id: known.sessionId } })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect((await start(fixed, 'x', { message })).id).toBe(known.id);
    expect(await counts()).toEqual(before);
    await sql`DELETE FROM agent_runs WHERE claim = 'far'`.execute(each.db.query);
    expect((await each.house.events((await start(fixed, 'x', more)).id)).at(-1)).toMatchObject({ state: 'completed' });
  });

  test('200 that stream at once: none is lost, each has its order, and what it said is stored once', async () => {
    covers('agents.run.many');
    each.house.script.answerBy((call) => {
      const { content } = call.call.body.request.messages[0] ?? {};
      let left = 20;
      const say = () => {
        call.say(`${typeof content === 'string' ? content : ''}:${20 - left} `);
        left--;
        if (left === 0) call.end();
        else setTimeout(say, 10);
      };
      say();
    });
    const words = Array.from({ length: 200 }, (_, at) => `r${at}`);
    const answers = await Promise.all(
      words.map(async (word) => {
        const run = await start(plain, word);
        const events = await each.house.events(run.id);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
        expect(events.at(-1)).toMatchObject({ state: 'completed' });
        return answerOf(events);
      }),
    );
    const whole = (word: string) => Array.from({ length: 20 }, (_, at) => `${word}:${at} `).join('');
    expect(answers).toEqual(words.map(whole));
    const rows = await each.db.query
      .selectFrom('agent_runs')
      .select('answer')
      .where('agent_id', '=', each.house.agentId)
      .execute();
    expect(rows.map(({ answer }) => answer).toSorted()).toEqual(words.map(whole).toSorted());
  });

  test('beyond what a process runs at once wait for their turn', async () => {
    const small = await openAgentHouse(each.db, await insertAgent(each.db), { size: 2 });
    try {
      let most = 0;
      let now = 0;
      small.script.answerBy((call) => {
        most = Math.max(most, ++now);
        setTimeout(() => {
          now--;
          call.say('x');
          call.end();
        }, 20);
      });
      const order = () => small.runs.start(small.actor, small.order(plain, 'x'));
      // The other process has room, and may take some.
      each.house.script.answerBy((call) => {
        call.say('x');
        call.end();
      });
      const begun = await Promise.all(Array.from({ length: 12 }, order));
      for (const { run } of begun) expect(answerOf(await small.events(run.id))).toBe('x');
      expect(most).toBeLessThanOrEqual(2);
    } finally {
      await small.close();
    }
  });
});

describe('a run that waits', () => {
  test('is canceled though no place is free', async () => {
    covers('agents.run.cancel-waiting');
    await each.house.close();
    const small = await openAgentHouse(each.db, each.house.agentId, { size: 1 });
    try {
      const { run } = await small.runs.start(small.actor, small.order(asks, 'x'));
      await small.events(run.id);
      await small.runs.start(small.actor, small.order(plain, 'x'));
      const busy = await small.script.next();
      expect(await small.runs.cancel(aTenant, each.house.agentId, run.id)).toMatchObject({ state: 'canceled' });
      expect(busy.aborted()).toBe(false);
      const events = await small.events(run.id);
      expect(events.at(-1)).toMatchObject({ type: 'state', state: 'canceled' });
      expect(events).toContainEqual(expect.objectContaining({ type: 'step_end', step: 'ask', state: 'canceled' }));
    } finally {
      await small.close();
    }
  });
});

describe('a key that is deleted', () => {
  test('takes its runs with it: those under way, those that wait for a place, and those that wait for a person', async () => {
    covers('agents.run.key-deleted');
    await each.house.close();
    let refuse: (key: RevokedKey) => void = () => undefined;
    const onKeyRefused = (listener: typeof refuse) => {
      refuse = listener;
      return () => undefined;
    };
    const small = await openAgentHouse(each.db, each.house.agentId, { size: 2, onKeyRefused });
    try {
      const begin = async (keyId: string, definition = plain) =>
        (await small.runs.start({ ...small.actor, userId: null, keyId }, small.order(definition, 'x'))).run.id;
      const asking = await begin('gone', asks);
      await small.events(asking);
      const stays = await begin('stays');
      const other = await small.script.next();
      const running = await begin('gone');
      const call = await small.script.next();
      const waiting = await begin('gone');
      refuse({ id: 'gone', reason: 'deleted' });
      for (const id of [asking, running, waiting])
        await eventually(async () => expect(await read(id)).toMatchObject({ state: 'canceled', failure: null }));
      expect(call.aborted()).toBe(true);
      other.say('It goes on');
      other.end();
      expect(answerOf(await small.events(stays))).toBe('It goes on');
    } finally {
      await small.close();
    }
  });
});

describe('a database that is away', () => {
  test('fails no run: its node is begun again once the database is back, and none that had ended', async () => {
    const definition = definitionOf(
      [
        input,
        { id: 'first', kind: 'model', model: 'script' },
        { id: 'mask', kind: 'mask_pii', text: '{{first.text}} 1', types: ['EMAIL'] },
        { id: 'answer', kind: 'answer', text: '{{mask.text}}' },
      ],
      ['input>first', 'first>mask', 'mask>answer'],
    );
    let losses = 3;
    const { mask } = each.house.deps;
    each.house.deps.mask = (...input) =>
      losses-- > 0
        ? Promise.reject(new Error('wrapped', { cause: databaseUnavailable(new Error('write EPIPE')) }))
        : mask(...input);
    const run = await start(definition);
    const call = await each.house.script.next();
    call.say('Said');
    call.end();
    const events = await each.house.events(run.id);
    expect(answerOf(events)).toBe('Said *');
    expect(losses).toBe(-1);
    const ends = events.flatMap((event) => (event.type === 'step_end' ? [event.step] : []));
    expect(ends.toSorted()).toEqual(['answer', 'first', 'input', 'mask']);
    expect(await read(run.id)).toMatchObject({ state: 'completed', failure: null });
  });

  test('whose replies are lost on their way has what it committed, and the run goes on in its process', async () => {
    let lost = 0;
    const losing: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const text = node.kind === 'RawNode' ? node.sqlFragments.join('') : '';
        if (text.includes('WITH ours AS') && lost < 3) writes.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (!writes.has(queryId)) return result;
        lost++;
        throw databaseUnavailable(new Error('Connection terminated unexpectedly'));
      },
    };
    const writes = new Set<object>();
    const db = {
      ...each.db,
      get query() {
        return each.db.query.withPlugin(losing);
      },
    };
    const shaky = await openAgentHouse(db, each.house.agentId, {
      pollMs: 600_000,
      heartbeatMs: 600_000,
      busBy: each.db,
    });
    const { run } = await shaky.runs.start(shaky.actor, shaky.order(plain, 'x'));
    const call = await shaky.script.next();
    call.say('Said ');
    await eventually(() => expect(lost).toBeGreaterThan(0));
    await eventually(async () => expect((await read(run.id)).lastSeq).toBeGreaterThan(4));
    call.say('once.');
    call.end();
    const events = await each.house.events(run.id);
    expect(answerOf(events)).toBe('Said once.');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(shaky.script.calls).toHaveLength(1);
    expect(lost).toBe(3);
    await shaky.close();
  });

  test('loses nothing of a run, and does not hold up the end of the service', async () => {
    const link = linkTo(each.db);
    const shaky = await openAgentHouse(link.db, each.house.agentId, {
      pollMs: 600_000,
      heartbeatMs: 600_000,
      busBy: each.db,
    });
    const { run } = await shaky.runs.start(shaky.actor, shaky.order(plain, 'x'));
    const call = await shaky.script.next();
    call.say('Before, ');
    await eventually(async () => expect((await read(run.id)).lastSeq).toBeGreaterThan(5));
    link.away = true;
    call.say('while, ');
    await new Promise((resolve) => setTimeout(resolve, 300));
    link.away = false;
    call.say('after.');
    call.end();
    expect(answerOf(await shaky.events(run.id))).toBe('Before, while, after.');
    const { run: second } = await shaky.runs.start(shaky.actor, shaky.order(plain, 'x'));
    (await shaky.script.next()).say('Half');
    await eventually(async () => expect((await read(second.id)).lastSeq).toBeGreaterThan(5));
    link.away = true;
    await shaky.close();
    link.away = false;
    await each.db.query
      .updateTable('agent_runs')
      .set({ seen_at: new Date(0) })
      .where('id', '=', second.id)
      .execute();
    const again = await each.house.script.next();
    again.say('Half of it');
    again.end();
    expect(answerOf(await each.house.events(second.id))).toBe('Half of it');
  });
});

describe('traces', () => {
  test('keep what went in and came out, unless the tenant wants none', async () => {
    covers('agents.run.traces');
    const steps = (id: string) =>
      each.db.query.selectFrom('agent_steps').selectAll().where('run_id', '=', id).orderBy('number').execute();
    each.house.script.answerBy((call) => {
      call.say('Secret');
      call.end();
    });
    const kept = await start(plain, 'Mine');
    await each.house.events(kept.id);
    const [, model] = await steps(kept.id);
    expect(model).toMatchObject({
      key: 'model',
      state: 'done',
      outputs: { text: 'Secret' },
      kept: null,
      prompt_tokens: 7,
      completion_tokens: 3,
      attempts: 1,
    });
    expect(JSON.stringify(model?.inputs)).toContain('Mine');
    const settings = (value: string) =>
      each.db.query
        .insertInto('tenant_settings')
        .values({ tenant_id: aTenant, settings: value })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ settings: value }))
        .execute();
    await settings('{"agent_traces":"no_content"}');
    each.house.script.answerBy(() => undefined);
    const dropped = await start(plain, 'Mine');
    // What is written long before the end goes, too.
    await eventually(async () => expect(JSON.stringify(await steps(dropped.id))).toContain('Mine'));
    await eventually(() => expect(each.house.script.calls).toHaveLength(2));
    each.house.script.calls[1]?.say('Secret');
    each.house.script.calls[1]?.end();
    await each.house.events(dropped.id);
    await settings('{}');
    const all = await steps(dropped.id);
    expect(all).toHaveLength(3);
    for (const step of all) expect(step).toMatchObject({ inputs: null, outputs: null, kept: null, state: 'done' });
  });
});

describe('several processes', () => {
  test('a follower elsewhere gets each event once; a cancel elsewhere ends the run', async () => {
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      const run = await start(plain);
      const call = await each.house.script.next();
      const following = other.events(run.id);
      call.say('Hello ');
      await eventually(async () => expect((await read(run.id)).lastSeq).toBeGreaterThan(5));
      expect(await other.runs.cancel(aTenant, each.house.agentId, run.id)).toMatchObject({ state: 'canceled' });
      const events = await following;
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
      expect(call.aborted()).toBe(true);
    } finally {
      await other.close();
    }
  });

  test('a process that stops gives its runs to another, which repeats no finished step', async () => {
    const definition = definitionOf(
      [
        input,
        { id: 'first', kind: 'model', model: 'script' },
        { id: 'second', kind: 'model', model: 'script', prompt: 'After {{first.text}}' },
        { id: 'answer', kind: 'answer', text: 'So: {{second.text}}!' },
      ],
      ['input>first', 'first>second', 'second>answer'],
    );
    const run = await start(definition);
    const one = await each.house.script.next();
    one.say('1');
    one.end();
    const two = await each.house.script.next();
    two.say('Half of ');
    await eventually(async () => expect((await read(run.id)).lastSeq).toBeGreaterThan(7));
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      await each.house.close();
      const again = await other.script.next();
      expect(again.call.body.request.messages.at(-1)).toMatchObject({ content: 'After 1' });
      again.say('Half ');
      again.say('of it');
      again.end();
      const events = await other.events(run.id);
      expect(answerOf(events)).toBe('So: Half of it!');
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
      expect(await other.runs.read(aTenant, each.house.agentId, run.id)).toMatchObject({
        state: 'completed',
        answer: 'So: Half of it!',
      });
    } finally {
      await other.close();
    }
  });

  test('text that comes out another way after a stop goes on from what was sent', async () => {
    const run = await start(plain);
    const call = await each.house.script.next();
    call.say('The answer is ');
    await eventually(async () => expect((await read(run.id)).lastSeq).toBeGreaterThan(5));
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      await each.house.close();
      const again = await other.script.next();
      // A stop is no fault of the run: it counts no attempt.
      const row = each.db.query.selectFrom('agent_runs').select('attempts').where('id', '=', run.id);
      expect(await row.executeTakeFirst()).toEqual({ attempts: 1 });
      again.say('Something else');
      const rest = await other.script.next();
      expect(again.aborted()).toBe(true);
      expect(rest.call.body.request.messages.at(-2)).toEqual({ role: 'assistant', content: 'The answer is ' });
      rest.say('42.');
      rest.end();
      expect(answerOf(await other.events(run.id))).toBe('The answer is 42.');
    } finally {
      await other.close();
    }
  });

  test('a run whose process is gone is taken up, and what that one still says is not heard', async () => {
    covers('agents.run.one-runner');
    // It neither polls nor sends heartbeats, as one that stands still.
    const still = await openAgentHouse(each.db, each.house.agentId, { pollMs: 600_000, heartbeatMs: 600_000 });
    const { run } = await still.runs.start(still.actor, still.order(plain, 'Hello', { priority: 'batch' }));
    const call = await still.script.next();
    await eventually(async () => expect((await read(run.id)).lastSeq).toBe(5));
    const other = each.house;
    try {
      await each.db.query
        .updateTable('agent_runs')
        .set({ seen_at: new Date(0) })
        .where('id', '=', run.id)
        .execute();
      const again = await other.script.next();
      // Nobody waits for it, whichever process runs it.
      expect([call, again].map((one) => one.call.priority)).toEqual(['batch', 'batch']);
      call.say('Too late');
      call.end();
      again.say('In time');
      again.end();
      const events = await other.events(run.id);
      expect(answerOf(events)).toBe('In time');
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    } finally {
      await still.close();
    }
  });

  test('a service that has its database to itself goes on at once with what an earlier start left', async () => {
    covers('agents.run.crash');
    await each.house.close();
    const never = { leaseSeconds: 86_400, pollMs: 600_000, heartbeatMs: 600_000 };
    const link = linkTo(each.db);
    const gone = await openAgentHouse(link.db, each.house.agentId, { ...never, busBy: each.db });
    const ids: string[] = [];
    for (const word of ['a', 'b']) ids.push((await gone.runs.start(gone.actor, gone.order(plain, word))).run.id);
    await eventually(() => expect(gone.script.calls).toHaveLength(2));
    // It takes nothing up any more; its lease does not run out in this test.
    link.away = true;
    await requeueRuns(each.db);
    const next = await openAgentHouse(each.db, each.house.agentId, never);
    try {
      next.script.answerBy((call) => {
        call.say('Gone on');
        call.end();
      });
      for (const id of ids) expect(answerOf(await next.events(id))).toBe('Gone on');
    } finally {
      await next.close();
      link.away = false;
      await gone.close();
    }
  });
});
