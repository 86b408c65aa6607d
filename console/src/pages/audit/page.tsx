import { type AuditAction, type AuditEvent, AuditPage, auditActions } from '@ai-studio/contract/console/audit.ts';
import { limitFields } from '@ai-studio/contract/limits.ts';
import { PersonList } from '@ai-studio/contract/console/people.ts';
import { Button, Code, Menu, Modal, Select, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconHistory, IconSearch } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiUrl, api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';

interface Filter {
  readonly action: AuditAction | null;
  readonly userId: string | null;
  readonly text: string;
  /** Days back; null for all. */
  readonly days: number | null;
}

const DAY_MS = 24 * 3_600_000;
const spans = [1, 7, 30, 90] as const;

/** Days are counted from midnight of today, so that a page asks the same while it is open. */
function queryOf({ action, userId, text, days }: Filter) {
  const today = new Date().setHours(0, 0, 0, 0);
  return {
    action,
    user_id: userId,
    text: text.trim(),
    from: days === null ? null : new Date(today - (days - 1) * DAY_MS).toISOString(),
  };
}

const auditQuery = (filter: Filter) => {
  const query = queryOf(filter);
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal, pageParam }) =>
      api.get('/audit', AuditPage, { signal, query: { ...query, before: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Whoever opens the log looks for what has just happened.
    staleTime: 0,
  });
};

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (change: Partial<Filter>) => void;
}

function FilterBar({ filter, onChange }: FilterBarProps) {
  const { t } = useTranslation('auditPage');
  const { data: people } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.get('/users', PersonList, { signal }),
    enabled: hasPermission(useMe(), ['users.manage']),
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="md">
      <TextInput
        type="search"
        label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <Select
        label={t('action')}
        placeholder={t('every_action')}
        clearable
        searchable
        data={auditActions.map((action) => ({ value: action, label: t(`actions.${action}`) }))}
        value={filter.action}
        onChange={(action) => onChange({ action })}
      />
      <Select
        label={t('who')}
        placeholder={t('everybody')}
        clearable
        searchable
        data={people?.items.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? []}
        value={filter.userId}
        onChange={(userId) => onChange({ userId })}
      />
      <Select
        label={t('span')}
        placeholder={t('always')}
        clearable
        data={spans.map((days) => ({ value: String(days), label: t('days', { days }) }))}
        value={filter.days === null ? null : String(filter.days)}
        onChange={(days) => onChange({ days: days === null ? null : Number(days) })}
      />
    </SimpleGrid>
  );
}

function useColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation('auditPage');
  const { dateTime } = useFormat();
  return [
    { key: 'at', header: t('when'), width: 190, from: 'sm', cell: ({ at }) => dateTime(at) },
    { key: 'actor', header: t('who'), from: 'sm', cell: ({ actor }) => actor.name },
    {
      key: 'action',
      header: t('what'),
      cell: ({ action, actor, at }) => (
        <>
          {t(`actions.${action}`)}
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {actor.name} · {dateTime(at)}
          </Text>
        </>
      ),
    },
    { key: 'target', header: t('target'), from: 'sm', cell: ({ target }) => target?.name ?? '' },
    { key: 'address', header: t('address'), from: 'md', cell: ({ address }) => address ?? '' },
  ];
}

