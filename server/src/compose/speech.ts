import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpeechEngine, ESPEAK_MODEL, espeakVoices, findSpeechModels } from '../adapters/engines/speech/index.ts';
import { createAudioDecoder } from '../audio/index.ts';
import type { ChatRouter } from '../inference/index.ts';
import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { SPEECH_ENGINE } from '../models/local.ts';
import { ModelProfile } from '../models/profile.ts';
import { openProcessFolder } from './process-folder.ts';

// The part of the composition that hears and speaks.

export { espeakVoices, findSpeechModels };

/** Where the folders of speech models are. */
export const speechFolder = ({ data_dir }: Config): string => join(data_dir, 'models', 'speech');

const entryOf = (id: string, kind: 'transcription' | 'speech', description: string): CatalogueModel => ({
  id,
  ...ModelProfile.parse({ kind, description, engines: [{ engine: SPEECH_ENGINE, model: id }] }),
});

const programEntry = entryOf(
  ESPEAK_MODEL,
  'speech',
  'The program eSpeak NG: understandable, not natural. Until a model is there.',
);

/** The speech models of this machine, as they come and go. */
export interface SpeechModels {
  /** As of the last look: the same objects as long as nothing changes. */
  list(): readonly CatalogueModel[];
  look(): Promise<void>;
}

/**
 * Looks for the speech models that this machine has. One that appears is taken when two looks find the same files: a folder
 * that is being copied is no model yet. Those of the first look are taken at once.
 */
export function createSpeechModels(config: Config): SpeechModels {
  const folder = speechFolder(config);
  const entries = new Map<string, CatalogueModel>();
  let seen: ReadonlyMap<string, string> | null = null;
  let list: readonly CatalogueModel[] = [];
  return {
    list: () => list,
    async look() {
      const [found, voices] = await Promise.all([findSpeechModels(folder), espeakVoices()]);
      const before = seen;
      const settled = found.filter(
        ({ id, version }) => before === null || before.get(id) === version || entries.has(id),
      );
      seen = new Map(found.map(({ id, version }) => [id, version]));
      const next = settled.map(({ id, kind, family }) => {
        const known = entries.get(id);
        const description = `${family} model of this machine (sherpa-onnx)`;
        return known?.kind === kind && known.description === description ? known : entryOf(id, kind, description);
      });
      entries.clear();
      for (const entry of next) entries.set(entry.id, entry);
      const all = voices === null || entries.has(ESPEAK_MODEL) ? next : [...next, programEntry];
      if (all.length !== list.length || all.some((entry, i) => entry !== list[i])) list = all;
    },
  };
}

/** The entries of a catalogue with the speech models of this machine after them, where nothing else has their ids. */
export function withSpeechModels(
  entries: readonly CatalogueModel[],
  models: readonly CatalogueModel[],
): readonly CatalogueModel[] {
  const taken = new Set(entries.map(({ id }) => id));
  return [...entries, ...models.filter(({ id }) => !taken.has(id))];
}

interface Speech {
  readonly options: HttpOptions['audio'];
  close(): Promise<void>;
}

/** Opens the engine of this machine's speech models and what decodes files of people. */
export async function openSpeech(
  config: Config,
  { router, log }: { readonly router: ChatRouter; readonly log: Logger },
): Promise<Speech> {
  const { audio } = config;
  const folder = await openProcessFolder(join(config.data_dir, 'audio'));
  const decoder = createAudioDecoder({
    concurrency: audio.decode_threads,
    timeoutMs: audio.decode_timeout_ms,
    maxSeconds: audio.max_minutes * 60,
    ffmpeg: audio.ffmpeg,
  });
  const timeout = {
    totalMs: config.timeouts.total_ms,
    perSecondMs: audio.ms_per_second,
    maxSeconds: audio.max_minutes * 60,
  };
  const engine = createSpeechEngine({ folder: speechFolder(config), decode: decoder.decode, log });
  router.setEngine(SPEECH_ENGINE, [{ engine, weight: 1 }]);
  return {
    options: { decoder, timeout, folder, maxUploadBytes: audio.upload_bytes },
    async close() {
      router.removeEngine(SPEECH_ENGINE);
      await engine.close();
      await decoder.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
