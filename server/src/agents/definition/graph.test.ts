import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphOf } from './graph.ts';

const answer = (id: string, parent?: string) => ({
  kind: 'answer',
  id,
  text: '',
  ...(parent === undefined ? {} : { parent }),
});
const loop = (id: string, parent?: string) => ({ kind: 'loop', id, ...(parent === undefined ? {} : { parent }) });
const definition = (nodes: unknown[], edges: unknown[]) => AgentDefinition.parse({ schema: 1, nodes, edges });
const edge = (from: string, to: string) => ({ from, to });

describe('the graph of a definition', () => {
  const graph = graphOf(
    definition(
      [
        answer('d'),
        { kind: 'input', id: 'a' },
        answer('b'),
        loop('c'),
        answer('x', 'c'),
        answer('y', 'c'),
        loop('z', 'c'),
      ],
      [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd'), edge('x', 'y'), edge('y', 'd'), edge('a', 'b')],
    ),
  );

  test('has edges by their ends: not those across a border, none twice', () => {
    expect(graph.into('d').map(({ from }) => from)).toEqual(['b', 'c']);
    expect(graph.out('a').map(({ to }) => to)).toEqual(['b', 'c']);
    expect(graph.out('y')).toEqual([]);
  });

  test('knows what stands in a container, and where it begins', () => {
    expect(graph.children('c').map(({ id }) => id)).toEqual(['x', 'y', 'z']);
    expect(graph.first('c').map(({ id }) => id)).toEqual(['x', 'z']);
    expect(graph.first(null).map(({ id }) => id)).toEqual(['a']);
    expect(graph.containers('y')).toEqual(['c']);
    expect(graph.nearest('y', 'loop')).toBe('c');
    expect(graph.nearest('y', 'parallel')).toBeNull();
  });

  test('knows what runs before a node, also before its container', () => {
    expect([...graph.ancestors('d')].toSorted()).toEqual(['a', 'b', 'c']);
    expect([...graph.ancestors('y')]).toEqual(['x']);
    expect([...graph.before('y')].toSorted()).toEqual(['a', 'x']);
  });

  test('nodes on a cycle and after one are stuck', () => {
    const round = graphOf(
      definition(
        [answer('a'), answer('b'), answer('c'), answer('d')],
        [edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')],
      ),
    );
    expect(round.order).toEqual(['a']);
    expect([...round.stuck]).toEqual(['b', 'c', 'd']);
  });

  test('containers that stand in each other do not hang it', () => {
    const knot = graphOf(definition([loop('a', 'b'), loop('b', 'a'), loop('c', 'c')], []));
    expect(knot.containers('a')).toEqual(['b']);
    expect(knot.containers('c')).toEqual([]);
  });

  test('any edges: the order holds all of them, and ancestors are what leads to a node', () => {
    const ids = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];
    const anyEdge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)).map(([from, to]) => edge(from, to));
    fc.assert(
      fc.property(fc.array(anyEdge, { maxLength: 14 }), (edges) => {
        const made = graphOf(
          definition(
            ids.map((id) => answer(id)),
            edges,
          ),
        );
        const place = new Map(made.order.map((id, index) => [id, index]));
        expect(made.order.length + made.stuck.size).toBe(ids.length);
        for (const id of made.order) {
          for (const { from } of made.into(id)) expect(place.get(from)).toBeLessThan(place.get(id) ?? -1);
          expect(made.ancestors(id)).toEqual(leadingTo(id, edges));
        }
      }),
    );
  });
});

/** By walking back, however long it takes. */
function leadingTo(id: string, edges: readonly { from: string; to: string }[]): Set<string> {
  const found = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { from, to } of edges)
      if (to === at && !found.has(from)) {
        found.add(from);
        open.push(from);
      }
  return found;
}
