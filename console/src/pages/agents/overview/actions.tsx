import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconDownload,
  IconPencil,
  IconPlayerStop,
  IconSend,
  IconTopologyStar3,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../../api/session.ts';
import { exportAddress } from '../queries.ts';
import { ActionDialog, type AgentAction } from './action-dialog.tsx';

/** Actions that the state of the agent allows. */
function allowedActions({
  state,
  deployed_version_id: deployed,
}: AgentDetails): Readonly<Record<AgentAction, boolean>> {
  const archived = state === 'archived';
  return {
    edit: !archived,
    submit: !archived && state !== 'pending_review',
    withdraw: state === 'pending_review',
    undeploy: !archived && deployed !== null,
    archive: !archived,
    unarchive: archived,
    remove: archived,
  };
}

/** Buttons of an agent's page, and the dialogs that they open. */
export function AgentActions({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  const [open, setOpen] = useState<AgentAction | null>(null);
  const can = allowedActions(agent);
  // Actions that change what callers get need the permission to approve.
  const approves = hasPermission(useMe(), ['agents.approve']);
  const hasErrors = agent.problems.some(({ severity }) => severity === 'error');
  const iconOf = { size: 16, 'aria-hidden': true } as const;
  return (
    <Group gap="sm">
      {can.edit ? (
        <Button
          leftSection={<IconTopologyStar3 {...iconOf} />}
          renderRoot={(props) => <Link to="/agents/$agentId/build" params={{ agentId: agent.id }} {...props} />}
        >
          {t('build')}
        </Button>
      ) : null}
      {can.submit ? (
        <Button
          variant="default"
          leftSection={<IconSend {...iconOf} />}
          disabled={hasErrors || (!agent.has_changes && agent.state === 'deployed')}
          onClick={() => setOpen('submit')}
        >
          {t('acts.submit')}
        </Button>
      ) : null}
      {can.withdraw ? (
        <Button variant="default" onClick={() => setOpen('withdraw')}>
          {t('acts.withdraw')}
        </Button>
      ) : null}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('acts.more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {can.edit ? (
            <Menu.Item leftSection={<IconPencil {...iconOf} />} onClick={() => setOpen('edit')}>
              {t('acts.edit')}
            </Menu.Item>
          ) : null}
          <Menu.Item component="a" href={exportAddress(agent.id, 'draft')} leftSection={<IconDownload {...iconOf} />}>
            {t('acts.export')}
          </Menu.Item>
          {can.undeploy && approves ? (
            <Menu.Item leftSection={<IconPlayerStop {...iconOf} />} onClick={() => setOpen('undeploy')}>
              {t('acts.undeploy')}
            </Menu.Item>
          ) : null}
          {can.archive && (approves || agent.deployed_version_id === null) ? (
            <Menu.Item leftSection={<IconArchive {...iconOf} />} onClick={() => setOpen('archive')}>
              {t('acts.archive')}
            </Menu.Item>
          ) : null}
          {can.unarchive ? (
            <Menu.Item leftSection={<IconArchiveOff {...iconOf} />} onClick={() => setOpen('unarchive')}>
              {t('acts.unarchive')}
            </Menu.Item>
          ) : null}
          {can.remove ? (
            <>
              <Menu.Divider />
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash {...iconOf} />}
                onClick={() => setOpen('remove')}
              >
                {t('acts.remove')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <ActionDialog act={open} agent={agent} onClose={() => setOpen(null)} />
    </Group>
  );
}
