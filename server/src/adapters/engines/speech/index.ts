import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Logger } from '../../../kernel/log.ts';
import {
  type Engine,
  EngineError,
  type SpeakCall,
  type SpeakResult,
  type SpokenSegment,
  type TranscribeCall,
  type TranscribeResult,
} from '../../../ports/engine.ts';
import { espeak, espeakVoices } from './espeak.ts';
import { requestedVoice } from './hosted-voices.ts';
import { RECOGNITION_SAMPLE_RATE } from './messages.ts';
import { findSpeechModels, readSpeakers, type SpeechModel } from './model-files.ts';
import { createSpeechProcess } from './process.ts';

export { findSpeechModels } from './model-files.ts';
export { espeakVoices } from './espeak.ts';

/** Name of the program's model in the catalogue. */
export const ESPEAK_MODEL = 'espeak-ng';

export interface SpeechEngineOptions {
  /** Folder whose folders are models. */
  readonly folder: string;
  /** Decodes a file to another one: one channel of a sampling rate, 16 bits, little endian, without a head. */
  readonly decode: (
    task: { readonly path: string; readonly target: string; readonly sampleRate: number },
    signal: AbortSignal,
  ) => Promise<{ readonly seconds: number }>;
  readonly log: Logger;
}

/** The speaker of a voice: its name in speakers.txt, or its number. */
async function speakerOf({ voice }: SpeakCall, model: SpeechModel): Promise<number> {
  if (voice === null) return 0;
  const named = (await readSpeakers(model)).indexOf(voice);
  if (named >= 0) return named;
  if (requestedVoice(voice) === null) return 0;
  if (/^\d{1,4}$/.test(voice)) return Number(voice);
  throw new EngineError('refused', 'no such voice', {
    param: 'voice',
    detail: `The model ${model.id} has no voice ${JSON.stringify(voice.slice(0, 60))}; use the number of a speaker, from 0`,
  });
}

/** Speech models of this machine, in a process of their own, and the program eSpeak NG. */
export function createSpeechEngine({ folder, decode, log }: SpeechEngineOptions): Engine {
  const process = createSpeechProcess(log);
  const modelOf = async (id: string, kind: SpeechModel['kind']): Promise<SpeechModel> => {
    const model = (await findSpeechModels(folder)).find((one) => one.id === id && one.kind === kind);
    if (model === undefined) throw new EngineError('unavailable', `The speech model ${id} is not there`);
    return model;
  };

  async function transcribe(call: TranscribeCall): Promise<TranscribeResult> {
    const model = await modelOf(call.model, 'transcription');
    if (call.words)
      throw new EngineError('refused', 'no times of words', {
        param: 'timestamp_granularities[]',
        detail: `The model ${call.model} gives times of segments and none of words; leave timestamp_granularities out, or use segment`,
      });
    if (call.translate === true && (model.kind !== 'transcription' || model.family !== 'whisper'))
      throw new EngineError('refused', 'no translation', {
        param: 'model',
        detail: `The model ${call.model} writes down what is said in its own language; models of the family Whisper translate`,
      });
    const target = `${call.path}.${randomUUID()}.pcm`;
    try {
      const { seconds } = await decode({ path: call.path, target, sampleRate: RECOGNITION_SAMPLE_RATE }, call.signal);
      return await transcribeFile(call, model, target, seconds);
    } finally {
      await rm(target, { force: true });
    }
  }

  async function transcribeFile(
    call: TranscribeCall,
    model: SpeechModel,
    path: string,
    seconds: number,
  ): Promise<TranscribeResult> {
    const segments: SpokenSegment[] = [];
    let language: string | null = null;
    call.onProgress?.({ seconds, done: 0, segment: null });
    const { language: spoken, translate = false } = call;
    const request = { type: 'transcribe', model, path, language: spoken, translate } as const;
    for await (const part of process.run(request, call.signal)) {
      if (part.type !== 'segment') continue;
      const { start, end, text } = part;
      const segment = text === '' ? null : { start, end, text };
      if (segment !== null) {
        segments.push(segment);
        language ??= part.language;
      }
      call.onProgress?.({ seconds, done: Math.min(end, seconds), segment });
    }
    return { text: segments.map(({ text }) => text).join(' '), language: spoken ?? language, seconds, segments };
  }

  async function speak(call: SpeakCall): Promise<SpeakResult> {
    if (call.model === ESPEAK_MODEL) {
      const voices = await espeakVoices();
      if (voices === null) throw new EngineError('unavailable', 'The program espeak-ng is not installed any more');
      return espeak(call, voices);
    }
    const model = await modelOf(call.model, 'speech');
    const request = {
      type: 'speak',
      model,
      text: call.input,
      speaker: await speakerOf(call, model),
      speed: call.speed,
    } as const;
    const generated = process.run(request, call.signal);
    const first = await generated.next();
    if (first.done === true || first.value.type !== 'sound')
      throw new EngineError('refused', 'no sound', {
        param: 'input',
        detail: `The model ${call.model} made no sound of this text; it has no sounds for its letters, or there are none to say`,
      });
    const { samples, sampleRate } = first.value;
    async function* parts(): AsyncGenerator<Float32Array, void> {
      yield samples;
      for await (const part of generated) if (part.type === 'sound') yield part.samples;
    }
    return { type: 'sound', sampleRate, parts: parts() };
  }

  return {
    id: 'speech',
    kind: 'speech',
    traits: { choices: false, reportsStop: false },
    transcribe,
    speak,
    async voices(model) {
      if (model === ESPEAK_MODEL) return [...((await espeakVoices()) ?? [])].map((name) => ({ id: name, name }));
      const names = await readSpeakers(await modelOf(model, 'speech'));
      return names.map((name) => ({ id: name, name }));
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: async () =>
      [
        ...(await findSpeechModels(folder)).map(({ id }) => id),
        ...((await espeakVoices()) === null ? [] : [ESPEAK_MODEL]),
      ].map((name) => ({ name, contextLength: null })),
    close: () => process.close(),
  };
}
