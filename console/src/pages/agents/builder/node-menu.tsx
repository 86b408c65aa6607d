import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowNarrowRight, IconCopyPlus, IconDots, IconLogin2, IconLogout2, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { movedInto } from './model/edit.ts';
import { placeOf } from './model/geometry.ts';
import { isContainer, parentOf, waysOut, withinOf } from './model/graph.ts';
import { useNodeActs } from './use-node-acts.ts';
import { useNodeWords } from './use-node-words.ts';

interface NodeMenuProps {
  readonly node: AgentNodeForm;
  readonly onConnect: (id: string) => void;
}

/** What can be done with a node. */
export function NodeMenu({ node, onConnect }: NodeMenuProps) {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { definition, means, edit, say } = useBuilder();
  const words = useNodeWords(means);
  const acts = useNodeActs();
  const name = words.name(node);
  const parent = parentOf(definition, node);
  const inner = withinOf(definition, new Set([node.id]));
  const containers =
    node.kind === 'input'
      ? []
      : definition.nodes.filter((one) => isContainer(one) && ![node.id, parent].includes(one.id) && !inner.has(one.id));
  const move = (container: string | null) => {
    edit(({ definition: now }) => ({
      definition: movedInto(now, node.id, container, placeOf(now, container ?? parent ?? node.id)),
    }));
    say(t('moved_into', { name }));
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('acts_of', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {waysOut(node).length === 0 ? null : (
          <Menu.Item leftSection={<IconArrowNarrowRight size={16} aria-hidden />} onClick={() => onConnect(node.id)}>
            {t('connect_to')}
          </Menu.Item>
        )}
        {node.kind === 'input' ? null : (
          <Menu.Item leftSection={<IconCopyPlus size={16} aria-hidden />} onClick={() => acts.duplicate([node.id])}>
            {t('duplicate')}
          </Menu.Item>
        )}
        {containers.map((container) => (
          <Menu.Item
            key={container.id}
            leftSection={<IconLogin2 size={16} aria-hidden />}
            onClick={() => move(container.id)}
          >
            {t('move_into', { name: words.name(container) })}
          </Menu.Item>
        ))}
        {parent === null ? null : (
          <Menu.Item leftSection={<IconLogout2 size={16} aria-hidden />} onClick={() => move(null)}>
            {t('move_out')}
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => acts.remove([node.id], [])}
        >
          {common('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
