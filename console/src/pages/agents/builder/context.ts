import type { AgentDefinition, AgentNodeForm, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { AgentOptions } from '@ai-studio/contract/console/agents.ts';
import { createContext, use } from 'react';
import type { Point } from './model/geometry.ts';
import type { EditResult, EditorState } from './model/history.ts';

/** What parts of the builder know of the agent, and how they change it. */
export interface Builder {
  readonly agentId: string;
  readonly definition: AgentDefinition;
  /** The definition as it is now, for what goes on after a wait: it may have been changed meanwhile. */
  current(): AgentDefinition;
  /** Ids of the chosen nodes. */
  readonly chosen: readonly string[];
  /** Keys of the chosen edges. */
  readonly chosenEdges: readonly string[];
  /** What there is to choose from; null until it is known. */
  readonly options: AgentOptions | null;
  readonly problems: readonly DefinitionProblem[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes the definition. Edits with the same `group` in quick succession are one undo step. */
  edit(edit: (editing: EditorState) => EditResult, group?: string): void;
  /** Changes fields of a node; `field` names what is changed. */
  change<N extends AgentNodeForm>(node: N, fields: Partial<N>, field: string): void;
  choose(nodes: readonly string[], edges?: readonly string[]): void;
  undo(): void;
  redo(): void;
  /** Says something to those who do not see the page. */
  announce(message: string): void;
}

export const BuilderContext = createContext<Builder | null>(null);

/** Only below the page of the builder. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('The builder is not there');
  return builder;
}

/** Where a new node is put: after a node, in the middle of an edge, or at a place of the canvas. */
export type AddPlace =
  | { readonly is: 'after'; readonly id: string }
  | { readonly is: 'on'; readonly key: string }
  | { readonly is: 'at'; readonly point: Point };

/** What opens a dialog or another part of the page. */
export interface Openers {
  /** Asks what a node is to be connected with. */
  connect(id: string): void;
  /** Asks which node is added there. */
  add(place: AddPlace): void;
  /** Goes to the name of a node. */
  rename(id: string): void;
  /** Brings nodes into sight, where they are not; with `focus`, the focus goes to the first of them. */
  viewRequest(ids: readonly string[], focus?: boolean): void;
}

export const OpenersContext = createContext<Openers | null>(null);

/** Only below the page of the builder. */
export function useOpeners(): Openers {
  const openers = use(OpenersContext);
  if (openers === null) throw new Error('The builder is not there');
  return openers;
}
