import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../use-format.ts';
import classes from './chart.module.css';
import type { ChartProps } from './props.ts';

const AXIS_FONT = '12px "Pretendard Variable", system-ui, sans-serif';
const MIN_WIDTH = 120;

interface ChartColors {
  readonly ink: string;
  readonly line: string;
  readonly colors: readonly string[];
}

/** Colours of the axes and of the series in the present theme. */
function useChartColors(): ChartColors {
  const { colors, primaryColor } = useMantineTheme();
  const dark = useComputedColorScheme() === 'dark';
  return useMemo(() => {
    const shade = dark ? 4 : 6;
    const names = [primaryColor, 'orange', 'grape', 'blue', 'green', 'red'];
    return {
      ink: (dark ? colors['dark']?.[2] : colors['gray']?.[7]) ?? '',
      line: (dark ? colors['dark']?.[5] : colors['gray']?.[2]) ?? '',
      colors: [...new Set(names)].map((name) => colors[name]?.[shade] ?? ''),
    };
  }, [colors, primaryColor, dark]);
}

function seriesOf({ series, kind = 'line', formatValue }: ChartProps, { colors }: ChartColors): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
  return series.map(({ label }, at) => {
    const color = colors[at % colors.length] ?? '';
    return {
      label,
      stroke: color,
      width: 2,
      spanGaps: false,
      points: { show: kind !== 'bars', size: 5 },
      value: (_, value) => (value === null ? '–' : (formatValue?.(value) ?? String(value))),
      ...(kind === 'line' ? {} : { fill: `${color}${kind === 'area' ? '30' : 'cc'}` }),
      ...(kind === 'bars' && bars !== undefined ? { paths: bars } : {}),
    };
  });
}

/** Seconds between the marks of an axis of days: none of them stands for half a day. */
const DAY_STEPS = [1, 2, 7, 14, 30, 90].map((days) => days * 86_400);

/** Steps of an axis of numbers: what is counted has no halves. */
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Bars stand around their moment: half a step is left on both sides. */
const rangeOf =
  (kind: ChartProps['kind']): uPlot.Range.Function =>
  (plot, least, most) => {
    const count = plot.data[0].length;
    const half = kind === 'bars' ? (count > 1 ? (most - least) / (count - 1) / 2 : 1_800) : 0;
    return [least - half, most + half];
  };

/** The drawing of a chart. */
export function Plot(props: ChartProps & { readonly height: number }) {
  const { times, series, height, days = false, kind = 'line' } = props;
  const { t, i18n } = useTranslation('parts');
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const chartColors = useChartColors();
  const format = useFormat();
  const counts = props.formatValue === undefined;
  const formatValue = props.formatValue ?? format.number;
  const data = useMemo(
    (): uPlot.AlignedData => [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])],
    [times, series],
  );

  useEffect(() => {
    if (place.current === null || width < MIN_WIDTH) return undefined;
    const tick = new Intl.DateTimeFormat(
      i18n.language,
      days ? { month: 'numeric', day: 'numeric' } : { timeStyle: 'short' },
    );
    const axis = {
      stroke: chartColors.ink,
      font: AXIS_FONT,
      grid: { stroke: chartColors.line, width: 1 },
      ticks: { show: false },
    };
    const options: uPlot.Options = {
      width,
      height: height - 32,
      cursor: { y: false, points: { size: 7 } },
      legend: { live: true },
      scales: { x: { range: rangeOf(kind) }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
      axes: [
        {
          ...axis,
          space: 64,
          ...(days ? { incrs: DAY_STEPS } : {}),
          values: (_, seconds) => seconds.map((second) => tick.format(second * 1000)),
        },
        {
          ...axis,
          size: 64,
          ...(counts ? { incrs: WHOLE_STEPS } : {}),
          values: (_, values) => values.map((value) => formatValue(value)),
        },
      ],
      series: [
        {
          label: t('chart_time'),
          value: (_, second) =>
            second === null ? '–' : days ? format.date(second * 1000) : format.dateTime(second * 1000),
        },
        ...seriesOf({ ...props, formatValue }, chartColors),
      ],
    };
    const plot = new uPlot(options, data, place.current);
    return () => plot.destroy();
    // The formatters change with the language only, which is a dependency already.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [data, chartColors, width, height, days, kind, counts, i18n.language]);

  return (
    <div ref={frame} className={classes['frame']} style={{ minHeight: height }}>
      <div ref={place} className={classes['plot']} aria-hidden="true" />
    </div>
  );
}
