import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { SpeechRequest, Transcription } from '../audio.ts';
import { consoleReasons } from './errors.ts';

// Speech in the console: transcription of recordings, and text to speech.

export const SpeechOptions = described('Reply of GET /speech: models that the person may use', {
  transcription_models: z.array(z.string()).describe('Ids of the transcription models'),
  speech_models: z.array(z.string()).describe('Ids of the text-to-speech models'),
  max_bytes: z.int().describe('Largest file in bytes'),
});
export type SpeechOptions = z.infer<typeof SpeechOptions>;

export const TranscribeQuery = describedStrictly(
  'Query of POST /speech/transcriptions; the body is the file, which is refused before the first event where it cannot be read',
  {
    model: z.string().min(1).max(200).describe('A transcription model, 1 to 200 characters'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/)
      .optional()
      .describe('Language code of two or three letters; detected when left out'),
    size: z.coerce.number().int().min(0).describe('Size in bytes'),
  },
);
export type TranscribeQuery = z.infer<typeof TranscribeQuery>;
export const Transcript = Transcription.extend({
  segments: z.nonoptional(Transcription.shape.segments).describe('Stretches of speech, in order'),
}).describe('A transcript with the times of its segments');
export type Transcript = z.infer<typeof Transcript>;
export const TranscriptEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('progress'),
      text: z.string().nullable().describe('Text of the last stretch; null where it had no words'),
      done: z.number().describe('Seconds that are transcribed'),
      length: z.number().describe('Length of the recording in seconds'),
    }),
    z.object({ type: z.literal('done'), transcript: Transcript }),
    z.object({
      type: z.literal('failed'),
      reason: z
        .enum(consoleReasons)
        .nullable()
        .describe('Why it failed; the console has texts for these; null for other reasons'),
      values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for the text of the reason'),
      message: z.string().describe('What went wrong, in a sentence'),
    }),
  ])
  .describe('An event of the stream of a transcription');
export type TranscriptEvent = z.infer<typeof TranscriptEvent>;

export const SayRequest = SpeechRequest.pick({ input: true, model: true, speed: true })
  .extend({ voice: z.string().min(1).max(200).nullish().describe('A voice of the model; its default when left out') })
  .strict()
  .describe('Body of POST /speech/say; the reply is an MP3 file');
