import { describe, expect, test } from 'vitest';
import {
  type AgentHouse,
  answerOf,
  aTenant,
  definitionOf,
  deployAgent,
  openAgentHouse,
  scriptedTool,
  toolSays,
  usesAgentHouse,
} from '../../../test/support/agent-runs.ts';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { hexId } from '../../kernel/ids.ts';

const input = { id: 'input', kind: 'input' };
const each = usesAgentHouse();

/** Deploys an agent; its slug. */
async function deployed(...definition: Parameters<typeof definitionOf>): Promise<string> {
  const slug = `s-${hexId()}`;
  await deployAgent(each.db, slug, definitionOf(...definition));
  return slug;
}
const calling = (slug: string) =>
  definitionOf(
    [
      input,
      { id: 'call', kind: 'agent', agent: slug, message: 'to {{input.text}}' },
      { id: 'answer', kind: 'answer', text: 'It says {{call.text}}!' },
    ],
    ['input>call', 'call>answer'],
  );
/** An agent that says in parentheses what its model says. */
const speaking = () =>
  deployed(
    [
      input,
      { id: 'model', kind: 'model', model: 'script' },
      { id: 'inside', kind: 'answer', text: '({{model.text}})' },
    ],
    ['input>model', 'model>inside'],
  );

const start = async (definition: Parameters<AgentHouse['order']>[0], text = 'x', more = {}) =>
  (await each.house.runs.start(each.house.actor, each.house.order(definition, text, more))).run;
async function run(definition: Parameters<AgentHouse['order']>[0]) {
  const { id } = await start(definition);
  const events = await each.house.events(id);
  return { id, events, answer: answerOf(events), end: events.at(-1) };
}
const ends = (events: Awaited<ReturnType<typeof run>>['events']) =>
  Object.fromEntries(events.flatMap((event) => (event.type === 'step_end' ? [[event.step, event.state]] : [])));
/** What callers have of an answer so far. */
const sentOf = async (runId: string) => {
  const rows = await each.db.query
    .selectFrom('agent_events')
    .select('body')
    .where('run_id', '=', runId)
    .orderBy('seq')
    .execute();
  return rows.map(({ body }) => (body.type === 'text' ? body.text : '')).join('');
};
/** Keys of the steps that have begun and not ended. */
const runningOf = async (runId: string) => {
  const rows = await each.db.query
    .selectFrom('agent_steps')
    .select('key')
    .where('run_id', '=', runId)
    .where('state', '=', 'running')
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
};
const untilSent = (runId: string, text: string) => eventually(async () => expect(await sentOf(runId)).toBe(text));

describe('agents in agents', () => {
  test('give what they answer', async () => {
    const slug = await deployed([input, { id: 'a', kind: 'answer', text: '({{input.text}})' }], ['input>a']);
    const { answer, events } = await run(calling(slug));
    expect(answer).toBe('It says (to x)!');
    expect(ends(events)).toMatchObject({ 'call/a': 'done', call: 'done' });
  });

  test('do not call each other in a circle', async () => {
    const slug = `s-${hexId()}`;
    await deployAgent(each.db, slug, calling(slug), each.house.agentId);
    expect((await run(calling(slug))).end).toMatchObject({ state: 'failed', failure: { node: 'call' } });
  });

  test('that are not deployed fail', async () => {
    expect((await run(calling('nobody'))).end).toMatchObject({ state: 'failed', failure: { code: 'not_found' } });
  });
});

