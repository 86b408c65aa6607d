import { z } from 'zod';
import { SpeechRequest, Transcription } from '../audio.ts';

// Speech in the console: recordings are written down, texts are said.

/** GET /speech: models of each kind that the person may use, and the largest file in bytes. */
export const SpeechMeans = z.object({
  transcription_models: z.array(z.string()),
  speech_models: z.array(z.string()),
  max_bytes: z.int(),
});
export type SpeechMeans = z.infer<typeof SpeechMeans>;

/** POST /speech/transcriptions: the file is the body. */
export const TranscribeQuery = z.object({
  model: z.string().min(1).max(200),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  size: z.coerce.number().int().min(0),
});
export type TranscribeQuery = z.infer<typeof TranscribeQuery>;
/** With times. */
export const Transcript = Transcription.required({ segments: true });
export type Transcript = z.infer<typeof Transcript>;

/** POST /speech/say: the answer is an MP3 file. */
export const SayRequest = SpeechRequest.pick({ input: true, model: true, voice: true, speed: true });
