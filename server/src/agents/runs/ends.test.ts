import { describe, expect, test } from 'vitest';
import {
  type AgentHouse,
  aTenant,
  definitionOf,
  openAgentHouse,
  scriptedTool,
  toolSays,
  usesAgentHouse,
} from '../../../test/support/agent-runs.ts';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { silent } from '../../../test/support/postgres.ts';
import { hexId } from '../../kernel/ids.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { runJobs } from './claims.ts';
import { RunLog } from './run-log.ts';
import { newStep } from './steps.ts';
import { createWriter } from './writer.ts';

// What is left of runs that end otherwise than well: their traces, their budgets, and what is written of many at once.

const input = { id: 'input', kind: 'input' };
const each = usesAgentHouse();

const start = async (definition: Parameters<AgentHouse['order']>[0], text = 'x', more = {}) =>
  (await each.house.runs.start(each.house.actor, each.house.order(definition, text, more))).run;
const stepsOf = async (id: string) => {
  const rows = await each.db.query
    .selectFrom('agent_steps')
    .selectAll()
    .where('run_id', '=', id)
    .orderBy('number')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.key, row]));
};
const setTraces = (settings: string) =>
  each.db.query
    .insertInto('tenant_settings')
    .values({ tenant_id: aTenant, settings })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ settings }))
    .execute();

describe('the budget of tokens', () => {
  const four = ['a', 'b', 'c', 'd'];
  const together = definitionOf(
    [input, ...four.map((id) => ({ id, kind: 'model', model: 'script' }))],
    four.map((id) => `input>${id}`),
    { tokens: 200 },
  );

  test('is that of all models that speak at the same time', async () => {
    covers('agents.run.budgets');
    const { id } = await start(together);
    const calls = [];
    for (const _ of four) calls.push(await each.house.script.next());
    for (let said = 0; said < 60; said++) for (const call of calls) call.say('word ');
    const events = await each.house.events(id);
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'unprocessable' } });
    expect(JSON.stringify(events.at(-1))).toContain('the 200 tokens');
    expect(calls.map((call) => call.aborted())).toEqual([true, true, true, true]);
  });

  test('leaves them alone within it, and one alone to what it was told', async () => {
    const { id } = await start(together);
    for (const _ of four) {
      const call = await each.house.script.next();
      for (let said = 0; said < 20; said++) call.say('word ');
      call.end();
    }
    expect((await each.house.events(id)).at(-1)).toMatchObject({ state: 'completed' });
    const alone = definitionOf([input, { id: 'a', kind: 'model', model: 'script' }], ['input>a'], { tokens: 100 });
    const { id: other } = await start(alone);
    const call = await each.house.script.next();
    // An engine may speak in smaller pieces than tokens.
    for (let said = 0; said < 150; said++) call.say('w');
    call.end();
    expect((await each.house.events(other)).at(-1)).toMatchObject({ state: 'completed' });
  });
});