describe('the answer of an agent in an answer', () => {
  test('goes out as it is made, also from agents that it calls, and is what the node gives', async () => {
    covers('agents.run.stream');
    const { id } = await start(calling(await deployed(...partsOf(calling(await speaking())))));
    const call = await each.house.script.next();
    call.say('one ');
    await untilSent(id, 'It says It says (one ');
    call.say('two');
    await untilSent(id, 'It says It says (one two');
    call.end();
    expect(answerOf(await each.house.events(id))).toBe('It says It says (one two)!!');
    const outputs = await each.db.query
      .selectFrom('agent_steps')
      .select(['key', 'outputs'])
      .where('run_id', '=', id)
      .where('kind', '=', 'agent')
      .execute();
    expect(new Map(outputs.map((one) => [one.key, one.outputs]))).toEqual(
      new Map([
        ['call', { text: 'It says (one two)!', passages: [], data: null, files: [] }],
        ['call/call', { text: '(one two)', passages: [], data: null, files: [] }],
      ]),
    );
  });

  test('keeps other answers waiting for their turn, within the agent and outside of it', async () => {
    const slug = await deployed(
      [
        input,
        { id: 'slow', kind: 'model', model: 'script' },
        { id: 'first', kind: 'answer', text: '{{slow.text}}' },
        { id: 'tool', kind: 'tool', tool: { kind: 'calculator' } },
        { id: 'empty', kind: 'answer', text: '' },
        { id: 'second', kind: 'answer', text: 'second' },
      ],
      ['input>slow', 'slow>first', 'input>tool', 'tool>empty', 'empty>second'],
    );
    const whole = calling(slug);
    const definition = definitionOf(
      [
        ...whole.nodes,
        { id: 'also', kind: 'tool', tool: { kind: 'calculator' } },
        { id: 'last', kind: 'answer', text: 'last' },
      ],
      ['input>call', 'call>answer', 'input>also', 'also>last'],
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    each.house.deps.openTools = () => Promise.resolve([scriptedTool('t', () => held.then(() => toolSays('t')))]);
    const { id } = await start(definition);
    const call = await each.house.script.next();
    call.say('slow');
    await untilSent(id, 'It says slow');
    release();
    await eventually(async () => expect(await runningOf(id)).toEqual(['call', 'call/empty', 'call/slow', 'last']));
    call.say('ly');
    call.end();
    expect(answerOf(await each.house.events(id))).toBe('It says slowly\n\nsecond!\n\nlast');
  });

  test('is gathered where the answer cannot begin yet', async () => {
    const whole = calling(await speaking());
    const definition = definitionOf(
      [
        input,
        whole.nodes[1] as typeof input,
        { id: 'more', kind: 'model', model: 'script', prompt: 'more' },
        { id: 'answer', kind: 'answer', text: '{{call.text}} {{more.text}}' },
      ],
      ['input>call', 'call>answer', 'input>more', 'more>answer'],
    );
    each.house.script.answerBy((call) => {
      call.say('yes');
      call.end();
    });
    const { events, answer } = await run(definition);
    expect(answer).toBe('(yes) yes');
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(1);
  });

  test('ends mid-token when the run is canceled, and at the budget of the run', async () => {
    covers('agents.run.cancel', 'agents.run.budgets');
    const slug = await speaking();
    const { id } = await start(calling(slug));
    const call = await each.house.script.next();
    call.say('Begun');
    await untilSent(id, 'It says (Begun');
    expect(await each.house.runs.cancel(aTenant, each.house.agentId, id)).toMatchObject({
      state: 'canceled',
      answer: 'It says (Begun',
    });
    expect(call.aborted()).toBe(true);
    const { nodes, edges } = calling(slug);
    const definition = { schema: 1 as const, nodes, edges, limits: { seconds: 4, tokens: 200_000 } };
    const late = await start(definition);
    (await each.house.script.next()).say('Late');
    const events = await each.house.events(late.id);
    expect(answerOf(events)).toBe('It says (Late');
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'timeout' } });
  });

  test.each([
    ['with the same words', ['one ', 'two'], null],
    ['with others', ['Something else'], 'and the rest'],
  ])('goes on after a stop from what was sent, %s', async (_name, words, rest) => {
    covers('agents.run.crash');
    const slug = await deployed(
      [
        input,
        { id: 'tool', kind: 'tool', tool: { kind: 'calculator' } },
        { id: 'beside', kind: 'answer', text: 'beside' },
        { id: 'hello', kind: 'answer', text: 'Hello' },
        { id: 'model', kind: 'model', model: 'script' },
        { id: 'inside', kind: 'answer', text: '({{model.text}})' },
      ],
      ['input>tool', 'tool>beside', 'input>hello', 'hello>model', 'model>inside'],
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    each.house.deps.openTools = () => Promise.resolve([scriptedTool('t', () => held.then(() => toolSays('t')))]);
    const { id } = await start(calling(slug));
    const call = await each.house.script.next();
    call.say('one ');
    await untilSent(id, 'It says Hello\n\n(one ');
    release();
    await eventually(async () => expect(await runningOf(id)).toContain('call/beside'));
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      await each.house.close();
      // A version that is deployed meanwhile is not theirs.
      await each.db.query.updateTable('agents').set({ deployed_version_id: null }).where('slug', '=', slug).execute();
      const again = await other.script.next();
      for (const word of words) again.say(word);
      again.end();
      if (rest !== null) {
        const more = await other.script.next();
        more.say(rest);
        more.end();
      }
      const events = await other.events(id);
      expect(answerOf(events)).toBe(`It says Hello\n\n(one ${rest ?? 'two'})\n\nbeside!`);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    } finally {
      await other.close();
    }
  });

  test('waits with the agent that asks back, and so do the answers behind it', async () => {
    const slug = await deployed(
      [
        input,
        { id: 'hello', kind: 'answer', text: 'Hello' },
        { id: 'first', kind: 'model', model: 'script', prompt: 'first' },
        { id: 'ask', kind: 'ask', question: 'Which?' },
        { id: 'second', kind: 'model', model: 'script', prompt: '{{ask.text}}' },
        { id: 'inside', kind: 'answer', text: '{{second.text}}' },
      ],
      ['input>hello', 'hello>first', 'first>ask', 'ask>second', 'second>inside'],
    );
    const whole = calling(await deployed(...partsOf(calling(slug))));
    const definition = definitionOf(
      [
        ...whole.nodes,
        { id: 'tool', kind: 'tool', tool: { kind: 'calculator' } },
        { id: 'last', kind: 'answer', text: 'last' },
      ],
      ['input>call', 'call>answer', 'input>tool', 'tool>last'],
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    each.house.deps.openTools = () => Promise.resolve([scriptedTool('t', () => held.then(() => toolSays('t')))]);
    const { id } = await start(definition);
    const first = await each.house.script.next();
    await untilSent(id, 'It says It says Hello');
    release();
    await eventually(async () => expect(await runningOf(id)).toContain('last'));
    first.end();
    const events = await each.house.events(id);
    expect(events.at(-1)).toMatchObject({ state: 'input-required', question: 'Which?' });
    expect(answerOf(events)).toBe('It says It says Hello');
    await start(definition, 'This', { continues: id });
    const second = await each.house.script.next();
    expect(second.call.body.request.messages.at(-1)).toMatchObject({ content: 'This' });
    second.say('That');
    second.end();
    const rest = await each.house.events(id, events.length);
    expect(rest.at(-1)).toMatchObject({ state: 'completed' });
    expect(answerOf(rest)).toBe('\n\nThat!!\n\nlast');
  });
});

/** A definition in few words again. */
const partsOf = ({ nodes, edges }: ReturnType<typeof definitionOf>): Parameters<typeof definitionOf> => [
  nodes,
  edges.map(({ from, to }) => `${from}>${to}`),
];
