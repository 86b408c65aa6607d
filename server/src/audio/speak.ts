import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { EngineError } from '../ports/engine.ts';
import { createEncoder, mediaTypes } from './codecs/encode.ts';
import { withWavLength } from './codecs/wav.ts';
import { type SpeechContext, type SpeechDeps, speechModelOf } from './models.ts';

/** Speech as it is made. */
export interface Spoken {
  readonly model: string;
  readonly engine: string;
  readonly mediaType: string;
  /** Bytes of the format; breaking off ends the engine's work. */
  readonly parts: AsyncIterable<Uint8Array>;
}

async function* encoded(
  parts: AsyncIterable<Float32Array>,
  sampleRate: number,
  format: SpeechRequest['response_format'],
): AsyncGenerator<Uint8Array, void> {
  const encoder = await createEncoder(format, sampleRate);
  for await (const part of parts) {
    const bytes = encoder.add(part);
    if (bytes.length > 0) yield bytes;
  }
  yield await encoder.end();
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
  const bytes = result.type === 'bytes' ? result.parts : encoded(result.parts, result.sampleRate, format);
  const parts = format === 'wav' && request.stream_format === 'audio' ? wholeWav(bytes) : bytes;
  return { model: modelId, engine, mediaType: mediaTypes[format], parts };
}
