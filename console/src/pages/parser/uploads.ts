import { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../../api/error.ts';
import { sendFile } from '../../api/send-file.ts';
import { documentsQuery } from './queries.ts';

/** A file on its way to the service. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** Bytes. */
  readonly sent: number;
  /** Why it did not arrive; null while it is on its way. */
  readonly error: unknown;
}

/** The files that are on their way, whatever page is shown. */
interface Uploads {
  readonly all: () => readonly Upload[];
  subscribe(listener: () => void): () => void;
  /** `onArrived` is called for a file that came alone, once it is there. */
  add(files: readonly File[], maxBytes: number | null, onArrived: (document: ParserDocument) => void): void;
  /** Ends one that is on its way, or forgets one that failed. */
  drop(id: number): void;
}

interface Sending {
  readonly signal: AbortSignal;
  readonly onArrived: (document: ParserDocument) => void;
}

/** Files that are sent at the same time. */
const MAX_CONCURRENCY = 2;

const tooLarge = (maxBytes: number) =>
  new ApiError(413, 'too_large', 'The file is too large', {
    reason: 'document_too_large',
    values: { max_bytes: maxBytes },
  });

function createUploads(queries: QueryClient): Uploads {
  let all: readonly Upload[] = [];
  let last = 0;
  let busy = 0;
  const ends = new Map<number, AbortController>();
  const waiting: (() => void)[] = [];
  const listeners = new Set<() => void>();

  const show = (next: readonly Upload[]) => {
    all = next;
    for (const notify of listeners) notify();
  };
  const change = (id: number, more: Partial<Upload>) =>
    show(all.map((one) => (one.id === id ? { ...one, ...more } : one)));
  const forget = (id: number) => {
    ends.delete(id);
    show(all.filter((one) => one.id !== id));
  };

  function next(): void {
    while (busy < MAX_CONCURRENCY) {
      const begin = waiting.shift();
      if (begin === undefined) return;
      begin();
    }
  }

  async function send(id: number, file: File, { signal, onArrived }: Sending): Promise<void> {
    busy++;
    try {
      signal.throwIfAborted();
      const document = await sendFile('/parser', file, ParserDocument, {
        query: { name: file.name, size: file.size },
        signal,
        onProgress: (sent) => change(id, { sent }),
      });
      onArrived(document);
      await queries.invalidateQueries({ queryKey: documentsQuery.queryKey });
      forget(id);
    } catch (error) {
      if (signal.aborted) forget(id);
      else change(id, { error });
    } finally {
      busy--;
      next();
    }
  }

  return {
    all: () => all,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add(files, maxBytes, onArrived) {
      const whenArrived = files.length === 1 ? onArrived : () => undefined;
      for (const file of files) {
        const id = ++last;
        const end = new AbortController();
        ends.set(id, end);
        const error = maxBytes !== null && file.size > maxBytes ? tooLarge(maxBytes) : null;
        show([{ id, name: file.name, size: file.size, sent: 0, error }, ...all]);
        if (error === null) waiting.push(() => void send(id, file, { signal: end.signal, onArrived: whenArrived }));
      }
      next();
    },
    drop(id) {
      ends.get(id)?.abort();
      if (all.find((one) => one.id === id)?.error !== null) forget(id);
    },
  };
}

/** One store for each session of the console: it ends with the page, not with what the page shows. */
const stores = new WeakMap<QueryClient, Uploads>();

/** Files on their way to be read. */
export function useUploads(): { readonly uploads: readonly Upload[] } & Pick<Uploads, 'add' | 'drop'> {
  const queries = useQueryClient();
  const store = stores.get(queries) ?? createUploads(queries);
  stores.set(queries, store);
  return { uploads: useSyncExternalStore(store.subscribe, store.all), add: store.add, drop: store.drop };
}
