import type { Logger } from '../kernel/log.ts';
import type { JobWorkerOptions, LiveJob } from './worker.ts';

type OnError = JobWorkerOptions<LiveJob>['onError'];

/** What a failure of a worker means; a job is taken up again when its lease has run out. */
const meanings: Readonly<Record<Parameters<OnError>[1], string>> = {
  poll: 'waiting ones could not be claimed',
  maintain: 'those of lost processes could not be taken up',
  work: 'the outcome of one could not be stored; it is taken up again',
  close: 'some did not end in time; they are taken up again',
};

/** Logs the failures of a worker. `jobs` names its jobs in the plural, such as `batches`. */
export const logFailures =
  (log: Logger, jobs: string): OnError =>
  (error, during) =>
    log.warn({ err: error }, `${jobs}: ${meanings[during]}`);
