import { RECOGNITION_SAMPLE_RATE } from './messages.ts';
import type { SpeechModel } from './model-files.ts';

// What sherpa-onnx is given. Source: sherpa-onnx-node, types.js, and its examples of each family.

type Recogniser = Extract<SpeechModel, { kind: 'transcription' }>;
type Speaker = Extract<SpeechModel, { kind: 'speech' }>;

/**
 * Tokens of sound, instructions and text together, and of text alone, for one stretch: half a minute of sound is some 400 tokens, and the
 * defaults, 512 and 128, would cut what is said fast.
 */
const QWEN3_ASR_LENGTHS = { maxTotalLen: 1_024, maxNewTokens: 512 } as const;

/** Whisper alone translates. */
type RecognitionTask = 'transcribe' | 'translate';

function recogniserFiles(model: Recogniser, language: string | null, task: RecognitionTask): object {
  switch (model.family) {
    case 'whisper': {
      const { encoder, decoder } = model;
      return { whisper: { encoder, decoder, language: language ?? '', task, tailPaddings: -1 } };
    }
    case 'sense_voice':
      return { senseVoice: { model: model.model, language: language ?? '', useInverseTextNormalization: 1 } };
    case 'qwen3_asr': {
      const { convFrontend, encoder, decoder, tokenizer } = model;
      return { qwen3Asr: { convFrontend, encoder, decoder, tokenizer, hotwords: '', ...QWEN3_ASR_LENGTHS } };
    }
    case 'nemo_ctc':
      return { nemoCtc: { model: model.model } };
  }
}

interface RecognitionOptions {
  /** Null: the model finds it out. */
  readonly language: string | null;
  readonly task: RecognitionTask;
  readonly numThreads: number;
}

/** The configuration of a model that writes speech down. */
export function recogniserConfig(model: Recogniser, { language, task, numThreads }: RecognitionOptions): object {
  const tokens = 'tokens' in model ? model.tokens : '';
  return {
    featConfig: { sampleRate: RECOGNITION_SAMPLE_RATE, featureDim: 80 },
    modelConfig: { ...recogniserFiles(model, language, task), tokens, numThreads, provider: 'cpu', debug: 0 },
    decodingMethod: 'greedy_search',
  };
}

function speakerFiles(model: Speaker): object {
  if (model.family === 'supertonic') {
    const { durationPredictor, textEncoder, vectorEstimator, vocoder, ttsJson, unicodeIndexer, voiceStyle } = model;
    return {
      supertonic: { durationPredictor, textEncoder, vectorEstimator, vocoder, ttsJson, unicodeIndexer, voiceStyle },
    };
  }
  const { lexicon, dataDir, dictDir, tokens, voices } = model;
  const files = { model: model.model, tokens, lexicon, dataDir, dictDir };
  return model.family === 'kokoro' ? { kokoro: { ...files, voices } } : { vits: files };
}

/** The configuration of a model that speaks. */
export const speakerConfig = (model: Speaker, numThreads: number): object => ({
  model: { ...speakerFiles(model), numThreads, provider: 'cpu', debug: 0 },
  maxNumSentences: 1,
});

/** Languages of Supertonic 3. Source: sherpa-onnx, scripts/supertonic, README. */
const supertonicLanguages: ReadonlySet<string> = new Set(
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' '),
);

/** Scripts that one language of these has, or the most widely spoken one. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
];

/** The language that a text is said in: that of its script. One with any Hangul is Korean. */
export const spokenLanguage = (text: string): string => scripts.find(([script]) => script.test(text))?.[1] ?? 'en';

/** Steps of a voice that is made step by step: the number that its makers' examples take. Source: sherpa-onnx, nodejs-addon-examples. */
const SUPERTONIC_STEPS = 8;

export interface Utterance {
  readonly text: string;
  readonly speaker: number;
  readonly speed: number;
}

/** What a model is asked to say. */
export function speakRequest({ family }: Speaker, { text, speaker, speed }: Utterance): object {
  if (family !== 'supertonic') return { text, sid: speaker, speed };
  const lang = spokenLanguage(text);
  const extra = { lang: supertonicLanguages.has(lang) ? lang : 'en' };
  return { text, generationConfig: { sid: speaker, speed, numSteps: SUPERTONIC_STEPS, extra } };
}
