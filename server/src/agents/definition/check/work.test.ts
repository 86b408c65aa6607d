import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { expect, test } from 'vitest';
import { graphOf } from '../graph.ts';
import { workProblems } from './structure.ts';

const parallel = (id: string, most: number, more: object = {}) => ({
  kind: 'parallel',
  id,
  items: 'input.files',
  result: '',
  most,
  at_once: 8,
  ...more,
});
const problemsOf = (nodes: readonly object[]) => {
  const definition = AgentDefinition.parse({ schema: 1, nodes, edges: [] });
  return [...workProblems(graphOf(definition))].map(({ code, node, field }) => ({ code, node, field }));
};

test('an agent may have 5,000 steps, with all loops and parallels, and no more', () => {
  // Input and answer; one of 100 with one of 48 in it and a node in that: 1 + 100 + 4,800; one with a node in it: 1 + most.
  const nodes = (most: number) => [
    { kind: 'input', id: 'input' },
    parallel('x', 100),
    parallel('y', 48, { parent: 'x' }),
    { kind: 'ask', id: 'inner', question: '?', parent: 'y' },
    parallel('z', most),
    { kind: 'ask', id: 'other', question: '?', parent: 'z' },
    { kind: 'answer', id: 'out', text: '' },
  ];
  expect(problemsOf(nodes(96))).toEqual([]);
  expect(problemsOf(nodes(97))).toEqual([{ code: 'too_much_work', node: null, field: null }]);
});

test('parallels that stand in each other do up to 64 things at once', () => {
  const nodes = (...atOnce: readonly number[]) =>
    atOnce.map((at_once, depth) =>
      parallel(`p${depth}`, 2, { at_once, ...(depth > 0 && { parent: `p${depth - 1}` }) }),
    );
  expect(problemsOf(nodes(8, 8))).toEqual([]);
  // The next number that has only factors of at most 8.
  expect(problemsOf(nodes(7, 5, 2))).toEqual([{ code: 'too_much_work', node: 'p2', field: 'at_once' }]);
});
