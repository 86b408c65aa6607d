import type { AgentDefinition, DefinitionProblem, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { AgentFile } from '@ai-studio/contract/console/agents.ts';
import type { Means } from './means.ts';
import { readDefinition } from './read.ts';

/** A definition from a file, or what is wrong with its form. */
export type ReadFile =
  | { readonly definition: AgentDefinition; readonly problems: readonly [] }
  | { readonly definition: null; readonly problems: readonly DefinitionProblem[] };

/** Reads an exported agent, or a definition by itself. What it names and the person may not use is left to be chosen anew. */
export function readAgentFile(input: unknown, means: Means): ReadFile {
  const file = AgentFile.safeParse(input);
  const read = readDefinition(file.success ? file.data.definition : input);
  return read.definition === null ? read : { definition: withoutForeign(read.definition, means), problems: [] };
}

/** Ids that name nothing here would name something once an id is given again; they do not come in. */
function withoutForeign(definition: AgentDefinition, { collections, servers }: Means): AgentDefinition {
  const known = (ids: readonly string[]) => ids.filter((id) => collections.has(id));
  const tool = (choice: ToolChoice): ToolChoice => {
    if (choice.kind === 'search_collection') return { ...choice, collections: known(choice.collections) };
    if (choice.kind === 'server' && !servers.has(choice.server)) return { ...choice, server: '' };
    return choice;
  };
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      if (node.kind === 'retrieve') return { ...node, collections: known(node.collections) };
      if (node.kind === 'model') return { ...node, tools: node.tools.map(tool) };
      if (node.kind === 'tool') return { ...node, tool: tool(node.tool) };
      return node;
    }),
  };
}
