import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { ActItems } from './menu/acts.tsx';
import { useNodeMenu } from './menu/use-node-menu.ts';
import { useNodeWords } from './use-node-words.ts';

/** What can be done with a node. */
export function NodeMenu({ node }: { readonly node: AgentNodeForm }) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const words = useNodeWords(options);
  const menu = useNodeMenu();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('acts_of', { name: words.name(node) })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActItems groups={menu.ofNode(node)} />
      </Menu.Dropdown>
    </Menu>
  );
}
