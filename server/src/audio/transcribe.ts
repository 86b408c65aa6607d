import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import type {
  Transcription,
  TranscriptionFields,
  TranscriptionSegment,
  TranscriptionWord,
} from '@ai-studio/contract/audio.ts';
import { toSrt, toVtt } from '@ai-studio/contract/captions.ts';
import type { ModelCall } from '../inference/index.ts';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { type Engine, EngineError, type TranscribeProgress } from '../ports/engine.ts';
import { type Container, detectContainer } from './codecs/container.ts';
import type { AudioDecoder } from './codecs/decoder.ts';
import { AudioError } from './codecs/sound.ts';
import { type SpeechDeps, speechModelOf } from './models.ts';

export interface TranscribeDeps extends SpeechDeps {
  readonly decoder: AudioDecoder;
  readonly timeout: TranscribeTimeout;
}

/** How long writing down may take: so long for any recording, and so much for each of its seconds, up to a length. */
export interface TranscribeTimeout {
  readonly totalMs: number;
  readonly perSecondMs: number;
  readonly maxSeconds: number;
}

/** Speech that was written down. */
export interface Transcribed {
  readonly model: string;
  readonly engine: string;
  readonly text: string;
  readonly language: string | null;
  readonly seconds: number;
  readonly segments: readonly TranscriptionSegment[];
  /** Null where they were not asked for. */
  readonly words: readonly TranscriptionWord[] | null;
}

/** Told of what becomes known while a recording is written down. */
interface Watch {
  /** An engine was asked; another one may be after it. */
  readonly onEngine: (engine: string) => void;
  /** Comes where the engine parts the recording. */
  readonly onProgress: (progress: TranscribeProgress) => void;
}

type Fields = Omit<TranscriptionFields, 'stream'> & { readonly translate?: boolean };

/** What tells a container lies at its start; tags of MP3 may be longer, which are known by themselves. */
const LOOK_BYTES = 256 * 1024;
/** How a server that goes by the name of a file knows each container. */
const endings: Readonly<Record<Container, string>> = {
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  ogg: 'ogg',
  webm: 'webm',
  mp4: 'm4a',
  aac: 'aac',
  wma: 'wma',
};

/** A failure of a file as the interface tells it. */
function fromAudio(error: unknown): unknown {
  if (!(error instanceof AudioError)) return error;
  const codes = {
    too_long: 'too_large',
    unsupported: 'unsupported_media_type',
    needs_ffmpeg: 'unsupported_media_type',
    corrupted: 'invalid_request',
    empty: 'invalid_request',
  } as const;
  const values = error.format === null ? {} : { values: { format: error.format } };
  const detail = { param: 'file', cause: error, reason: `audio_${error.code}`, ...values };
  return new StudioError(codes[error.code], error.message, detail);
}

async function containerOf(path: string): Promise<Container> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
    if (bytesRead === 0) throw new AudioError('empty', 'The audio file is empty');
    const container = detectContainer(buffer.subarray(0, bytesRead));
    if (container !== null) return container;
    throw new AudioError(
      'unsupported',
      'The file is no audio that is known; send mp3, wav, m4a, flac, ogg, webm, aac, wma or opus',
    );
  } finally {
    await file.close();
  }
}

const MEASURE_RATE = 8_000;

