import { z } from 'zod';

// Speech to text and text to speech. Source: decisions section 6; the fields are those of OpenAI's audio interface.

export const transcriptionFormats = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;

/** Fields of the form of POST /v1/audio/transcriptions, beside `file`. Fields of a form are texts. */
export const TranscriptionFields = z.object({
  model: z.string().min(1).max(200).optional().describe('A speech-to-text model; the first there is when left out'),
  language: z
    .string()
    .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language such as ko or en')
    .optional()
    .describe('Found out when left out'),
  prompt: z.string().max(4_000).optional().describe('Words and names that may occur'),
  temperature: z
    .string()
    .regex(/^(?:0?\.\d+|0|1|[01]\.\d*)$/, 'must be a number from 0 to 1')
    .optional(),
  response_format: z.enum(transcriptionFormats).default('json'),
  'timestamp_granularities[]': z
    .string()
    .regex(/^(?:word|segment)(?:,(?:word|segment))*$/, 'must be word or segment')
    .optional()
    .describe('With verbose_json: times of segments (always given), and of words where the model has them'),
  stream: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Events transcript.text.delta as it is written down, then transcript.text.done and [DONE]'),
});
export type TranscriptionFields = z.infer<typeof TranscriptionFields>;

export const TranscriptionSegment = z.object({
  id: z.int(),
  start: z.number().describe('Seconds'),
  end: z.number().describe('Seconds'),
  text: z.string(),
});
export type TranscriptionSegment = z.infer<typeof TranscriptionSegment>;

export const TranscriptionWord = z.object({
  word: z.string(),
  start: z.number().describe('Seconds'),
  end: z.number().describe('Seconds'),
});
export type TranscriptionWord = z.infer<typeof TranscriptionWord>;

/** Answer in json; verbose_json adds the rest. */
export const Transcription = z.object({
  model: z.string(),
  text: z.string(),
  duration: z.number().describe('Seconds'),
  usage: z.object({
    type: z.literal('duration'),
    seconds: z.number().describe('Of sound'),
    audio_duration_ms: z.int(),
  }),
  task: z.literal('transcribe').optional(),
  language: z.string().nullable().optional(),
  segments: z.array(TranscriptionSegment).optional(),
  words: z.array(TranscriptionWord).optional(),
});
export type Transcription = z.infer<typeof Transcription>;

export const speechFormats = ['wav', 'mp3', 'opus', 'flac', 'pcm'] as const;

/** Body of POST /v1/audio/speech. */
export const SpeechRequest = z.object({
  input: z.string().min(1).max(4_096),
  model: z.string().min(1).max(200).nullish().describe('A text-to-speech model; the first there is when left out'),
  voice: z.string().min(1).max(200).nullish().describe("A voice of the model; the model's own when left out"),
  speed: z.number().min(0.5).max(2).default(1),
  response_format: z.enum(speechFormats).default('mp3'),
  stream_format: z.enum(['audio', 'sse']).default('audio').describe('sse: events whose audio is base64, then [DONE]'),
});
export type SpeechRequest = z.infer<typeof SpeechRequest>;
