import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { ActionItems } from './menu/action-items.tsx';
import { useNodeMenu } from './menu/use-node-menu.ts';
import { useNodeLabels } from './use-node-labels.ts';
import { RowMenu } from '../../../parts/row-menu.tsx';

/** What can be done with a node. */
export function NodeMenu({ node }: { readonly node: AgentNodeForm }) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const labels = useNodeLabels(options);
  const menu = useNodeMenu();
  return (
    <RowMenu label={t('acts_of', { name: labels.name(node) })}>
      <ActionItems groups={menu.ofNode(node)} />
    </RowMenu>
  );
}
