export { createMeter, type Meter, type MeterOptions } from './meter.ts';
export type { UsageRow } from './usage-row.ts';
