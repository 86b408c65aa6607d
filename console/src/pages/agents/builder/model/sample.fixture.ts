import type { AgentDefinition, AgentNodeForm, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { newNode } from './kinds.ts';

/** A node for tests. */
export const node = (kind: NodeKind, id: string, more: object = {}): AgentNodeForm => ({
  ...newNode(kind, [], null),
  id,
  ...more,
});

/** A definition for tests; edges as `from>to` or `from:branch>to`. */
export const definitionOf = (nodes: readonly AgentNodeForm[], edges: readonly string[]): AgentDefinition => ({
  schema: 1,
  nodes: [...nodes],
  edges: edges.map((text) => {
    const [source = '', to = ''] = text.split('>');
    const [from = '', branch] = source.split(':');
    return { from, to, ...(branch === undefined ? {} : { branch }) };
  }),
  limits: { seconds: 600, tokens: 200_000 },
});

/** input → search → model → answer. */
export const simple = (): AgentDefinition =>
  definitionOf(
    [
      node('input', 'input'),
      node('retrieve', 'search'),
      node('model', 'model', { prompt: '{{ search.text }} {{input.text}}', passages: ['search.passages'] }),
      node('answer', 'answer', { text: '{{model.text}}' }),
    ],
    ['input>search', 'search>model', 'model>answer'],
  );

export const edgesOf = ({ edges }: AgentDefinition): readonly string[] =>
  edges.map(({ from, to, branch }) => `${from}${branch === undefined ? '' : `:${branch}`}>${to}`).toSorted();
