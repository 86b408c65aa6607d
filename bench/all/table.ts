import type { Comparison } from './compare.ts';

const number = (value: number | null) => (value === null ? '–' : String(Number(value.toPrecision(4))));

function percent(change: number | null): string {
  if (change === null) return '–';
  if (!Number.isFinite(change)) return 'from 0';
  return `${change > 0 ? '+' : ''}${(change * 100).toFixed(1)} %`;
}

/** A line a figure, below a head; columns stand below each other. */
export function tableOf(comparisons: readonly Comparison[]): string {
  const rows = [
    ['figure', 'committed', 'now', 'change', 'verdict'],
    ...comparisons.map(({ name, committed, now, change, verdict }) => [
      name,
      number(committed),
      number(now),
      percent(change),
      verdict,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  // Names and verdicts begin on the left, numbers end on the right.
  const pad = (text: string, column: number) =>
    column === 0 || column === 4 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
