import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import {
  IconArrowNarrowRight,
  IconCopy,
  IconCopyPlus,
  IconCut,
  IconLogin2,
  IconLogout2,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder, useOpeners } from '../context.ts';
import { moveIntoContainer } from '../model/edit.ts';
import { absolutePosition } from '../model/geometry.ts';
import { isContainer, parentOf, outputsOf, descendantsOf } from '../model/graph.ts';
import { useNodeClipboard } from '../use-clipboard.ts';
import { useNodeActions } from '../use-node-actions.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import type { MenuAction, ActionGroups } from './action-items.tsx';

/** What can be done with nodes, wherever they are pointed at. */
export function useNodeMenu() {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { definition, options, edit, announce } = useBuilder();
  const { connect, add, rename } = useOpeners();
  const labels = useNodeLabels(options);
  const actions = useNodeActions();
  const clipboard = useNodeClipboard();

  const copying = (ids: readonly string[]): readonly MenuAction[] => [
    { key: 'copy', label: t('copy'), icon: IconCopy, keys: 'Control+C', onSelect: () => void clipboard.copy(ids) },
    {
      key: 'cut',
      label: t('cut'),
      icon: IconCut,
      keys: 'Control+X',
      onSelect: () => void clipboard.copy(ids).then(() => actions.remove(ids, [])),
    },
    {
      key: 'duplicate',
      label: t('duplicate'),
      icon: IconCopyPlus,
      keys: 'Control+D',
      onSelect: () => actions.duplicate(ids),
    },
  ];
  const removing = (ids: readonly string[]): readonly MenuAction[] => [
    {
      key: 'remove',
      label: common('remove'),
      icon: IconTrash,
      keys: 'Delete',
      danger: true,
      onSelect: () => actions.remove(ids, []),
    },
  ];
  /** Into a container, or out of the one that it stands in. */
  const moving = (node: AgentNodeForm): readonly MenuAction[] => {
    const parent = parentOf(definition, node);
    const inner = descendantsOf(definition, new Set([node.id]));
    const move = (container: string | null) => {
      edit(({ definition: now }) => ({
        definition: moveIntoContainer(now, node.id, container, absolutePosition(now, container ?? parent ?? node.id)),
      }));
      announce(t('moved_into', { name: labels.name(node) }));
    };
    const into = definition.nodes
      .filter((one) => isContainer(one) && ![node.id, parent].includes(one.id) && !inner.has(one.id))
      .map((container) => ({
        key: `into ${container.id}`,
        label: t('move_into', { name: labels.name(container) }),
        icon: IconLogin2,
        onSelect: () => move(container.id),
      }));
    if (parent === null) return into;
    return [...into, { key: 'out', label: t('move_out'), icon: IconLogout2, onSelect: () => move(null) }];
  };
  return {
    ofNode(node: AgentNodeForm): ActionGroups {
      const { id } = node;
      const start = node.kind === 'input';
      const naming = { key: 'rename', label: t('rename'), icon: IconPencil, keys: 'F2', onSelect: () => rename(id) };
      const leading = [
        { key: 'add', label: t('add_after'), icon: IconPlus, onSelect: () => add({ is: 'after', id }) },
        {
          key: 'connect',
          label: t('connect_to'),
          icon: IconArrowNarrowRight,
          keys: 'C',
          onSelect: () => connect(id),
        },
      ];
      return [
        [naming, ...(outputsOf(node).length === 0 ? [] : leading)],
        start ? [] : copying([id]),
        start ? [] : moving(node),
        start && definition.nodes.filter(({ kind }) => kind === 'input').length === 1 ? [] : removing([id]),
      ];
    },
    ofNodes: (ids: readonly string[]): ActionGroups => [copying(ids), removing(ids)],
  };
}
