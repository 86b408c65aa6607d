import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Select, SimpleGrid, Stack } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chart } from '../../../parts/chart/chart.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Figure } from '../../../parts/figure.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { usageQuery } from '../queries.ts';

const spans = [7, 30, 90, 365] as const;

/** How often an agent ran, how it fared, and what it used, by day. */
export function UsageTab({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  const { number, compact, percent, duration } = useFormat();
  const [days, setDays] = useState(30);
  return (
    <Stack gap="lg">
      <Select
        label={t('usage.span')}
        allowDeselect={false}
        w="12rem"
        data={spans.map((one) => ({ value: String(one), label: t('usage.days', { days: one }) }))}
        value={String(days)}
        onChange={(chosen) => setDays(Number(chosen ?? days))}
      />
      <Loaded query={useQuery(usageQuery(agent.id, days))}>
        {({ days: rows }) => {
          const sum = (of: 'runs' | 'failed' | 'tokens') => rows.reduce((total, row) => total + row[of], 0);
          const [runs, failed] = [sum('runs'), sum('failed')];
          if (runs === 0) return <EmptyState icon={IconChartBar} title={t('usage.none')} hint={t('usage.none_hint')} />;
          const times = rows.map(({ day }) => new Date(`${day}T00:00:00`).getTime());
          return (
            <Stack gap="xl">
              <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
                <Figure label={t('usage.runs')} value={number(runs)} />
                <Figure label={t('usage.failed')} value={number(failed)} hint={percent(failed / runs)} />
                <Figure label={t('usage.tokens')} value={compact(sum('tokens'))} />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
                <Chart
                  title={t('usage.runs')}
                  times={times}
                  days
                  kind="bars"
                  series={[
                    { label: t('usage.runs'), values: rows.map((row) => row.runs) },
                    { label: t('usage.failed'), values: rows.map((row) => row.failed) },
                  ]}
                />
                <Chart
                  title={t('usage.tokens')}
                  times={times}
                  days
                  kind="bars"
                  series={[{ label: t('usage.tokens'), values: rows.map(({ tokens }) => tokens) }]}
                />
                <Chart
                  title={t('usage.median')}
                  times={times}
                  days
                  formatValue={duration}
                  series={[{ label: t('usage.median'), values: rows.map((row) => row.p50_ms) }]}
                />
              </SimpleGrid>
            </Stack>
          );
        }}
      </Loaded>
    </Stack>
  );
}
