import { z } from 'zod';
import { SpeechRequest, Transcription } from '../audio.ts';
import { consoleReasons } from './errors.ts';

// Speech in the console: recordings are written down, texts are said.

/** GET /speech: models of each kind that the person may use, and the largest file in bytes. */
export const SpeechOptions = z.object({
  transcription_models: z.array(z.string()),
  speech_models: z.array(z.string()),
  max_bytes: z.int(),
});
export type SpeechOptions = z.infer<typeof SpeechOptions>;

/** POST /speech/transcriptions: the file is the body; a file that cannot be read is refused before the first event. */
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
/**
 * Its answer is an event stream: how far it is once the recording is read, and after each stretch (`text` is null where it had no words;
 * times in seconds), then the whole, or why not.
 */
export const TranscriptEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), text: z.string().nullable(), done: z.number(), length: z.number() }),
  z.object({ type: z.literal('done'), transcript: Transcript }),
  z.object({
    type: z.literal('failed'),
    reason: z.enum(consoleReasons).nullable(),
    values: z.record(z.string(), z.union([z.string(), z.number()])),
    message: z.string(),
  }),
]);
export type TranscriptEvent = z.infer<typeof TranscriptEvent>;

/** POST /speech/say: the answer is an MP3 file. */
export const SayRequest = SpeechRequest.pick({ input: true, model: true, voice: true, speed: true });
