export { createMeter, type Meter } from './meter.ts';
export type { UsageRow } from './usage-row.ts';
