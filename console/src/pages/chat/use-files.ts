import type { ConversationFile, MessageFile } from '@ai-studio/contract/console/conversation-parts.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { takeCarried } from './agents.ts';
import { draftPlace } from './conversations.ts';
import { filesQuery, MAX_MESSAGE_FILES, removeFile, uploadFile } from './files.ts';
import { shrinkPicture } from './shrink-picture.ts';
import type { WriteDown } from './use-dictation.ts';

/** A file on its way to the service. */
export interface Arriving {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Share that was sent, 0 to 1. */
  readonly sent: number;
  readonly given: File;
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
  /** Writes recordings down; null where none can be. */
  readonly writeDown: WriteDown | null;
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

/** A recording as a text that can be read like any other file. */
async function written(sound: File, writeDown: WriteDown, signal: AbortSignal, onShare: (done: number) => void) {
  const text = await writeDown(sound, signal, onShare);
  return new File([text], `${sound.name}.txt`, { type: 'text/plain' });
}

/** The files of the next message: on their way, being read, and ready. */
export function useFiles({ kept, onKept, writeDown }: Options) {
  const [arriving, setArriving] = useState<readonly Arriving[]>([]);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [tooMany, setTooMany] = useState(false);
  const next = useRef(0);
  const open = useRef(new Set<AbortController>());
  /** As they were picked since the page was opened, by their ids. */
  const originals = useRef(new Map<string, File>());
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
      const shareOf = (key: number) => (sent: number) =>
        setArriving((old) => old.map((one) => (one.key === key ? { ...one, sent } : one)));
      setTooMany(picked.length > room);
      setRefused([]);
      for (const given of picked.slice(0, room)) {
        const abort = new AbortController();
        const key = next.current++;
        open.current.add(abort);
        setArriving((old) => [...old, { key, name: given.name, size: given.size, sent: 0, given, abort }]);
        const send = async () => {
          const isSound = given.type.startsWith('audio/') && writeDown !== null;
          const file = isSound
            ? await written(given, writeDown, abort.signal, shareOf(key))
            : await shrinkPicture(given);
          const { id, name, size, kind } = await uploadFile(file, abort.signal, (sent) =>
            shareOf(key)(file.size === 0 ? 1 : sent / file.size),
          );
          originals.current.set(id, given);
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
    [count, onKept, writeDown],
  );
  const takeAlong = useEffectEvent(() => add(takeCarried(draftPlace(null))));
  useEffect(() => {
    const timer = setTimeout(takeAlong);
    return () => clearTimeout(timer);
  }, []);
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
    /** Takes out the files as they were picked, to send them elsewhere; those of an earlier visit stay. */
    takeOriginals(): readonly File[] {
      const there = kept.flatMap(({ id }) => {
        const original = originals.current.get(id);
        if (original === undefined) return [];
        drop(id);
        return [original];
      });
      return [...there, ...arriving.map(({ given }) => given)];
    },
    dismiss: useCallback((key: number) => setRefused((old) => old.filter((one) => one.key !== key)), []),
  };
}
