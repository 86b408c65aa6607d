import { z } from 'zod';
import { described } from './described.ts';

// Speech to text and text to speech. Source: decisions section 6; the fields are those of OpenAI's audio interface.

/** Forms of a transcript. Source: decisions section 3. */
export const transcriptionFormats = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;

/** Source: decisions section 3. */
export const TranscriptionFields = described(
  'Fields of the form of POST /v1/audio/transcriptions beside its file; fields of a form are texts',
  {
    model: z.string().min(1).max(200).optional().describe('A speech-to-text model; the first one when left out'),
    language: z
      .string()
      .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language such as ko or en')
      .optional()
      .describe('Spoken language, such as ko or en; detected when left out'),
    prompt: z.string().max(4_000).optional().describe('Words and names that may occur, at most 4,000 characters'),
    temperature: z
      .string()
      .regex(/^(?:0?\.\d+|0|1|[01]\.\d*)$/, 'must be a number from 0 to 1')
      .optional()
      .describe('Sampling temperature, 0 to 1'),
    response_format: z
      .enum(transcriptionFormats)
      .default('json')
      .describe('Form of the reply; srt and vtt are captions'),
    'timestamp_granularities[]': z
      .string()
      .regex(/^(?:word|segment)(?:,(?:word|segment))*$/, 'must be word or segment')
      .optional()
      .describe('With verbose_json: times of segments (always present), and of words where the model has them'),
    stream: z
      .enum(['true', 'false'])
      .default('false')
      .describe('true: events transcript.text.delta while the recording is read, then transcript.text.done and [DONE]'),
  },
);
export type TranscriptionFields = z.infer<typeof TranscriptionFields>;

/** Source: OpenAI API reference, "Create translation". */
export const TranslationFields = TranscriptionFields.omit({
  language: true,
  'timestamp_granularities[]': true,
}).describe('Fields of the form of POST /v1/audio/translations beside its file; fields of a form are texts');

export const TranscriptionSegment = described('A stretch of speech', {
  id: z.int().describe('Place among the segments, from 0'),
  start: z.number().describe('Start in seconds'),
  end: z.number().describe('End in seconds'),
  text: z.string().describe('What is said'),
});
export type TranscriptionSegment = z.infer<typeof TranscriptionSegment>;

export const TranscriptionWord = described('A word and its time', {
  word: z.string().describe('The word'),
  start: z.number().describe('Start in seconds'),
  end: z.number().describe('End in seconds'),
});
export type TranscriptionWord = z.infer<typeof TranscriptionWord>;

/** Source: decisions section 3. */
export const Transcription = described('Text of a recording; verbose_json adds task, language, segments and words', {
  model: z.string().describe('The model that read the recording'),
  text: z.string().describe('The whole text'),
  duration: z.number().describe('Length of the recording in seconds'),
  usage: described('What is billed: the length of the recording', {
    type: z.literal('duration'),
    seconds: z.number().describe('Length of the recording in seconds'),
    audio_duration_ms: z.int().describe('Length of the recording in milliseconds'),
  }),
  task: z.enum(['transcribe', 'translate']).optional().describe('What was done'),
  language: z.string().nullable().optional().describe('Language of the recording; null where it is not known'),
  segments: z.array(TranscriptionSegment).optional().describe('Stretches of speech, in order'),
  words: z.array(TranscriptionWord).optional().describe('Words with their times, in order'),
});
export type Transcription = z.infer<typeof Transcription>;

/** Audio formats of generated speech. Source: decisions section 3. */
export const speechFormats = ['wav', 'mp3', 'opus', 'flac', 'pcm', 'aac'] as const;

/** Source: decisions section 3. */
export const SpeechRequest = described('Body of POST /v1/audio/speech', {
  input: z.string().min(1).max(4_096).describe('Text to be spoken, 1 to 4,096 characters'),
  model: z.string().min(1).max(200).nullish().describe('A text-to-speech model; the first one when left out'),
  voice: z
    .union([z.string().min(1).max(200), z.object({ id: z.string().min(1).max(200).describe('Name of the voice') })])
    .nullish()
    .describe('A voice of the model, by its name or as an object with its id; its default voice when left out'),
  speed: z.number().min(0.25).max(4).default(1).describe("Speed of speech, 0.25 to 4; 1 is the voice's own"),
  response_format: z
    .enum(speechFormats)
    .nullish()
    .describe(
      'Audio format of the reply: mp3 when left out, for melo-tts-ko wav. aac needs a model server that makes it, or the program ffmpeg',
    ),
  stream_format: z
    .enum(['audio', 'sse'])
    .default('audio')
    .describe('audio: bytes; sse: events whose audio is base64, then [DONE]'),
});
export type SpeechRequest = z.infer<typeof SpeechRequest>;

/** An event of speech with stream_format sse. Source: decisions section 3. */
export const SpeechEvent = described('An event of speech; the data of the last one is [DONE]', {
  type: z.enum(['speech.audio.delta', 'speech.audio.done']).optional().describe('What comes: a piece, or the end'),
  audio: z.string().optional().describe('The piece, in base64'),
  error: z.unknown().optional().describe('Why it ended before its end, in place of the other fields'),
});

const VoiceEntry = described('A voice', {
  id: z.string().describe('Name of the voice, as POST /v1/audio/speech takes it'),
  name: z.string().describe('What people call it'),
  model: z.string().describe('The text-to-speech model that has it'),
});

/** Source: Open WebUI 0.6, which reads `voices` with id and name. */
export const VoiceList = described('Reply of GET /v1/audio/voices: voices of the models that the key may use', {
  voices: z.array(VoiceEntry).describe('The voices, by model; `alloy` stands for the own voice of a model'),
});
export type VoiceList = z.infer<typeof VoiceList>;

/** Source: decisions section 3; Open WebUI 0.6. */
export const VoiceListQuery = described('Query of GET /v1/audio/voices', {
  model: z.string().min(1).max(200).optional().describe('Voices of this text-to-speech model alone'),
});

const SpeechModelEntry = described('A text-to-speech model', {
  id: z.string().describe('Id of the model, or an alias of it'),
  name: z.string().describe('What people call it'),
});

/** Source: Open WebUI 0.6, which reads `models` with id. */
export const SpeechModelList = described(
  'Reply of GET /v1/audio/models: the text-to-speech models that the key may use, then their aliases',
  { models: z.array(SpeechModelEntry).describe('The models') },
);
export type SpeechModelList = z.infer<typeof SpeechModelList>;
