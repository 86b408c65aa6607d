import type { UsageReport } from '@ai-studio/contract/console/usage.ts';
import { Anchor, Card, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Chart } from '../../parts/chart/chart.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { type Line, Lines } from './lines.tsx';
import { weekQuery } from './queries.ts';

/** Names in a list of the busiest. */
const FEW = 5;

function Busiest({ group }: { readonly group: 'user' | 'model' }) {
  const { t } = useTranslation('overview');
  const { compact } = useFormat();
  const { data } = useQuery(weekQuery(group));
  const lines = (data?.rows ?? [])
    .filter(({ requests }) => requests > 0)
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, FEW)
    .map(({ key, label, requests, prompt_tokens: prompt, completion_tokens: completion }): Line => ({
      key,
      text: label,
      beside: t('busiest', { requests: compact(requests), tokens: compact(prompt + completion) }),
      link: { to: '/usage' },
    }));
  return <Lines title={t(`busiest_${group}`)} lines={lines} />;
}

function Figures({ total }: Pick<UsageReport, 'total'>) {
  const { t } = useTranslation('overview');
  const { number, compact, duration } = useFormat();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure label={t('requests')} value={number(total.requests)} />
      <Figure label={t('tokens')} value={compact(total.prompt_tokens + total.completion_tokens)} />
      <Figure label={t('errors')} value={number(total.errors)} />
      <Figure label={t('first_token')} value={total.first_token_p50 === null ? '–' : duration(total.first_token_p50)} />
    </SimpleGrid>
  );
}

/** Use of seven days: in all, by day, and who and what was busiest. */
export function Week({ everybody }: { readonly everybody: boolean }) {
  const { t } = useTranslation('overview');
  return (
    <section aria-label={t('week')}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('week')}
          </Title>
          <Anchor component={Link} to="/usage" size="sm">
            {t('to_usage')}
          </Anchor>
        </Group>
        <Loaded query={useQuery(weekQuery('day'))}>
          {({ total, rows }) => (
            <>
              <Figures total={total} />
              {total.requests === 0 ? null : (
                <Card withBorder radius="md" padding="lg">
                  <Chart
                    title={t('requests')}
                    times={rows.map(({ key }) => new Date(key).getTime())}
                    days
                    kind="bars"
                    height={180}
                    series={[{ label: t('requests'), values: rows.map(({ requests }) => requests) }]}
                  />
                </Card>
              )}
            </>
          )}
        </Loaded>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          {everybody ? <Busiest group="user" /> : null}
          <Busiest group="model" />
        </SimpleGrid>
      </Stack>
    </section>
  );
}
