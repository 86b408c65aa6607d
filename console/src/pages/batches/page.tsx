import { type BatchStatus, batchStatuses } from '@ai-studio/contract/batches.ts';
import { type ConsoleBatch, ConsoleBatchList } from '@ai-studio/contract/console/batches.ts';
import { ActionIcon, Badge, Code, Progress, Stack, Text, Tooltip } from '@mantine/core';
import { IconPlayerStop, IconStack2 } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';

/** While a batch is under way its progress is asked for as often. */
const REFRESH_MS = 2_000;

const openStatuses: ReadonlySet<BatchStatus> = new Set(['validating', 'in_progress', 'finalizing', 'cancelling']);
const cancellable: ReadonlySet<BatchStatus> = new Set(['validating', 'in_progress']);

const colours: Readonly<Record<BatchStatus, string>> = {
  validating: 'gray',
  in_progress: 'blue',
  finalizing: 'blue',
  cancelling: 'gray',
  completed: 'teal',
  failed: 'red',
  expired: 'orange',
  cancelled: 'gray',
};

const batchesQuery = queryOptions({
  queryKey: ['batches'],
  queryFn: ({ signal }) => api.get('/batches', ConsoleBatchList, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ status }) => openStatuses.has(status)) === true ? REFRESH_MS : false,
});

function Lines({ batch: { total, completed, failed, status } }: { readonly batch: ConsoleBatch }) {
  const { t } = useTranslation('batchList');
  const { number } = useFormat();
  if (total === 0) return null;
  const share = (part: number) => (100 * part) / total;
  const words = t('lines_of', { done: number(completed + failed), total: number(total) });
  return (
    <Stack gap={4} miw={120}>
      <Text size="sm">{words}</Text>
      <Progress.Root size="sm" aria-hidden>
        <Progress.Section value={share(completed)} color={status === 'in_progress' ? 'blue' : 'teal'} />
        <Progress.Section value={share(failed)} color="red" />
      </Progress.Root>
      {failed === 0 ? null : (
        <Text size="xs" c="red">
          {t('failed_lines', { number: number(failed) })}
        </Text>
      )}
    </Stack>
  );
}

/** The same in words, where there is no room for more. */
function ShortLines({ batch: { total, completed, failed } }: { readonly batch: ConsoleBatch }) {
  const { t } = useTranslation('batchList');
  const { number } = useFormat();
  if (total === 0) return null;
  return (
    <Text size="xs" hiddenFrom="sm">
      {t('lines_of', { done: number(completed + failed), total: number(total) })}
    </Text>
  );
}

function useColumns(onCancel: (batch: ConsoleBatch) => void): Column<ConsoleBatch>[] {
  const { t } = useTranslation('batchList');
  const { number } = useFormat();
  return [
    {
      key: 'batch',
      header: t('batch'),
      cell: (batch) => (
        <Stack gap={2} align="flex-start">
          <Code>{batch.id}</Code>
          <Text size="xs" c="dimmed">
            {batch.model === null ? batch.endpoint : `${batch.endpoint} · ${batch.model}`}
          </Text>
          <ShortLines batch={batch} />
          {batch.error === null ? null : (
            <Text size="xs" c="red">
              {batch.error.line === null
                ? t(`errors.${batch.error.code}`)
                : t('error_in_line', { line: number(batch.error.line), what: t(`errors.${batch.error.code}`) })}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'status',
      header: t('status'),
      sort: ({ status }) => batchStatuses.indexOf(status),
      cell: ({ status }) => (
        <Badge variant="light" color={colours[status]}>
          {t(`statuses.${status}`)}
        </Badge>
      ),
    },
    { key: 'lines', header: t('lines'), from: 'sm', cell: (batch) => <Lines batch={batch} /> },
    { key: 'api_key', header: t('key'), from: 'md', cell: ({ key_name: name }) => name ?? t('key_deleted') },
    {
      key: 'created',
      header: t('created'),
      from: 'sm',
      sort: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => <RelativeTime at={at} />,
    },
    {
      key: 'cancel',
      header: t('cancel'),
      hiddenHeader: true,
      align: 'end',
      width: 48,
      cell: (batch) =>
        cancellable.has(batch.status) ? (
          <Tooltip label={t('cancel')}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('cancel_batch', { id: batch.id })}
              onClick={() => onCancel(batch)}
            >
              <IconPlayerStop size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ) : null,
    },
  ];
}

function Batches({ title, batches }: { readonly title: string; readonly batches: readonly ConsoleBatch[] }) {
  const { t } = useTranslation('batchList');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [chosen, setChosen] = useState<ConsoleBatch | null>(null);
  const columns = useColumns(setChosen);
  if (batches.length === 0) return <EmptyState icon={IconStack2} title={t('none')} hint={t('none_hint')} />;
  return (
    <>
      <DataTable
        label={title}
        columns={columns}
        rows={batches}
        rowKey={({ id }) => id}
        pageSize={25}
        minWidth={280}
        initialOrder={{ column: 'created', descending: true }}
      />
      <ConfirmDialog
        opened={chosen !== null}
        title={t('cancel')}
        confirmLabel={t('cancel')}
        onClose={() => setChosen(null)}
        onConfirm={async () => {
          await api.run('POST', `/batches/${chosen?.id ?? ''}/cancel`);
          await queries.invalidateQueries({ queryKey: ['batches'] });
          done(t('cancelled'));
        }}
      >
        {t('cancel_hint')}
      </ConfirmDialog>
    </>
  );
}

/** Batches of requests: how they stand, and their end. */
export function Page() {
  const { t } = useTranslation('batches');
  const messagesLoaded = useLazyNamespace('batchList');
  const query = useQuery(batchesQuery);
  if (!messagesLoaded) return <LoadingPage />;
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Loaded query={query}>{({ items }) => <Batches title={t('title')} batches={items} />}</Loaded>
    </>
  );
}
