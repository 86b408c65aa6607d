import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { DefinitionDifference } from '@ai-studio/contract/console/agents.ts';

/** Everything of a definition, where there is nothing to compare it with. */
export const allNew = ({ nodes }: AgentDefinition, names: DefinitionDifference['names']): DefinitionDifference => ({
  names,
  changes: nodes.map((node) => ({
    what: 'node',
    change: 'added',
    name: node.name || node.id,
    kind: node.kind,
    path: null,
    before: null,
    after: node,
  })),
});
