import type { Words } from './catalogue-entry.ts';

/** A speech model that can be downloaded by its name: a folder of files. */
export interface SpeechWeights {
  /** Name of its folder, and its id. */
  readonly id: string;
  readonly title: string;
  readonly about: Words;
  readonly kind: 'transcription' | 'speech';
  /** Repository on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  /** Paths within the repository, which are those within the folder. */
  readonly files: readonly string[];
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
  /** What the licence asks for, for people; null for one that is widely known. */
  readonly licenceNote: Words | null;
  /** About so many bytes. */
  readonly bytes: number;
}

const MB = 1_000_000;

const whisper = (size: string, megabytes: number, about: Words): SpeechWeights => ({
  id: `whisper-${size}`,
  title: `Whisper ${size}`,
  about,
  kind: 'transcription',
  repository: `csukuangfj/sherpa-onnx-whisper-${size}`,
  files: [`${size}-encoder.int8.onnx`, `${size}-decoder.int8.onnx`, `${size}-tokens.txt`],
  licence: 'mit',
  licenceNote: null,
  bytes: megabytes * MB,
});

// Source: the file lists and model cards of the repositories; of Supertonic 3 and Qwen3-ASR the scripts with which sherpa-onnx makes and
// publishes them (export-supertonic.yaml, upload-models.yaml). No revision and no checksum is known from public sources: what comes is
// checked against the checksum that the hub itself gives.
/** Speech models, in the order in which they are shown. */
export const speechWeights: readonly SpeechWeights[] = [
  {
    id: 'sense-voice',
    title: 'SenseVoice Small',
    about: {
      ko: '한국어, 영어, 중국어, 일본어, 광둥어를 빠르게 받아 적습니다.',
      en: 'Writes down Korean, English, Chinese, Japanese and Cantonese, fast.',
    },
    kind: 'transcription',
    repository: 'csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
    files: ['model.int8.onnx', 'tokens.txt'],
    licence: 'FunASR model licence',
    licenceNote: null,
    bytes: 230 * MB,
  },
  {
    id: 'supertonic-3',
    title: 'Supertonic 3',
    about: {
      ko: '한국어를 비롯한 31개 언어를 열 가지 목소리로 자연스럽게 읽습니다.',
      en: 'Says Korean and 30 other languages naturally, in ten voices.',
    },
    kind: 'speech',
    repository: 'csukuangfj2/sherpa-onnx-supertonic-3-tts-int8-2026-05-11',
    files: [
      'duration_predictor.int8.onnx',
      'text_encoder.int8.onnx',
      'vector_estimator.int8.onnx',
      'vocoder.int8.onnx',
      'tts.json',
      'unicode_indexer.bin',
      'voice.bin',
    ],
    licence: 'openrail-m',
    licenceNote: {
      ko: '상업적으로 쓸 수 있지만, 금지된 용도의 목록을 지키고 이용자에게도 알려야 합니다.',
      en: 'May be used commercially; its list of prohibited uses binds whoever offers it, and is passed on.',
    },
    bytes: 130 * MB,
  },
  {
    id: 'qwen3-asr-0.6b',
    title: 'Qwen3-ASR 0.6B',
    about: {
      ko: '한국어를 비롯한 30개 언어를 정확하게 받아 적습니다. SenseVoice보다 느립니다.',
      en: 'Writes down Korean and 29 other languages precisely; slower than SenseVoice.',
    },
    kind: 'transcription',
    repository: 'csukuangfj2/sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25',
    files: [
      'conv_frontend.onnx',
      'encoder.int8.onnx',
      'decoder.int8.onnx',
      'tokenizer/merges.txt',
      'tokenizer/tokenizer_config.json',
      'tokenizer/vocab.json',
    ],
    licence: 'apache-2.0',
    licenceNote: null,
    bytes: 987 * MB,
  },
  whisper('tiny', 104, {
    ko: '거의 모든 컴퓨터에서 돌아가는 가장 작은 Whisper입니다.',
    en: 'The smallest Whisper; runs on almost any machine.',
  }),
  whisper('small', 375, {
    ko: '99개 언어. 한국어 회의록에 쓸 만한 정확도입니다.',
    en: '99 languages; good enough for minutes in Korean.',
  }),
  whisper('turbo', 1_040, {
    ko: '99개 언어. 정확하고, 큰 모델보다 빠릅니다.',
    en: '99 languages; exact, and faster than the large ones.',
  }),
];