describe('the trace', () => {
  test('of a model that fails or is ended shows how far it came', async () => {
    covers('agents.run.traces');
    const tool = { kind: 'calculator' };
    const definition = definitionOf([input, { id: 'm', kind: 'model', model: 'script', tools: [tool] }], ['input>m']);
    each.house.deps.openTools = () => Promise.resolve([scriptedTool('add', () => Promise.resolve(toolSays('3')))]);
    for (const end of ['fails', 'cancel'] as const) {
      const { id } = await start(definition);
      const first = await each.house.script.next();
      first.say('Let me see.');
      first.tool('add', { a: 1 });
      first.end();
      const second = await each.house.script.next();
      second.say('It is');
      if (end === 'fails') second.fails();
      else await each.house.runs.cancel(aTenant, each.house.agentId, id);
      await each.house.events(id);
      const { m: step } = await stepsOf(id);
      expect(step).toMatchObject({ state: end === 'fails' ? 'failed' : 'canceled', kept: null });
      expect(step?.inputs).toMatchObject({ model: 'script' });
      expect(step?.outputs).toEqual({
        text: 'Let me see.\n\nIt is',
        reasoning: '',
        calls: [{ name: 'add', arguments: { a: 1 }, result: { text: '3' }, failed: false }],
        files: [],
      });
    }
  });

  test('of a run that is given up while it waits for a person becomes what the tenant wants', async () => {
    covers('agents.run.traces');
    const asking = definitionOf(
      [input, { id: 'mask', kind: 'mask_pii', text: '{{input.text}}' }, { id: 'ask', kind: 'ask', question: 'Which?' }],
      ['input>mask', 'mask>ask'],
    );
    await setTraces('{"agent_traces":"no_content"}');
    const { id } = await start(asking, 'Mine');
    await each.house.events(id);
    expect(JSON.stringify(await stepsOf(id))).toContain('Mine');
    expect(await each.house.runs.cancel(aTenant, each.house.agentId, id)).toMatchObject({
      state: 'canceled',
      question: null,
    });
    await setTraces('{}');
    const steps = await stepsOf(id);
    expect(Object.values(steps).map(({ state }) => state)).toEqual(['done', 'done', 'canceled']);
    for (const step of Object.values(steps)) expect(step).toMatchObject({ inputs: null, outputs: null, kept: null });
    await expect(start(asking, 'This', { continues: id })).rejects.toMatchObject({
      refusal: 'not_waiting_for_input',
      param: 'continues',
    });
  });

  /** A run whose model is being asked, as after the service has ended with it again and again. */
  async function thatEndsTheService() {
    const { id } = await start(definitionOf([input, { id: 'm', kind: 'model', model: 'script' }], ['input>m']), 'Mine');
    await each.house.script.next();
    await eventually(async () => expect(Object.keys(await stepsOf(id))).toEqual(['input', 'm']));
    await each.db.query
      .updateTable('agent_runs')
      .set({ claim: 'of another', seen_at: new Date(0), attempts: runJobs.maxAttempts })
      .where('id', '=', id)
      .execute();
    const events = await each.house.events(id);
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'internal' } });
    return stepsOf(id);
  }

  test('of a run that ended the service again and again has no step that goes on', async () => {
    const steps = await thatEndsTheService();
    expect(steps['m']).toMatchObject({ state: 'canceled', kept: null });
    expect(JSON.stringify(steps)).toContain('Mine');
  });

  test('of one that is given up so keeps nothing that would be hidden, and is not looked through', async () => {
    await each.house.close();
    const looked: string[] = [];
    const traceRedaction = () => Promise.resolve((text: string) => (looked.push(text), text));
    each.house = await openAgentHouse(each.db, each.house.agentId, { traceRedaction });
    const steps = await thatEndsTheService();
    expect(Object.keys(steps)).toEqual(['input', 'm']);
    expect(JSON.stringify(steps)).not.toContain('Mine');
    expect(looked).toEqual([]);
  });
});

describe('what many runs write at once', () => {
  const begun = { lastSeq: 0, answer: '', promptTokens: 0, completionTokens: 0, spentMs: 0 };

  /** A run that nobody works on; its claim is its id. */
  async function workingRun(): Promise<string> {
    const id = hexId();
    const session = await each.db.query
      .insertInto('agent_sessions')
      .values({ tenant_id: aTenant, agent_id: each.house.agentId, context_id: id, type: 'api' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await each.db.query
      .insertInto('agent_runs')
      .values({
        id,
        tenant_id: aTenant,
        agent_id: each.house.agentId,
        session_id: session.id,
        definition: '{}',
        input: '{}',
        state: 'working',
        claim: id,
        seen_at: new Date(),
      })
      .execute();
    return id;
  }

  test('is written though one of them was lost here and taken up here again', async () => {
    await each.house.close();
    const id = await workingRun();
    const lost: string[] = [];
    const writer = createWriter({
      db: each.db,
      log: silent,
      onWritten: () => undefined,
      onCommit: () => undefined,
      onLost: ({ claim }) => void lost.push(claim),
    });
    const before = new RunLog(writer, { id, claim: 'before', ...begun });
    const now = new RunLog(writer, { id, claim: id, ...begun });
    for (const log of [before, now]) log.step(newStep('m', 'm', 'model'));
    const [first, second] = await Promise.allSettled([before.written(), now.written()]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(lost).toEqual(['before']);
    await writer.close();
  });

  test.each([
    [100_000, 1],
    [1_500, 3],
  ])('takes as many statements as it must, of at most %i characters each', async (maxCharacters, statements) => {
    // Of nobody that is looked after.
    await each.house.close();
    const runs = await Promise.all(['a', 'b', 'c'].map(workingRun));
    let commits = 0;
    const writer = createWriter({
      db: each.db,
      log: silent,
      maxCharacters,
      onWritten: () => undefined,
      onCommit: () => void commits++,
      onLost: () => undefined,
    });
    const logs = runs.map((id) => new RunLog(writer, { id, claim: id, ...begun }));
    for (const log of logs) {
      log.text(toJsonText('t'.repeat(1_000)));
      log.endText();
    }
    await Promise.all(logs.map((log) => log.written()));
    expect(commits).toBe(statements);
    const texts = await each.db.query.selectFrom('agent_events').select('body').where('run_id', 'in', runs).execute();
    expect(texts.map(({ body }) => (body.type === 'text' ? body.text.length : 0))).toEqual([1_000, 1_000, 1_000]);
    await writer.close();
  });
});
