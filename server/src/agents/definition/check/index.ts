import type { AgentDefinition, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { graphOf } from '../graph.ts';
import type { Resources } from '../resources.ts';
import { sortedProblems } from './problem.ts';
import { referenceProblems } from './references.ts';
import { structureProblems, workProblems } from './structure.ts';
import { resourceProblems } from './resources.ts';

/** Everything that is wrong with a definition, errors first. With an error it can be kept and not be deployed. */
export function checkDefinition(definition: AgentDefinition, resources: Resources): DefinitionProblem[] {
  const graph = graphOf(definition);
  return sortedProblems([
    ...structureProblems(definition, graph),
    ...referenceProblems(graph),
    ...resourceProblems(graph.nodes.values(), resources),
    ...workProblems(graph),
  ]);
}
