import type { ModelServer } from '@ai-studio/contract/console/models.ts';
import { Alert, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconPlus, IconServer } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ServerMenu } from '../../parts/server-menu.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import classes from './models.module.css';
import { servedQuery, serversQuery } from './queries.ts';
import { DrainItems, ServerAddresses } from './server-addresses.tsx';
import { ServerDialog } from './server-form.tsx';
import { useReason } from './localized.ts';

const colors = { healthy: 'green', unhealthy: 'red', unknown: 'gray' } as const;

/** What the dialog shows: a server to change, or the address of a new one. */
interface Shown {
  readonly server: ModelServer | null;
  readonly found: string;
}

interface ActionsProps {
  readonly server: ModelServer;
  readonly onChange: (server: ModelServer) => void;
  readonly onRemove: (server: ModelServer) => void;
}

function Actions({ server, onChange, onRemove }: ActionsProps) {
  const { t } = useTranslation('modelsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const refresh = useMutation({
    mutationFn: () => api.run('POST', `/servers/${server.id}/refresh`, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: serversQuery.queryKey }),
    onError: failed,
  });
  const fixed = server.from_configuration;
  if (fixed && server.addresses.length === 0) return null;
  return (
    <ServerMenu
      label={t('more', { name: server.name })}
      refreshLabel={t('check_again')}
      removeLabel={t('disconnect')}
      onRefresh={fixed ? undefined : () => refresh.mutate()}
      change={fixed ? undefined : { onEdit: () => onChange(server), onRemove: () => onRemove(server) }}
    >
      <DrainItems server={server} />
      {fixed ? null : <Menu.Divider />}
    </ServerMenu>
  );
}

function useColumns(actions: Omit<ActionsProps, 'server'> | null): Column<ModelServer>[] {
  const { t } = useTranslation('modelsPage');
  const reasonOf = useReason();
  const menu: Column<ModelServer> = {
    key: 'actions',
    header: t('actions'),
    hiddenHeader: true,
    align: 'end',
    width: 48,
    cell: (server) => (actions === null ? null : <Actions server={server} {...actions} />),
  };
  return [
    {
      key: 'name',
      header: t('server_name'),
      sort: ({ name }) => name,
      cell: (server) => (
        <Stack gap={2} miw={90}>
          <Group gap="xs">
            <Text size="sm" fw={600} className={classes['name'] ?? ''}>
              {server.name}
            </Text>
            {server.from_configuration ? (
              <Badge variant="default" size="sm" tt="none">
                {t('from_configuration')}
              </Badge>
            ) : null}
          </Group>
          <ServerAddresses server={server} />
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('state'),
      sort: ({ state }) => state,
      cell: (server) => {
        const reason = reasonOf(server);
        return (
          <Stack gap={2} align="flex-start">
            <Badge variant="light" color={colors[server.state]} tt="none">
              {t(`states.${server.state}`)}
            </Badge>
            {reason === null ? null : (
              <Text size="xs" c="dimmed" maw={260}>
                {reason}
              </Text>
            )}
          </Stack>
        );
      },
    },
    {
      key: 'models',
      header: t('offers'),
      from: 'sm',
      cell: ({ models }) => models.map(({ id }) => id).join(', '),
    },
    ...(actions === null ? [] : [menu]),
  ];
}

interface FoundProps {
  readonly found: readonly { readonly base_url: string; readonly models: readonly string[] }[];
  readonly onConnect: (address: string) => void;
}

function Found({ found, onConnect }: FoundProps) {
  const { t } = useTranslation('modelsPage');
  if (found.length === 0) return null;
  return (
    <Alert variant="light" icon={<IconServer size={18} aria-hidden />} title={t('found')}>
      <Stack gap="xs">
        {found.map(({ base_url: address, models }) => (
          <Group key={address} justify="space-between">
            <Text size="sm">
              {address} · {models.slice(0, 3).join(', ')}
            </Text>
            <Button size="xs" variant="light" onClick={() => onConnect(address)}>
              {t('connect')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

/** Servers of the OpenAI format. */
export function Servers() {
  const { t } = useTranslation('modelsPage');
  const queries = useQueryClient();
  const mayManage = useMe().actions.includes('models.manage');
  const [shown, setShown] = useState<Shown | null>(null);
  const [removed, setRemoved] = useState<ModelServer | null>(null);
  const columns = useColumns(
    mayManage ? { onChange: (server) => setShown({ server, found: '' }), onRemove: setRemoved } : null,
  );
  const connect = mayManage ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setShown({ server: null, found: '' })}>
      {t('connect')}
    </Button>
  ) : null;
  return (
    <>
      <Loaded query={useQuery(serversQuery)}>
        {({ items, found }) => (
          <Stack gap="md">
            {items.length === 0 ? null : <Group justify="flex-end">{connect}</Group>}
            {mayManage ? (
              <Found found={found} onConnect={(address) => setShown({ server: null, found: address })} />
            ) : null}
            {items.length === 0 ? (
              <EmptyState icon={IconServer} title={t('no_servers')} hint={t('no_servers_hint')} action={connect} />
            ) : (
              <DataTable
                label={t('servers')}
                columns={columns}
                rows={items}
                rowKey={({ id }) => id}
                pageSize={25}
                minWidth={0}
              />
            )}
          </Stack>
        )}
      </Loaded>
      <ServerDialog
        key={shown === null ? 'closed' : (shown.server?.id ?? `new ${shown.found}`)}
        opened={shown !== null}
        server={shown?.server ?? null}
        found={shown?.found ?? ''}
        onClose={() => setShown(null)}
      />
      <ConfirmDialog
        opened={removed !== null}
        title={t('disconnect')}
        confirmLabel={t('disconnect')}
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          await api.run('DELETE', `/servers/${removed?.id ?? ''}`);
          await Promise.all([
            queries.invalidateQueries({ queryKey: serversQuery.queryKey }),
            queries.invalidateQueries({ queryKey: servedQuery.queryKey }),
          ]);
        }}
      >
        {t('disconnect_hint', {
          name: removed?.name ?? '',
          models: removed?.models.map(({ id }) => id).join(', ') ?? '',
        })}
      </ConfirmDialog>
    </>
  );
}
