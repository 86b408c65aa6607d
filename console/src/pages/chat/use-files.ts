import type { ConversationFile, MessageFile } from '@ai-studio/contract/console/conversation-parts.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { filesQuery, MAX_MESSAGE_FILES, removeFile, uploadFile } from './files.ts';
import { shrinkPicture } from './shrink-picture.ts';

/** A file on its way to the service. */
export interface Arriving {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Share that was sent, 0 to 1. */
  readonly sent: number;
  readonly abort: AbortController;
}

/** A file that did not arrive. */
export interface Refused {
  readonly key: number;
  readonly name: string;
  readonly error: unknown;
}

interface Options {
  /** Files of the draft that have arrived. */
  readonly kept: readonly MessageFile[];
  /** Changes those. */
  readonly onKept: (change: (files: readonly MessageFile[]) => readonly MessageFile[]) => void;
}

const reading = (file: MessageFile): ConversationFile => ({
  ...file,
  state: file.kind === 'picture' ? 'ready' : 'reading',
  progress: 0,
  error: null,
  pages: null,
});

/** The files of the next message: on their way, being read, and ready. */
export function useFiles({ kept, onKept }: Options) {
  const [arriving, setArriving] = useState<readonly Arriving[]>([]);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [tooMany, setTooMany] = useState(false);
  const next = useRef(0);
  const open = useRef(new Set<AbortController>());
  useEffect(() => {
    const { current } = open;
    return () => {
      for (const abort of current) abort.abort();
    };
  }, []);
  const query = useQuery(filesQuery(kept.map(({ id }) => id)));
  const known = new Map(query.data?.items.map((file) => [file.id, file]));
  // What the service does not know any more was removed, a day after it came.
  const gone = query.data !== undefined && !query.isFetching ? kept.filter(({ id }) => !known.has(id)) : [];
  const files = kept.flatMap((file): ConversationFile[] => {
    const now = known.get(file.id);
    if (now !== undefined) return [now];
    return gone.includes(file) ? [{ ...reading(file), state: 'failed', error: 'GONE' }] : [reading(file)];
  });

  const count = kept.length + arriving.length;
  const add = useCallback(
    (picked: readonly File[]) => {
      const room = Math.max(0, MAX_MESSAGE_FILES - count);
      setTooMany(picked.length > room);
      setRefused([]);
      for (const given of picked.slice(0, room)) {
        const abort = new AbortController();
        const key = next.current++;
        open.current.add(abort);
        setArriving((old) => [...old, { key, name: given.name, size: given.size, sent: 0, abort }]);
        const send = async () => {
          const file = await shrinkPicture(given);
          const { id, name, size, kind } = await uploadFile(file, abort.signal, (sent) =>
            setArriving((old) =>
              old.map((one) => (one.key === key ? { ...one, sent: file.size === 0 ? 1 : sent / file.size } : one)),
            ),
          );
          onKept((old) => [...old, { id, name, size, kind }]);
        };
        send()
          .catch((error: unknown) => {
            if (!abort.signal.aborted) setRefused((old) => [...old, { key, name: given.name, error }]);
          })
          .finally(() => {
            open.current.delete(abort);
            setArriving((old) => old.filter((one) => one.key !== key));
          });
      }
    },
    [count, onKept],
  );
  const drop = useCallback(
    (id: string) => {
      onKept((old) => old.filter((file) => file.id !== id));
      // What stays there is removed after a day.
      void removeFile(id).catch(() => undefined);
    },
    [onKept],
  );
  return {
    arriving,
    refused,
    tooMany,
    files,
    uploads: {
      running: arriving.length > 0 || files.some(({ state }) => state === 'reading'),
      failed: refused.length + files.filter(({ state }) => state === 'failed').length,
    },
    hasFailed: files.some(({ state }) => state === 'failed'),
    add,
    drop,
    dismiss: useCallback((key: number) => setRefused((old) => old.filter((one) => one.key !== key)), []),
  };
}
