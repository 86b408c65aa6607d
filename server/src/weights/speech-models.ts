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
  readonly files: readonly string[];
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
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
  bytes: megabytes * MB,
});

// Source: the file lists and model cards of the repositories.
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
    bytes: 230 * MB,
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
