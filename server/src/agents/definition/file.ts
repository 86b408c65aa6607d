import type { AgentDefinition, DefinitionProblem, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { AgentFile } from '@ai-studio/contract/console/agents.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { problem } from './check/problem.ts';
import type { Resources } from './resources.ts';
import { readDefinition } from './read.ts';
import { unknownFields } from './unknown-fields.ts';

/** A definition from a file, or what is wrong with its form. */
export type ReadFile =
  | { readonly definition: AgentDefinition; readonly problems: readonly []; readonly unknown: readonly string[] }
  | { readonly definition: null; readonly problems: readonly DefinitionProblem[]; readonly unknown: readonly [] };

/** Reads an exported agent, or a definition by itself; `unknown` are fields that nobody here knows. What it names and the person may not use is left to be chosen anew. */
export function readAgentFile(input: unknown, resources: Resources): ReadFile {
  const file = AgentFile.safeParse(input);
  if (!file.success && typeof input === 'object' && input !== null && 'ai_studio_agent' in input) {
    const { param, message } = explain(file.error, input);
    return { definition: null, problems: [problem('form', message, { field: param })], unknown: [] };
  }
  const given = file.success ? file.data.definition : input;
  const read = readDefinition(given);
  if (read.definition === null) return { ...read, unknown: [] };
  const around = file.success ? Object.keys(input as object).filter((key) => !(key in AgentFile.shape)) : [];
  return {
    definition: dropUnknownIds(read.definition, resources),
    problems: [],
    unknown: [...around, ...unknownFields(given, read.definition)],
  };
}

/** Ids that name nothing here would name something once an id is given again; they do not come in. */
function dropUnknownIds(definition: AgentDefinition, { collections, servers }: Resources): AgentDefinition {
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
