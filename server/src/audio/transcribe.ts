import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import type {
  Transcription,
  TranscriptionFields,
  TranscriptionSegment,
  TranscriptionWord,
} from '@ai-studio/contract/audio.ts';
import { toSrt, toVtt } from '@ai-studio/contract/captions.ts';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { EngineError, type TranscribeCall, type TranscribeProgress } from '../ports/engine.ts';
import { type Container, detectContainer } from './codecs/container.ts';
import type { AudioDecoder } from './codecs/decoder.ts';
import { AudioError } from './codecs/sound.ts';
import { type SpeechContext, type SpeechDeps, speechModelOf } from './models.ts';

export interface TranscribeDeps extends SpeechDeps {
  readonly decoder: AudioDecoder;
  readonly timeout: TranscribeTimeout;
}

/** Time limit of a transcription: `totalMs`, plus `perSecondMs` for each second of the recording up to `maxSeconds`. */
export interface TranscribeTimeout {
  readonly totalMs: number;
  readonly perSecondMs: number;
  readonly maxSeconds: number;
}

/** A finished transcription. */
export interface Transcribed {
  readonly model: string;
  readonly engine: string;
  readonly text: string;
  readonly language: string | null;
  readonly seconds: number;
  readonly segments: readonly TranscriptionSegment[];
  /** Null where they were not requested. */
  readonly words: readonly TranscriptionWord[] | null;
}

/** Callbacks during a transcription. */
export interface TranscribeWatch {
  /** An engine is called; another one may follow after a failure. */
  readonly onEngine?: (engine: string, model: string) => void;
  /** Only called by engines that split the recording. */
  readonly onProgress?: NonNullable<TranscribeCall['onProgress']>;
}

/** Bytes from which the container is detected. Tags of MP3 may be longer, but are recognised by themselves. */
const DETECTION_BYTES = 256 * 1024;
/** File extensions by which servers recognise each container. */
const fileExtensions: Readonly<Record<Container, string>> = {
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  ogg: 'ogg',
  webm: 'webm',
  mp4: 'm4a',
  aac: 'aac',
  wma: 'wma',
};

/** Turns an AudioError into a StudioError; returns other errors unchanged. */
function toStudioError(error: unknown): unknown {
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
    const { buffer, bytesRead } = await file.read(Buffer.alloc(DETECTION_BYTES), 0, DETECTION_BYTES, 0);
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

/** Length of a recording in seconds; null where it cannot be decoded here. */
async function measureSeconds(decoder: AudioDecoder, path: string, signal: AbortSignal): Promise<number | null> {
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

/** Minimum bytes of a second of speech: codecs go down to about 8 kbit/s. */
const MIN_BYTES_A_SECOND = 1_000;

/** The time limit of a file: by its length once that is known, and by its size until then. */
async function timeoutFor({ totalMs, perSecondMs, maxSeconds }: TranscribeTimeout, path: string) {
  const { size } = await stat(path);
  let seconds = Math.min(maxSeconds, size / MIN_BYTES_A_SECOND);
  return {
    setSeconds: (known: number) => (seconds = known),
    ms: () => totalMs + Math.ceil(seconds * perSecondMs),
  };
}

const transcriptionTimeout = (ms: number, cause: unknown): StudioError =>
  new StudioError(
    'timeout',
    `Writing the recording down took longer than ${Math.ceil(ms / 1000)} seconds (timeouts.total_ms and audio.ms_per_second allow no more)`,
    { cause, reason: 'audio_took_too_long' },
  );

/**
 * Transcribes the speech of a file. Throws StudioError `unavailable` (no model), `invalid_request`, `unsupported_media_type`,
 * `too_large`, `timeout`, and the EngineError of the engine.
 */
export async function transcribe(
  deps: TranscribeDeps,
  context: SpeechContext,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
  { onEngine, onProgress }: TranscribeWatch = {},
): Promise<Transcribed> {
  const { id: modelId, engines: bindings } = speechModelOf(deps, 'transcription', fields.model, context);
  const includeWords = requestsWords(fields);
  const container = await containerOf(path).catch((error: unknown) => {
    throw toStudioError(error);
  });
  const { requestId, signal } = context;
  const timeout = await timeoutFor(deps.timeout, path);
  const call = {
    requestId,
    path,
    name: `audio.${fileExtensions[container]}`,
    language: fields.language ?? null,
    prompt: fields.prompt ?? null,
    temperature: fields.temperature === undefined ? null : Number(fields.temperature),
    words: includeWords,
    onProgress(progress: TranscribeProgress) {
      timeout.setSeconds(progress.seconds);
      onProgress?.(progress);
    },
  };
  const { result, engine } = await deps.router
    .call({ requestId, modelId, bindings, signal, totalMs: timeout.ms }, async (engine, model, attemptSignal) => {
      if (!engine.transcribe)
        throw new EngineError('refused', 'no speech', { detail: 'The engine of this model writes no speech down' });
      onEngine?.(engine.id, modelId);
      return { result: await engine.transcribe({ ...call, model, signal: attemptSignal }), engine: engine.id };
    })
    .catch((error: unknown) => {
      if (error instanceof EngineError && error.limit === 'total') throw transcriptionTimeout(timeout.ms(), error);
      throw toStudioError(error);
    });
  const engineSegments = result.segments ?? [];
  const seconds =
    result.seconds ?? (await measureSeconds(deps.decoder, path, signal)) ?? engineSegments.at(-1)?.end ?? 0;
  const { text, language } = result;
  const segments =
    engineSegments.length > 0
      ? engineSegments.map((segment, id) => ({ id, ...segment }))
      : text === ''
        ? []
        : [{ id: 0, start: 0, end: seconds, text }];
  return {
    model: modelId,
    engine,
    text,
    language,
    seconds,
    segments,
    words: includeWords ? (result.words ?? []) : null,
  };
}

/** Whether times of words are requested. Throws StudioError `invalid_request` where the response format cannot hold them. */
function requestsWords(fields: Omit<TranscriptionFields, 'stream'>): boolean {
  const isRequested = fields['timestamp_granularities[]']?.split(',').includes('word') ?? false;
  if (isRequested && fields.response_format !== 'verbose_json')
    throw invalidRequest(
      'Times of words stand in verbose_json alone; set response_format to it',
      'timestamp_granularities[]',
    );
  return isRequested;
}

/** The length of sound as usage: in whole milliseconds, and in the form of OpenAI's interface. */
export const audioUsage = (seconds: number): Transcription['usage'] => {
  const ms = Math.round(seconds * 1000);
  return { type: 'duration', seconds: ms / 1000, audio_duration_ms: ms };
};

/** Renders a transcript in the requested format. */
export function renderTranscript(
  { model, text, language, seconds, segments, words }: Transcribed,
  format: TranscriptionFields['response_format'],
): { readonly type: string; readonly body: string } {
  if (format === 'text') return { type: 'text/plain; charset=utf-8', body: `${text}\n` };
  if (format === 'srt') return { type: 'application/x-subrip; charset=utf-8', body: toSrt(segments) };
  if (format === 'vtt') return { type: 'text/vtt; charset=utf-8', body: toVtt(segments) };
  const usage = audioUsage(seconds);
  const transcription: Transcription = {
    model,
    text,
    duration: usage.seconds,
    usage,
    ...(format === 'verbose_json' ? { task: 'transcribe', language, segments: [...segments] } : {}),
    ...(words === null ? {} : { words: [...words] }),
  };
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(transcription) };
}
