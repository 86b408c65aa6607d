import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import { describe, expect, test, vi } from 'vitest';
import {
  type AgentHouse,
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
import type { ToolFile } from '../tools/index.ts';

// Data and files that answers bring, and files that tools give.

const input = { id: 'input', kind: 'input' };
const fetching = { id: 'fetch', kind: 'tool', tool: { kind: 'calculator' } };
const chart: ToolFile = { name: 'chart.png', mediaType: 'image/png', bytes: Buffer.from('png') };
const each = usesAgentHouse();

const start = async (definition: Parameters<AgentHouse['order']>[0], more = {}) =>
  (await each.house.runs.start(each.house.actor, each.house.order(definition, 'x', more))).run.id;
const partsOf = (events: readonly RunEvent[]) => events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
async function run(definition: Parameters<AgentHouse['order']>[0], more = {}) {
  const id = await start(definition, more);
  const events = await each.house.events(id);
  return { id, events, parts: partsOf(events), end: events.at(-1) };
}
const givesFiles = (...files: ToolFile[]) => {
  each.house.deps.openTools = () =>
    Promise.resolve([scriptedTool('t', () => Promise.resolve({ ...toolSays('made it'), files }))]);
};
const contentOf = async (file: { readonly id: string; readonly name: string }) =>
  (await each.house.deps.files.read(aTenant, file, 100))?.toString();

describe('an answer', () => {
  test('brings data, files of tools and files that it writes behind its text, which the run keeps', async () => {
    covers('a2a.parts');
    givesFiles(chart);
    const { id, events, parts } = await run(
      definitionOf(
        [
          input,
          fetching,
          {
            id: 'answer',
            kind: 'answer',
            text: 'Here: {{fetch.text}}',
            parts: [
              { kind: 'files', files: 'fetch.files' },
              { kind: 'data', value: 'fetch.result', name: 'numbers' },
              { kind: 'document', name: 'note', content: '# {{fetch.text}}' },
              { kind: 'document', name: 'nothing.txt', content: '{{input.data}}' },
            ],
          },
        ],
        ['input>fetch', 'fetch>answer'],
      ),
    );
    const [picture, numbers, note] = parts;
    expect(parts).toMatchObject([
      { kind: 'file', id: 'answer.0', file: { name: 'chart.png', media_type: 'image/png', size: 3 } },
      { kind: 'data', id: 'answer.1', name: 'numbers', data: { text: 'made it' } },
      { kind: 'file', id: 'answer.2', file: { name: 'note.txt', media_type: 'text/plain', size: 9 } },
    ]);
    expect(numbers?.kind).toBe('data');
    if (picture?.kind !== 'file' || note?.kind !== 'file') throw new Error('no files');
    expect([await contentOf(picture.file), await contentOf(note.file)]).toEqual(['png', '# made it']);
    const types = events.map(({ type }) => type);
    expect(types.indexOf('part')).toBeGreaterThan(types.lastIndexOf('text'));
    expect((await each.house.runs.read(aTenant, each.house.agentId, id)).parts).toEqual(parts);
  });

  test('opens no file that only looks like one, and none of another run', async () => {
    const agent = each.house.agentId;
    const other = await start(definitionOf([input, { id: 'answer', kind: 'answer', text: 'x' }], ['input>answer']));
    await each.house.events(other);
    const owner = { ...each.house.actor, runId: other, agentId: agent };
    const foreign = await each.house.deps.files.keep(owner, { key: 'k', ...chart });
    const { parts, end } = await run(
      definitionOf(
        [input, { id: 'answer', kind: 'answer', text: '', parts: [{ kind: 'files', files: 'input.data.files' }] }],
        ['input>answer'],
      ),
      { input: { text: 'x', files: [], data: { files: [foreign, { ...foreign, id: hexId() }] } } },
    );
    expect(end).toMatchObject({ state: 'completed' });
    expect(parts).toEqual([]);
    expect(await each.house.deps.files.find(aTenant, other, [foreign.id])).toEqual([foreign]);
    expect(await each.house.deps.files.find('other' as typeof aTenant, other, [foreign.id])).toEqual([]);
  });

  test('of too much fails, and says so', async () => {
    const large = (bytes: number) => ({ ...chart, bytes: Buffer.alloc(bytes) });
    const sending = definitionOf(
      [input, fetching, { id: 'answer', kind: 'answer', text: '', parts: [{ kind: 'files', files: 'fetch.files' }] }],
      ['input>fetch', 'fetch>answer'],
    );
    givesFiles(large(8 * 1024 * 1024 + 1));
    expect((await run(sending)).end).toMatchObject({ state: 'failed', failure: { code: 'too_large', node: 'fetch' } });
    givesFiles(large(8 * 1024 * 1024), large(8 * 1024 * 1024), large(1));
    expect((await run(sending)).end).toMatchObject({ state: 'failed', failure: { code: 'too_large', node: 'answer' } });
    givesFiles(...Array.from({ length: 9 }, () => large(8 * 1024 * 1024)));
    expect((await run(sending)).end).toMatchObject({ failure: { code: 'too_large', node: 'fetch' } });
    givesFiles(...Array.from({ length: 51 }, () => chart));
    expect((await run(sending)).end).toMatchObject({ failure: { message: expect.stringContaining('at most 50') } });
    const data = definitionOf(
      [input, { id: 'answer', kind: 'answer', text: '', parts: [{ kind: 'data', value: 'input.data' }] }],
      ['input>answer'],
    );
    const long = { input: { text: 'x', files: [], data: 'x'.repeat(1_000_000) } };
    expect((await run(data, long)).end).toMatchObject({ failure: { code: 'too_large' } });
  });

  test('brings each part once, whatever process goes on with the run', async () => {
    covers('agents.run.crash');
    let calls = 0;
    each.house.deps.openTools = () =>
      Promise.resolve([
        scriptedTool('t', () => {
          calls++;
          return Promise.resolve({ ...toolSays('made it'), files: [chart] });
        }),
      ]);
    const id = await start(
      definitionOf(
        [
          input,
          fetching,
          { id: 'first', kind: 'answer', text: 'One', parts: [{ kind: 'files', files: 'fetch.files' }] },
          { id: 'model', kind: 'model', model: 'script' },
          { id: 'second', kind: 'answer', text: '{{model.text}}', parts: [{ kind: 'data', value: 'model.text' }] },
        ],
        ['input>fetch', 'fetch>first', 'first>model', 'model>second'],
      ),
    );
    await each.house.script.next();
    await eventually(async () => {
      const rows = await each.db.query.selectFrom('agent_events').select('body').where('run_id', '=', id).execute();
      expect(rows.map(({ body }) => body.type)).toContain('part');
    });
    const other = await openAgentHouse(each.db, each.house.agentId);
    try {
      await each.house.close();
      const again = await other.script.next();
      again.say('Two');
      again.end();
      const parts = partsOf(await other.events(id));
      expect(parts).toMatchObject([
        { id: 'first.0', file: { name: 'chart.png' } },
        { id: 'second.0', data: 'Two' },
      ]);
      expect((await other.runs.read(aTenant, each.house.agentId, id)).parts).toEqual(parts);
      expect(calls).toBe(1);
    } finally {
      await other.close();
    }
  });

  test('of a called agent gives its data and files to the agent that calls, and not to its caller', async () => {
    givesFiles(chart);
    const slug = `s-${hexId()}`;
    await deployAgent(
      each.db,
      slug,
      definitionOf(
        [
          input,
          fetching,
          {
            id: 'inside',
            kind: 'answer',
            text: 'In',
            parts: [
              { kind: 'data', value: 'fetch.result' },
              { kind: 'files', files: 'fetch.files' },
            ],
          },
        ],
        ['input>fetch', 'fetch>inside'],
      ),
    );
    const { parts } = await run(
      definitionOf(
        [
          input,
          { id: 'call', kind: 'agent', agent: slug },
          {
            id: 'answer',
            kind: 'answer',
            text: '{{call.text}}',
            parts: [
              { kind: 'files', files: 'call.files' },
              { kind: 'data', value: 'call.data.text', name: 'word' },
            ],
          },
        ],
        ['input>call', 'call>answer'],
      ),
    );
    expect(parts).toMatchObject([
      { id: 'answer.0', kind: 'file', file: { name: 'chart.png' } },
      { id: 'answer.1', kind: 'data', name: 'word', data: 'made it' },
    ]);
    expect(parts).toHaveLength(2);
  });

  test('may bring the files of tools that a model called, which is told their names', async () => {
    givesFiles(chart);
    const id = await start(
      definitionOf(
        [
          input,
          { id: 'model', kind: 'model', model: 'script', tools: [{ kind: 'calculator' }] },
          { id: 'answer', kind: 'answer', text: '{{model.text}}', parts: [{ kind: 'files', files: 'model.files' }] },
        ],
        ['input>model', 'model>answer'],
      ),
    );
    const asks = await each.house.script.next();
    asks.tool('t', {});
    asks.end();
    const told = await each.house.script.next();
    expect(told.call.body.request.messages.at(-1)?.content).toBe('made it\n[Kept as files of this run: "chart.png"]');
    told.say('Done');
    told.end();
    expect(partsOf(await each.house.events(id))).toMatchObject([{ id: 'answer.0', file: { name: 'chart.png' } }]);
  });
});

describe('data of a message', () => {
  const asks = (prompt: string) => ({ id: 'model', kind: 'model', model: 'script', prompt });
  const answer = { id: 'answer', kind: 'answer', text: '{{model.text}}' };
  const edges = ['input>model', 'model>answer'];
  const brings = (data: unknown) => ({ input: { text: 'x', files: [], data } });
  /** What the model was asked last. */
  const asked = async (definition: Parameters<typeof start>[0], more: object) => {
    const id = await start(definition, more);
    const call = await each.house.script.next();
    call.say('Done');
    call.end();
    await each.house.events(id);
    return call.call.body.request.messages.map(({ content }) => content);
  };

  test('stand below the text for models, unless a node names them; the text itself stays as it is', async () => {
    covers('a2a.data');
    const plain = definitionOf([input, asks('Say: {{input.text}}'), answer], edges);
    expect(await asked(plain, brings({ order: 7 }))).toEqual(['Say: x\n\n{"order":7}']);
    expect(await asked(plain, brings(null))).toEqual(['Say: x']);
    const elsewhere = definitionOf([input, asks('Say'), answer], edges);
    expect(await asked(elsewhere, brings({ order: 7 }))).toEqual(['Say']);
    const named = definitionOf([input, asks('Say: {{input.text}}, {{input.data.order}}'), answer], edges);
    expect(await asked(named, brings({ order: 7 }))).toEqual(['Say: x, 7']);
    const tests = [{ left: '{{input.text}}', op: 'equals', right: 'x' }];
    const { parts } = await run(
      definitionOf(
        [
          input,
          { id: 'choose', kind: 'condition', cases: [{ branch: 'same', tests }] },
          { id: 'answer', kind: 'answer', text: '', parts: [{ kind: 'data', value: 'choose.branch' }] },
        ],
        ['input>choose', 'choose:same>answer'],
      ),
      brings({ order: 7 }),
    );
    expect(parts).toMatchObject([{ data: 'same' }]);
  });

  test('go on to an agent that is called, where the one that calls it names none of them', async () => {
    const slug = `s-${hexId()}`;
    await deployAgent(each.db, slug, definitionOf([input, asks('{{input.text}}'), answer], edges));
    const calling = (message: string) =>
      definitionOf(
        [input, { id: 'call', kind: 'agent', agent: slug, message }, { ...answer, text: '{{call.text}}' }],
        ['input>call', 'call>answer'],
      );
    expect(await asked(calling('Do {{input.text}}'), brings([1]))).toEqual(['Do x\n\n[1]']);
    expect(await asked(calling('Do {{input.data.0}}'), brings([1]))).toEqual(['Do 1']);
  });
});

test('a long document tells how far it is read, at most once a second', async () => {
  const clock = vi.spyOn(performance, 'now');
  try {
    const file = { id: hexId(), name: 'long.pdf', media_type: 'application/pdf', size: 1 };
    each.house.deps.readDocument = (_tenant, _file, _signal, onPage) => {
      const begun = performance.now();
      const told = (afterMs: number, done: number) => {
        clock.mockReturnValueOnce(begun + afterMs);
        onPage?.(done, 9);
      };
      told(500, 1);
      told(1_500, 3);
      told(1_600, 4);
      told(2_600, 6);
      return Promise.resolve({ text: 'Read', pages: 9 });
    };
    const { events } = await run(
      definitionOf(
        [
          { ...input, files: true },
          { id: 'read', kind: 'parse_document' },
          { id: 'answer', kind: 'answer', text: '{{read.text}}' },
        ],
        ['input>read', 'read>answer'],
      ),
      { input: { text: '', files: [file], data: null } },
    );
    const told = events.flatMap((event) => (event.type === 'progress' ? [event] : []));
    expect(told).toMatchObject([{ step: 'read', node: 'read', name: 'long.pdf', done: 3, total: 9 }, { done: 6 }]);
  } finally {
    clock.mockRestore();
  }
});
