import { AgentDefinition, type DefinitionProblem, nodeResultTypes } from '@ai-studio/contract/agents/definition.ts';
import { agentTemplates } from '@ai-studio/contract/console/agents.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphOf } from '../graph.ts';
import type { Resources } from '../resources.ts';
import { starter } from '../starters.ts';
import { readDefinition } from '../read.ts';
import { checkDefinition } from './index.ts';
import { times } from '../../../../test/support/long.ts';

const KNOWN = 'a'.repeat(32);
const UNKNOWN = 'b'.repeat(32);
const SERVER = 'c'.repeat(32);

const resources: Resources = {
  model: (id) => (id === 'M' ? { tools: true } : id === 'plain' ? { tools: false } : null),
  reranks: (id) => id === 'R',
  collections: new Set([KNOWN]),
  agents: new Map<string, readonly string[] | null>([
    ['helper', []],
    ['sleeping', null],
    ['round', ['middle']],
    ['middle', ['me']],
    ['one', ['two']],
    ['two', ['three']],
    ['three', ['helper']],
    ['me', null],
  ]),
  slug: 'me',
  servers: new Map([[SERVER, new Map([['find', ['what']]])]]),
};

type Part = Record<string, unknown>;
const input = { kind: 'input', id: 'input' };
const answer = (more: Part = {}) => ({ kind: 'answer', id: 'out', text: '{{input.text}}', ...more });
const ask = { kind: 'ask', id: 'ask', question: '?' };
const condition = (tests: Part[] = [{ left: '{{input.text}}', op: 'equals', right: 'a' }]) => ({
  kind: 'condition',
  id: 'if',
  cases: [{ branch: 'yes', tests }],
});
const edge = (from: string, to: string, branch?: string) => ({ from, to, ...(branch === undefined ? {} : { branch }) });
const path = (...ids: string[]) => ids.slice(1).map((to, index) => edge(ids[index] ?? '', to));
const definition = (nodes: Part[], edges: Part[]) => AgentDefinition.parse({ schema: 1, nodes, edges });
/** An agent of one node between input and answer. */
const around = (node: Part, ...inside: Part[]) =>
  definition([input, { id: 'x', ...node }, ...inside, answer()], path('input', 'x', 'out'));

const told = ({ severity, code, node, field }: DefinitionProblem) =>
  [severity === 'warning' ? `(${code})` : code, node ?? '-', ...(field === null ? [] : [field])].join(' ');
const problemsOf = (given: AgentDefinition) => checkDefinition(given, resources).map(told);

describe('a graph', () => {
  test('of an input and an answer is well', () => {
    expect(problemsOf(definition([input, answer()], path('input', 'out')))).toEqual([]);
  });

  test.each<[string, AgentDefinition, string[]]>([
    ['nothing to begin and end with', definition([ask], []), ['no_input -', 'no_answer -', 'unreachable ask']],
    [
      'two inputs',
      definition([input, { ...input, id: 'in2' }, answer()], [edge('input', 'out'), edge('in2', 'out')]),
      ['many_inputs in2'],
    ],
    ['an id twice', definition([input, answer(), answer()], path('input', 'out')), ['id_taken out id']],
    [
      'a name that containers have',
      definition([input, answer({ id: 'item' })], path('input', 'item')),
      ['id_taken item id'],
    ],
    [
      'edges from and to nowhere',
      definition([input, answer()], [edge('input', 'out'), edge('input', 'gone'), edge('gone', 'out')]),
      ['unknown_node input edges.1', 'unknown_node - edges.2'],
    ],
    [
      'an edge twice',
      definition([input, answer()], [edge('input', 'out'), edge('input', 'out')]),
      ['edge_twice input edges.1'],
    ],
    [
      'edges into the input and out of an answer',
      definition([input, answer()], [edge('input', 'out'), edge('out', 'input')]),
      [
        'edge_into_input out edges.1',
        'edge_from_answer out edges.1',
        'cycle input',
        'cycle out',
        'not_before out text',
      ],
    ],
    [
      'a circle',
      definition([input, ask, { ...ask, id: 'b' }, answer()], [...path('input', 'ask', 'b', 'out'), edge('b', 'ask')]),
      ['cycle ask', 'cycle b', 'cycle out', 'not_before out text'],
    ],
    [
      'a node that nothing leads to',
      definition([input, ask, answer()], [...path('input', 'out'), edge('ask', 'out')]),
      ['unreachable ask'],
    ],
    [
      'a node that leads to nothing',
      definition([input, ask, answer()], [...path('input', 'out'), edge('input', 'ask')]),
      ['(no_way_out) ask'],
    ],
  ])('with %s', (_name, given, expected) => expect(problemsOf(given)).toEqual(expected));

  test.each<[string, AgentDefinition, string[]]>([
    [
      'a branch that ends nowhere',
      definition([input, condition(), answer()], [edge('input', 'if'), edge('if', 'out', 'yes')]),
      ['(no_way_out) if'],
    ],
    [
      'edges without and with an unknown branch',
      definition(
        [input, condition(), answer()],
        [
          edge('input', 'if'),
          edge('if', 'out'),
          edge('if', 'out', 'no'),
          edge('if', 'out', 'yes'),
          edge('if', 'out', 'else'),
        ],
      ),
      ['branch_missing if edges.1', 'unknown_branch if edges.2'],
    ],
    [
      'a branch of what is no condition',
      definition([input, answer()], [edge('input', 'out', 'yes')]),
      ['unknown_branch input edges.0'],
    ],
    [
      'a pattern that is none',
      definition(
        [input, condition([{ left: 'a', op: 'matches', right: '(a' }]), answer()],
        [edge('input', 'if'), edge('if', 'out', 'yes'), edge('if', 'out', 'else')],
      ),
      ['bad_pattern if cases.0.tests.0.right'],
    ],
  ])('with %s', (_name, given, expected) => expect(problemsOf(given)).toEqual(expected));
});

