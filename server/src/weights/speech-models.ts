import type { Words } from './catalogue-entry.ts';

/** A file of a speech model. */
export interface SpeechFile {
  /** Path within the repository, which is that within the folder. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A speech model that can be downloaded by its name: a folder of files. */
export interface SpeechWeights {
  /** Name of its folder, and its id. */
  readonly id: string;
  readonly title: string;
  readonly about: Words;
  readonly kind: 'transcription' | 'speech';
  /** Repository on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  readonly revision: string;
  readonly files: readonly SpeechFile[];
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
  /** What the licence asks for, for people; null for one that is widely known. */
  readonly licenceNote: Words | null;
  /** Bytes of all files. */
  readonly bytes: number;
}

const file = (path: string, bytes: number, sha256: string): SpeechFile => ({ path, bytes, sha256 });

const model = (facts: Omit<SpeechWeights, 'bytes'>): SpeechWeights => ({
  ...facts,
  bytes: facts.files.reduce((sum, { bytes }) => sum + bytes, 0),
});

interface WhisperFiles {
  readonly size: string;
  readonly revision: string;
  readonly encoder: readonly [bytes: number, sha256: string];
  readonly decoder: readonly [bytes: number, sha256: string];
  readonly about: Words;
}

/** All Whispers of many languages have one list of tokens. */
const whisper = ({ size, revision, encoder, decoder, about }: WhisperFiles): SpeechWeights =>
  model({
    id: `whisper-${size}`,
    title: `Whisper ${size}`,
    about,
    kind: 'transcription',
    repository: `csukuangfj/sherpa-onnx-whisper-${size}`,
    revision,
    files: [
      file(`${size}-encoder.int8.onnx`, ...encoder),
      file(`${size}-decoder.int8.onnx`, ...decoder),
      file(`${size}-tokens.txt`, 816_730, 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126'),
    ],
    licence: 'mit',
    licenceNote: null,
  });

// Sources: the model cards of the repositories; revisions, sizes and checksums stand here as lock files of at least two public projects
// give them alike.
/** Speech models, in the order in which they are shown. */
export const speechWeights: readonly SpeechWeights[] = [
  model({
    id: 'sense-voice',
    title: 'SenseVoice Small',
    about: {
      ko: '한국어, 영어, 중국어, 일본어, 광둥어를 빠르게 받아 적습니다.',
      en: 'Writes down Korean, English, Chinese, Japanese and Cantonese, fast.',
    },
    kind: 'transcription',
    repository: 'csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
    revision: '2365baeacb507f821a0c8120fcee3d484dba7a07',
    files: [
      file('model.int8.onnx', 239_233_841, 'c71f0ce00bec95b07744e116345e33d8cbbe08cef896382cf907bf4b51a2cd51'),
      file('tokens.txt', 315_894, 'f449eb28dc567533d7fa59be34e2abca8784f771850c78a47fb731a31429a1dc'),
    ],
    licence: 'FunASR model licence',
    licenceNote: null,
  }),
  model({
    id: 'supertonic-3',
    title: 'Supertonic 3',
    about: {
      ko: '한국어를 비롯한 31개 언어를 열 가지 목소리로 자연스럽게 읽습니다.',
      en: 'Says Korean and 30 other languages naturally, in ten voices.',
    },
    kind: 'speech',
    repository: 'csukuangfj2/sherpa-onnx-supertonic-3-tts-int8-2026-05-11',
    revision: 'cca5a0e6c96e1d2c720986bf7e75fcc81dee3ae4',
    files: [
      file(
        'duration_predictor.int8.onnx',
        3_700_147,
        'c3eb91414d5ff8a7a239b7fe9e34e7e2bf8a8140d8375ffb14718b1c639325db',
      ),
      file('text_encoder.int8.onnx', 36_416_150, 'c7befd5ea8c3119769e8a6c1486c4edc6a3bc8365c67621c881bbb774b9902ff'),
      file(
        'vector_estimator.int8.onnx',
        78_400_833,
        '20cd86fa5c6effedfda0e7cffe5b0569ca401c440a0c3a1d72bf39286c0db3fd',
      ),
      file('vocoder.int8.onnx', 25_991_073, 'e923d60f53f95eb1ce235f1dc33ec56d9c057823c96fa6f8acf98f32b0da6152'),
      file('tts.json', 8_253, '42078d3aef1cd43ab43021f3c54f47d2d75ceb4e75f627f118890128b06a0d09'),
      file('unicode_indexer.bin', 262_144, '8402ca48e5189a8950138580b0fff64db6f072f24ac07cd54ba8b2fbb9883b30'),
      file('voice.bin', 517_168, '67d5209b0ee8ce6c74105ffbe12fe6a7628aea3b4ba2fcb308a4a67938a93ce8'),
    ],
    licence: 'openrail-m',
    licenceNote: {
      ko: '상업적으로 쓸 수 있지만, 금지된 용도의 목록을 지키고 이용자에게도 알려야 합니다.',
      en: 'May be used commercially; its list of prohibited uses binds whoever offers it, and is passed on.',
    },
  }),
  model({
    id: 'qwen3-asr-0.6b',
    title: 'Qwen3-ASR 0.6B',
    about: {
      ko: '한국어를 비롯한 30개 언어를 정확하게 받아 적습니다. SenseVoice보다 느립니다.',
      en: 'Writes down Korean and 29 other languages precisely; slower than SenseVoice.',
    },
    kind: 'transcription',
    repository: 'csukuangfj2/sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25',
    revision: '2cc50d1abfe4d4f2df8d71f536d108bb40f943d2',
    files: [
      file('conv_frontend.onnx', 44_148_281, 'd22dc4423e0940e49884e903d2ea2f7e5567c14fc1aed97e4e26d6b8f208ef9e'),
      file('encoder.int8.onnx', 182_491_662, '60748d3e6744a57c9c91e1b17424a6c2990567e8adceb0783940c03ed98fa9d9'),
      file('decoder.int8.onnx', 756_563_239, '61e5f8249f9e7c82d5e01e1938c79fb3f5b3135f91664928033029e42451bd18'),
      file('tokenizer/merges.txt', 1_671_853, '8831e4f1a044471340f7c0a83d7bd71306a5b867e95fd870f74d0c5308a904d5'),
      file(
        'tokenizer/tokenizer_config.json',
        12_487,
        '4942d005604266809309cabc9f4e9cb89ce855d59b14681fdc0e1cc62ea26c4c',
      ),
      file('tokenizer/vocab.json', 2_776_833, 'ca10d7e9fb3ed18575dd1e277a2579c16d108e32f27439684afa0e10b1440910'),
    ],
    licence: 'apache-2.0',
    licenceNote: null,
  }),
  whisper({
    size: 'tiny',
    revision: '65176e2deb88badc814a94058666cadccc29b61c',
    encoder: [12_937_772, 'd24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434'],
    decoder: [89_855_401, 'd2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925'],
    about: {
      ko: '거의 모든 컴퓨터에서 돌아가는 가장 작은 Whisper입니다.',
      en: 'The smallest Whisper; runs on almost any machine.',
    },
  }),
  whisper({
    size: 'small',
    revision: '8f3c18b358db4d1f2fc1eae49d75cd20989e4309',
    encoder: [112_442_483, '4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9'],
    decoder: [262_226_114, 'acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee'],
    about: {
      ko: '99개 언어. 한국어 회의록에 쓸 만한 정확도입니다.',
      en: '99 languages; good enough for minutes in Korean.',
    },
  }),
  whisper({
    size: 'turbo',
    revision: '2ca6ff69fc878651b770880507669577ac41c2ff',
    encoder: [674_716_297, 'b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b'],
    decoder: [361_080_764, '20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547'],
    about: {
      ko: '99개 언어. 정확하고, 큰 모델보다 빠릅니다.',
      en: '99 languages; exact, and faster than the large ones.',
    },
  }),
];
