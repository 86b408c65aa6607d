import type { SpeechModel } from './model-files.ts';

// IPC messages between the service and the process of speech models.

export type SpeechRequest = { readonly id: number } & (
  | {
      readonly type: 'transcribe';
      readonly model: SpeechModel;
      /** File of one channel of 16 kHz and 16 bits, little endian, without a head. */
      readonly path: string;
      readonly language: string | null;
      /** Whether it is written down in English. */
      readonly translate: boolean;
    }
  | {
      readonly type: 'speak';
      readonly model: SpeechModel;
      readonly text: string;
      readonly speaker: number;
      readonly speed: number;
    }
  | { readonly type: 'cancel' }
);

export type SpeechResponse = { readonly id: number } &
  /** A stretch that was heard; times in seconds. `text` is empty where there were no words. */
  (
    | {
        readonly type: 'segment';
        readonly start: number;
        readonly end: number;
        readonly text: string;
        readonly language: string | null;
      }
    | { readonly type: 'sound'; readonly samples: Float32Array; readonly sampleRate: number }
    | { readonly type: 'done' }
    | { readonly type: 'failed'; readonly message: string }
  );

/** Sampling rate of the audio that recognition models take. */
export const RECOGNITION_SAMPLE_RATE = 16_000;
