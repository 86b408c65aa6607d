import type { AgentDefinition, AgentNodeForm, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { AgentMeans } from '@ai-studio/contract/console/agents.ts';
import { createContext, use } from 'react';
import type { Edited, Editing } from './model/history.ts';

/** What parts of the builder know of the agent, and how they change it. */
export interface Builder {
  readonly agentId: string;
  readonly definition: AgentDefinition;
  /** Ids of the chosen nodes. */
  readonly chosen: readonly string[];
  /** Keys of the chosen edges. */
  readonly chosenEdges: readonly string[];
  /** What there is to choose from; null until it is known. */
  readonly means: AgentMeans | null;
  readonly problems: readonly DefinitionProblem[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes the definition. Changes with the same `what` that follow soon are undone together. */
  edit(edit: (editing: Editing) => Edited, what?: string): void;
  /** Changes fields of a node; `field` names what is changed. */
  change<N extends AgentNodeForm>(node: N, fields: Partial<N>, field: string): void;
  choose(nodes: readonly string[], edges?: readonly string[]): void;
  undo(): void;
  redo(): void;
  /** Says something to those who do not see the page. */
  say(message: string): void;
}

export const BuilderContext = createContext<Builder | null>(null);

/** Only below the page of the builder. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('The builder is not there');
  return builder;
}
