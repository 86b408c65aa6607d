export type { UsageRow } from './usage-row.ts';
export type { Meter, MeterOptions } from './meter.ts';
