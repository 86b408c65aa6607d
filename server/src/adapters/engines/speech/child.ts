import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { RECOGNITION_SAMPLE_RATE, type SpeechRequest, type SpeechResponse } from './messages.ts';
import { recogniserConfig, speakRequest, speakerConfig } from './native-config.ts';
import { openRecording } from './recording.ts';

// The process that holds speech models: native code that fails takes nothing else with it.

type TranscriptionUsage = Extract<SpeechResponse, { type: 'segment' }>;
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
/** Maximum number of loaded models of each kind. */
const MAX_OPEN = 2;

const recognizers = new Map<string, Promise<Recognizer>>();
const speakers = new Map<string, Promise<Speaker>>();
const working = new Set<number>();
const canceled = new Set<number>();

/** Returns the model of a name, loaded on first use; evicts the least recently used ones. */
function openCached<T>(cache: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const entry = cache.get(name) ?? make();
  cache.delete(name);
  cache.set(name, entry);
  entry.catch(() => cache.delete(name));
  for (const old of [...cache.keys()].slice(0, -MAX_OPEN)) cache.delete(old);
  return entry;
}

const sendResponse = (message: SpeechResponse): void => void process.send?.(message);

async function recognize(
  recognizer: Recognizer,
  samples: Float32Array,
): Promise<Pick<TranscriptionUsage, 'text' | 'language'>> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: RECOGNITION_SAMPLE_RATE });
  const { text = '', lang = '' } = await recognizer.decodeAsync(stream);
  const language = lang.replaceAll(/[<|>]/g, '');
  return { text: text.trim(), language: language === '' ? null : language };
}

async function transcribe({
  id,
  model,
  path,
  language,
  translate,
}: Extract<SpeechRequest, { type: 'transcribe' }>): Promise<void> {
  if (model.kind !== 'transcription') throw new Error('the model does not write speech down');
  const task = translate ? 'translate' : 'transcribe';
  const recognizer = await openCached(recognizers, `${model.folder} ${model.version} ${language} ${task}`, () =>
    sherpa.OfflineRecognizer.createAsync(recogniserConfig(model, { language, task, numThreads })),
  );
  const recording = await openRecording(path, RECOGNITION_SAMPLE_RATE);
  try {
    for (const range of await recording.speechRanges()) {
      if (canceled.has(id)) return;
      const recognized = await recognize(recognizer, await recording.read(range));
      const [start, end] = [range.from / RECOGNITION_SAMPLE_RATE, range.to / RECOGNITION_SAMPLE_RATE];
      sendResponse({ id, type: 'segment', start, end, ...recognized });
    }
  } finally {
    await recording.close();
  }
}

async function speak({ id, model, text, speaker, speed }: Extract<SpeechRequest, { type: 'speak' }>): Promise<void> {
  if (model.kind !== 'speech') throw new Error('the model does not speak');
  const voice = await openCached(speakers, `${model.folder} ${model.version}`, () =>
    sherpa.OfflineTts.createAsync(speakerConfig(model, numThreads)),
  );
  const { sampleRate } = voice;
  let sentSamples = 0;
  const sendSamples = (samples: Float32Array) => {
    sentSamples += samples.length;
    sendResponse({ id, type: 'sound', samples: Float32Array.from(samples), sampleRate });
  };
  const generated = voice.generateAsync({
    ...speakRequest(model, { text, speaker: Math.min(speaker, Math.max(0, voice.numSpeakers - 1)), speed }),
    enableExternalBuffer: false,
    onProgress(info) {
      sendSamples(info.samples);
      return !canceled.has(id);
    },
  });
  try {
    const { samples } = await generated;
    if (sentSamples === 0 && samples.length > 0) sendSamples(samples);
  } catch (error) {
    // A text that has nothing to be said is no failure of the model.
    if (sentSamples > 0 || !/produced no audio/.test(String(error))) throw error;
  }
}

process.on('message', (request: SpeechRequest) => {
  const { id } = request;
  if (request.type === 'cancel') {
    if (working.has(id)) canceled.add(id);
    return;
  }
  working.add(id);
  const work = request.type === 'transcribe' ? transcribe(request) : speak(request);
  work
    .then(
      () => sendResponse({ id, type: 'done' }),
      (error: unknown) =>
        sendResponse({ id, type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => {
      working.delete(id);
      canceled.delete(id);
    });
});
process.once('disconnect', () => process.exit(0));
