import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { added, fragmentOf, insertedAfter, pasted, withoutEdges, withoutNodes } from './model/edit.ts';
import { containerAt, type Point } from './model/geometry.ts';
import { nodeOf, orderedOf } from './model/graph.ts';
import { newNode } from './model/kinds.ts';
import { useNodeWords } from './use-node-words.ts';

/** How far a copy stands from what was copied. */
const ASIDE = 40;

/** What people do with nodes, each said to those who do not see it. */
export function useNodeActs() {
  const { t } = useTranslation('agentBuilder');
  const { definition, means, chosen, edit, say } = useBuilder();
  const words = useNodeWords(means);
  const make = (kind: NodeKind) =>
    newNode(
      kind,
      definition.nodes.map(({ id }) => id),
      means,
    );
  return {
    /** After the chosen node, else after the last one that is no answer. */
    insert(kind: NodeKind) {
      const after =
        nodeOf(definition, chosen.at(-1)) ?? orderedOf(definition, null).findLast((node) => node.kind !== 'answer');
      const node = make(kind);
      edit(({ definition: now }) => ({
        definition: after === undefined ? added(now, node, null, { x: 0, y: 0 }) : insertedAfter(now, node, after.id),
        select: [node.id],
      }));
      say(
        after === undefined
          ? t('said.added', { name: words.name(node) })
          : t('said.inserted', { name: words.name(node), after: words.name(after) }),
      );
    },
    /** At a place of the canvas, in the container that lies there. */
    drop(kind: NodeKind, place: Point) {
      const node = make(kind);
      const corner = { x: place.x - 40, y: place.y - 24 };
      edit(({ definition: now }) => ({
        definition: added(now, node, kind === 'input' ? null : containerAt(now, place), corner),
        select: [node.id],
      }));
      say(t('said.added', { name: words.name(node) }));
    },
    remove(nodes: readonly string[], edges: readonly string[]) {
      const next = withoutEdges(withoutNodes(definition, new Set(nodes)), new Set(edges));
      if (next === definition) {
        if (nodes.length > 0) say(t('said.input_stays'));
        return;
      }
      edit(({ definition: now }) => ({
        definition: withoutEdges(withoutNodes(now, new Set(nodes)), new Set(edges)),
        select: [],
      }));
      say(t('said.removed', { count: Math.max(1, definition.nodes.length - next.nodes.length) }));
    },
    duplicate(nodes: readonly string[]) {
      edit(({ definition: now }) => {
        const copy = pasted(now, fragmentOf(now, new Set(nodes)), ASIDE);
        return copy.ids.length === 0 ? { definition: now } : { definition: copy.definition, select: copy.ids };
      });
      say(t('said.duplicated'));
    },
  };
}
