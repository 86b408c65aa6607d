import { type ApiKey, ApiKeyList, keyScopes } from '@ai-studio/contract/console/keys.ts';
import { limitFields } from '@ai-studio/contract/limits.ts';
import { ActionIcon, Badge, Button, Code, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { LoadingPage } from '../../parts/loading.tsx';
import { api } from '../../api/client.ts';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import type { KeyLimits } from './new-key.tsx';

/** Fetched when it is opened. */
const NewKey = lazy(async () => ({ default: (await import('./new-key.tsx')).NewKey }));

const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api.get('/keys', ApiKeyList, { signal }),
});

function useColumns(onRemove: (key: ApiKey) => void): Column<ApiKey>[] {
  const { t } = useTranslation('keysPage');
  const { t: common } = useTranslation('common');
  const { number, compact, date } = useFormat();
  const all = hasPermission(useMe(), ['keys.all']);
  const creator: Column<ApiKey> = {
    key: 'creator',
    header: t('created_by'),
    from: 'md',
    sort: ({ created_by: by }) => by?.name ?? '',
    cell: ({ created_by: by }) => by?.name ?? t('service'),
  };
  return [
    {
      key: 'name',
      header: t('name'),
      sort: ({ name }) => name,
      cell: (key) => (
        <Stack gap={2} align="flex-start">
          <Text size="sm" fw={600}>
            {key.name}
          </Text>
          <Code>
            {key.start}…{key.last4}
          </Code>
          {key.privacy_mode === null ? null : (
            <Text size="xs" c="dimmed">
              {t('privacy_of', { mode: t(`privacy_modes.${key.privacy_mode}`) })}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'scopes',
      header: t('scopes'),
      from: 'md',
      cell: ({ scopes }) =>
        scopes.length === keyScopes.length ? t('all_scopes') : scopes.map((scope) => t(`scope.${scope}`)).join(', '),
    },
    ...(all ? [creator] : []),
    {
      key: 'created',
      header: t('created'),
      from: 'lg',
      sort: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => date(at),
    },
    {
      key: 'used',
      header: t('last_used'),
      from: 'sm',
      sort: ({ last_used_at: at }) => at,
      cell: ({ last_used_at: at }) => <RelativeTime at={at} />,
    },
    {
      key: 'usage',
      header: t('usage'),
      align: 'end',
      from: 'sm',
      sort: ({ requests }) => requests,
      cell: ({ requests, tokens }) => t('usage_of', { requests: number(requests), tokens: compact(tokens) }),
    },
    {
      key: 'expiry',
      header: t('expiry'),
      from: 'lg',
      sort: ({ expires_at: at }) => at,
      cell: ({ expires_at: at }) =>
        at === null ? (
          t('never')
        ) : new Date(at).getTime() <= Date.now() ? (
          <Badge color="red" variant="light">
            {t('expired')}
          </Badge>
        ) : (
          date(at)
        ),
    },
    {
      key: 'remove',
      header: common('remove'),
      hiddenHeader: true,
      align: 'end',
      width: 48,
      cell: (key) => (
        <Tooltip label={common('remove')}>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('remove_key', { name: key.name })}
            onClick={() => onRemove(key)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}

const idOf = ({ id }: ApiKey) => id;
const textOf = ({ name, start, last4, created_by: by }: ApiKey) => `${name} ${start} ${last4} ${by?.name ?? ''}`;
const newestFirst = { column: 'created', descending: true };

function Keys({ keys, onNew }: { readonly keys: readonly ApiKey[]; readonly onNew: () => void }) {
  const { t } = useTranslation('keysPage');
  const { t: title } = useTranslation('keys');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [removed, setRemoved] = useState<readonly ApiKey[]>([]);
  const columns = useColumns((key) => setRemoved([key]));
  const [first] = removed;
  if (keys.length === 0) {
    return (
      <EmptyState
        icon={IconKey}
        title={t('none')}
        hint={t('none_hint')}
        action={<Button onClick={onNew}>{t('new')}</Button>}
      />
    );
  }
  return (
    <>
      <RichTable
        name="keys"
        label={title('title')}
        columns={columns}
        rows={keys}
        rowKey={idOf}
        textOf={textOf}
        minWidth={280}
        initialOrder={newestFirst}
        selection={{
          nameOf: ({ name }) => name,
          renderActions: (chosen) => (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => setRemoved(chosen)}
            >
              {common('remove')}
            </Button>
          ),
        }}
      />
      <ConfirmDialog
        opened={first !== undefined}
        title={t('remove')}
        confirmLabel={t('remove')}
        onClose={() => setRemoved([])}
        onConfirm={async () => {
          try {
            await forEachConcurrently(removed, ({ id }) => api.run('DELETE', `/keys/${id}`));
          } finally {
            await queries.invalidateQueries({ queryKey: ['keys'] });
          }
          done(t('removed'));
        }}
      >
        {removed.length > 1
          ? t('remove_many_hint', { count: removed.length, names: removed.map(({ name }) => name).join(', ') })
          : t('remove_hint', { name: first?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

const defaultLimits = (list: ApiKeyList | undefined) =>
  Object.fromEntries(limitFields.map((field) => [field, list?.[`default_${field}`] ?? null])) as KeyLimits;

function KeysPage() {
  const { t } = useTranslation('keysPage');
  const { t: page } = useTranslation('keys');
  const [wanted, setWanted] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWanted(true) });
  const query = useQuery(keysQuery);
  const { data } = query;
  return (
    <>
      <PageHeader
        title={page('title')}
        description={t('description')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('new')}
          </Button>
        }
      />
      <Loaded query={query}>{({ items }) => <Keys keys={items} onNew={open} />}</Loaded>
      <Suspense>{wanted ? <NewKey opened={opened} onClose={close} defaults={defaultLimits(data)} /> : null}</Suspense>
    </>
  );
}

/** API keys of the person, or of the tenant. Source: interface section 5. */
export function Page() {
  return useLazyNamespace('keysPage') ? <KeysPage /> : <LoadingPage />;
}
