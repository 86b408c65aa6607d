import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import type { ModelCall } from '../inference/index.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { usualSpeechFormat } from '../models/aliases.ts';
import { EngineError, type SpeakResult } from '../ports/engine.ts';
import type { ModelUse } from '../usage/index.ts';
import type { AudioDecoder, EncodeAac } from './codecs/decoder.ts';
import { createEncoder, mediaTypes, type SoundEncoder, type SpeechFormat } from './codecs/encode.ts';
import { createMeasure } from './codecs/measure.ts';
import { toPcm16, withWavLength } from './codecs/wav.ts';
import { type SpeechDeps, speechModelOf } from './models.ts';

/** Speech as it is made. */
export interface Spoken {
  readonly model: string;
  readonly mediaType: string;
  /** Bytes of the format; breaking off ends the engine's work. */
  readonly parts: AsyncIterable<Uint8Array>;
}

/** Sound in its format, and how much of it was made. */
interface Made {
  readonly parts: AsyncIterable<Uint8Array>;
  /** Length of the sound that was made by now, in seconds; null where nobody knows. */
  readonly seconds: () => number | null;
}

/** How sound is encoded that comes as samples. */
type ToEncoder = (sampleRate: number) => Promise<SoundEncoder>;

/** AAC is made at the end, by a program. */
const aacEncoder =
  (encodeAac: EncodeAac, signal: AbortSignal): ToEncoder =>
  async (sampleRate) => {
    const pieces: Buffer[] = [];
    return {
      add(samples) {
        pieces.push(toPcm16(samples));
        return Buffer.alloc(0);
      },
      end: () => encodeAac(Buffer.concat(pieces), sampleRate, signal),
    };
  };

/** Throws StudioError `invalid_request` where nothing makes the format. */
async function encoderOf({ decoder }: SpeakDeps, format: SpeechFormat, signal: AbortSignal): Promise<ToEncoder> {
  if (format !== 'aac') return (sampleRate) => createEncoder(format, sampleRate);
  const encodeAac = await decoder.aacEncoder();
  if (encodeAac === null)
    throw invalidRequest(
      'response_format aac is made by the program ffmpeg, which is not installed on the server; use mp3, opus, flac, wav or pcm',
      'response_format',
    );
  return aacEncoder(encodeAac, signal);
}

function encode(sound: AsyncIterable<Float32Array>, sampleRate: number, toEncoder: ToEncoder): Made {
  let samples = 0;
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    const encoder = await toEncoder(sampleRate);
    for await (const part of sound) {
      samples += part.length;
      const bytes = encoder.add(part);
      if (bytes.length > 0) yield bytes;
    }
    yield await encoder.end();
  }
  return { parts: parts(), seconds: () => samples / sampleRate };
}

function pass(bytes: AsyncIterable<Uint8Array>, format: SpeechFormat): Made {
  const measure = createMeasure(format);
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    for await (const part of bytes) {
      measure.add(part);
      yield part;
    }
  }
  return { parts: parts(), seconds: measure.seconds };
}

/** Whole, with the length in its head: many programs take it from there. */
async function* wholeWav(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  yield withWavLength(Buffer.concat(all));
}

/** Meters the characters as soon as there is any sound, and the sound as far as it was made. */
async function* metered(
  call: ModelCall,
  { parts, seconds }: Made,
  use: Pick<ModelUse, 'model' | 'engine' | 'characters'>,
): AsyncGenerator<Uint8Array, void> {
  let whole = false;
  let error: unknown;
  try {
    yield* parts;
    whole = true;
  } catch (failure) {
    error = failure;
    throw failure;
  } finally {
    const made = seconds();
    const outcome = whole ? 'ok' : call.details.signal.aborted ? 'canceled' : 'error';
    call.meter({ ...use, ...(made === null ? {} : { audioOutMs: Math.round(made * 1000) }), outcome, error });
  }
}

/** Sound of samples in a format; where nothing makes that, the sound is not waited for. */
async function encodeSamples(
  deps: SpeakDeps,
  { parts, sampleRate }: Extract<SpeakResult, { readonly type: 'sound' }>,
  format: SpeechFormat,
  signal: AbortSignal,
): Promise<Made> {
  try {
    return encode(parts, sampleRate, await encoderOf(deps, format, signal));
  } catch (error) {
    void parts[Symbol.asyncIterator]().return?.();
    throw error;
  }
}

/** What speaking works with. */
export interface SpeakDeps extends SpeechDeps {
  /** Knows whether AAC can be made. */
  readonly decoder: Pick<AudioDecoder, 'aacEncoder'>;
}

/**
 * Says a text; the model is metered when its sound ends. Resolves once the first sound is there. Throws StudioError `unavailable` (no
 * model), `invalid_request`, and the EngineError of the engine.
 */
export async function speak(deps: SpeakDeps, call: ModelCall, request: SpeechRequest): Promise<Spoken> {
  const model = speechModelOf(deps, call, 'speech', request.model);
  const { requestId, priority, signal } = call.details;
  const { input, speed, voice: given } = request;
  const voice = (typeof given === 'object' ? given?.id : given) ?? null;
  const format = request.response_format ?? usualSpeechFormat(request.model);
  const { result, engine } = await call.execute(model, async (one, name) => {
    if (!one.speak)
      throw new EngineError('refused', 'no speech', { detail: 'The engine of this model does not speak' });
    // The sound goes on after this call: the caller's signal ends it.
    const asked = { requestId, priority, model: name, input, voice, speed, format, signal };
    return { result: await one.speak(asked), engine: one.id };
  });
  const made = result.type === 'bytes' ? pass(result.parts, format) : await encodeSamples(deps, result, format, signal);
  const whole = format === 'wav' && request.stream_format === 'audio';
  const sound = whole ? { ...made, parts: wholeWav(made.parts) } : made;
  const parts = metered(call, sound, { model: model.id, engine, characters: Array.from(input).length });
  return { model: model.id, mediaType: mediaTypes[format], parts };
}
