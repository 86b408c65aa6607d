import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addEdge,
  insertAfter,
  insertOnEdge,
  moveNodes,
  moveIntoContainer,
  renameNode,
  replaceCases,
  removeNodes,
} from './edit.ts';
import { sizeOf } from './geometry.ts';
import { ancestorsOf, nodeOf, outlineOf, edgeRefusal } from './graph.ts';
import { newNode } from './kinds.ts';
import { hasOverlaps, autoLayout } from './layout.ts';
import { localProblems } from './problems.ts';
import { resultsInScope } from './references.ts';
import { definitionOf, edgesOf, node, simple } from './sample.fixture.ts';

describe('edges', () => {
  const loop = definitionOf(
    [node('input', 'input'), node('loop', 'repeat'), node('model', 'inner', { parent: 'repeat' }), node('answer', 'a')],
    ['input>repeat', 'repeat>a'],
  );
  test('are refused where they cannot be', () => {
    const definition = simple();
    expect(edgeRefusal(definition, { from: 'model', to: 'input' })).toBe('into_input');
    expect(edgeRefusal(definition, { from: 'answer', to: 'model' })).toBe('from_answer');
    expect(edgeRefusal(definition, { from: 'model', to: 'model' })).toBe('same');
    expect(edgeRefusal(definition, { from: 'model', to: 'search' })).toBe('cycle');
    expect(edgeRefusal(definition, { from: 'search', to: 'model' })).toBe('twice');
    expect(edgeRefusal(loop, { from: 'input', to: 'inner' })).toBe('across');
    expect(edgeRefusal(definition, { from: 'input', to: 'model' })).toBe(null);
    expect(addEdge(definition, { from: 'model', to: 'search' })).toBe(definition);
  });
});

describe('a node that is inserted', () => {
  test('stands between two, and those right of it make room', () => {
    const definition = autoLayout(simple());
    const next = insertAfter(definition, node('mask_pii', 'mask'), 'search');
    expect(edgesOf(next)).toEqual(['input>search', 'mask>model', 'model>answer', 'search>mask']);
    const x = (id: string) => nodeOf(next, id)?.position.x ?? 0;
    expect(x('search')).toBeLessThan(x('mask'));
    expect(x('mask')).toBeLessThan(x('model'));
    expect(hasOverlaps(next)).toBe(false);
  });

  test('takes the first free way out of a condition', () => {
    const first = definitionOf([node('input', 'input'), node('condition', 'c')], ['input>c']);
    const second = insertAfter(first, node('answer', 'one'), 'c');
    const third = insertAfter(second, node('answer', 'two'), 'c');
    expect(edgesOf(third)).toEqual(['c:else>two', 'c:yes>one', 'input>c']);
    expect(nodeOf(third, 'one')?.position).not.toEqual(nodeOf(third, 'two')?.position);
  });

  test('goes into an empty container, and after one that is filled', () => {
    const first = definitionOf([node('input', 'input'), node('loop', 'repeat')], ['input>repeat']);
    const second = insertAfter(first, node('model', 'model'), 'repeat');
    expect(nodeOf(second, 'model')?.parent).toBe('repeat');
    const third = insertAfter(second, node('answer', 'answer'), 'repeat');
    expect(nodeOf(third, 'answer')?.parent).toBeUndefined();
    expect(edgesOf(third)).toEqual(['input>repeat', 'repeat>answer']);
  });
});

test('a node goes into the middle of an edge, and what is right of it makes room', () => {
  const definition = autoLayout(
    definitionOf([node('input', 'input'), node('condition', 'c'), node('answer', 'a')], ['input>c', 'c:yes>a']),
  );
  const next = insertOnEdge(definition, node('model', 'model'), 'c a yes');
  expect(edgesOf(next)).toEqual(['c:yes>model', 'input>c', 'model>a']);
  const [c, model, a] = ['c', 'model', 'a'].map((id) => nodeOf(next, id)?.position.x ?? 0);
  expect(model).toBeGreaterThan(c ?? 0);
  expect(a).toBeGreaterThan(model ?? 0);
  expect(insertOnEdge(definition, node('answer', 'other'), 'c a yes')).toBe(definition);
  expect(insertOnEdge(definition, node('model', 'model'), 'nowhere')).toBe(definition);
});

test('a node that gets another id is named so by all', () => {
  const next = renameNode(simple(), 'search', 'found');
  expect(nodeOf(next, 'model')).toMatchObject({
    prompt: '{{ found.text }} {{input.text}}',
    passages: ['found.passages'],
  });
  expect(edgesOf(next)).toEqual(['found>model', 'input>found', 'model>answer']);
  expect(localProblems(next).map(({ code }) => code)).toEqual(['unknown_collection', 'unknown_model']);
  expect(renameNode(next, 'found', 'model')).toBe(next);
});

test('two braces after a backslash are no place', () => {
  const definition = definitionOf([node('input', 'input'), node('answer', 'a', { text: '\\{{input.text}}' })], []);
  expect(nodeOf(renameNode(definition, 'input', 'begin'), 'a')).toMatchObject({ text: '\\{{input.text}}' });
});

test('a container goes with all in it; the last input stays', () => {
  const definition = definitionOf(
    [node('input', 'input'), node('loop', 'repeat'), node('model', 'inner', { parent: 'repeat' }), node('answer', 'a')],
    ['input>repeat', 'repeat>a'],
  );
  const next = removeNodes(definition, new Set(['repeat', 'input']));
  expect(next.nodes.map(({ id }) => id)).toEqual(['input', 'a']);
  expect(next.edges).toEqual([]);
});

