import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpeechModel, findSpeechModels } from './model-files.ts';
import { recogniserConfig, speakRequest, speakerConfig, spokenLanguage } from './native-config.ts';

const run = promisify(execFile);

/** The files of the models, by their names in the repositories that sherpa-onnx publishes; none of them holds anything. */
const folders = {
  'supertonic-3': [
    'duration_predictor.int8.onnx',
    'text_encoder.int8.onnx',
    'vector_estimator.int8.onnx',
    'vocoder.int8.onnx',
    'tts.json',
    'unicode_indexer.bin',
    'voice.bin',
  ],
  'qwen3-asr-0.6b': [
    'conv_frontend.onnx',
    'encoder.int8.onnx',
    'decoder.int8.onnx',
    'tokenizer/merges.txt',
    'tokenizer/tokenizer_config.json',
    'tokenizer/vocab.json',
  ],
  'sense-voice': ['model.int8.onnx', 'tokens.txt'],
  'whisper-turbo': ['turbo-encoder.int8.onnx', 'turbo-decoder.int8.onnx', 'turbo-tokens.txt'],
  'no model': ['conv_frontend.onnx', 'voice.bin'],
} as const;

let root = '';
let models: ReadonlyMap<string, SpeechModel>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'speech-files-'));
  for (const [name, files] of Object.entries(folders))
    for (const file of files) {
      await mkdir(join(root, name, file, '..'), { recursive: true });
      await writeFile(join(root, name, file), '');
    }
  models = new Map((await findSpeechModels(root)).map((model) => [model.id, model]));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const modelOf = <K extends SpeechModel['kind']>(id: string, kind: K) => {
  const model = models.get(id);
  if (model?.kind !== kind) throw new Error(`${id} was not found`);
  return model as Extract<SpeechModel, { kind: K }>;
};

/** What the native code says of a configuration in which one file is gone: its own check of the fields that it was given. */
async function complaint(make: 'OfflineRecognizer' | 'OfflineTts', config: object): Promise<string> {
  const path = createRequire(import.meta.url).resolve('sherpa-onnx-node');
  const script = `require(${JSON.stringify(path)}).${make}.createAsync(${JSON.stringify(config)}).then(() => process.exit(3), () => process.exit(0))`;
  return (await run(process.execPath, ['-e', script])).stderr;
}

describe('the folder of a speech model', () => {
  it('is known by its files', () => {
    expect([...models.values()].map(({ id, kind, family }) => [id, kind, family])).toEqual([
      ['qwen3-asr-0.6b', 'transcription', 'qwen3_asr'],
      ['sense-voice', 'transcription', 'sense_voice'],
      ['supertonic-3', 'speech', 'supertonic'],
      ['whisper-turbo', 'transcription', 'whisper'],
    ]);
  });
});

describe('the native code is given', () => {
  it('the files of Supertonic 3: it looks for each of them', async () => {
    const config = speakerConfig(modelOf('supertonic-3', 'speech'), 1);
    for (const file of folders['supertonic-3']) {
      const gone = JSON.parse(JSON.stringify(config).replace(`/${file}`, `/gone-${file}`)) as object;
      expect(await complaint('OfflineTts', gone)).toContain(`gone-${file}' does not exist`);
    }
  }, 60_000);

  it('the files of Qwen3-ASR: it looks for each of them, and for the tokenizer', async () => {
    const config = recogniserConfig(modelOf('qwen3-asr-0.6b', 'transcription'), {
      language: 'ko',
      task: 'transcribe',
      numThreads: 1,
    });
    for (const file of [...folders['qwen3-asr-0.6b'].slice(0, 3), 'tokenizer']) {
      const gone = JSON.parse(JSON.stringify(config).replace(`/${file}`, `/gone-${file}`)) as object;
      expect(await complaint('OfflineRecognizer', gone)).toContain(`/gone-${file}`);
    }
    expect(config).toMatchObject({ modelConfig: { qwen3Asr: { maxTotalLen: 1_024, maxNewTokens: 512 }, tokens: '' } });
  }, 60_000);

  it('the language of whom it listens to, where a family takes one', () => {
    const config = (id: string) =>
      recogniserConfig(modelOf(id, 'transcription'), { language: 'ko', task: 'transcribe', numThreads: 2 });
    expect(config('whisper-turbo')).toMatchObject({ modelConfig: { whisper: { language: 'ko' }, numThreads: 2 } });
    expect(config('sense-voice')).toMatchObject({ modelConfig: { senseVoice: { language: 'ko' } } });
  });

  it('the language of a text, voice and speed, as a family takes them', () => {
    const supertonic = modelOf('supertonic-3', 'speech');
    expect(speakRequest(supertonic, { text: '안녕 hello', speaker: 3, speed: 1.5 })).toEqual({
      text: '안녕 hello',
      generationConfig: { sid: 3, speed: 1.5, numSteps: 8, extra: { lang: 'ko' } },
    });
    const vits = { ...supertonic, family: 'vits' } as unknown as typeof supertonic;
    expect(speakRequest(vits, { text: 'hi', speaker: 1, speed: 1 })).toEqual({ text: 'hi', sid: 1, speed: 1 });
    expect(['안녕', 'こんにちは', 'hello', 'Привет', 'مرحبا', '12'].map(spokenLanguage)).toEqual([
      'ko',
      'ja',
      'en',
      'ru',
      'ar',
      'en',
    ]);
  });
});