/** How long a recording is; what cannot be decoded here is as long as its last words. */
async function measure(decoder: AudioDecoder, path: string, signal: AbortSignal): Promise<number | null> {
  const target = `${path}.${randomUUID()}.pcm`;
  try {
    return (await decoder.decode({ path, target, sampleRate: MEASURE_RATE }, signal)).seconds;
  } catch (error) {
    if (error instanceof AudioError) return null;
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}

/** Bytes of a second of speech at the least: coders go down to about 8 kbit/s. */
const MIN_BYTES_A_SECOND = 1_000;

/** How long the writing down of a file may take: by its length once that is known, by its size until then. */
async function timeoutFor({ totalMs, perSecondMs, maxSeconds }: TranscribeTimeout, path: string) {
  const { size } = await stat(path);
  let seconds = Math.min(maxSeconds, size / MIN_BYTES_A_SECOND);
  return {
    is: (known: number) => (seconds = known),
    ms: () => totalMs + Math.ceil(seconds * perSecondMs),
  };
}

const tookTooLong = (ms: number, cause: unknown): StudioError =>
  new StudioError(
    'timeout',
    `Writing the recording down took longer than ${Math.ceil(ms / 1000)} seconds (timeouts.total_ms and audio.ms_per_second allow no more)`,
    { cause, reason: 'audio_took_too_long' },
  );

/** Writes down the speech of a file by a model. */
async function write(
  deps: TranscribeDeps,
  call: ModelCall,
  model: CatalogueModel,
  path: string,
  fields: Fields,
  { onEngine, onProgress }: Watch,
): Promise<Transcribed> {
  const words = wantsWords(fields);
  const container = await containerOf(path).catch((error: unknown) => {
    throw fromAudio(error);
  });
  const { requestId, priority, signal } = call.details;
  const timeout = await timeoutFor(deps.timeout, path);
  const asked = {
    requestId,
    priority,
    path,
    name: `audio.${endings[container]}`,
    language: fields.language ?? null,
    prompt: fields.prompt ?? null,
    temperature: fields.temperature === undefined ? null : Number(fields.temperature),
    words,
    ...(fields.translate === true ? { translate: true } : {}),
    onProgress(progress: TranscribeProgress) {
      timeout.is(progress.seconds);
      onProgress(progress);
    },
  };
  const ask = async (one: Engine, name: string, ends: AbortSignal) => {
    if (!one.transcribe)
      throw new EngineError('refused', 'no speech', { detail: 'The engine of this model writes no speech down' });
    onEngine(one.id);
    return { result: await one.transcribe({ ...asked, model: name, signal: ends }), engine: one.id };
  };
  const { result, engine } = await call.execute(model, ask, timeout.ms).catch((error: unknown) => {
    if (error instanceof EngineError && error.limit === 'total') throw tookTooLong(timeout.ms(), error);
    throw fromAudio(error);
  });
  const timed = result.segments ?? [];
  const seconds = result.seconds ?? (await measure(deps.decoder, path, signal)) ?? timed.at(-1)?.end ?? 0;
  const { text, language } = result;
  const segments =
    timed.length > 0
      ? timed.map((one, id) => ({ id, ...one }))
      : text === ''
        ? []
        : [{ id: 0, start: 0, end: seconds, text }];
  return { model: model.id, engine, text, language, seconds, segments, words: words ? (result.words ?? []) : null };
}

const msOf = (seconds: number) => Math.round(seconds * 1000);

/**
 * Writes down the speech of a file; the model is metered, also for the part of one that breaks off that was written down. Throws StudioError
 * `unavailable` (no model), `invalid_request`, `unsupported_media_type`, `too_large`, `timeout`, and the EngineError of the engine.
 */
export async function transcribe(
  deps: TranscribeDeps,
  call: ModelCall,
  path: string,
  fields: Fields,
  onProgress: Watch['onProgress'] = () => undefined,
): Promise<Transcribed> {
  const model = speechModelOf(deps, call, 'transcription', fields.model);
  const progressed: { engine: string | null; seconds: number } = { engine: null, seconds: 0 };
  const watch: Watch = {
    onEngine: (engine) => (progressed.engine = engine),
    onProgress(progress) {
      progressed.seconds = progress.done;
      onProgress(progress);
    },
  };
  try {
    const done = await write(deps, call, model, path, fields, watch);
    call.meter({ model: model.id, engine: done.engine, audioInMs: msOf(done.seconds), outcome: 'ok' });
    return done;
  } catch (error) {
    const { engine, seconds } = progressed;
    // One that fails before anything was written down is no use of a model.
    if (engine !== null && (call.details.signal.aborted || seconds > 0))
      call.meter({ model: model.id, engine, audioInMs: msOf(seconds), error });
    throw error;
  }
}

/** Whether times of words are asked for. Throws StudioError `invalid_request` where the form of the answer has no place for them. */
function wantsWords(fields: Fields): boolean {
  const wanted = fields['timestamp_granularities[]']?.split(',').includes('word') ?? false;
  if (wanted && fields.response_format !== 'verbose_json')
    throw invalidRequest(
      'Times of words stand in verbose_json alone; set response_format to it',
      'timestamp_granularities[]',
    );
  return wanted;
}

/** Length of sound in the answer: in whole milliseconds, and in the form of OpenAI's interface. */
export const audioUsage = (seconds: number): Transcription['usage'] => {
  const ms = msOf(seconds);
  return { type: 'duration', seconds: ms / 1000, audio_duration_ms: ms };
};

/** A transcript in the form that was asked for. */
export function renderTranscript(
  { model, text, language, seconds, segments, words }: Transcribed,
  format: TranscriptionFields['response_format'],
  task: NonNullable<Transcription['task']> = 'transcribe',
): { readonly type: string; readonly body: string } {
  if (format === 'text') return { type: 'text/plain; charset=utf-8', body: `${text}\n` };
  if (format === 'srt') return { type: 'application/x-subrip; charset=utf-8', body: toSrt(segments) };
  if (format === 'vtt') return { type: 'text/vtt; charset=utf-8', body: toVtt(segments) };
  const usage = audioUsage(seconds);
  const whole: Transcription = {
    model,
    text,
    duration: usage.seconds,
    usage,
    ...(format === 'verbose_json' ? { task, language, segments: [...segments] } : {}),
    ...(words === null ? {} : { words: [...words] }),
  };
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(whole) };
}
