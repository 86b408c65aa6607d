import { DocumentUploaded } from '@ai-studio/contract/retrieval/document.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import { sendFile } from '../../../api/send-file.ts';
import { documentPath, pathOf } from '../queries.ts';
import { sendBatch, takeBatch } from './batches.ts';
import type { DroppedFile } from './dropped.ts';

/** A file that did not arrive. */
export interface FailedUpload {
  readonly id: number;
  readonly dropped: DroppedFile;
  readonly error: unknown;
}

/** Files on their way to a collection, as a whole: thousands are no list. */
export interface UploadState {
  /** Since the last time that nothing was on its way. */
  readonly total: number;
  readonly done: number;
  /** Share of the bytes of the files that are being sent now, 0 to 1, added up. */
  readonly inProgress: number;
  readonly open: boolean;
  readonly failed: readonly FailedUpload[];
  /** How long nothing is sent because there were too many requests; null while it goes on. */
  readonly waitingMs: number | null;
}

interface Uploads {
  readonly state: () => UploadState;
  subscribe(listener: () => void): () => void;
  add(files: readonly DroppedFile[], maxBytes: number): void;
  retry(failed: readonly FailedUpload[]): void;
  dismiss(failed: FailedUpload): void;
  /** Sends no more of them. */
  stop(): void;
  /** Forgets what is over. */
  close(): void;
}

/** Calls that are under way at the same time. */
const MAX_CONCURRENCY = 3;
/** Minimum interval between two notifications of progress. */
const NOTIFY_INTERVAL_MS = 150;
/** Used when a 429 response has no `Retry-After`. */
const DEFAULT_RETRY_SECONDS = 10;

const none: UploadState = { total: 0, done: 0, inProgress: 0, open: false, failed: [], waitingMs: null };

const tooLarge = (maxBytes: number) =>
  new ApiError(413, 'too_large', 'The file is too large', {
    reason: 'document_too_large',
    values: { max_bytes: maxBytes },
  });

function createUploads(queries: QueryClient, collectionId: string): Uploads {
  let state = none;
  let last = 0;
  let limit = Infinity;
  let end = new AbortController();
  let showing: ReturnType<typeof setTimeout> | null = null;
  const waiting: DroppedFile[] = [];
  const shares = new Map<number, number>();
  const listeners = new Set<() => void>();

  const notify = () => {
    for (const listener of listeners) listener();
  };
  const change = (more: Partial<UploadState>) => {
    state = { ...state, ...more };
    // Not for every piece of every file.
    showing ??= setTimeout(() => {
      showing = null;
      notify();
    }, NOTIFY_INTERVAL_MS);
  };
  const refresh = () => queries.invalidateQueries({ queryKey: ['collection', collectionId] });
  const fail = (dropped: DroppedFile, error: unknown) =>
    change({ failed: [...state.failed, { id: ++last, dropped, error }], done: state.done + 1 });

  const tellShares = (batch: number, share: number) => {
    shares.set(batch, share);
    change({ inProgress: [...shares.values()].reduce((sum, one) => sum + one, 0) });
  };

  async function sendAlone({ file, folder }: DroppedFile, id: number, signal: AbortSignal): Promise<null> {
    await sendFile(`${pathOf(collectionId)}/documents`, file, DocumentUploaded, {
      query: { name: file.name, size: file.size, folder },
      signal,
      onProgress: (sent) => tellShares(id, file.size === 0 ? 1 : Math.min(1, sent / file.size)),
    });
    return null;
  }

  /** Sends one file, or several by one call, again and again while the service has no room. Resolves with why each was refused. */
  async function send(batch: readonly DroppedFile[], signal: AbortSignal): Promise<readonly (ApiError | null)[]> {
    const id = ++last;
    const [first] = batch;
    for (;;) {
      try {
        if (batch.length === 1 && first !== undefined) return [await sendAlone(first, id, signal)];
        return await sendBatch(collectionId, batch, {
          signal,
          onProgress: (all) =>
            tellShares(
              id,
              all.reduce((sum, one) => sum + one, 0),
            ),
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        await pause((error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) * 1000, signal);
      } finally {
        shares.delete(id);
      }
    }
  }

  /** The one that came before goes once the new one is here. */
  const removeReplaced = (documentId: string) =>
    api.run('DELETE', documentPath(collectionId, documentId)).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    change({ waitingMs: ms });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });
    change({ waitingMs: null });
  }

  /** What has come of a file: it is there, and the one that it takes the place of is gone; or it failed. */
  async function settle(dropped: DroppedFile, refusal: unknown): Promise<void> {
    if (refusal !== null) return fail(dropped, refusal);
    try {
      if (dropped.replaces !== undefined) await removeReplaced(dropped.replaces);
      change({ done: state.done + 1 });
    } catch (error) {
      fail(dropped, error);
    }
  }

  /** Sends one batch after the other until there are none. */
  async function work(signal: AbortSignal): Promise<void> {
    for (let batch = takeBatch(waiting); batch.length > 0; batch = takeBatch(waiting)) {
      for (const dropped of batch) if (dropped.file.size > limit) fail(dropped, tooLarge(limit));
      const sent = batch.filter(({ file }) => file.size <= limit);
      if (sent.length === 0) continue;
      try {
        const refusals = await send(sent, signal);
        for (const [at, dropped] of sent.entries()) await settle(dropped, refusals[at] ?? null);
      } catch (error) {
        if (signal.aborted) return;
        for (const dropped of sent) fail(dropped, error);
      }
    }
  }

  async function startSending(): Promise<void> {
    if (state.open) return;
    end = new AbortController();
    const { signal } = end;
    change({ open: true });
    const timer = setInterval(() => void refresh(), 2_000);
    while (waiting.length > 0 && !signal.aborted)
      await Promise.all(Array.from({ length: MAX_CONCURRENCY }, () => work(signal)));
    clearInterval(timer);
    change({ open: false, inProgress: 0, waitingMs: null });
    await refresh();
  }

  const enqueue = (files: readonly DroppedFile[]) => {
    waiting.push(...files);
    change(state.open ? { total: state.total + files.length } : { total: files.length, done: 0 });
    void startSending();
  };
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add(files, maxBytes) {
      limit = maxBytes;
      enqueue(files);
    },
    retry(failed) {
      change({ failed: state.failed.filter((one) => !failed.includes(one)) });
      enqueue(failed.map(({ dropped }) => dropped));
    },
    dismiss: (failed) => change({ failed: state.failed.filter((one) => one !== failed) }),
    stop() {
      waiting.length = 0;
      end.abort(new DOMException('stopped', 'AbortError'));
      change({ total: state.done });
    },
    close: () => change(none),
  };
}

/** Uploads go on whatever page is shown: they end with the console's session, not with what it shows. */
const stores = new WeakMap<QueryClient, Map<string, Uploads>>();

/** Files on their way to a collection. */
export function useUploads(
  collectionId: string,
): Omit<Uploads, 'state' | 'subscribe'> & { readonly state: UploadState } {
  const queries = useQueryClient();
  const all = stores.get(queries) ?? new Map<string, Uploads>();
  stores.set(queries, all);
  const store = all.get(collectionId) ?? createUploads(queries, collectionId);
  all.set(collectionId, store);
  const { add, retry, dismiss, stop, close } = store;
  return { state: useSyncExternalStore(store.subscribe, store.state), add, retry, dismiss, stop, close };
}
