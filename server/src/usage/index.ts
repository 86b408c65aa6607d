export { startMerging } from './merge-slices.ts';
export { createMeter, type Meter } from './meter.ts';
export {
  type MeteredCall,
  type UsageRecorder,
  type Metering,
  type ModelUse,
  type PreparedUse,
  createMetering,
} from './metering.ts';
export { usageOfKeys } from './key-usage.ts';
export { reportUsage, type ReportDeps, summedFigures, type UsageOf } from './report.ts';
export type { UsageRow } from './usage-row.ts';
