import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import type { ModelCall } from '../inference/index.ts';
import { EngineError } from '../ports/engine.ts';
import type { ModelUse } from '../usage/index.ts';
import { createEncoder, mediaTypes } from './codecs/encode.ts';
import { createMeasure } from './codecs/measure.ts';
import { withWavLength } from './codecs/wav.ts';
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

function encode(
  sound: AsyncIterable<Float32Array>,
  sampleRate: number,
  format: SpeechRequest['response_format'],
): Made {
  let samples = 0;
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    const encoder = await createEncoder(format, sampleRate);
    for await (const part of sound) {
      samples += part.length;
      const bytes = encoder.add(part);
      if (bytes.length > 0) yield bytes;
    }
    yield await encoder.end();
  }
  return { parts: parts(), seconds: () => samples / sampleRate };
}

function pass(bytes: AsyncIterable<Uint8Array>, format: SpeechRequest['response_format']): Made {
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

/**
 * Says a text; the model is metered when its sound ends. Resolves once the first sound is there. Throws StudioError `unavailable` (no
 * model), `invalid_request`, and the EngineError of the engine.
 */
export async function speak(deps: SpeechDeps, call: ModelCall, request: SpeechRequest): Promise<Spoken> {
  const model = speechModelOf(deps, call, 'speech', request.model);
  const { requestId, priority, signal } = call.details;
  const { input, voice = null, speed, response_format: format } = request;
  const { result, engine } = await call.execute(model, async (one, name) => {
    if (!one.speak)
      throw new EngineError('refused', 'no speech', { detail: 'The engine of this model does not speak' });
    // The sound goes on after this call: the caller's signal ends it.
    const asked = { requestId, priority, model: name, input, voice, speed, format, signal };
    return { result: await one.speak(asked), engine: one.id };
  });
  const made = result.type === 'bytes' ? pass(result.parts, format) : encode(result.parts, result.sampleRate, format);
  const whole = format === 'wav' && request.stream_format === 'audio';
  const sound = whole ? { ...made, parts: wholeWav(made.parts) } : made;
  const parts = metered(call, sound, { model: model.id, engine, characters: Array.from(input).length });
  return { model: model.id, mediaType: mediaTypes[format], parts };
}
