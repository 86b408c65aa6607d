import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useCallback, useMemo, useReducer } from 'react';
import type { Builder } from './context.ts';
import { withNode } from './model/edit.ts';
import { editingAfter, editingOf } from './model/history.ts';
import { isHeaped, laidOut } from './model/layout.ts';

type Acts = Pick<
  Builder,
  'definition' | 'chosen' | 'chosenEdges' | 'canUndo' | 'canRedo' | 'edit' | 'change' | 'choose' | 'undo' | 'redo'
>;

/** A definition in which each node has a place of its own. */
export const placed = (definition: AgentDefinition): AgentDefinition =>
  isHeaped(definition) ? laidOut(definition) : definition;

/** The definition that is edited, with its history. */
export function useEditing(draft: AgentDefinition): Acts {
  const [editing, tell] = useReducer(editingAfter, draft, (first) => editingOf(placed(first)));
  const edit = useCallback<Builder['edit']>(
    (how, what) => tell({ type: 'edit', edit: how, at: performance.now(), ...(what === undefined ? {} : { what }) }),
    [],
  );
  const acts = useMemo(
    () => ({
      edit,
      change: <N extends AgentNodeForm>(node: N, fields: Partial<N>, field: string) =>
        edit(({ definition }) => {
          // Of the node as it is now: another field may have been changed since.
          const now = definition.nodes.find(({ id }) => id === node.id);
          const next = { ...now, ...fields } as AgentNodeForm;
          return { definition: now === undefined ? definition : withNode(definition, next) };
        }, `${node.id}.${field}`),
      choose: (nodes: readonly string[], edges: readonly string[] = []) => tell({ type: 'select', nodes, edges }),
      undo: () => tell({ type: 'undo' }),
      redo: () => tell({ type: 'redo' }),
    }),
    [edit],
  );
  const { definition, nodes, edges, past, future } = editing;
  return {
    ...acts,
    definition,
    chosen: nodes,
    chosenEdges: edges,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}
