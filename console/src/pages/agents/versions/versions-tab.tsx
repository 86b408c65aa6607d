import type { AgentDetails, AgentVersion } from '@ai-studio/contract/console/agents.ts';
import { Badge, Code, Group, Menu, Select, Stack, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconDownload, IconGitBranch, IconRocket } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { hasPermission, useMe } from '../../../api/session.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { RowMenu } from '../../../parts/row-menu.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { agentPath, differenceQuery, exportAddress, versionsQuery } from '../queries.ts';
import { useAgentChanged } from '../use-agent-changed.ts';
import { Difference } from './difference.tsx';

interface TabProps {
  readonly agent: AgentDetails;
}

interface MenuProps extends TabProps {
  readonly version: AgentVersion;
}

/** Deploys an approved version: an earlier one is a rollback. */
function DeployDialog({ agent, version, onClose }: MenuProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('agents');
  const changed = useAgentChanged(agent.id);
  const { done } = useNotify();
  const { number } = version;
  const back = agent.deployed_version !== null && number < agent.deployed_version;
  return (
    <ConfirmDialog
      opened
      danger={false}
      title={t(back ? 'acts.rollback' : 'acts.deploy', { number })}
      confirmLabel={t(back ? 'acts.rollback' : 'acts.deploy', { number })}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('POST', `${agentPath(agent.id)}/deploy`, { version_id: version.id });
        await changed();
        done(t('acts.deployed', { number }));
      }}
    >
      {t('acts.deploy_hint', { number })}
    </ConfirmDialog>
  );
}

function RestoreDialog({ agent, version, onClose }: MenuProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('agents');
  const changed = useAgentChanged(agent.id);
  const { done } = useNotify();
  const { number } = version;
  return (
    <ConfirmDialog
      opened
      title={t('acts.restore')}
      confirmLabel={t('acts.restore')}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('POST', `${agentPath(agent.id)}/restore`, { version_id: version.id, revision: agent.revision });
        await changed();
        done(t('acts.restored', { number }));
      }}
    >
      {t('acts.restore_hint', { number })}
    </ConfirmDialog>
  );
}

function VersionMenu({ agent, version }: MenuProps) {
  const { t } = useTranslation('agents');
  const [dialog, setDialog] = useState<'deploy' | 'restore' | null>(null);
  const approves = hasPermission(useMe(), ['agents.approve']);
  const { number, approved } = version;
  const archived = agent.state === 'archived';
  const back = agent.deployed_version !== null && number < agent.deployed_version;
  const close = () => setDialog(null);
  return (
    <>
      <RowMenu label={t('versions.more', { number })}>
        {approves && approved && version.id !== agent.deployed_version_id && !archived ? (
          <Menu.Item leftSection={<IconRocket size={16} aria-hidden />} onClick={() => setDialog('deploy')}>
            {t(back ? 'acts.rollback' : 'acts.deploy', { number })}
          </Menu.Item>
        ) : null}
        {archived ? null : (
          <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setDialog('restore')}>
            {t('acts.restore')}
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={exportAddress(agent.id, version.id)}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('acts.export_version', { number })}
        </Menu.Item>
      </RowMenu>
      {dialog === 'deploy' ? <DeployDialog agent={agent} version={version} onClose={close} /> : null}
      {dialog === 'restore' ? <RestoreDialog agent={agent} version={version} onClose={close} /> : null}
    </>
  );
}

/** Letters of a hash that are shown. */
const HASH_SHOWN = 12;

function useColumns(agent: AgentDetails): Column<AgentVersion>[] {
  const { t } = useTranslation('agents');
  return [
    {
      key: 'number',
      header: t('version'),
      sort: ({ number }) => number,
      cell: ({ number, id, approved }) => (
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {t('version_number', { number })}
          </Text>
          {id === agent.deployed_version_id ? (
            <Badge variant="light" color="green" tt="none">
              {t('versions.deployed')}
            </Badge>
          ) : approved ? (
            <Badge variant="default" tt="none" fw={500}>
              {t('versions.approved')}
            </Badge>
          ) : null}
        </Group>
      ),
    },
    {
      key: 'note',
      header: t('acts.submit_note'),
      from: 'sm',
      cell: ({ note }) => (
        <Text size="sm" lineClamp={2}>
          {note}
        </Text>
      ),
    },
    {
      key: 'hash',
      header: t('versions.hash'),
      from: 'lg',
      cell: ({ hash }) => <Code title={hash}>{hash.slice(0, HASH_SHOWN)}</Code>,
    },
    { key: 'by', header: t('by'), from: 'md', cell: ({ by }) => <Text size="sm">{by}</Text> },
    {
      key: 'at',
      header: t('updated'),
      from: 'xs',
      cell: ({ created_at: at }) => <RelativeTime at={at} size="sm" />,
    },
    {
      key: 'acts',
      header: t('acts.more'),
      hiddenHeader: true,
      align: 'end',
      cell: (version) => <VersionMenu agent={agent} version={version} />,
    },
  ];
}

function Compare({ agent, versions }: TabProps & { readonly versions: readonly AgentVersion[] }) {
  const { t } = useTranslation('agents');
  const standard = versions.find(({ id }) => id === agent.deployed_version_id) ?? versions[0];
  const [from, setFrom] = useState(standard?.id ?? 'draft');
  const [to, setTo] = useState('draft');
  const choices = [
    { value: 'draft', label: t('versions.draft') },
    ...versions.map(({ id, number }) => ({ value: id, label: t('version_number', { number }) })),
  ];
  const query = useQuery({ ...differenceQuery(agent.id, from, to), enabled: from !== to });
  return (
    <section aria-label={t('versions.compare')}>
      <Title order={2} size="h4" mb="sm">
        {t('versions.compare')}
      </Title>
      <Group gap="sm" mb="md">
        <Select
          label={t('versions.from')}
          allowDeselect={false}
          data={choices}
          value={from}
          onChange={(chosen) => setFrom(chosen ?? from)}
        />
        <Select
          label={t('versions.to')}
          allowDeselect={false}
          data={choices}
          value={to}
          onChange={(chosen) => setTo(chosen ?? to)}
        />
      </Group>
      {from === to ? (
        <Text size="sm" c="dimmed">
          {t('versions.same')}
        </Text>
      ) : (
        <Loaded query={query}>{(difference) => <Difference difference={difference} />}</Loaded>
      )}
    </section>
  );
}

/** The versions of an agent, what differs between them, and the way back to one. */
export function VersionsTab({ agent }: TabProps) {
  const { t } = useTranslation('agents');
  const columns = useColumns(agent);
  return (
    <Loaded query={useQuery(versionsQuery(agent.id))}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={IconGitBranch} title={t('versions.none')} hint={t('versions.none_hint')} />
        ) : (
          <Stack gap="xl">
            <DataTable
              label={t('tabs.versions')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              pageSize={20}
              minWidth={300}
              initialOrder={{ column: 'number', descending: true }}
            />
            <Compare agent={agent} versions={items} />
          </Stack>
        )
      }
    </Loaded>
  );
}
