import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { difference } from './difference.ts';
import { canonicalJson, hashDefinition } from './hash.ts';
import { starter } from './starters.ts';

const first = starter('knowledge_answer', { language: 'en', model: 'M', collections: ['a'.repeat(32)] });
const changed = (change: (copy: AgentDefinition) => void): AgentDefinition => {
  const copy = structuredClone(first);
  change(copy);
  return copy;
};

describe('canonical JSON', () => {
  test('is the same for the same value, in whatever order its keys are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const turned = (one: unknown): unknown =>
          Array.isArray(one)
            ? one.map(turned)
            : typeof one === 'object' && one !== null
              ? Object.fromEntries(
                  Object.entries(one)
                    .toReversed()
                    .map(([key, inner]) => [key, turned(inner)]),
                )
              : one;
        const text = canonicalJson(value);
        expect(canonicalJson(turned(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test('is JSON with sorted keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: undefined }], a: 'é' })).toBe('{"a":"é","b":[1,{"d":null}]}');
  });
});

describe('the hash of a definition', () => {
  test('follows what it says, not where its nodes stand', () => {
    const moved = changed(({ nodes }) => nodes.forEach((node) => (node.position = { x: 1, y: 2 })));
    expect(hashDefinition(moved)).toBe(hashDefinition(first));
    const other = changed(({ limits }) => void (limits.seconds = 5));
    expect(hashDefinition(other)).not.toBe(hashDefinition(first));
    expect(hashDefinition(first)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is kept by the way through JSON', () => {
    expect(hashDefinition(AgentDefinition.parse(JSON.parse(JSON.stringify(first))))).toBe(hashDefinition(first));
  });
});

describe('the difference of two definitions', () => {
  test('of the same is none, also where nodes were moved', () => {
    const moved = changed(({ nodes }) => nodes.forEach((node) => (node.position = { x: 1, y: 2 })));
    expect(difference(first, moved)).toEqual({ changes: [] });
  });

  test('names each field of a node, with both values', () => {
    const after = changed(({ nodes, limits }) => {
      limits.tokens = 5;
      for (const node of nodes) {
        if (node.kind === 'model') node.system = 'New';
        if (node.kind === 'retrieve') node.filters = { folder: 'hr' };
      }
    });
    expect(difference(first, after).changes).toEqual([
      {
        what: 'node',
        change: 'changed',
        name: 'search',
        kind: 'retrieve',
        path: 'filters',
        before: null,
        after: { folder: 'hr' },
      },
      expect.objectContaining({ name: 'write', kind: 'model', path: 'system', after: 'New' }),
      { what: 'limits', change: 'changed', name: 'limits', kind: null, path: 'tokens', before: 200_000, after: 5 },
    ]);
  });

  test('names nodes and edges that came and went', () => {
    const after = changed((copy) => {
      copy.nodes = copy.nodes.filter(({ id }) => id !== 'search');
      copy.nodes.push({ kind: 'ask', id: 'search', name: '', question: '?', position: { x: 0, y: 0 } });
      copy.edges = copy.edges.filter(({ from }) => from !== 'input');
    });
    const told = difference(first, after).changes.map(({ what, change, name, kind }) => [what, change, name, kind]);
    expect(told).toEqual([
      ['node', 'removed', 'search', 'retrieve'],
      ['node', 'added', 'search', 'ask'],
      ['edge', 'removed', 'input → search', null],
    ]);
  });

  test('there is one exactly where the hashes differ', () => {
    const edits = fc.array(
      fc.constantFrom<(copy: AgentDefinition) => void>(
        ({ nodes }) => void (nodes[0] && (nodes[0].name = 'n')),
        ({ nodes }) => void (nodes[0] && (nodes[0].name = '')),
        ({ edges }) => void edges.pop(),
        ({ nodes }) => void nodes.pop(),
        ({ nodes }) => void (nodes[0] && (nodes[0].position = { x: 9, y: 9 })),
        ({ limits }) => void (limits.seconds = 600),
      ),
    );
    fc.assert(
      fc.property(edits, (all) => {
        const after = changed((copy) => all.forEach((edit) => edit(copy)));
        expect(difference(first, after).changes.length > 0).toBe(hashDefinition(first) !== hashDefinition(after));
      }),
    );
  });
});
