import type { Requirements } from './entry.ts';

const source = 'decisions 6, audio';
const goals = 'release goals: speech';

/** Speech to text and text to speech. */
export const speechRequirements = {
  'speech.transcribe': {
    source,
    text: 'A form with a file is written down: {model,text,duration,usage:{audio_duration_ms}}.',
  },
  'speech.transcribe.containers': {
    source,
    text: 'mp3, wav, m4a, flac, ogg, webm, aac, wma and opus are taken, known by their bytes.',
  },
  'speech.transcribe.formats': { source, text: 'json, text, verbose_json (language, segments), srt and vtt.' },
  'speech.transcribe.stream': {
    source: goals,
    text: 'With stream it is told as it is written down, then as a whole, then [DONE].',
  },
  'speech.transcribe.upstream': {
    source: goals,
    text: 'Upstreams of the OpenAI format are asked with times, and without where they have none.',
  },
  'speech.transcribe.bad': { source: goals, text: 'Broken, empty, huge and mislabelled files get a clear error.' },
  'speech.translate': {
    source: 'decisions 3; OpenAI API reference: Create translation',
    text: 'A recording is written down in English by servers and models that translate; another model is a 400 that says so.',
  },
  'speech.speak': { source, text: 'A text of 1 to 4,096 characters is said; voice and speed (0.5 to 2) count.' },
  'speech.speak.formats': { source, text: 'wav, mp3, opus, flac and pcm.' },
  'speech.speak.sse': { source, text: 'stream_format sse: events whose audio is base64, then [DONE].' },
  'speech.speak.upstream': { source: goals, text: 'Sound of an upstream goes to the caller as it comes.' },
  'speech.lists': {
    source: 'Open WebUI 0.6, routers/audio.py',
    text: 'GET /v1/audio/voices and /v1/audio/models fill the settings of programs: voices with id and name, models with id, of those that the key may use.',
  },
  'speech.local': { source: goals, text: 'Models of sherpa-onnx in the data folder hear and speak.' },
  'speech.live': {
    source: goals,
    text: 'Speech models that come or go while the service runs are offered, or not, within seconds.',
  },
  'speech.long': {
    source: goals,
    text: 'The time for a recording grows with its length; it ends when the caller leaves, and leaves no file.',
  },
  'speech.usage': { source: goals, text: 'Seconds of sound heard and made, and characters said, are counted.' },
  'speech.process': { source: goals, text: 'A process of models that ends is told, and the next call has a new one.' },
  'speech.pull': { source: goals, text: 'Known models are downloaded whole or not at all, and go on after a cut.' },
  'speech.none': { source: goals, text: 'Without any model it is a 503 that says what to connect or install.' },
} as const satisfies Requirements;
