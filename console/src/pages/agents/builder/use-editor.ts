import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { Builder } from './context.ts';
import { replaceNode } from './model/edit.ts';
import { editorReducer, initialEditorState } from './model/history.ts';
import { hasOverlaps, autoLayout } from './model/layout.ts';

type EditorApi = Pick<
  Builder,
  | 'definition'
  | 'current'
  | 'chosen'
  | 'chosenEdges'
  | 'canUndo'
  | 'canRedo'
  | 'edit'
  | 'change'
  | 'choose'
  | 'undo'
  | 'redo'
>;

/** A definition in which each node has a place of its own. */
export const ensureLayout = (definition: AgentDefinition): AgentDefinition =>
  hasOverlaps(definition) ? autoLayout(definition) : definition;

/** The definition that is edited, with its history. */
export function useEditor(draft: AgentDefinition): EditorApi {
  const [editing, dispatch] = useReducer(editorReducer, draft, (first) => initialEditorState(ensureLayout(first)));
  const edit = useCallback<Builder['edit']>(
    (how, group) =>
      dispatch({ type: 'edit', edit: how, at: performance.now(), ...(group === undefined ? {} : { group }) }),
    [],
  );
  const api = useMemo(
    () => ({
      edit,
      change: <N extends AgentNodeForm>(node: N, fields: Partial<N>, field: string) =>
        edit(({ definition }) => {
          // Of the node as it is now: another field may have been changed since.
          const now = definition.nodes.find(({ id }) => id === node.id);
          const next = { ...now, ...fields } as AgentNodeForm;
          return { definition: now === undefined ? definition : replaceNode(definition, next) };
        }, `${node.id}.${field}`),
      choose: (nodes: readonly string[], edges: readonly string[] = []) => dispatch({ type: 'select', nodes, edges }),
      undo: () => dispatch({ type: 'undo' }),
      redo: () => dispatch({ type: 'redo' }),
    }),
    [edit],
  );
  const { definition, nodes, edges, past, future } = editing;
  const latest = useRef(definition);
  useEffect(() => {
    latest.current = definition;
  }, [definition]);
  const current = useCallback(() => latest.current, []);
  return {
    ...api,
    definition,
    current,
    chosen: nodes,
    chosenEdges: edges,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}
