import type { Logger } from '../../../kernel/log.ts';
import {
  type Engine,
  EngineError,
  type SpeakCall,
  type SpeakResult,
  type TranscribeCall,
  type TranscribeResult,
} from '../../../ports/engine.ts';
import { espeak, espeakVoices } from './espeak.ts';
import { HEARING_RATE } from './messages.ts';
import { findSpeechModels, readSpeakers, type SpeechModel } from './model-files.ts';
import { createSpeechProcess } from './process.ts';

export { findSpeechModels } from './model-files.ts';
export { espeakVoices } from './espeak.ts';

/** Name of the program's model in the catalogue. */
export const ESPEAK_MODEL = 'espeak-ng';

export interface SpeechEngineOptions {
  /** Folder whose folders are models. */
  readonly folder: string;
  /** Decodes a file to one channel of a sampling rate. */
  readonly decode: (
    path: string,
    sampleRate: number,
    signal: AbortSignal,
  ) => Promise<{ readonly samples: Float32Array }>;
  readonly log: Logger;
}

/** The speaker of a voice: its name in speakers.txt, or its number. */
function speakerOf({ voice }: SpeakCall, model: SpeechModel): number {
  if (voice === null) return 0;
  const named = readSpeakers(model).indexOf(voice);
  if (named >= 0) return named;
  if (/^\d{1,4}$/.test(voice)) return Number(voice);
  throw new EngineError('refused', 'no such voice', {
    param: 'voice',
    detail: `The model ${model.id} has no voice ${JSON.stringify(voice.slice(0, 60))}; use the number of a speaker, from 0`,
  });
}

/** Speech models of this machine, in a process of their own, and the program eSpeak NG. */
export function createSpeechEngine({ folder, decode, log }: SpeechEngineOptions): Engine {
  const process = createSpeechProcess(log);
  const modelOf = (id: string, kind: SpeechModel['kind']): SpeechModel => {
    const model = findSpeechModels(folder).find((one) => one.id === id && one.kind === kind);
    if (model === undefined) throw new EngineError('unavailable', `The speech model ${id} is not there`);
    return model;
  };

  async function transcribe(call: TranscribeCall): Promise<TranscribeResult> {
    const model = modelOf(call.model, 'transcription');
    const { samples } = await decode(call.path, HEARING_RATE, call.signal);
    const seconds = samples.length / HEARING_RATE;
    const segments: { start: number; end: number; text: string }[] = [];
    let language: string | null = null;
    for await (const part of process.run(
      { type: 'transcribe', model, samples, language: call.language },
      call.signal,
    )) {
      if (part.type !== 'segment') continue;
      const { start, end, text } = part;
      segments.push({ start, end, text });
      call.onSegment?.({ start, end, text }, Math.min(1, end / seconds));
      language ??= part.language;
    }
    return { text: segments.map(({ text }) => text).join(' '), language: call.language ?? language, seconds, segments };
  }

  async function speak(call: SpeakCall): Promise<SpeakResult> {
    if (call.model === ESPEAK_MODEL) {
      const voices = await espeakVoices();
      if (voices === null) throw new EngineError('unavailable', 'The program espeak-ng is not installed any more');
      return espeak(call, voices);
    }
    const model = modelOf(call.model, 'speech');
    const order = {
      type: 'speak',
      model,
      text: call.input,
      speaker: speakerOf(call, model),
      speed: call.speed,
    } as const;
    const made = process.run(order, call.signal);
    const first = await made.next();
    if (first.done === true || first.value.type !== 'sound')
      throw new EngineError('protocol', 'The model made no sound');
    const { samples, sampleRate } = first.value;
    async function* parts(): AsyncGenerator<Float32Array, void> {
      yield samples;
      for await (const part of made) if (part.type === 'sound') yield part.samples;
    }
    return { type: 'sound', sampleRate, parts: parts() };
  }

  return {
    id: 'speech',
    kind: 'speech',
    traits: { choices: false, reportsStop: false },
    transcribe,
    speak,
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: async () =>
      [...findSpeechModels(folder).map(({ id }) => id), ...((await espeakVoices()) === null ? [] : [ESPEAK_MODEL])].map(
        (name) => ({ name, contextLength: null }),
      ),
    close: () => process.close(),
  };
}
