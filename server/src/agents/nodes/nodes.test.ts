import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { describe, expect, test } from 'vitest';
import {
  definitionOf,
  type AgentHouse,
  answerOf,
  aTenant,
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
const collection = hexId();
const each = usesAgentHouse();

async function run(definition: Parameters<AgentHouse['order']>[0], text = 'Hello', more = {}) {
  const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(definition, text, more));
  const events = await each.house.events(begun.id);
  return { id: begun.id, events, answer: answerOf(events), end: events.at(-1) };
}
const ends = (events: Awaited<ReturnType<typeof run>>['events']) =>
  Object.fromEntries(events.flatMap((event) => (event.type === 'step_end' ? [[event.step, event.state]] : [])));

const stateOf = async (runId: string, key: string) =>
  (
    await each.db.query
      .selectFrom('agent_steps')
      .select('state')
      .where('run_id', '=', runId)
      .where('key', '=', key)
      .executeTakeFirst()
  )?.state;

/** The prompt that the model was asked last. */
const asked = () => each.house.script.calls.at(-1)?.call.body.request.messages.at(-1)?.content;
const echo = () =>
  each.house.script.answerBy((call) => {
    const { content } = call.call.body.request.messages.at(-1) ?? {};
    call.say(`<${typeof content === 'string' ? content : ''}>`);
    call.end();
  });

const hit = (chunk: string, content: string) => ({
  chunk_id: chunk,
  document_id: `d-${chunk}`,
  document_name: `${chunk}.pdf`,
  collection_id: collection,
  title: '',
  content,
  score: 1,
  scores: {},
  page: 3,
  metadata: {},
});
const found = (...hits: ReturnType<typeof hit>[]) => ({
  result: { query: '', search_type: 'hybrid' as const, embedding_model: null, hits, total: hits.length },
});

describe('order', () => {
  test('a condition takes one way; what is on no way is skipped, and what joins both runs once', async () => {
    covers('agents.run.order');
    const definition = definitionOf(
      [
        input,
        {
          id: 'which',
          kind: 'condition',
          cases: [{ branch: 'long', tests: [{ left: '{{input.text}}', op: 'contains', right: 'long' }] }],
        },
        { id: 'mask_long', kind: 'mask_pii', text: 'L {{input.text}}' },
        { id: 'mask_short', kind: 'mask_pii', text: 'S {{input.text}}' },
        { id: 'after_short', kind: 'mask_pii', text: 'x' },
        { id: 'answer', kind: 'answer', text: '{{mask_long.text}}|{{mask_short.text}}' },
      ],
      [
        'input>which',
        'which:long>mask_long',
        'which:else>mask_short',
        'mask_short>after_short',
        'mask_long>answer',
        'after_short>answer',
      ],
    );
    const one = await run(definition, 'a long 1');
    expect(one.answer).toBe('L a long *|');
    expect(ends(one.events)).toMatchObject({ mask_short: 'skipped', after_short: 'skipped', mask_long: 'done' });
    expect((await run(definition, 'brief')).answer).toBe('|S brief');
  });

  test.each([
    ['on its way', [], ['input>a', 'a>b', 'b>a', 'b>answer']],
    ['in a loop on its way', ['loop'], ['input>loop', 'loop>answer', 'a>b', 'b>a']],
  ])('a draft with a circle %s fails, and does not end without an answer', async (_where, loops, edges) => {
    const inside = loops.map((parent) => ({ parent }))[0] ?? {};
    const definition = definitionOf(
      [
        input,
        ...loops.map((id) => ({ id, kind: 'loop', until: { tests: [{ left: 'a', op: 'equals', right: 'a' }] } })),
        { id: 'a', kind: 'mask_pii', text: 'x', ...inside },
        { id: 'b', kind: 'mask_pii', text: 'x', ...inside },
        { id: 'answer', kind: 'answer', text: 'never' },
      ],
      edges,
    );
    const { events } = await run(definition, 'x');
    const message = expect.stringContaining('Edges lead round in a circle before a: use a loop node');
    expect(events.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'conflict', node: 'input', message } });
  });

  test('branches without an edge between them run at the same time', async () => {
    const definition = definitionOf(
      [
        input,
        { id: 'a', kind: 'model', model: 'script', prompt: 'a' },
        { id: 'b', kind: 'model', model: 'script', prompt: 'b' },
        { id: 'answer', kind: 'answer', text: '{{a.text}}{{b.text}}' },
      ],
      ['input>a', 'input>b', 'a>answer', 'b>answer'],
    );
    const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(definition, 'x'));
    const both = [await each.house.script.next(), await each.house.script.next()];
    for (const call of both.toReversed()) {
      const { content } = call.call.body.request.messages[0] ?? {};
      call.say(typeof content === 'string' ? content : '?');
      call.end();
    }
    expect(answerOf(await each.house.events(begun.id))).toBe('ab');
  });

  test('several answers follow each other, also where one streams', async () => {
    const definition = definitionOf(
      [
        input,
        { id: 'a', kind: 'model', model: 'script', prompt: 'a' },
        { id: 'first', kind: 'answer', text: 'A: {{a.text}}.' },
        { id: 'b', kind: 'tool', tool: { kind: 'calculator' } },
        { id: 'second', kind: 'answer', text: 'B' },
      ],
      ['input>a', 'a>first', 'input>b', 'b>second'],
    );
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    each.house.deps.openTools = () => Promise.resolve([scriptedTool('t', () => held.then(() => toolSays('t')))]);
    const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(definition, 'x'));
    const call = await each.house.script.next();
    call.say('one ');
    release();
    await eventually(async () => expect(await stateOf(begun.id, 'second')).toBe('running'));
    call.say('two');
    call.end();
    expect(answerOf(await each.house.events(begun.id))).toBe('A: one two.\n\nB');
  });
});