describe('containers', () => {
  const parallel = { kind: 'parallel', items: 'input.files', result: '{{inner.text}} {{item.index}}' };
  const inner = { kind: 'answer', id: 'inner', parent: 'x', text: '{{item.value.name}} {{input.text}}' };

  test('run what stands in them, which knows of its item and of what ran before', () => {
    expect(problemsOf(around(parallel, inner))).toEqual([]);
  });

  test.each<[string, AgentDefinition, string[]]>([
    ['nothing in it', around({ ...parallel, result: '' }), ['empty_container x']],
    [
      'a parent that is none',
      around({ kind: 'ask', question: '' }, { ...inner, text: '' }),
      ['bad_parent inner parent'],
    ],
    [
      'an input and a question in it',
      around(parallel, inner, { ...input, id: 'again', parent: 'x' }, { ...ask, parent: 'x' }),
      ['many_inputs again', 'bad_parent again parent', 'ask_inside ask parent'],
    ],
    [
      'edges across its border, and results from inside of it',
      definition(
        [input, { id: 'x', ...parallel }, inner, answer({ text: '{{inner.text}}' })],
        [...path('input', 'x', 'out'), edge('inner', 'out')],
      ),
      ['edge_across inner edges.2', 'edge_from_answer inner edges.2', 'not_before out text'],
    ],
    [
      'names of an item outside of it',
      around({ kind: 'ask', question: '{{item.value}} {{loop.index}}' }),
      ['unknown_node x question', 'unknown_node x question'],
    ],
    ['a result of a node after it', around({ ...parallel, result: '{{out.text}}' }, inner), ['not_before x result']],
    ['a text where a list is needed', around({ ...parallel, items: 'input.text' }, inner), ['wrong_type x items']],
    ['files where a text is needed', around(parallel, { ...inner, text: '{{item.value}}' }), ['wrong_type inner text']],
  ])('with %s', (_name, given, expected) => expect(problemsOf(given).toSorted()).toEqual(expected.toSorted()));

  test('a loop knows its variables, inside and after', () => {
    const loop = {
      kind: 'loop',
      variables: [{ name: 'draft', first: '{{input.text}}', next: '{{inner.text}}{{loop.index}}' }],
    };
    const good = around(loop, { ...inner, text: '{{loop.draft}}' });
    expect(problemsOf(good)).toEqual([]);
    const after = definition([...good.nodes.slice(0, 3), answer({ text: '{{x.draft}} {{x.count}}' })], good.edges);
    expect(problemsOf(after)).toEqual([]);
    expect(problemsOf(around(loop, { ...inner, text: '{{loop.other}}' }))).toEqual(['unknown_result inner text']);
    const twice = { ...loop, variables: [...loop.variables, { name: 'index', first: '', next: '' }] };
    expect(problemsOf(around(twice, inner)).filter((one) => one.startsWith('id_taken'))).toEqual([
      'id_taken x variables.1.name',
    ]);
  });

  test('stand in each other three deep and no deeper, and never in themselves', () => {
    const loops = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        kind: 'loop',
        id: `l${index}`,
        most: 1,
        ...(index === 0 ? {} : { parent: `l${index - 1}` }),
      }));
    const deep = (count: number) =>
      definition(
        [input, ...loops(count), { ...inner, text: '', parent: `l${count - 1}` }, answer()],
        path('input', 'l0', 'out'),
      );
    expect(problemsOf(deep(3))).toEqual([]);
    expect(problemsOf(deep(4))).toEqual(['too_deep l3 parent']);
    const knot = definition(
      [input, { kind: 'loop', id: 'a', parent: 'b' }, { kind: 'loop', id: 'b', parent: 'a' }, answer()],
      path('input', 'out'),
    );
    expect(problemsOf(knot)).toEqual(['bad_parent a parent', 'bad_parent b parent']);
  });

  test('multiply, up to what a run may do', () => {
    const times = (most: number) =>
      definition(
        [
          input,
          { id: 'x', ...parallel, result: '', most: 100 },
          { kind: 'parallel', id: 'y', parent: 'x', items: 'input.files', result: '', most, at_once: 8 },
          { ...inner, parent: 'y', text: '' },
          answer(),
        ],
        path('input', 'x', 'out'),
      );
    expect(problemsOf(times(48))).toEqual([]);
    expect(problemsOf(times(49))).toEqual(['too_much_work -']);
  });
});

