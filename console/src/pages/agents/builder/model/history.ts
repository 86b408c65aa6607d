import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { edgeKey } from './graph.ts';

/** A definition in the hands of a person: what is chosen of it, and the way back and forth. */
export interface Editing {
  readonly definition: AgentDefinition;
  /** Ids of nodes. */
  readonly nodes: readonly string[];
  /** Keys of edges. */
  readonly edges: readonly string[];
  readonly past: readonly AgentDefinition[];
  readonly future: readonly AgentDefinition[];
  /** What was changed last: changes of the same that follow soon are undone together. */
  readonly last: { readonly what: string; readonly at: number } | null;
}

export interface Edited {
  readonly definition: AgentDefinition;
  /** Nodes that are chosen from now on; left out: as before. */
  readonly select?: readonly string[];
}

export type EditEvent =
  | {
      readonly type: 'edit';
      readonly edit: (editing: Editing) => Edited;
      /** Names the field or act, where many small changes make one. */
      readonly what?: string;
      /** In milliseconds, by any clock that does not go back. */
      readonly at: number;
    }
  | { readonly type: 'select'; readonly nodes: readonly string[]; readonly edges?: readonly string[] }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

const MAX_STEPS = 200;
const SOON_MS = 1_500;

export const editingOf = (definition: AgentDefinition): Editing => ({
  definition,
  nodes: [],
  edges: [],
  past: [],
  future: [],
  last: null,
});

/** Only what is there can be chosen. */
function chosen(editing: Editing): Editing {
  const { nodes, edges } = editing.definition;
  const ids = new Set(nodes.map(({ id }) => id));
  const keys = new Set(edges.map(edgeKey));
  const here = {
    nodes: editing.nodes.filter((id) => ids.has(id)),
    edges: editing.edges.filter((key) => keys.has(key)),
  };
  return {
    ...editing,
    nodes: here.nodes.length === editing.nodes.length ? editing.nodes : here.nodes,
    edges: here.edges.length === editing.edges.length ? editing.edges : here.edges,
  };
}

function edited(before: Editing, { edit, what, at }: Extract<EditEvent, { type: 'edit' }>): Editing {
  const { definition, select } = edit(before);
  const nodes = select ?? before.nodes;
  if (definition === before.definition) return select === undefined ? before : chosen({ ...before, nodes, edges: [] });
  const { last } = before;
  const together = what !== undefined && last?.what === what && at - last.at < SOON_MS;
  return chosen({
    definition,
    nodes,
    edges: select === undefined ? before.edges : [],
    past: together ? before.past : [...before.past, before.definition].slice(-MAX_STEPS),
    future: [],
    last: what === undefined ? null : { what, at },
  });
}

/** What becomes of it. */
export function editingAfter(before: Editing, event: EditEvent): Editing {
  switch (event.type) {
    case 'edit':
      return edited(before, event);
    case 'select':
      return chosen({ ...before, nodes: event.nodes, edges: event.edges ?? [] });
    case 'undo': {
      const definition = before.past.at(-1);
      if (definition === undefined) return before;
      return chosen({
        ...before,
        definition,
        past: before.past.slice(0, -1),
        future: [before.definition, ...before.future],
        last: null,
      });
    }
    case 'redo': {
      const [definition, ...future] = before.future;
      if (definition === undefined) return before;
      return chosen({ ...before, definition, past: [...before.past, before.definition], future, last: null });
    }
  }
}
