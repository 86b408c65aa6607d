import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { EngineError } from '../ports/engine.ts';
import { createEncoder, mediaTypes } from './codecs/encode.ts';
import { createMeasure } from './codecs/measure.ts';
import { withWavLength } from './codecs/wav.ts';
import { type SpeechContext, type SpeechDeps, speechModelOf } from './models.ts';

/** Speech as it is made. */
export interface Spoken {
  readonly model: string;
  readonly engine: string;
  readonly mediaType: string;
  /** Bytes of the format; breaking off ends the engine's work. */
  readonly parts: AsyncIterable<Uint8Array>;
  /** Length of the sound that was made by now, in seconds; null where nobody knows. */
  readonly seconds: () => number | null;
}

/** Sound in its format, and how much of it was made. */
interface Made {
  readonly parts: AsyncIterable<Uint8Array>;
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

/**
 * Says a text. Resolves once the first sound is there. Throws StudioError `unavailable` (no model), `invalid_request`, and the
 * EngineError of the engine.
 */
export async function speak(deps: SpeechDeps, context: SpeechContext, request: SpeechRequest): Promise<Spoken> {
  const { id: modelId, engines: bindings } = speechModelOf(deps, 'speech', request.model, context);
  const { requestId, signal } = context;
  const { input, voice = null, speed, response_format: format } = request;
  const { result, engine } = await deps.router.call({ requestId, modelId, bindings, signal }, async (one, model) => {
    if (!one.speak)
      throw new EngineError('refused', 'no speech', { detail: 'The engine of this model does not speak' });
    // The sound goes on after this call: the caller's signal ends it.
    return { result: await one.speak({ requestId, model, input, voice, speed, format, signal }), engine: one.id };
  });
  const made = result.type === 'bytes' ? pass(result.parts, format) : encode(result.parts, result.sampleRate, format);
  const parts = format === 'wav' && request.stream_format === 'audio' ? wholeWav(made.parts) : made.parts;
  return { model: modelId, engine, mediaType: mediaTypes[format], parts, seconds: made.seconds };
}

/** What a text that was said is counted by; the characters count as soon as there is any sound. */
export function countSpoken(input: string, { seconds }: Pick<Spoken, 'seconds'>) {
  const made = seconds();
  return { characters: Array.from(input).length, ...(made === null ? {} : { audioOutMs: Math.round(made * 1000) }) };
}
