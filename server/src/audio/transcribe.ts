import { open } from 'node:fs/promises';
import type { Transcription, TranscriptionFields, TranscriptionSegment } from '@ai-studio/contract/audio.ts';
import { StudioError } from '../kernel/errors.ts';
import { EngineError, type TranscribeCall } from '../ports/engine.ts';
import { type Container, detectContainer } from './codecs/container.ts';
import type { AudioDecoder } from './codecs/decoder.ts';
import { AudioError } from './codecs/sound.ts';
import { toSrt, toVtt } from './captions.ts';
import { type SpeechContext, type SpeechDeps, speechModelOf } from './models.ts';

export interface TranscribeDeps extends SpeechDeps {
  readonly decoder: AudioDecoder;
}

/** Speech that was written down. */
export interface Transcribed {
  readonly model: string;
  readonly engine: string;
  readonly text: string;
  readonly language: string | null;
  readonly seconds: number;
  readonly segments: readonly TranscriptionSegment[];
}

/** Told of stretches as they are written down, where the engine parts the recording. */
type OnSegment = NonNullable<TranscribeCall['onSegment']>;

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
    corrupted: 'invalid_request',
    empty: 'invalid_request',
  } as const;
  const detail = { param: 'file', cause: error, reason: `audio_${error.code}` };
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
  try {
    const { samples } = await decoder.decode(path, MEASURE_RATE, signal);
    return samples.length / MEASURE_RATE;
  } catch (error) {
    if (error instanceof AudioError) return null;
    throw error;
  }
}

/**
 * Writes down the speech of a file. Throws StudioError `unavailable` (no model), `invalid_request`, `unsupported_media_type`,
 * `too_large`, and the EngineError of the engine.
 */
export async function transcribe(
  deps: TranscribeDeps,
  context: SpeechContext,
  path: string,
  fields: Omit<TranscriptionFields, 'stream'>,
  onSegment: OnSegment = () => undefined,
): Promise<Transcribed> {
  const { id: modelId, engines: bindings } = speechModelOf(deps, 'transcription', fields.model, context);
  const container = await containerOf(path).catch((error: unknown) => {
    throw fromAudio(error);
  });
  const { requestId, signal } = context;
  const call = {
    requestId,
    path,
    name: `audio.${endings[container]}`,
    language: fields.language ?? null,
    prompt: fields.prompt ?? null,
    temperature: fields.temperature === undefined ? null : Number(fields.temperature),
    onSegment,
  };
  const { result, engine } = await deps.router
    .call({ requestId, modelId, bindings, signal }, async (one, model, ends) => {
      if (!one.transcribe)
        throw new EngineError('refused', 'no speech', { detail: 'The engine of this model writes no speech down' });
      return { result: await one.transcribe({ ...call, model, signal: ends }), engine: one.id };
    })
    .catch((error: unknown) => {
      throw fromAudio(error);
    });
  const told = result.segments ?? [];
  const seconds = result.seconds ?? (await measure(deps.decoder, path, signal)) ?? told.at(-1)?.end ?? 0;
  const { text, language } = result;
  const segments =
    told.length > 0
      ? told.map((one, id) => ({ id, ...one }))
      : text === ''
        ? []
        : [{ id: 0, start: 0, end: seconds, text }];
  return { model: modelId, engine, text, language, seconds, segments };
}

/** A transcript in the form that was asked for. */
export function renderTranscript(
  { model, text, language, seconds, segments }: Transcribed,
  format: TranscriptionFields['response_format'],
): { readonly type: string; readonly body: string } {
  if (format === 'text') return { type: 'text/plain; charset=utf-8', body: `${text}\n` };
  if (format === 'srt') return { type: 'application/x-subrip; charset=utf-8', body: toSrt(segments) };
  if (format === 'vtt') return { type: 'text/vtt; charset=utf-8', body: toVtt(segments) };
  const duration = Math.round(seconds * 1000) / 1000;
  const whole: Transcription = {
    model,
    text,
    duration,
    usage: { audio_duration_ms: Math.round(seconds * 1000) },
    ...(format === 'verbose_json' ? { task: 'transcribe', language, segments: [...segments] } : {}),
  };
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(whole) };
}