describe('names of results', () => {
  test.each<[string, Part, string[]]>([
    ['of a node that is not there', { kind: 'ask', question: '{{nobody.text}}' }, ['unknown_node x question']],
    ['of a node that runs later', { kind: 'ask', question: '{{out.text}}' }, ['not_before x question']],
    ['of the node itself', { kind: 'ask', question: '{{x.text}}' }, ['not_before x question']],
    ['that the node does not give', { kind: 'ask', question: '{{input.txet}}' }, ['unknown_result x question']],
    ['that every object has', { kind: 'ask', question: '{{input.constructor}}' }, ['unknown_result x question']],
    ['parts of a text', { kind: 'ask', question: '{{input.text.length}}' }, ['unknown_result x question']],
    ['parts of data', { kind: 'ask', question: '{{input.data.a.0.b}}' }, []],
    ['files in a text', { kind: 'ask', question: '{{input.files}}' }, ['wrong_type x question']],
    ['a template that is none', { kind: 'ask', question: '{{input.text' }, ['bad_template x question']],
    ['a text for files', { kind: 'parse_document', files: 'input.text' }, ['wrong_type x files']],
    [
      'files alone as an argument',
      { kind: 'tool', tool: { kind: 'parse_document' }, arguments: { a: '{{input.files}}' } },
      [],
    ],
    [
      'files within an argument',
      { kind: 'tool', tool: { kind: 'parse_document' }, arguments: { a: 'x {{input.files}}' } },
      ['wrong_type x arguments.a'],
    ],
    ['no passages', { kind: 'model', model: 'M', passages: ['input.text'] }, ['wrong_type x passages.0']],
  ])('%s', (_name, node, expected) => expect(problemsOf(around(node))).toEqual(expected));

  test('every result of every kind can be named', () => {
    for (const [kind, results] of Object.entries(nodeResultTypes))
      for (const name of Object.keys(results)) expect(name, kind).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
  });
});

