import type { BatchError } from '@ai-studio/contract/batches.ts';
import type { LiveJob } from '../jobs/worker.ts';
import type { ClaimedBatch } from './record.ts';

/** Why the lines of a batch are run no more, before all of them have ended. */
export type EarlyEnd =
  | { readonly why: 'cancelled' }
  | { readonly why: 'expired' }
  | { readonly why: 'failed'; readonly code: BatchError['code']; readonly message: string };

/** A batch under way in this process. */
export interface LiveBatch extends LiveJob {
  readonly batch: ClaimedBatch;
  /** Aborted, with an {@link EndedEarly}, when no further line is to begin; those under way go on. */
  readonly ending: AbortController;
  /** Aborted when lines under way may not go on either. */
  readonly cut: AbortController;
}

/** The reason of {@link LiveBatch.ending}. */
class EndedEarly extends Error {
  readonly end: EarlyEnd;

  constructor(end: EarlyEnd) {
    super(`the batch is to end: ${end.why}`);
    this.end = end;
  }
}

const keyGone = {
  why: 'failed',
  code: 'api_key_revoked',
  message: 'The API key of the batch was deleted, has expired, or may not be used any more.',
} as const;

/** Ends a batch early; the first reason counts. */
export const endEarly = ({ ending }: LiveBatch, end: EarlyEnd): void => ending.abort(new EndedEarly(end));

/** Ends a batch whose key may not be used any more, with the lines that are under way. */
export function endWithoutKey(live: LiveBatch): void {
  endEarly(live, keyGone);
  live.cut.abort(live.ending.signal.reason);
}

/** Why a batch is to end early; null where it is not. */
export const earlyEndOf = ({ ending: { signal } }: LiveBatch): EarlyEnd | null =>
  signal.reason instanceof EndedEarly ? signal.reason.end : null;
