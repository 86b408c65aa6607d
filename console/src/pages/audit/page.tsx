import {
  type AuditAction,
  type AuditEvent,
  AuditPage,
  auditActions,
  maxAuditIds,
} from '@ai-studio/contract/console/audit.ts';
import { PersonList } from '@ai-studio/contract/console/people.ts';
import { Button, Code, Menu, Modal, Select, Text } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiUrl, api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingTable } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { remoteRows } from '../../parts/table/remote-rows.ts';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useTableQuery } from '../../parts/table/use-table-address.ts';
import { useFormat } from '../../parts/use-format.ts';
import { Details } from './details.tsx';

/** What is shown of the log: it stands in the address. */
interface Filter {
  readonly action?: AuditAction | undefined;
  /** Only what this person did. */
  readonly person?: string | undefined;
  /** Days back; undefined for all. */
  readonly days?: number | undefined;
}

const DAY_MS = 24 * 3_600_000;
const spans = [1, 7, 30, 90] as const;

/** Days are counted from midnight of today, so that a page asks the same while it is open. */
function queryOf({ action, person, days }: Filter, text: string, sort: 'at' | '-at' | undefined) {
  const today = new Date().setHours(0, 0, 0, 0);
  return {
    action,
    user_id: person,
    text,
    from: days === undefined ? null : new Date(today - (days - 1) * DAY_MS).toISOString(),
    sort,
  };
}

/** Entries that one call brings. */
const AT_ONCE = 100;

const auditQuery = (query: ReturnType<typeof queryOf>) =>
  infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal, pageParam }) =>
      api.get('/audit', AuditPage, { signal, query: { ...query, size: AT_ONCE, before: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Whoever opens the log looks for what has just happened.
    staleTime: 0,
  });

function Filters({ action, person, days }: Filter) {
  const { t } = useTranslation('auditPage');
  const navigate = useNavigate();
  const write = (change: Filter) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true });
  const { data: people } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.get('/users', PersonList, { signal }),
    enabled: hasPermission(useMe(), ['users.manage']),
  });
  const look = { size: 'xs', clearable: true, w: { base: '100%', xs: '11rem' } } as const;
  return (
    <>
      <Select
        {...look}
        aria-label={t('action')}
        placeholder={t('every_action')}
        searchable
        data={auditActions.map((one) => ({ value: one, label: t(`actions.${one}`) }))}
        value={action ?? null}
        onChange={(chosen) => write({ action: auditActions.find((one) => one === chosen) })}
      />
      <Select
        {...look}
        aria-label={t('who')}
        placeholder={t('everybody')}
        searchable
        data={people?.items.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? []}
        value={person ?? null}
        onChange={(id) => write({ person: id ?? undefined })}
      />
      <Select
        {...look}
        aria-label={t('span')}
        placeholder={t('always')}
        data={spans.map((one) => ({ value: String(one), label: t('days', { days: one }) }))}
        value={days === undefined ? null : String(days)}
        onChange={(chosen) => write({ days: chosen === null ? undefined : Number(chosen) })}
      />
    </>
  );
}

function useColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation('auditPage');
  const { dateTime } = useFormat();
  return [
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
    { key: 'actor', header: t('who'), from: 'sm', cell: ({ actor }) => actor.name },
    { key: 'target', header: t('target'), from: 'sm', cell: ({ target }) => target?.name ?? '' },
    { key: 'address', header: t('address'), from: 'md', cell: ({ address }) => address ?? '' },
    {
      key: 'at',
      header: t('when'),
      width: 190,
      from: 'sm',
      sort: ({ at }) => at,
      cell: ({ at }) => dateTime(at),
    },
  ];
}

const idOf = ({ id }: AuditEvent) => id;
const noText = () => '';
const newestFirst = { column: 'at', descending: true } as const;

function AuditLog() {
  const { t } = useTranslation('auditPage');
  const { t: page } = useTranslation('audit');
  const columns = useColumns();
  const [shown, setShown] = useState<AuditEvent | null>(null);
  const { action, person, days } = useSearch({ strict: false }) as Filter;
  const filter = { action: auditActions.find((known) => known === action), person, days };
  const { q, sort } = useTableQuery(['at', '-at']);
  const asked = queryOf(filter, q, sort);
  const query = useInfiniteQuery(auditQuery(asked));
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
                <Menu.Item key={file} component="a" href={apiUrl(`/${file}`, asked)}>
                  <Code>{file}</Code>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        }
      />
      <Loaded query={query} loading={<LoadingTable />}>
        {({ pages }) => (
          <RichTable
            name="audit"
            label={page('title')}
            columns={columns}
            rows={pages.flatMap(({ items }) => items)}
            rowKey={idOf}
            textOf={noText}
            minWidth={280}
            initialOrder={newestFirst}
            onOpen={setShown}
            filters={{
              fields: <Filters {...filter} />,
              count: Object.values(filter).filter((one) => one !== undefined).length,
            }}
            remote={remoteRows(query, null)}
            none={<EmptyState icon={IconHistory} title={t('none')} hint={t('none_hint')} />}
            selection={{
              nameOf: ({ action: what, actor }) => `${t(`actions.${what}`)}, ${actor.name}`,
              // More stand in no address; filters are the way, as the whole is exported by them.
              renderActions: (chosen) =>
                chosen.length > maxAuditIds ? (
                  <Text size="xs">{t('export_too_many', { most: maxAuditIds })}</Text>
                ) : (
                  <Button
                    component="a"
                    href={apiUrl('/audit.csv', { ids: chosen.map(idOf).join(',') })}
                    size="xs"
                    variant="default"
                    leftSection={<IconDownload size={14} aria-hidden />}
                  >
                    {t('export_chosen')}
                  </Button>
                ),
            }}
          />
        )}
      </Loaded>
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={t('details')} size="lg">
        {shown === null ? null : <Details event={shown} />}
      </Modal>
    </>
  );
}

/** Who did what, when and from where. */
export function Page() {
  const loaded = useLazyNamespace('auditPage');
  const keysLoaded = useLazyNamespace('keysPage');
  return loaded && keysLoaded ? <AuditLog /> : <LoadingPage />;
}
