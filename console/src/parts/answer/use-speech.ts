import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { speechQuery, synthesizeSpeech } from '../../api/speech.ts';
import { speechParts } from './speech-parts.ts';

/** Plays a sound to its end, or until it is stopped. */
function play(sound: Blob, signal: AbortSignal): Promise<void> {
  const url = URL.createObjectURL(sound);
  const audio = new Audio(url);
  const ended = Promise.withResolvers<void>();
  audio.addEventListener('ended', () => ended.resolve());
  audio.addEventListener('error', () => ended.reject(new Error('the sound cannot be played')));
  signal.addEventListener('abort', () => {
    audio.pause();
    ended.resolve();
  });
  audio.play().catch(ended.reject);
  return ended.promise.finally(() => URL.revokeObjectURL(url));
}

interface Speech {
  /** Null where no model for it is connected. */
  readonly say: ((text: string) => void) | null;
  readonly stop: () => void;
  readonly isSaying: boolean;
}

/** Reads a text aloud, part by part: the next is made while one is heard. Ends when the page goes. */
export function useSpeech(onFailure: (error: unknown) => void): Speech {
  const { data } = useQuery({ ...speechQuery, refetchInterval: false, staleTime: 60_000 });
  const model = data?.speech_models[0];
  const [isSaying, setSaying] = useState(false);
  const current = useRef<AbortController | null>(null);
  const stop = useCallback(() => current.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const say = useCallback(
    async (text: string) => {
      if (model === undefined) return;
      stop();
      const end = new AbortController();
      current.current = end;
      setSaying(true);
      const make = (input: string) => synthesizeSpeech({ input, model, voice: null, speed: 1 }, end.signal);
      try {
        const parts = speechParts(text);
        let next = parts[0] === undefined ? null : make(parts[0]);
        for (let at = 0; next !== null && !end.signal.aborted; at += 1) {
          const sound = await next;
          const following = parts[at + 1];
          next = following === undefined ? null : make(following);
          // Told where it is waited for.
          next?.catch(() => undefined);
          if (!end.signal.aborted) await play(sound, end.signal);
        }
      } catch (error) {
        if (!end.signal.aborted) onFailure(error);
      } finally {
        if (current.current === end) setSaying(false);
      }
    },
    [model, stop, onFailure],
  );
  return { say: model === undefined ? null : (text) => void say(text), stop, isSaying };
}
