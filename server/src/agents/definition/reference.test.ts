import { maxEdges, maxNodes, nodeResultTypes } from '@ai-studio/contract/agents/definition.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDefinition } from './check/index.ts';
import type { Resources } from './resources.ts';
import { readDefinition } from './read.ts';

const reference = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'reference', 'agents.md'),
  'utf8',
);
const resources: Resources = {
  model: () => ({ tools: true }),
  reranks: () => true,
  collections: new Set(['0123456789abcdef0123456789abcdef']),
  agents: new Map(),
  slug: null,
  servers: new Map(),
};

describe('the reference of definitions', () => {
  test('shows one that is well', () => {
    const example = /```json\n([^`]+)```/.exec(reference)?.[1] ?? '';
    const { definition, problems } = readDefinition(JSON.parse(example));
    expect(problems).toEqual([]);
    expect(definition && checkDefinition(definition, resources)).toEqual([]);
  });

  test('names every kind of node with what it gives', () => {
    const rows = new Map([...reference.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, kind, row]) => [kind, row ?? '']));
    for (const [kind, results] of Object.entries(nodeResultTypes)) {
      const given = rows.get(kind)?.split('|').at(-1) ?? '';
      for (const name of Object.keys(results)) expect(given, kind).toContain(`\`${name}\``);
    }
  });

  test('tells the bounds that are checked', () => {
    expect(reference).toContain(`| Nodes, edges | ${maxNodes}, ${maxEdges} |`);
  });
});
