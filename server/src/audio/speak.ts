import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { EngineError } from '../ports/engine.ts';
import { createEncoder, mediaTypes } from './codecs/encode.ts';
import { createMeasure } from './codecs/measure.ts';
import { withWavLength } from './codecs/wav.ts';
import { type SpeechContext, type SpeechDeps, speechModelOf } from './models.ts';

/** Speech that is being generated. */
export interface Spoken {
  readonly model: string;
  readonly engine: string;
  readonly mediaType: string;
  /** Bytes of the format; ending the iteration ends the engine's work. */
  readonly parts: AsyncIterable<Uint8Array>;
  /** Length of the sound generated so far, in seconds; null where it is unknown. */
  readonly seconds: () => number | null;
}

/** Encoded sound, and its length so far. */
interface MeasuredSound {
  readonly parts: AsyncIterable<Uint8Array>;
  readonly seconds: () => number | null;
}

function encodeSound(
  sound: AsyncIterable<Float32Array>,
  sampleRate: number,
  format: SpeechRequest['response_format'],
): MeasuredSound {
  let samples = 0;
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    const encoder = await createEncoder(format, sampleRate);
    for await (const chunk of sound) {
      samples += chunk.length;
      const bytes = encoder.add(chunk);
      if (bytes.length > 0) yield bytes;
    }
    yield await encoder.end();
  }
  return { parts: parts(), seconds: () => samples / sampleRate };
}

function measureParts(bytes: AsyncIterable<Uint8Array>, format: SpeechRequest['response_format']): MeasuredSound {
  const measure = createMeasure(format);
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of bytes) {
      measure.add(chunk);
      yield chunk;
    }
  }
  return { parts: parts(), seconds: measure.seconds };
}

/** Collects a whole WAV file to write its length into the header, where many programs read it. */
async function* withLength(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of parts) chunks.push(chunk);
  yield withWavLength(Buffer.concat(chunks));
}

/**
 * Speaks a text. Resolves once the first sound is there. Throws StudioError `unavailable` (no model), `invalid_request`, and the
 * EngineError of the engine.
 */
export async function speak(deps: SpeechDeps, context: SpeechContext, request: SpeechRequest): Promise<Spoken> {
  const { id: modelId, engines: bindings } = speechModelOf(deps, 'speech', request.model, context);
  const { requestId, signal } = context;
  const { input, voice = null, speed, response_format: format } = request;
  const { result, engine } = await deps.router.call(
    { requestId, modelId, bindings, signal },
    async (speaker, model) => {
      if (!speaker.speak)
        throw new EngineError('refused', 'no speech', { detail: 'The engine of this model does not speak' });
      // The sound continues after this call returns: the caller's signal ends it.
      return {
        result: await speaker.speak({ requestId, model, input, voice, speed, format, signal }),
        engine: speaker.id,
      };
    },
  );
  const made =
    result.type === 'bytes' ? measureParts(result.parts, format) : encodeSound(result.parts, result.sampleRate, format);
  const parts = format === 'wav' && request.stream_format === 'audio' ? withLength(made.parts) : made.parts;
  return { model: modelId, engine, mediaType: mediaTypes[format], parts, seconds: made.seconds };
}

/** The usage of a spoken text; its characters count as soon as there is any sound. */
export function countSpoken(input: string, { seconds }: Pick<Spoken, 'seconds'>) {
  const made = seconds();
  return { characters: Array.from(input).length, ...(made === null ? {} : { audioOutMs: Math.round(made * 1000) }) };
}