describe('containers', () => {
  test('parallel runs its nodes for each item and gives the results in their order', async () => {
    echo();
    const definition = definitionOf(
      [
        input,
        { id: 'each', kind: 'parallel', items: 'input.data.list', result: '{{item.index}}{{m.text}}', at_once: 2 },
        { id: 'm', kind: 'model', parent: 'each', model: 'script', prompt: '{{item.value}}' },
        { id: 'answer', kind: 'answer', text: '{{each.results}} {{each.count}}' },
      ],
      ['input>each', 'each>answer'],
    );
    const data = { list: ['x', 'y', 'z'] };
    const done = await run(definition, '', { input: { text: '', files: [], data } });
    expect(done.answer).toBe('["0<x>","1<y>","2<z>"] 3');
    expect(ends(done.events)).toMatchObject({ 'each[2]/m': 'done', each: 'done' });
    const many = { list: Array.from({ length: 21 }, () => 'x') };
    expect((await run(definition, '', { input: { text: '', files: [], data: many } })).end).toMatchObject({
      state: 'failed',
      failure: { node: 'each' },
    });
  });

  test('a loop goes on until its tests hold, and at most so often', async () => {
    echo();
    const loop = (most: number) =>
      definitionOf(
        [
          input,
          {
            id: 'again',
            kind: 'loop',
            most,
            variables: [{ name: 'text', first: '{{input.text}}', next: '{{m.text}}' }],
            until: { tests: [{ left: '{{loop.text}}', op: 'starts_with', right: '<<<' }] },
          },
          { id: 'm', kind: 'model', parent: 'again', model: 'script', prompt: '{{loop.text}}' },
          { id: 'answer', kind: 'answer', text: '{{again.text}} {{again.count}}' },
        ],
        ['input>again', 'again>answer'],
      );
    expect((await run(loop(5), 'a')).answer).toBe('<<<a>>> 3');
    expect((await run(loop(2), 'a')).answer).toBe('<<a>> 2');
  });
});