describe('what nodes use', () => {
  const model = { kind: 'model', model: 'M' };
  test.each<[string, Part, string[]]>([
    ['a model and a collection that are there', { kind: 'retrieve', collections: [KNOWN] }, []],
    [
      'a collection of nobody',
      { kind: 'retrieve', collections: [KNOWN, UNKNOWN] },
      ['unknown_collection x collections.1'],
    ],
    ['no collection', { kind: 'retrieve', collections: [] }, ['unknown_collection x collections']],
    [
      'an unknown reranker',
      { kind: 'retrieve', collections: [KNOWN], rerank: { model: 'M' } },
      ['unknown_model x rerank.model'],
    ],
    ['an unknown model', { kind: 'model', model: 'GONE' }, ['unknown_model x model']],
    ['no model', { kind: 'model', model: '' }, ['unknown_model x model']],
    [
      'tools of a model that has none',
      { kind: 'model', model: 'plain', tools: [{ kind: 'calculator' }] },
      ['unknown_model x model'],
    ],
    ['tools that are there', { ...model, tools: [{ kind: 'server', server: SERVER, tools: ['find'] }] }, []],
    [
      'tools that are not there',
      {
        ...model,
        tools: [
          { kind: 'server', server: SERVER, tools: ['lose'] },
          { kind: 'server', server: UNKNOWN },
          { kind: 'server', server: '' },
          { kind: 'search_collection', collections: [UNKNOWN] },
        ],
      },
      [
        'unknown_tool x tools.0.tools.0',
        'unknown_server x tools.1.server',
        'unknown_server x tools.2.server',
        'unknown_collection x tools.3.collections.0',
      ],
    ],
    [
      'a call without what the tool needs',
      { kind: 'tool', tool: { kind: 'server', server: SERVER, tools: ['find'] }, arguments: { other: '' } },
      ['missing_argument x arguments'],
    ],
    [
      'a call with what the tool needs',
      {
        kind: 'tool',
        tool: { kind: 'server', server: SERVER, tools: ['find'] },
        arguments: { what: '{{input.text}}' },
      },
      [],
    ],
    ['a calculation of nothing', { kind: 'tool', tool: { kind: 'calculator' } }, ['missing_argument x arguments']],
    ['a call of no tool', { kind: 'tool', tool: { kind: 'server', server: SERVER } }, ['unknown_tool x tool.tools']],
    ['an agent that is deployed', { kind: 'agent', agent: 'helper' }, []],
    ['an agent that is not there', { kind: 'agent', agent: 'nobody' }, ['unknown_agent x agent']],
    ['an agent that is not deployed', { kind: 'agent', agent: 'sleeping' }, ['unknown_agent x agent']],
    ['itself', { kind: 'agent', agent: 'me' }, ['agent_calls_itself x agent']],
    ['an agent that calls it back', { kind: 'agent', agent: 'round' }, ['agent_calls_itself x agent']],
    ['agents three deep', { kind: 'agent', agent: 'three' }, []],
    ['agents four deep', { kind: 'agent', agent: 'two' }, ['too_deep x agent']],
    [
      'a schema',
      { ...model, schema: { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } } },
      [],
    ],
    ['a schema that is none', { ...model, schema: { type: 'objct' } }, ['bad_schema x schema']],
    ['a schema elsewhere', { ...model, schema: { items: { $ref: 'http://a.example/b' } } }, ['bad_schema x schema']],
    ['a schema with a pattern that is none', { ...model, schema: { pattern: '(?=a)' } }, ['bad_schema x schema']],
    ['a schema that is too long', { ...model, schema: { description: 'x'.repeat(20_000) } }, ['bad_schema x schema']],
    ['types of personal values', { kind: 'mask_pii', text: '', types: ['PHONE', 'SHOE_SIZE'] }, ['form x types.1']],
  ])('%s', (_name, node, expected) => expect(problemsOf(around(node))).toEqual(expected));
});

describe('files that an answer writes', () => {
  const problemsFor = (name: string) => {
    const out = answer({ parts: [{ kind: 'document', name, content: '{{input.text}}' }] });
    return checkDefinition(definition([input, out], path('input', 'out')), resources);
  };

  test.each(['정산.xlsx', '발표.PPTX', '공문.hwp ', 'a.doc', '{{input.text}}.xlsx'])(
    'are not written as %s',
    (name) => {
      const problems = problemsFor(name);
      expect(problems.map(told)).toEqual(['form out parts.0.name']);
      expect(problems[0]?.message).toMatch(/\.docx, \.hwpx, \.pdf, \.csv, \.json, \.md, \.txt, \.html/);
    },
  );

  test.each([
    '',
    '보고서',
    'v1.2',
    'a.docx',
    'a.hwpx',
    'a.pdf',
    'a.csv',
    'a.py',
    '{{input.text}}',
    'a.xlsx{{input.text}}',
  ])('are written as %j', (name) => expect(problemsFor(name)).toEqual([]));
});

describe('starters', () => {
  test.each(agentTemplates)('%s is well where its model and collections are there', (template) => {
    expect(checkDefinition(starter(template, { language: 'en', model: 'M', collections: [KNOWN] }), resources)).toEqual(
      [],
    );
  });

  test.each(agentTemplates.filter((template) => template !== 'blank'))(
    '%s without them is well but for those',
    (template) => {
      const codes = checkDefinition(starter(template, { language: 'en', model: '', collections: [] }), resources).map(
        ({ code }) => code,
      );
      expect(codes).toContain('unknown_model');
      expect(codes.filter((code) => code !== 'unknown_model' && code !== 'unknown_collection')).toEqual([]);
    },
  );
});

