import { PersonList } from '@ai-studio/contract/console/people.ts';
import { UsageReport, type usageGroups } from '@ai-studio/contract/console/usage.ts';
import { Button, Select, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiUrl, api } from '../../api/client.ts';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';

type UsageGroup = (typeof usageGroups)[number];
type Row = UsageReport['rows'][number];

interface Filter {
  readonly days: number;
  readonly model: string | null;
  readonly userId: string | null;
}

const DAY_MS = 24 * 3_600_000;
const spans = [1, 7, 30, 90] as const;
const tables = ['model', 'key', 'user', 'endpoint', 'status'] as const;

function queryOf({ days, model, userId }: Filter, group: UsageGroup) {
  const today = new Date().setHours(0, 0, 0, 0);
  return {
    from: new Date(today - (days - 1) * DAY_MS).toISOString(),
    group,
    model,
    user_id: userId,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

const usageQuery = (filter: Filter, group: UsageGroup) => {
  const query = queryOf(filter, group);
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => api.get('/usage', UsageReport, { signal, query }),
  });
};

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (change: Partial<Filter>) => void;
}

function FilterBar({ filter, onChange }: FilterBarProps) {
  const { t } = useTranslation('usage');
  const everybody = hasPermission(useMe(), ['users.manage']);
  const { data: models } = useQuery(chatModelsQuery);
  const { data: people } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.get('/users', PersonList, { signal }),
    enabled: everybody,
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" mb="lg" maw="48rem">
      <Select
        label={t('span')}
        allowDeselect={false}
        data={spans.map((days) => ({ value: String(days), label: days === 1 ? t('today') : t('days', { days }) }))}
        value={String(filter.days)}
        onChange={(days) => onChange({ days: Number(days ?? 30) })}
      />
      <Select
        label={t('model')}
        placeholder={t('all')}
        clearable
        searchable
        data={models?.items.map(({ id }) => id) ?? []}
        value={filter.model}
        onChange={(model) => onChange({ model })}
      />
      {everybody ? (
        <Select
          label={t('user')}
          placeholder={t('all')}
          clearable
          searchable
          data={people?.items.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) ?? []}
          value={filter.userId}
          onChange={(userId) => onChange({ userId })}
        />
      ) : null}
    </SimpleGrid>
  );
}

function Figures({ total }: Pick<UsageReport, 'total'>) {
  const { t } = useTranslation('usage');
  const { number, compact, duration, percent } = useFormat();
  const tokens = total.prompt_tokens + total.completion_tokens;
  const time = (ms: number | null) => (ms === null ? '–' : duration(ms));
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure label={t('requests')} value={number(total.requests)} hint={t('canceled', { count: total.canceled })} />
      <Figure
        label={t('tokens')}
        value={compact(tokens)}
        hint={t('tokens_of', { prompt: compact(total.prompt_tokens), completion: compact(total.completion_tokens) })}
      />
      <Figure
        label={t('errors')}
        value={number(total.errors)}
        hint={percent(total.requests === 0 ? 0 : total.errors / total.requests)}
      />
      <Figure
        label={t('first_token')}
        value={time(total.first_token_p50)}
        hint={t('p95', { time: time(total.first_token_p95) })}
      />
      {total.audio_in_ms > 0 ? <Figure label={t('audio_in')} value={duration(total.audio_in_ms)} /> : null}
      {total.characters > 0 ? (
        <Figure
          label={t('audio_out')}
          value={time(total.audio_out_ms === 0 ? null : total.audio_out_ms)}
          hint={t('said', { count: total.characters, characters: number(total.characters) })}
        />
      ) : null}
    </SimpleGrid>
  );
}

function Charts({ rows, days }: { readonly rows: readonly Row[]; readonly days: boolean }) {
  const { t } = useTranslation('usage');
  const { duration } = useFormat();
  const times = rows.map(({ key }) => new Date(key).getTime());
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Chart
        title={t('requests')}
        times={times}
        days={days}
        kind="bars"
        series={[{ label: t('requests'), values: rows.map(({ requests }) => requests) }]}
      />
      <Chart
        title={t('tokens')}
        times={times}
        days={days}
        kind="area"
        series={[
          { label: t('prompt_tokens'), values: rows.map((row) => row.prompt_tokens) },
          { label: t('completion_tokens'), values: rows.map((row) => row.completion_tokens) },
        ]}
      />
      <Chart
        title={t('errors')}
        times={times}
        days={days}
        kind="bars"
        series={[{ label: t('errors'), values: rows.map(({ errors }) => errors) }]}
      />
      <Chart
        title={t('latency')}
        times={times}
        days={days}
        formatValue={duration}
        series={[
          { label: t('first_token'), values: rows.map((row) => row.first_token_p50) },
          { label: t('whole'), values: rows.map((row) => row.latency_p50) },
        ]}
      />
    </SimpleGrid>
  );
}

