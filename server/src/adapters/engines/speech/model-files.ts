import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

// Speech models as sherpa-onnx publishes them: a folder of ONNX files with their tokens.
// Source: sherpa-onnx, documentation, "Pre-trained models".

/** How a model is to be opened. Paths are whole. */
export type SpeechModel = {
  readonly id: string;
  readonly folder: string;
  /** Another one when its files are others. */
  readonly version: string;
} & (
  | {
      readonly kind: 'transcription';
      readonly family: 'whisper';
      readonly encoder: string;
      readonly decoder: string;
      readonly tokens: string;
    }
  | {
      readonly kind: 'transcription';
      readonly family: 'sense_voice' | 'nemo_ctc';
      readonly model: string;
      readonly tokens: string;
    }
  | {
      readonly kind: 'transcription';
      readonly family: 'qwen3_asr';
      readonly convFrontend: string;
      readonly encoder: string;
      readonly decoder: string;
      /** A folder. */
      readonly tokenizer: string;
    }
  | {
      readonly kind: 'speech';
      readonly family: 'supertonic';
      readonly durationPredictor: string;
      readonly textEncoder: string;
      readonly vectorEstimator: string;
      readonly vocoder: string;
      readonly ttsJson: string;
      readonly unicodeIndexer: string;
      readonly voiceStyle: string;
    }
  | {
      readonly kind: 'speech';
      readonly family: 'vits' | 'kokoro';
      readonly model: string;
      readonly tokens: string;
      readonly lexicon: string;
      readonly dataDir: string;
      readonly dictDir: string;
      /** Of Kokoro. */
      readonly voices: string;
    }
);

/** The file that fits a pattern; of several the one of small numbers (int8), which is as good and half as slow. */
function pick(files: readonly string[], pattern: RegExp): string | undefined {
  const fitting = files.filter((name) => pattern.test(name));
  return fitting.find((name) => /int8/.test(name)) ?? fitting[0];
}

type Known = Pick<SpeechModel, 'id' | 'folder' | 'version'>;
type FileNamed = (pattern: RegExp) => string | undefined;

/** Supertonic 3: four models and three files beside them. Source: sherpa-onnx, scripts/supertonic. */
function asSupertonic(known: Known, named: FileNamed): SpeechModel | null {
  const durationPredictor = named(/^duration_predictor.*\.onnx$/);
  const textEncoder = named(/^text_encoder.*\.onnx$/);
  const vectorEstimator = named(/^vector_estimator.*\.onnx$/);
  const vocoder = named(/^vocoder.*\.onnx$/);
  const ttsJson = named(/^tts\.json$/);
  const unicodeIndexer = named(/^unicode_indexer\.bin$/);
  const voiceStyle = named(/^voice\.bin$/);
  if (!durationPredictor || !textEncoder || !vectorEstimator || !vocoder || !ttsJson || !unicodeIndexer || !voiceStyle)
    return null;
  const files = { durationPredictor, textEncoder, vectorEstimator, vocoder, ttsJson, unicodeIndexer, voiceStyle };
  return { ...known, kind: 'speech', family: 'supertonic', ...files };
}

/** Qwen3-ASR: three models and a folder of its tokenizer. Source: sherpa-onnx, offline-qwen3-asr-model-config. */
function asQwen3Asr(known: Known, named: FileNamed): SpeechModel | null {
  const convFrontend = named(/^conv_frontend.*\.onnx$/);
  const encoder = named(/^encoder.*\.onnx$/);
  const decoder = named(/^decoder.*\.onnx$/);
  const tokenizer = named(/^tokenizer$/);
  if (!convFrontend || !encoder || !decoder || !tokenizer) return null;
  return { ...known, kind: 'transcription', family: 'qwen3_asr', convFrontend, encoder, decoder, tokenizer };
}

/** What tells the files of a folder from others of the same names: their sizes and times. */
async function versionOf(folder: string, files: readonly string[]): Promise<string> {
  const stats = await Promise.all(files.toSorted().map((name) => stat(join(folder, name))));
  return stats.map(({ size, mtimeMs }) => `${size}@${Math.round(mtimeMs)}`).join(' ');
}

/** Reads what a folder holds; null where it is no model that is known. */
export async function readModelFolder(id: string, folder: string): Promise<SpeechModel | null> {
  const files = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  const at = (name: string) => join(folder, name);
  const has = (name: string) => (files.includes(name) ? at(name) : '');
  const known = { id, folder, version: await versionOf(folder, files) };
  const named = (pattern: RegExp) => {
    const name = pick(files, pattern);
    return name === undefined ? undefined : at(name);
  };
  const whole = asSupertonic(known, named) ?? asQwen3Asr(known, named);
  if (whole !== null) return whole;
  const tokens = pick(files, /(?:^|-)tokens\.txt$/);
  if (tokens === undefined) return null;
  const common = { ...known, tokens: at(tokens) };
  const encoder = pick(files, /encoder.*\.onnx$/);
  const decoder = pick(files, /decoder.*\.onnx$/);
  if (encoder !== undefined && decoder !== undefined)
    return { ...common, kind: 'transcription', family: 'whisper', encoder: at(encoder), decoder: at(decoder) };
  const model = pick(files, /\.onnx$/);
  if (model === undefined) return null;
  const one = { ...common, model: at(model) };
  const voices = has('voices.bin');
  const dataDir = has('espeak-ng-data');
  const lexicons = files.filter((name) => /^lexicon.*\.txt$/.test(name)).map(at);
  const spoken = { lexicon: lexicons.join(','), dataDir, dictDir: has('dict'), voices };
  if (voices !== '') return { ...one, ...spoken, kind: 'speech', family: 'kokoro' };
  if (/sense-?voice/i.test(id)) return { ...one, kind: 'transcription', family: 'sense_voice' };
  if (dataDir !== '' || lexicons.length > 0 || /vits|piper|mms-tts/i.test(id))
    return { ...one, ...spoken, kind: 'speech', family: 'vits' };
  return { ...one, kind: 'transcription', family: 'nemo_ctc' };
}

/** The models in the folders of a folder, by their names. What cannot be read is left out. */
export async function findSpeechModels(folder: string): Promise<readonly SpeechModel[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    // One that is on its way begins with a dot.
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  const found = await Promise.all(names.map((name) => readModelFolder(name, join(folder, name)).catch(() => null)));
  return found.filter((model) => model !== null);
}

/** Words that say how many speakers a model has, where its folder tells; for the list of voices. */
export async function readSpeakers({ folder }: SpeechModel): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'speakers.txt'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