describe('structured answers', () => {
  const definition = definitionOf(
    [
      input,
      {
        id: 'm',
        kind: 'model',
        model: 'script',
        schema: { type: 'object', properties: { decision: { enum: ['승인', '반려'] } }, required: ['decision'] },
      },
      {
        id: 'which',
        kind: 'condition',
        cases: [{ branch: 'no', tests: [{ left: '{{m.json.decision}}', op: 'equals', right: '반려' }] }],
      },
      { id: 'refused', kind: 'answer', text: 'refused' },
      { id: 'granted', kind: 'answer', text: 'granted' },
    ],
    ['input>m', 'm>which', 'which:no>refused', 'which:else>granted'],
  );
  const answered = (text: string) => {
    each.house.script.answerBy((call) => {
      call.say(text);
      call.end();
    });
    return run(definition);
  };

  test('take the branch of what they say; one that is not of its schema fails the node', async () => {
    expect((await answered('{"decision":"승인"}')).answer).toBe('granted');
    expect((await answered('```json\n{"decision":"반려"}\n```')).answer).toBe('refused');
    expect((await answered('{"판정":"반려"}')).end).toMatchObject({
      state: 'failed',
      failure: {
        node: 'm',
        code: 'unprocessable',
        message: expect.stringContaining('form that the node asks for: decision is required'),
      },
    });
  });
});

describe('asking back', () => {
  const definition = definitionOf(
    [
      input,
      { id: 'm', kind: 'model', model: 'script', prompt: 'first' },
      { id: 'ask', kind: 'ask', question: 'Which {{m.text}}?' },
      { id: 'answer', kind: 'answer', text: '{{m.text}}: {{ask.text}}' },
    ],
    ['input>m', 'm>ask', 'ask>answer'],
  );

  test('waits for the next message and goes on with it, repeating nothing', async () => {
    echo();
    const { id, events, end } = await run(definition);
    expect(end).toMatchObject({ state: 'input-required', question: 'Which <first>?' });
    const asking = each.db.query
      .selectFrom('agent_steps')
      .selectAll()
      .where('run_id', '=', id)
      .where('key', '=', 'ask');
    expect(await asking.executeTakeFirst()).toMatchObject({
      state: 'waiting',
      inputs: { question: 'Which <first>?' },
      outputs: null,
    });
    expect(await each.house.runs.read(aTenant, each.house.agentId, id)).toMatchObject({
      question: 'Which <first>?',
      endedAt: null,
    });
    await expect(
      each.house.runs.start(each.house.actor, each.house.order(definition, 'This', { continues: hexId() })),
    ).rejects.toMatchObject({ refusal: 'not_waiting_for_input', param: 'continues' });
    await each.house.runs.start(each.house.actor, each.house.order(definition, 'This', { continues: id }));
    const rest = await each.house.events(id, events.length);
    expect(answerOf(rest)).toBe('<first>: This');
    expect(rest[0]).toMatchObject({ seq: events.length + 1 });
    expect(each.house.script.calls).toHaveLength(1);
    expect(await asking.executeTakeFirst()).toMatchObject({
      state: 'done',
      inputs: { question: 'Which <first>?' },
      outputs: { text: 'This' },
    });
    // Whoever looks from the beginning sees all of it.
    expect(await each.house.events(id)).toHaveLength(events.length + rest.length);
  });

  test('can be given up', async () => {
    echo();
    const { id } = await run(definition);
    expect(await each.house.runs.cancel(aTenant, each.house.agentId, id)).toMatchObject({
      state: 'canceled',
      question: null,
    });
    expect((await each.house.events(id)).at(-1)).toMatchObject({ state: 'canceled' });
  });
});

