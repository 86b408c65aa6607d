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
import { movedInto } from '../model/edit.ts';
import { placeOf } from '../model/geometry.ts';
import { isContainer, parentOf, waysOut, withinOf } from '../model/graph.ts';
import { useNodeClipboard } from '../use-clipboard.ts';
import { useNodeActs } from '../use-node-acts.ts';
import { useNodeWords } from '../use-node-words.ts';
import type { Act, ActGroups } from './acts.tsx';

/** What can be done with nodes, wherever they are pointed at. */
export function useNodeMenu() {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { definition, options, edit, announce } = useBuilder();
  const { connect, add, rename } = useOpeners();
  const words = useNodeWords(options);
  const acts = useNodeActs();
  const clipboard = useNodeClipboard();

  const copying = (ids: readonly string[]): readonly Act[] => [
    { key: 'copy', label: t('copy'), icon: IconCopy, keys: 'Control+C', act: () => void clipboard.copy(ids) },
    {
      key: 'cut',
      label: t('cut'),
      icon: IconCut,
      keys: 'Control+X',
      act: () => void clipboard.copy(ids).then(() => acts.remove(ids, [])),
    },
    { key: 'duplicate', label: t('duplicate'), icon: IconCopyPlus, keys: 'Control+D', act: () => acts.duplicate(ids) },
  ];
  const removing = (ids: readonly string[]): readonly Act[] => [
    {
      key: 'remove',
      label: common('remove'),
      icon: IconTrash,
      keys: 'Delete',
      danger: true,
      act: () => acts.remove(ids, []),
    },
  ];
  /** Into a container, or out of the one that it stands in. */
  const moving = (node: AgentNodeForm): readonly Act[] => {
    const parent = parentOf(definition, node);
    const inner = withinOf(definition, new Set([node.id]));
    const move = (container: string | null) => {
      edit(({ definition: now }) => ({
        definition: movedInto(now, node.id, container, placeOf(now, container ?? parent ?? node.id)),
      }));
      announce(t('moved_into', { name: words.name(node) }));
    };
    const into = definition.nodes
      .filter((one) => isContainer(one) && ![node.id, parent].includes(one.id) && !inner.has(one.id))
      .map((container) => ({
        key: `into ${container.id}`,
        label: t('move_into', { name: words.name(container) }),
        icon: IconLogin2,
        act: () => move(container.id),
      }));
    if (parent === null) return into;
    return [...into, { key: 'out', label: t('move_out'), icon: IconLogout2, act: () => move(null) }];
  };
  return {
    ofNode(node: AgentNodeForm): ActGroups {
      const { id } = node;
      const start = node.kind === 'input';
      const naming = { key: 'rename', label: t('rename'), icon: IconPencil, keys: 'F2', act: () => rename(id) };
      const leading = [
        { key: 'add', label: t('add_after'), icon: IconPlus, act: () => add({ is: 'after', id }) },
        {
          key: 'connect',
          label: t('connect_to'),
          icon: IconArrowNarrowRight,
          keys: 'C',
          act: () => connect(id),
        },
      ];
      return [
        [naming, ...(waysOut(node).length === 0 ? [] : leading)],
        start ? [] : copying([id]),
        start ? [] : moving(node),
        start && definition.nodes.filter(({ kind }) => kind === 'input').length === 1 ? [] : removing([id]),
      ];
    },
    ofNodes: (ids: readonly string[]): ActGroups => [copying(ids), removing(ids)],
  };
}
