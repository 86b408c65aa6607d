import { ConsoleBatchUploaded, MAX_BATCH_BYTES, MAX_BATCH_FILES } from '@ai-studio/contract/console/retrieval.ts';
import { ApiError } from '../../../api/error.ts';
import { sendFile } from '../../../api/send-file.ts';
import { pathOf } from '../queries.ts';
import type { DroppedFile } from './dropped.ts';

/** A larger file is sent alone: it takes longer than its request does. */
const MAX_SHARED_BYTES = 1024 * 1024;

/** Takes the files that are sent next off the list: one that is large, or as many small ones as go together. */
export function takeBatch(waiting: DroppedFile[]): DroppedFile[] {
  const batch: DroppedFile[] = [];
  let bytes = 0;
  while (batch.length < MAX_BATCH_FILES) {
    const [next] = waiting;
    if (next === undefined) break;
    const isLarge = next.file.size > MAX_SHARED_BYTES;
    if (batch.length > 0 && (isLarge || bytes + next.file.size > MAX_BATCH_BYTES)) break;
    waiting.shift();
    batch.push(next);
    bytes += next.file.size;
    if (isLarge) break;
  }
  return batch;
}

/** The share of each file, 0 to 1, that has been sent once `sent` bytes of their whole have. */
export function sharesOf(sizes: readonly number[], sent: number): number[] {
  let before = 0;
  return sizes.map((size) => {
    const share = size === 0 ? Number(sent >= before) : (sent - before) / size;
    before += size;
    return Math.min(1, Math.max(0, share));
  });
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Share of each file that was sent, 0 to 1. */
  readonly onProgress: (shares: readonly number[]) => void;
}

/**
 * Sends files by one request. Resolves with why each was refused, null for those that are being taken in. Rejects with ApiError where none of them
 * was taken.
 */
export async function sendBatch(
  collectionId: string,
  batch: readonly DroppedFile[],
  { signal, onProgress }: SendOptions,
): Promise<(ApiError | null)[]> {
  const files = batch.map(({ file, folder }) => ({
    name: file.name,
    size: file.size,
    ...(folder === null ? {} : { folder }),
  }));
  const head = new Blob([`${JSON.stringify({ files })}\n`]);
  const body = new Blob([head, ...batch.map(({ file }) => file)]);
  const sizes = files.map(({ size }) => size);
  const { items } = await sendFile(`${pathOf(collectionId)}/documents/batch`, body, ConsoleBatchUploaded, {
    query: { size: body.size },
    signal,
    onProgress: (sent) => onProgress(sharesOf(sizes, sent - head.size)),
  });
  return batch.map((_, at) => {
    const error = items[at]?.error;
    if (error === undefined) return new ApiError(0, 'bad_answer', 'The answer names fewer files than were sent');
    return error === null ? null : new ApiError(error.status, error.code, error.message, { reason: error.reason });
  });
}
