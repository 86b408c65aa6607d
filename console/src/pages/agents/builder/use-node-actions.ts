import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { type AddPlace, useBuilder, useOpeners } from './context.ts';
import { addNode, insertAfter, insertOnEdge, removeEdges, removeNodes } from './model/edit.ts';
import { fragmentOf, pasteFragment } from './model/fragment.ts';
import { containerAt, type Point } from './model/geometry.ts';
import { nodeOf, topologicalOrder } from './model/graph.ts';
import { newNode } from './model/kinds.ts';
import { autoLayout } from './model/layout.ts';
import { useNodeLabels } from './use-node-labels.ts';

/** What people do with nodes, each said to those who do not see it. */
export function useNodeActions() {
  const { t } = useTranslation('agentBuilder');
  const { definition, options, chosen, edit, announce } = useBuilder();
  const { viewRequest } = useOpeners();
  const labels = useNodeLabels(options);
  const make = (kind: NodeKind) =>
    newNode(
      kind,
      definition.nodes.map(({ id }) => id),
      options,
    );
  const after = (kind: NodeKind, id: string | undefined): string => {
    const before = nodeOf(definition, id);
    const node = make(kind);
    edit(({ definition: now }) => ({
      definition: before === undefined ? addNode(now, node, null, { x: 0, y: 0 }) : insertAfter(now, node, before.id),
      select: [node.id],
    }));
    announce(
      before === undefined
        ? t('said.added', { name: labels.name(node) })
        : t('said.inserted', { name: labels.name(node), after: labels.name(before) }),
    );
    return node.id;
  };
  const drop = (kind: NodeKind, place: Point): string => {
    const node = make(kind);
    const corner = { x: place.x - 40, y: place.y - 24 };
    edit(({ definition: now }) => ({
      definition: addNode(now, node, kind === 'input' ? null : containerAt(now, place), corner),
      select: [node.id],
    }));
    announce(t('said.added', { name: labels.name(node) }));
    return node.id;
  };
  return {
    /** After the chosen node, else after the last one that is no answer. */
    insert(kind: NodeKind) {
      const last = topologicalOrder(definition, null).findLast((node) => node.kind !== 'answer');
      after(kind, nodeOf(definition, chosen.at(-1))?.id ?? last?.id);
    },
    /** At a place of the canvas, in the container that lies there. */
    drop: (kind: NodeKind, place: Point) => void drop(kind, place),
    /** Where it was asked for; the focus is on the new node then. */
    add(kind: NodeKind, place: AddPlace): void {
      if (place.is === 'at') {
        viewRequest([drop(kind, place.point)], true);
        return;
      }
      if (place.is === 'after') {
        const id = after(kind, place.id);
        viewRequest([id], true);
        return;
      }
      const node = make(kind);
      edit(({ definition: now }) => ({ definition: insertOnEdge(now, node, place.key), select: [node.id] }));
      announce(t('said.added', { name: labels.name(node) }));
      viewRequest([node.id], true);
    },
    arrange() {
      const next = autoLayout(definition);
      edit(() => ({ definition: next }));
      announce(t('arranged'));
      viewRequest(next.nodes.map(({ id }) => id));
    },
    remove(nodes: readonly string[], edges: readonly string[]) {
      const next = removeEdges(removeNodes(definition, new Set(nodes)), new Set(edges));
      if (next === definition) {
        if (nodes.length > 0) announce(t('said.input_stays'));
        return;
      }
      edit(({ definition: now }) => ({
        definition: removeEdges(removeNodes(now, new Set(nodes)), new Set(edges)),
        select: [],
      }));
      announce(t('said.removed', { count: Math.max(1, definition.nodes.length - next.nodes.length) }));
    },
    duplicate(nodes: readonly string[]) {
      edit(({ definition: now }) => {
        const copy = pasteFragment(now, fragmentOf(now, new Set(nodes)));
        return copy.ids.length === 0 ? { definition: now } : { definition: copy.definition, select: copy.ids };
      });
      announce(t('said.duplicated'));
    },
  };
}