/** Headings of what is counted. */
type Figure =
  | 'requests'
  | 'errors'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'pages'
  | 'audio_in'
  | 'audio_out'
  | 'first_token'
  | 'whole';

function useColumns(group: (typeof tables)[number], rows: readonly Row[]): Column<Row>[] {
  const { t } = useTranslation('usage');
  const { number, duration } = useFormat();
  const time = (ms: number | null) => (ms === null ? '–' : duration(ms));
  const sound = (ms: number) => (ms === 0 ? '–' : duration(ms));
  const figure = <V extends number | null>(
    key: Figure,
    value: (row: Row) => V,
    write: (value: V) => string,
    from?: Column<Row>['from'],
  ): Column<Row> => ({
    key,
    header: t(key),
    align: 'end',
    ...(from ? { from } : {}),
    sort: value,
    cell: (row) => write(value(row)),
  });
  return [
    { key: 'label', header: t(`by.${group}`), sort: ({ label }) => label, cell: ({ label }) => label },
    figure('requests', ({ requests }) => requests, number),
    figure('errors', ({ errors }) => errors, number, 'sm'),
    figure('prompt_tokens', (row) => row.prompt_tokens, number, 'sm'),
    figure('completion_tokens', (row) => row.completion_tokens, number, 'xs'),
    figure('pages', (row) => row.pages, number, 'lg'),
    // Few use speech: its columns stand where there is any. Characters stand in the file alone.
    ...(rows.some((row) => row.audio_in_ms > 0) ? [figure('audio_in', (row) => row.audio_in_ms, sound, 'lg')] : []),
    ...(rows.some((row) => row.audio_out_ms > 0) ? [figure('audio_out', (row) => row.audio_out_ms, sound, 'lg')] : []),
    figure('first_token', (row) => row.first_token_p50, time, 'md'),
    figure('whole', (row) => row.latency_p50, time, 'md'),
  ];
}

interface RowsProps {
  readonly group: (typeof tables)[number];
  readonly rows: readonly Row[];
}

function Rows({ group, rows }: RowsProps) {
  const { t } = useTranslation('usage');
  return (
    <DataTable
      label={t(`by.${group}`)}
      columns={useColumns(group, rows)}
      rows={rows}
      rowKey={({ key }) => key}
      pageSize={20}
      initialOrder={{ column: 'requests', descending: true }}
    />
  );
}

function GroupTable({ filter, group }: { readonly filter: Filter; readonly group: (typeof tables)[number] }) {
  return (
    <Loaded query={useQuery(usageQuery(filter, group))}>{({ rows }) => <Rows group={group} rows={rows} />}</Loaded>
  );
}

/** Requests, tokens, errors and times, for the whole tenant or the person's own. */
export function Page() {
  const { t } = useTranslation('usage');
  const all = hasPermission(useMe(), ['usage.all']);
  const [filter, setFilter] = useState<Filter>({ days: 30, model: null, userId: null });
  const group = filter.days === 1 ? 'hour' : 'day';
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t(all ? 'description' : 'description_own')}
        actions={
          <Button
            component="a"
            href={apiUrl('/usage.csv', queryOf(filter, group))}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('export')}
          </Button>
        }
      />
      <FilterBar filter={filter} onChange={(change) => setFilter((before) => ({ ...before, ...change }))} />
      <Loaded query={useQuery(usageQuery(filter, group))}>
        {({ total, rows }) =>
          total.requests === 0 ? (
            <EmptyState icon={IconChartBar} title={t('none')} hint={t('none_hint')} />
          ) : (
            <Stack gap="xl">
              <Figures total={total} />
              <Charts rows={rows} days={group === 'day'} />
              <Tabs defaultValue="model" keepMounted={false}>
                <Tabs.List aria-label={t('tables')} mb="md">
                  {tables
                    .filter((name) => all || name !== 'user')
                    .map((name) => (
                      <Tabs.Tab key={name} value={name}>
                        {t(`by.${name}`)}
                      </Tabs.Tab>
                    ))}
                </Tabs.List>
                {tables.map((name) => (
                  <Tabs.Panel key={name} value={name}>
                    <GroupTable filter={filter} group={name} />
                  </Tabs.Panel>
                ))}
              </Tabs>
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}
