import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { ActionItems } from './menu/action-items.tsx';
import { useNodeMenu } from './menu/use-node-menu.ts';
import { useNodeLabels } from './use-node-labels.ts';

/** What can be done with a node. */
export function NodeMenu({ node }: { readonly node: AgentNodeForm }) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const labels = useNodeLabels(options);
  const menu = useNodeMenu();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('acts_of', { name: labels.name(node) })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItems groups={menu.ofNode(node)} />
      </Menu.Dropdown>
    </Menu>
  );
}
