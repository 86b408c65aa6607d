import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { speechQuery, transcribe } from '../../api/speech.ts';
import { useRecorder } from '../../parts/use-recorder.ts';

/** Writes a recording down. Rejects with ApiError, or the signal's reason. */
export type WriteDown = (recording: File, signal: AbortSignal, onShare: (done: number) => void) => Promise<string>;

/** What writes recordings down; null where no model for it is connected. */
export function useWriteDown(): WriteDown | null {
  const { data } = useQuery({ ...speechQuery, refetchInterval: false, staleTime: 60_000 });
  const model = data?.transcription_models[0];
  const writeDown = useCallback<WriteDown>(
    async (recording, signal, onShare) => {
      const { text } = await transcribe(recording, {
        model: model ?? '',
        language: null,
        signal,
        onSent: () => undefined,
        onProgress: ({ done, length }) => onShare(length === 0 ? 0 : done / length),
      });
      return text;
    },
    [model],
  );
  return model === undefined ? null : writeDown;
}

/** Speaking instead of typing: what was said is handed over as text. */
export function useDictation(writeDown: WriteDown | null, onText: (text: string) => void) {
  const [isWriting, setWriting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const recorder = useRecorder((recording) => {
    const end = new AbortController();
    abort.current = end;
    setWriting(true);
    setError(null);
    const file = new File([recording], 'speech.webm', { type: recording.type });
    writeDown?.(file, end.signal, () => undefined)
      .then((text) => {
        if (!end.signal.aborted && text.trim() !== '') onText(text.trim());
      })
      .catch((failure: unknown) => {
        if (!end.signal.aborted) setError(failure);
      })
      .finally(() => {
        if (!end.signal.aborted) setWriting(false);
      });
  });
  return { ...recorder, isWriting, error };
}
