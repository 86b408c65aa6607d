import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { edgeKey } from './graph.ts';

/** State of the editor: the definition, the selection, and the undo and redo stacks. */
export interface EditorState {
  readonly definition: AgentDefinition;
  /** Ids of nodes. */
  readonly nodes: readonly string[];
  /** Keys of edges. */
  readonly edges: readonly string[];
  readonly past: readonly AgentDefinition[];
  readonly future: readonly AgentDefinition[];
  /** Group and time of the last edit: edits of one group in quick succession are one undo step. */
  readonly last: { readonly group: string; readonly at: number } | null;
}

export interface EditResult {
  readonly definition: AgentDefinition;
  /** Nodes that are chosen from now on; left out: as before. */
  readonly select?: readonly string[];
}

export type EditorAction =
  | {
      readonly type: 'edit';
      readonly edit: (editing: EditorState) => EditResult;
      /** Edits with the same group in quick succession are one undo step. */
      readonly group?: string;
      /** In milliseconds, by any clock that does not go back. */
      readonly at: number;
    }
  | { readonly type: 'select'; readonly nodes: readonly string[]; readonly edges?: readonly string[] }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

const MAX_STEPS = 200;
const COALESCE_MS = 1_500;

export const initialEditorState = (definition: AgentDefinition): EditorState => ({
  definition,
  nodes: [],
  edges: [],
  past: [],
  future: [],
  last: null,
});

/** Only what is there can be chosen. */
function chosen(editing: EditorState): EditorState {
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

function edited(before: EditorState, { edit, group, at }: Extract<EditorAction, { type: 'edit' }>): EditorState {
  const { definition, select } = edit(before);
  const nodes = select ?? before.nodes;
  if (definition === before.definition) return select === undefined ? before : chosen({ ...before, nodes, edges: [] });
  const { last } = before;
  const together = group !== undefined && last?.group === group && at - last.at < COALESCE_MS;
  return chosen({
    definition,
    nodes,
    edges: select === undefined ? before.edges : [],
    past: together ? before.past : [...before.past, before.definition].slice(-MAX_STEPS),
    future: [],
    last: group === undefined ? null : { group, at },
  });
}

/** Reducer of the editor. */
export function editorReducer(before: EditorState, event: EditorAction): EditorState {
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
