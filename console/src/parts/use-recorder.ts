import { useEffect, useRef, useState } from 'react';

/** A microphone: whether it records, for how many seconds, and whether it was refused. */
export interface Recorder {
  readonly seconds: number | null;
  readonly denied: boolean;
  start(): Promise<void>;
  /** Ends the recording and hands it over. */
  stop(): void;
}

const TICK_MS = 250;

/** Records sound; the microphone is let go when the page is left. */
export function useRecorder(onDone: (recording: Blob) => void): Recorder {
  const [seconds, setSeconds] = useState<number | null>(null);
  const [denied, setDenied] = useState(false);
  const media = useRef<MediaRecorder | null>(null);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      for (const track of media.current?.stream.getTracks() ?? []) track.stop();
    };
  }, []);
  const recording = seconds !== null;
  useEffect(() => {
    if (!recording) return undefined;
    const began = Date.now();
    const timer = setInterval(() => setSeconds((Date.now() - began) / 1000), TICK_MS);
    return () => clearInterval(timer);
  }, [recording]);
  return {
    seconds,
    denied,
    async start() {
      setDenied(false);
      try {
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        const recorder = new MediaRecorder(stream);
        const parts: Blob[] = [];
        recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
        recorder.addEventListener('stop', () => {
          for (const track of stream.getTracks()) track.stop();
          if (!mounted.current) return;
          setSeconds(null);
          onDone(new Blob(parts, { type: recorder.mimeType }));
        });
        media.current = recorder;
        recorder.start();
        setSeconds(0);
      } catch {
        // Refused by the person or the browser, or there is none.
        if (mounted.current) setDenied(true);
      }
    },
    stop: () => media.current?.stop(),
  };
}
