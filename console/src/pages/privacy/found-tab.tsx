import type { PrivacyCounts } from '@ai-studio/contract/console/privacy.ts';
import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import { Select, SimpleGrid, Stack } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chart } from '../../parts/chart/chart.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { countsQuery } from './queries.ts';
import { daysOf, sumsOf } from './sums.ts';

const spans = [7, 30, 90, 365] as const;
/** Types that have a line of their own. */
const MAX_LINES = 5;

interface Row {
  readonly type: FindingType;
  readonly count: number;
}

function Charts({ counts }: { readonly counts: PrivacyCounts }) {
  const { t } = useTranslation('privacy');
  const days = daysOf(counts);
  const times = days.map((day) => new Date(`${day}T00:00:00`).getTime());
  const byType = sumsOf(counts.items);
  const shown = byType.slice(0, MAX_LINES).map(({ type }) => type);
  const valuesOf = (wanted: (type: FindingType) => boolean) =>
    days.map((day) =>
      counts.items.reduce((sum, item) => sum + (item.day === day && wanted(item.type) ? item.count : 0), 0),
    );
  const others =
    byType.length > MAX_LINES ? [{ label: t('found.others'), values: valuesOf((type) => !shown.includes(type)) }] : [];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Chart
        title={t('found.total')}
        times={times}
        days
        kind="bars"
        series={[{ label: t('found.count'), values: valuesOf(() => true) }]}
      />
      <Chart
        title={t('found.by_type')}
        times={times}
        days
        series={[
          ...shown.map((type) => ({ label: t(`types.${type}`), values: valuesOf((one) => one === type) })),
          ...others,
        ]}
      />
    </SimpleGrid>
  );
}

function ByType({ counts }: { readonly counts: PrivacyCounts }) {
  const { t } = useTranslation('privacy');
  const { number } = useFormat();
  const columns: Column<Row>[] = [
    {
      key: 'type',
      header: t('try.type'),
      sort: ({ type }) => t(`types.${type}`),
      cell: ({ type }) => t(`types.${type}`),
    },
    {
      key: 'count',
      header: t('found.count'),
      align: 'end',
      sort: ({ count }) => count,
      cell: ({ count }) => number(count),
    },
  ];
  return (
    <DataTable
      label={t('found.by_type')}
      columns={columns}
      rows={sumsOf(counts.items)}
      rowKey={({ type }) => type}
      initialOrder={{ column: 'count', descending: true }}
    />
  );
}

/** How many personal values were found, by day and type. */
export function FoundTab() {
  const { t } = useTranslation('privacy');
  const [days, setDays] = useState(30);
  return (
    <Stack gap="lg">
      <Select
        label={t('found.span')}
        description={t('found.note')}
        maw="30rem"
        allowDeselect={false}
        data={spans.map((span) => ({ value: String(span), label: t('found.days', { days: span }) }))}
        value={String(days)}
        onChange={(value) => setDays(Number(value ?? 30))}
      />
      <Loaded query={useQuery(countsQuery(days))}>
        {(counts) =>
          counts.items.length === 0 ? (
            <EmptyState icon={IconShieldLock} title={t('found.none')} hint={t('found.none_hint')} />
          ) : (
            <Stack gap="xl">
              <Charts counts={counts} />
              <ByType counts={counts} />
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}