/** Names and values of what an event tells beside who and what. Those without words are shown as they are kept. */
function useFacts() {
  const { t } = useTranslation('auditPage');
  const { t: common } = useTranslation('common');
  const { t: keys } = useTranslation('keysPage');
  const { number } = useFormat();
  const { t: setting } = useTranslation('settings');
  const { t: privacy } = useTranslation('privacy');
  const facts: Readonly<Record<string, string>> = {
    name: setting('name'),
    allowed_models: setting('allowed_models'),
    default_model: setting('default_model'),
    default_embedding_model: setting('default_embedding_model'),
    synonyms: setting('synonyms'),
    ...Object.fromEntries(limitFields.map((field) => [field, setting(field)])),
    tool_stream: setting('tool_stream'),
    max_keys: setting('max_keys'),
    require_second_factor: setting('require_second_factor'),
    session_idle_hours: setting('session_idle_hours'),
    conversation_days: setting('conversation_days'),
    agent_traces: setting('agent_traces'),
    accent: setting('accent'),
    mode: privacy('policy.mode'),
    types: privacy('policy.types'),
    threshold: privacy('policy.threshold'),
    deny_list: privacy('policy.deny_list'),
    allow_list: privacy('policy.allow_list'),
    may_loosen: privacy('policy.may_loosen'),
    recognizer_model: privacy('policy.recognizer_model'),
    ...t('facts', { returnObjects: true }),
  };
  const ways: Readonly<Record<string, string>> = t('ways', { returnObjects: true });
  const modes: Readonly<Record<string, string>> = privacy('policy.modes', { returnObjects: true });
  const accents: Readonly<Record<string, string>> = setting('accents', { returnObjects: true });
  const values: Readonly<Record<string, string>> = {
    ...common('role', { returnObjects: true }),
    ...keys('scope', { returnObjects: true }),
    ...privacy('types', { returnObjects: true }),
  };
  return {
    nameOf: (name: string) => facts[name] ?? name,
    valueOf(name: string, value: string | number | boolean | null) {
      // A setting that was taken back.
      if (value === null) return '–';
      if (typeof value === 'boolean') return common(value ? 'yes' : 'no');
      if (typeof value === 'number') return number(value);
      if (name === 'method' || name === 'step') return ways[value] ?? value;
      if (name === 'mode') return modes[value] ?? value;
      if (name === 'accent') return accents[value] ?? value;
      return ['role', 'scopes', 'from', 'to', 'types'].includes(name)
        ? value
            .split(', ')
            .map((one) => values[one] ?? one)
            .join(', ')
        : value;
    },
  };
}

function Details({ event }: { readonly event: AuditEvent }) {
  const { t } = useTranslation('auditPage');
  const { exact } = useFormat();
  const { nameOf, valueOf } = useFacts();
  const facts: (readonly [string, string | null])[] = [
    [t('when'), exact(event.at)],
    [t('who'), event.actor.name],
    [t('what'), t(`actions.${event.action}`)],
    [t('target'), event.target?.name ?? null],
    [t('target_id'), event.target?.id ?? null],
    [t('address'), event.address],
    [t('browser'), event.user_agent],
    [t('request'), event.request_id],
    ...Object.entries(event.detail).map(([name, value]) => [nameOf(name), valueOf(name, value)] as const),
  ];
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={160}>
                {name}
              </Table.Th>
              <Table.Td>
                <Text size="sm">{value}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function Events({ filter }: { readonly filter: Filter }) {
  const { t } = useTranslation('auditPage');
  const { t: page } = useTranslation('audit');
  const { t: common } = useTranslation('common');
  const columns = useColumns();
  const [shown, setShown] = useState<AuditEvent | null>(null);
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    auditQuery(filter),
  );
  if (isPending) return <LoadingRows rows={8} />;
  if (data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const events = data.pages.flatMap(({ items }) => items);
  if (events.length === 0) return <EmptyState icon={IconHistory} title={t('none')} hint={t('none_hint')} />;
  return (
    <Stack gap="md">
      <DataTable
        label={page('title')}
        columns={columns}
        rows={events}
        rowKey={({ id }) => id}
        onOpen={setShown}
        minWidth={280}
      />
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {common('more')}
        </Button>
      ) : null}
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={t('details')} size="lg">
        {shown === null ? null : <Details event={shown} />}
      </Modal>
    </Stack>
  );
}

/** Who did what, when and from where. */
export function Page() {
  const loaded = useLazyNamespace('auditPage');
  const keysLoaded = useLazyNamespace('keysPage');
  return loaded && keysLoaded ? <AuditLog /> : <LoadingPage />;
}

function AuditLog() {
  const { t } = useTranslation('auditPage');
  const { t: page } = useTranslation('audit');
  const [filter, setFilter] = useState<Filter>({ action: null, userId: null, text: '', days: null });
  const [text] = useDebouncedValue(filter.text, 300);
  const asked = { ...filter, text };
  return (
    <>
      <PageHeader
        title={page('title')}
        description={page('description')}
        actions={
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
                {t('export')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(['audit.csv', 'audit.jsonl'] as const).map((file) => (
                <Menu.Item key={file} component="a" href={apiUrl(`/${file}`, queryOf(asked))}>
                  <Code>{file}</Code>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        }
      />
      <FilterBar filter={filter} onChange={(change) => setFilter((before) => ({ ...before, ...change }))} />
      <Events filter={asked} />
    </>
  );
}