test('edges follow a branch by its new name and go with a branch', () => {
  const condition = node('condition', 'c');
  if (condition.kind !== 'condition') throw new Error('a condition');
  const [yes] = condition.cases;
  if (yes === undefined) throw new Error('a case');
  const definition = definitionOf([node('input', 'input'), condition, node('answer', 'a')], ['input>c', 'c:yes>a']);
  const next = replaceCases(definition, condition, [{ ...yes, branch: 'found' }]);
  expect(edgesOf(next)).toEqual(['c:found>a', 'input>c']);
  const two = replaceCases(definition, condition, [yes, { ...yes, branch: 'other' }]);
  const [, other] = (nodeOf(two, 'c') as typeof condition).cases;
  if (other === undefined) throw new Error('a case');
  expect(edgesOf(replaceCases(two, nodeOf(two, 'c') as typeof condition, [other]))).toEqual(['input>c']);
});

test('a node moves into a container without edges over its border, and never over its head', () => {
  const definition = autoLayout(
    definitionOf(
      [node('input', 'input'), node('loop', 'repeat'), node('model', 'model')],
      ['input>repeat', 'repeat>model'],
    ),
  );
  const next = moveIntoContainer(definition, 'model', 'repeat', { x: 0, y: 0 });
  expect(nodeOf(next, 'model')).toMatchObject({ parent: 'repeat' });
  expect(edgesOf(next)).toEqual(['input>repeat']);
  expect(moveIntoContainer(next, 'repeat', 'repeat', { x: 0, y: 0 })).toBe(next);
  expect(moveIntoContainer(next, 'input', 'repeat', { x: 0, y: 0 })).toBe(next);
  const high = moveNodes(next, new Map([['model', { x: -500, y: -500 }]]));
  expect(nodeOf(high, 'model')?.position.y).toBeGreaterThan(0);
  expect(edgesOf(moveIntoContainer(next, 'model', null, { x: 900, y: 0 }))).toEqual(['input>repeat']);
});

test('results that a text may name: of nodes before, of the container, of nodes inside', () => {
  const definition = definitionOf(
    [
      node('input', 'input'),
      node('parallel', 'each', { items: 'input.files' }),
      node('model', 'inner', { parent: 'each', schema: { properties: { title: { type: 'string' } } } }),
      node('model', 'after', { parent: 'each' }),
      node('answer', 'answer'),
    ],
    ['input>each', 'each>answer', 'inner>after'],
  );
  const names = (id: string, scope?: 'inside') =>
    resultsInScope(definition, id, scope).map(({ reference }) => reference);
  expect(names('inner')).toContain('item.value');
  expect(names('inner')).toContain('input.text');
  expect(names('inner')).not.toContain('after.text');
  expect(names('after')).toContain('inner.json.title');
  expect(names('each')).not.toContain('inner.text');
  expect(names('each', 'inside')).toContain('after.text');
  expect(names('answer')).toContain('each.results');
  expect(names('answer')).not.toContain('inner.text');
});

test('a layout puts each node right of those before it, and none on another', () => {
  const kinds = ['model', 'condition', 'loop', 'retrieve'] as const;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          to: fc.array(fc.nat(12), { maxLength: 3 }),
          inside: fc.boolean(),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      (drawn) => {
        const nodes = drawn.map(({ kind, inside }, at) => {
          const container = drawn.findIndex((one, before) => before < at && one.kind === 'loop' && !one.inside);
          return node(kind, `n${at}`, inside && container >= 0 ? { parent: `n${container}` } : {});
        });
        let definition = definitionOf([node('input', 'input'), ...nodes], []);
        for (const [at, { to }] of drawn.entries())
          for (const target of to)
            definition = addEdge(definition, {
              from: `n${at}`,
              to: `n${target}`,
              ...(drawn[at]?.kind === 'condition' ? { branch: 'yes' } : {}),
            });
        const laid = autoLayout(definition);
        expect(AgentDefinition.safeParse(laid).success).toBe(true);
        expect(outlineOf(laid)).toHaveLength(laid.nodes.length);
        const boxes = laid.nodes.map((one) => ({ one, ...one.position, ...sizeOf(laid, one) }));
        for (const a of boxes)
          for (const b of boxes) {
            if (a.one.id >= b.one.id || a.one.parent !== b.one.parent) continue;
            const apart =
              a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
            expect(apart, `${a.one.id} ${b.one.id}`).toBe(true);
          }
        for (const { id } of laid.nodes)
          for (const before of ancestorsOf(laid, id))
            expect(nodeOf(laid, before)?.position.x ?? 0).toBeLessThan(nodeOf(laid, id)?.position.x ?? 0);
      },
    ),
    { numRuns: 60 },
  );
});

test('new nodes have free ids, and what can be chosen is chosen', () => {
  const options = {
    models: [{ id: 'M', name: 'M', tools: true }],
    rerank_models: [],
    collections: [],
    agents: [],
    servers: [],
  };
  expect(newNode('model', ['model', 'model_2'], options)).toMatchObject({ id: 'model_3', model: 'M' });
  expect(newNode('retrieve', [], options)).toMatchObject({ collections: [] });
});
