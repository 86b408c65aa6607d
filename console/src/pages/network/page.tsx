import type { OpenedHost, OpenedHosts } from '@ai-studio/contract/console/network.ts';
import { ActionIcon, Badge, Button, Code, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash, IconWorldShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { openedHostsQuery } from './queries.ts';

/** Fetched when it is opened. */
const OpenHostDialog = lazy(async () => ({ default: (await import('./open-host.tsx')).OpenHostDialog }));

/** A row of the list: one opened in the console, or an entry of the configuration, which has nobody's name. */
interface Row {
  readonly host: string;
  readonly opened: OpenedHost | null;
}

function useColumns(onRemove: (host: OpenedHost) => void): Column<Row>[] {
  const { t } = useTranslation('network');
  const { date } = useFormat();
  return [
    { key: 'host', header: t('host'), sort: ({ host }) => host, cell: ({ host }) => <Code>{host}</Code> },
    {
      key: 'note',
      header: t('note'),
      from: 'sm',
      sort: ({ opened }) => opened?.note ?? null,
      cell: ({ opened }) =>
        opened === null ? (
          <Tooltip label={t('configured_hint')} multiline maw={320}>
            <Badge variant="light" color="gray">
              {t('configured')}
            </Badge>
          </Tooltip>
        ) : (
          opened.note
        ),
    },
    {
      key: 'by',
      header: t('opened_by'),
      from: 'sm',
      sort: ({ opened }) => opened?.opened_by ?? null,
      cell: ({ opened }) => opened?.opened_by ?? '',
    },
    {
      key: 'at',
      header: t('opened_at'),
      from: 'md',
      sort: ({ opened }) => opened?.opened_at ?? null,
      cell: ({ opened }) => (opened === null ? '' : date(opened.opened_at)),
    },
    {
      key: 'remove',
      header: t('remove'),
      hiddenHeader: true,
      align: 'end',
      width: 48,
      cell: ({ opened }) =>
        opened === null ? null : (
          <Tooltip label={t('remove')}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('remove_of', { host: opened.host })}
              onClick={() => onRemove(opened)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ];
}

const rowsOf = ({ configured, items }: OpenedHosts): Row[] => [
  ...items.map((opened) => ({ host: opened.host, opened })),
  ...configured.map((host) => ({ host, opened: null })),
];

const keyOf = ({ host, opened }: Row) => opened?.id ?? `configured ${host}`;
const textOf = ({ host, opened }: Row) => `${host} ${opened?.note ?? ''} ${opened?.opened_by ?? ''}`;

function HostList({ hosts, onAdd }: { readonly hosts: OpenedHosts; readonly onAdd: () => void }) {
  const { t } = useTranslation('network');
  const queries = useQueryClient();
  const [removed, setRemoved] = useState<OpenedHost | null>(null);
  const columns = useColumns(setRemoved);
  const rows = rowsOf(hosts);
  if (rows.length === 0)
    return (
      <EmptyState
        icon={IconWorldShare}
        title={t('none')}
        hint={t('none_hint')}
        action={<Button onClick={onAdd}>{t('add')}</Button>}
      />
    );
  return (
    <>
      <RichTable
        name="network"
        label={t('list')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        textOf={textOf}
        minWidth={280}
      />
      <ConfirmDialog
        opened={removed !== null}
        title={t('remove_title')}
        confirmLabel={t('remove')}
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          await api.run('DELETE', `/opened-hosts/${removed?.id ?? ''}`);
          await queries.invalidateQueries({ queryKey: openedHostsQuery.queryKey });
        }}
      >
        {t('remove_hint', { host: removed?.host ?? '' })}
      </ConfirmDialog>
    </>
  );
}

/** Private hosts that requests of all tenants may go to. */
export function Page() {
  const { t } = useTranslation('network');
  const query = useQuery(openedHostsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('add')}
          </Button>
        }
      />
      <Loaded query={query}>{(hosts) => <HostList hosts={hosts} onAdd={open} />}</Loaded>
      <Suspense>{opened ? <OpenHostDialog opened onClose={close} /> : null}</Suspense>
    </>
  );
}
