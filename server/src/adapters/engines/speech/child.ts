import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { HEARING_RATE, type SpeechOrder, type SpeechReport } from './messages.ts';
import type { SpeechModel } from './model-files.ts';
import { openRecording } from './recording.ts';

// The process that holds speech models: native code that fails takes nothing else with it.

type TranscriptionUsage = Extract<SpeechReport, { type: 'segment' }>;
interface Result {
  readonly text?: string;
  readonly lang?: string;
}
interface Recognizer {
  createStream(): { acceptWaveform(given: { samples: Float32Array; sampleRate: number }): void };
  decodeAsync(stream: object): Promise<Result>;
}
interface Speaker {
  readonly sampleRate: number;
  readonly numSpeakers: number;
  generateAsync(given: {
    text: string;
    sid: number;
    speed: number;
    enableExternalBuffer: boolean;
    onProgress: (info: { samples: Float32Array }) => boolean;
  }): Promise<{ samples: Float32Array; sampleRate: number }>;
}
interface Sherpa {
  readonly OfflineRecognizer: { createAsync(config: object): Promise<Recognizer> };
  readonly OfflineTts: { createAsync(config: object): Promise<Speaker> };
}

const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
/** The service needs a core for itself. */
const numThreads = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Models that are kept open. */
const MAX_OPEN = 2;

const recognizers = new Map<string, Promise<Recognizer>>();
const speakers = new Map<string, Promise<Speaker>>();
const working = new Set<number>();
const canceled = new Set<number>();

/** The one of a name, opened when it is first asked for; those unused for longest go. */
function open<T>(kept: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const one = kept.get(name) ?? make();
  kept.delete(name);
  kept.set(name, one);
  one.catch(() => kept.delete(name));
  for (const old of [...kept.keys()].slice(0, -MAX_OPEN)) kept.delete(old);
  return one;
}

function recognizerConfig(model: Extract<SpeechModel, { kind: 'transcription' }>, language: string | null): object {
  const common = { tokens: model.tokens, numThreads, provider: 'cpu', debug: 0 };
  const own =
    model.family === 'whisper'
      ? {
          whisper: {
            encoder: model.encoder,
            decoder: model.decoder,
            language: language ?? '',
            task: 'transcribe',
            tailPaddings: -1,
          },
        }
      : model.family === 'sense_voice'
        ? { senseVoice: { model: model.model, language: language ?? '', useInverseTextNormalization: 1 } }
        : { nemoCtc: { model: model.model } };
  return {
    featConfig: { sampleRate: HEARING_RATE, featureDim: 80 },
    modelConfig: { ...own, ...common },
    decodingMethod: 'greedy_search',
  };
}

function speakerConfig(model: Extract<SpeechModel, { kind: 'speech' }>): object {
  const { lexicon, dataDir, dictDir, tokens, voices } = model;
  const files = { model: model.model, tokens, lexicon, dataDir, dictDir };
  const own = model.family === 'kokoro' ? { kokoro: { ...files, voices } } : { vits: files };
  return { model: { ...own, numThreads, provider: 'cpu', debug: 0 }, maxNumSentences: 1 };
}

const report = (message: SpeechReport): void => void process.send?.(message);

async function hear(
  recognizer: Recognizer,
  samples: Float32Array,
): Promise<Pick<TranscriptionUsage, 'text' | 'language'>> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: HEARING_RATE });
  const { text = '', lang = '' } = await recognizer.decodeAsync(stream);
  const language = lang.replaceAll(/[<|>]/g, '');
  return { text: text.trim(), language: language === '' ? null : language };
}

async function transcribe({ id, model, path, language }: Extract<SpeechOrder, { type: 'transcribe' }>): Promise<void> {
  if (model.kind !== 'transcription') throw new Error('the model does not write speech down');
  const recognizer = await open(recognizers, `${model.folder} ${model.version} ${language}`, () =>
    sherpa.OfflineRecognizer.createAsync(recognizerConfig(model, language)),
  );
  const recording = await openRecording(path, HEARING_RATE);
  try {
    for (const stretch of await recording.stretches()) {
      if (canceled.has(id)) return;
      const heard = await hear(recognizer, await recording.read(stretch));
      const [start, end] = [stretch.from / HEARING_RATE, stretch.to / HEARING_RATE];
      report({ id, type: 'segment', start, end, ...heard });
    }
  } finally {
    await recording.close();
  }
}

async function speak({ id, model, text, speaker, speed }: Extract<SpeechOrder, { type: 'speak' }>): Promise<void> {
  if (model.kind !== 'speech') throw new Error('the model does not speak');
  const voice = await open(speakers, `${model.folder} ${model.version}`, () =>
    sherpa.OfflineTts.createAsync(speakerConfig(model)),
  );
  const { sampleRate } = voice;
  let told = 0;
  const tell = (samples: Float32Array) => {
    told += samples.length;
    report({ id, type: 'sound', samples: Float32Array.from(samples), sampleRate });
  };
  const made = voice.generateAsync({
    text,
    sid: Math.min(speaker, Math.max(0, voice.numSpeakers - 1)),
    speed,
    enableExternalBuffer: false,
    onProgress(info) {
      tell(info.samples);
      return !canceled.has(id);
    },
  });
  try {
    const { samples } = await made;
    if (told === 0 && samples.length > 0) tell(samples);
  } catch (error) {
    // A text that has nothing to be said is no failure of the model.
    if (told > 0 || !/produced no audio/.test(String(error))) throw error;
  }
}

process.on('message', (order: SpeechOrder) => {
  const { id } = order;
  if (order.type === 'cancel') {
    if (working.has(id)) canceled.add(id);
    return;
  }
  working.add(id);
  const work = order.type === 'transcribe' ? transcribe(order) : speak(order);
  work
    .then(
      () => report({ id, type: 'done' }),
      (error: unknown) =>
        report({ id, type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => {
      working.delete(id);
      canceled.delete(id);
    });
});
process.once('disconnect', () => process.exit(0));