describe('whatever is given', () => {
  const told = (given: unknown) => {
    const { definition: read, problems } = readDefinition(given);
    return read === null ? problems : checkDefinition(read, resources);
  };

  test('problems of the form name node and field', () => {
    const given = {
      schema: 1,
      nodes: [input, { kind: 'retrieve', id: 'x', collections: ['no id'], top_k: 0 }, { kind: 'spell', id: 'y' }, 7],
      edges: [{ from: 'input' }],
      limits: { seconds: 0 },
    };
    expect(told(given)).toMatchObject([
      { code: 'form', node: 'x', field: 'collections.0' },
      { code: 'form', node: 'x', field: 'top_k', message: 'top_k must be at least 1' },
      { code: 'form', node: 'y', field: 'kind' },
      { code: 'form', node: null, field: 'nodes.3' },
      { code: 'form', node: null, field: 'edges.0' },
      { code: 'form', node: null, field: 'limits.seconds' },
    ]);
    for (const nothing of [null, 5, 'text', [], {}, { nodes: {}, edges: 1 }])
      expect(told(nothing).every(({ code }) => code === 'form')).toBe(true);
  });

  test('bombs are refused at once', () => {
    const nodes = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ask, id: `n${index}` }));
    const one = (given: unknown) => {
      const problems = told(given);
      expect(problems).toHaveLength(1);
      return problems[0]?.message;
    };
    expect(one({ schema: 1, nodes: nodes(10_000), edges: [] })).toMatch(/at most 200 nodes/);
    expect(one({ schema: 1, nodes: nodes(2), edges: Array.from({ length: 401 }, () => edge('n0', 'n1')) })).toMatch(
      /edges/,
    );
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown;
    expect(one({ schema: 1, nodes: [{ ...input, extra: deep }], edges: [] })).toMatch(/deeper/);
    expect(one({ schema: 1, nodes: [answer({ text: 'x'.repeat(1_000_001) })], edges: [] })).toMatch(/too large/);
    expect(
      one({ schema: 1, nodes: Array.from({ length: 100 }, () => Array.from({ length: 1_000 }, () => 0)), edges: [] }),
    ).toMatch(/too large/);
  });

  test('the largest graphs are checked', () => {
    const ids = ['input', ...Array.from({ length: 198 }, (_, index) => `n${index}`), 'out'];
    const nodes = [
      input,
      ...ids.slice(1, -1).map((id) => ({ ...ask, id, question: '{{input.text}}'.repeat(700) })),
      answer(),
    ];
    const all = ids.flatMap((from, index) => ids.slice(index + 1, index + 4).map((to) => edge(from, to))).slice(0, 400);
    const line = path(...ids);
    expect(problemsOf(definition(nodes, line))).toEqual([]);
    expect(problemsOf(definition(nodes, all)).length).toBeGreaterThan(0);
    const few = ids.slice(0, 20);
    const between = few.flatMap((from) => few.map((to) => edge(from, to))).slice(0, 400);
    expect(problemsOf(definition(nodes, between)).length).toBeLessThanOrEqual(100);
  });

  test('a field with thousands of wrong names is told of a few times', () => {
    const text = `${' '.repeat(5_000)}${'{{input.text}}{{x.y}}'.repeat(200)}`;
    expect(problemsOf(around({ kind: 'ask', question: text }))).toHaveLength(1);
    const many = Array.from({ length: 400 }, (_, index) => `{{input.r${index}}}`).join('');
    expect(problemsOf(around({ kind: 'ask', question: many }))).toHaveLength(10);
  });

  test('any graph of wild edges and parents is checked, and what is well can run in its order', () => {
    const ids = ['input', 'a', 'b', 'c', 'd', 'out'];
    const any = fc.constantFrom(...ids);
    const kind = fc.constantFrom('ask', 'loop', 'parallel', 'condition', 'answer');
    const wild = fc.record({
      middle: fc.array(fc.record({ kind, parent: fc.option(any, { nil: undefined }) }), { minLength: 4, maxLength: 4 }),
      edges: fc.array(fc.tuple(any, any), { maxLength: 10 }),
    });
    const made = ({
      middle,
      edges,
    }: {
      middle: { kind: string; parent: string | undefined }[];
      edges: [string, string][];
    }) =>
      definition(
        [
          input,
          ...middle.map(({ kind: of, parent }, index) => ({
            ...{
              ask,
              loop: { kind: of },
              parallel: { kind: of, items: 'input.files', result: '' },
              condition: condition(),
              answer: answer(),
            }[of],
            id: ids[index + 1],
            ...(parent === undefined ? {} : { parent }),
          })),
          answer(),
        ],
        edges.map(([from, to]) => edge(from, to)),
      );
    fc.assert(
      fc.property(wild, (given) => {
        const one = made(given);
        const errors = checkDefinition(one, resources).filter(({ severity }) => severity === 'error');
        const graph = graphOf(one);
        if (errors.length === 0) expect(graph.order).toHaveLength(one.nodes.length);
        for (const { node } of errors) if (node !== null) expect(ids).toContain(node);
      }),
      { numRuns: times(100, 500) },
    );
  });
});
