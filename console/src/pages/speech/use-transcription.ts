import type { Transcript } from '@ai-studio/contract/console/speech.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Progress, transcribe } from '../../api/speech.ts';

/** A recording that was written down. */
export interface Done {
  readonly transcript: Transcript;
  readonly file: File;
}

/** The current or last transcription. Keeps its file until the next one, so that it can be retried. */
export interface Transcription {
  readonly file: File | null;
  readonly busy: boolean;
  /** Share of the file that was sent, 0 to 1. */
  readonly sent: number;
  /** What there is so far; stays where it ended early. */
  readonly progress: Progress | null;
  readonly canceled: boolean;
  readonly error: Error | null;
  readonly done: Done | null;
  start(file: File): void;
  cancel(): void;
}

/** Transcribes recordings, one at a time. */
export function useTranscription(model: string, language: string | null): Transcription {
  const activeAbort = useRef<AbortController | null>(null);
  const [sent, setSent] = useState(0);
  const [progress, setProgress] = useState<Progress | null>(null);
  const work = useMutation({
    async mutationFn(file: File): Promise<Done | null> {
      const { signal } = (activeAbort.current = new AbortController());
      setSent(0);
      setProgress(null);
      try {
        const transcript = await transcribe(file, {
          model,
          language,
          signal,
          onSent: (bytes) => setSent(file.size === 0 ? 1 : bytes / file.size),
          onProgress: setProgress,
        });
        return { transcript, file };
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
  });
  return {
    file: work.variables ?? null,
    busy: work.isPending,
    sent,
    progress,
    canceled: work.isSuccess && work.data === null,
    error: work.error,
    done: work.data ?? null,
    start(file) {
      if (!work.isPending) work.mutate(file);
    },
    cancel: () => activeAbort.current?.abort(),
  };
}
