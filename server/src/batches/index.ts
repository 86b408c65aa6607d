export {
  cancelBatch,
  CANCEL_CHANNEL,
  createBatch,
  listBatches,
  type NewBatchDeps,
  readBatch,
  takeUpBatches,
  WAKE_CHANNEL,
} from './record.ts';
export { startBatchRetention } from './retention.ts';
export { scopeOf } from './run-batch.ts';
export { startBatchRunner } from './runner.ts';
export { cancelOwnBatch, listOwnBatches } from './own-batches.ts';
