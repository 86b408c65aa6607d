import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { Suspense, lazy, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../use-format.ts';
import classes from './chart.module.css';
import type { ChartProps } from './props.ts';

/** Fetched when the first chart is shown. */
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

function AsTable({ title, times, series, formatValue, days = false }: ChartProps) {
  const { t } = useTranslation('parts');
  const format = useFormat();
  const text = formatValue ?? format.number;
  return (
    <Table.ScrollContainer minWidth={320} type="native" mah={360} tabIndex={0} role="group" aria-label={title}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('chart_time')}</Table.Th>
            {series.map(({ label }) => (
              <Table.Th key={label} scope="col" ta="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {times.map((time, at) => (
            <Table.Tr key={time}>
              <Table.Th scope="row" fw={400}>
                {days ? format.date(time) : format.dateTime(time)}
              </Table.Th>
              {series.map(({ label, values }) => {
                const value = values[at] ?? null;
                return (
                  <Table.Td key={label} ta="end">
                    {value === null ? '–' : text(value)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Figures over time: a drawing, and the same as a table for those who prefer it. */
export function Chart(props: ChartProps) {
  const { title, height = 220 } = props;
  const { t } = useTranslation('parts');
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure className={classes['figure']} aria-labelledby={id}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text component="figcaption" id={id} fw={600}>
          {title}
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={asTable ? <IconChartLine size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? t('chart_as_chart') : t('chart_as_table')}
        </Button>
      </Group>
      {asTable ? (
        <AsTable {...props} />
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>
          <Plot {...props} height={height} />
        </Suspense>
      )}
    </figure>
  );
}