describe('passages', () => {
  const definition = definitionOf(
    [
      input,
      { id: 'one', kind: 'retrieve', collections: [collection], query: 'one {{input.text}}' },
      { id: 'two', kind: 'retrieve', collections: [collection], query: 'two' },
      { id: 'm', kind: 'model', model: 'script', passages: ['one.passages', 'two.passages'] },
      { id: 'answer', kind: 'answer', text: '{{m.text}}' },
    ],
    ['input>one', 'one>two', 'two>m', 'm>answer'],
  );

  test('are numbered through the run; those that the answer cites go with it', async () => {
    const queries: unknown[] = [];
    each.house.deps.search = ({ actor }, request) => {
      queries.push({ ...request, seesAll: actor.rights.has('collections.all') });
      return Promise.resolve(
        request.query === 'two'
          ? found(hit('b', 'B says'), hit('c', 'C says'))
          : found(hit('a', 'A says'), hit('b', 'B says')),
      );
    };
    each.house.script.answerBy((call) => {
      call.say('As they say [3][1, 2] and [9].');
      call.end();
    });
    const { id, events } = await run(definition, 'q');
    expect(queries).toMatchObject([{ query: 'one q', collection_ids: [collection], seesAll: false }, { query: 'two' }]);
    expect(asked()).toContain('[1] a.pdf, p. 3\nA says\n\n[2] b.pdf, p. 3\nB says\n\n[3] c.pdf, p. 3\nC says');
    const cited = events.flatMap((event): Citation[] => (event.type === 'citations' ? event.citations : []));
    expect(cited.map(({ number, chunk_id: chunk }) => [number, chunk])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect((await each.house.runs.read(aTenant, each.house.agentId, id)).citations).toEqual(cited);
  });
});

describe('whose collections', () => {
  const definition = definitionOf(
    [input, { id: 's', kind: 'retrieve', collections: [collection] }, { id: 'answer', kind: 'answer', text: 'x' }],
    ['input>s', 's>answer'],
  );

  test('a draft finds what its person may see; what was approved, also in another agent, what it names', async () => {
    covers('agents.run.eyes');
    const seen: unknown[] = [];
    each.house.deps.search = ({ actor: { tenantId, userId, rights, allowedModels } }, { collection_ids: ids }) => {
      seen.push({ tenantId, userId, seesAll: rights.has('collections.all'), ids, models: [...(allowedModels ?? [])] });
      return Promise.resolve(found());
    };
    const mine = { tenantId: aTenant, userId: 'ada', ids: [collection], models: ['script', 'brief', 'builtin'] };
    await run(definition);
    expect(seen).toEqual([{ ...mine, seesAll: false }]);
    const slug = `s-${hexId()}`;
    const inner = await deployAgent(each.db, slug, definition);
    const calls = definitionOf([input, { id: 'c', kind: 'agent', agent: slug }], ['input>c']);
    await run(calls);
    expect(seen[1]).toEqual({ ...mine, seesAll: true });
    const { deployed_version_id: versionId } = await each.db.query
      .selectFrom('agents')
      .select('deployed_version_id')
      .where('id', '=', inner)
      .executeTakeFirstOrThrow();
    await run(definition, 'x', { versionId });
    expect(seen[2]).toEqual({ ...mine, seesAll: true });
  });

  test('what nobody waits for is searched behind what people wait for', async () => {
    const seen: unknown[] = [];
    each.house.deps.search = ({ priority }) => {
      seen.push(priority);
      return Promise.resolve(found());
    };
    await run(definition, 'x', { priority: 'batch' });
    await run(definition);
    expect(seen).toEqual(['batch', 'interactive']);
  });
});

describe('tools', () => {
  const withTools = definitionOf(
    [
      input,
      { id: 'm', kind: 'model', model: 'script', tools: [{ kind: 'calculator' }], max_steps: 3 },
      { id: 'answer', kind: 'answer', text: '{{m.text}}' },
    ],
    ['input>m', 'm>answer'],
  );

  test('of a model are called, also several at once, and it is told what they gave', async () => {
    const keys: string[] = [];
    each.house.deps.openTools = () =>
      Promise.resolve([
        scriptedTool('calculator', (args, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          return Promise.resolve(toolSays(`got ${String(args)}`));
        }),
      ]);
    const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(withTools, 'x'));
    const first = await each.house.script.next();
    expect(first.call.body.request.tools?.[0]?.function.name).toBe('calculator');
    first.say('Let me see.');
    first.tool('calculator', { a: 1 });
    first.tool('nothing', {});
    first.end();
    const second = await each.house.script.next();
    expect(second.call.body.request.messages.slice(-3)).toMatchObject([
      { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'got {"a":1}' },
      { role: 'tool', tool_call_id: 'call_1', content: 'There is no tool "nothing"' },
    ]);
    second.tool('calculator', {});
    second.end();
    const third = await each.house.script.next();
    expect(third.call.body.request.tool_choice).toBe('none');
    third.say('Done.');
    third.end();
    expect(answerOf(await each.house.events(begun.id))).toBe('Let me see.\n\nDone.');
    expect(keys).toEqual([`${begun.id}/m/0.0`, `${begun.id}/m/1.0`]);
  });

  test('that a model names badly are told as those that are not there, and two calls may have one id', async () => {
    const called: unknown[] = [];
    each.house.deps.openTools = () =>
      Promise.resolve([
        scriptedTool('calculator', (args) => {
          called.push(args);
          return Promise.resolve(toolSays('2'));
        }),
      ]);
    const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(withTools, 'x'));
    const first = await each.house.script.next();
    const names = ['functions.calculator', 'calculator ', '계산기', 'get employee', '', 'x'.repeat(200)];
    for (const name of names) first.tool(name, {}, 'same');
    first.end();
    const second = await each.house.script.next();
    const messages = second.call.body.request.messages.slice(-7);
    expect(messages[0]).toMatchObject({
      tool_calls: ['calculator', 'calculator', 'unknown', 'get_employee', 'unknown', 'x'.repeat(64)].map((name) => ({
        function: { name },
      })),
    });
    expect(messages.slice(1).map(({ content }) => content)).toEqual([
      '2',
      '2',
      'There is no tool "계산기"',
      'There is no tool "get employee"',
      'There is no tool ""',
      `There is no tool "${'x'.repeat(64)}"`,
    ]);
    second.say('Done.');
    second.end();
    expect(answerOf(await each.house.events(begun.id))).toBe('Done.');
    expect(called).toHaveLength(2);
  });

  test('a node calls one with its arguments, and fails where the tool fails', async () => {
    let seen: unknown = null;
    each.house.deps.openTools = () =>
      Promise.resolve([
        scriptedTool('t', (args) => {
          seen = args;
          return Promise.resolve(
            (args as { n: unknown }).n === 'bad' ? { ...toolSays('No'), failed: true } : toolSays('Yes'),
          );
        }),
      ]);
    const definition = definitionOf(
      [
        input,
        {
          id: 't',
          kind: 'tool',
          tool: { kind: 'calculator' },
          arguments: { list: '{{input.data.list}}', n: 'bad{{input.text}}' },
        },
        { id: 'answer', kind: 'answer', text: '{{t.text}} {{t.result.text}}' },
      ],
      ['input>t', 't>answer'],
    );
    const data = { list: [1, 2] };
    expect((await run(definition, '', { input: { text: '!', files: [], data } })).answer).toBe('Yes Yes');
    expect(seen).toEqual({ list: [1, 2], n: 'bad!' });
    expect((await run(definition, '')).end).toMatchObject({ state: 'failed', failure: { node: 't', message: 'No' } });
  });

  test('calls that ended are not made again after a stop; those under way are, with the same key', async () => {
    const keys: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    each.house.deps.openTools = () =>
      Promise.resolve([
        scriptedTool('quick', (_args, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          return Promise.resolve(toolSays('quick'));
        }),
        scriptedTool('slow', async (_args, { idempotencyKey, signal }) => {
          keys.push(idempotencyKey);
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          signal.throwIfAborted();
          return toolSays('never');
        }),
      ]);
    const { run: begun } = await each.house.runs.start(each.house.actor, each.house.order(withTools, 'x'));
    const first = await each.house.script.next();
    first.tool('quick', {});
    first.tool('slow', {});
    first.end();
    await eventually(() => expect(keys).toHaveLength(2));
    await eventually(async () => {
      const { kept } = await each.db.query
        .selectFrom('agent_steps')
        .select('kept')
        .where('run_id', '=', begun.id)
        .where('key', '=', 'm')
        .executeTakeFirstOrThrow();
      expect(JSON.stringify(kept)).toContain('"text":"quick"');
    });
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      other.deps.openTools = () =>
        Promise.resolve([
          scriptedTool('quick', () => Promise.reject(new Error('called again'))),
          scriptedTool('slow', (_args, { idempotencyKey }) => {
            keys.push(idempotencyKey);
            release();
            return Promise.resolve(toolSays('slow'));
          }),
        ]);
      await each.house.close();
      await held;
      const next = await other.script.next();
      expect(next.call.body.request.messages.slice(-2)).toMatchObject([{ content: 'quick' }, { content: 'slow' }]);
      next.say('End');
      next.end();
      expect(answerOf(await other.events(begun.id))).toBe('End');
      expect(keys).toEqual([`${begun.id}/m/0.0`, `${begun.id}/m/0.1`, `${begun.id}/m/0.1`]);
    } finally {
      await other.close();
    }
  });
});
