import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpeechEngine, ESPEAK_MODEL, espeakVoices, findSpeechModels } from '../adapters/engines/speech/index.ts';
import { createAudioDecoder } from '../audio/index.ts';
import type { ChatRouter } from '../chat/index.ts';
import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import { SPEECH_ENGINE } from '../models/local.ts';
import { ModelProfile } from '../models/profile.ts';

// The part of the composition that hears and speaks.

export { espeakVoices, findSpeechModels };

/** Where the folders of speech models are. */
export const speechFolder = ({ data_dir }: Config): string => join(data_dir, 'models', 'speech');

const entryOf = (id: string, kind: 'transcription' | 'speech', description: string): CatalogueModel => ({
  id,
  ...ModelProfile.parse({ kind, description, engines: [{ engine: SPEECH_ENGINE, model: id }] }),
});

/** The catalogue with the speech models that this machine has, after those of the configuration. Looked for at the start. */
export async function withSpeechModels(config: Config, catalogue: Catalogue): Promise<Catalogue> {
  const own = findSpeechModels(speechFolder(config)).map(({ id, kind, family }) =>
    entryOf(id, kind, `${family} model of this machine (sherpa-onnx)`),
  );
  if ((await espeakVoices()) !== null)
    own.push(
      entryOf(ESPEAK_MODEL, 'speech', 'The program eSpeak NG: understandable, not natural. Until a model is there.'),
    );
  const added = own.filter(({ id }) => catalogue.get(id) === undefined);
  const byId = new Map(added.map((model) => [model.id, model]));
  return {
    defaultModel: catalogue.defaultModel,
    defaultEmbedder: catalogue.defaultEmbedder,
    get: (id) => catalogue.get(id) ?? byId.get(id),
    list: () => [...catalogue.list(), ...added],
  };
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
  const folder = join(config.data_dir, 'audio', String(process.pid));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const decoder = createAudioDecoder({
    size: audio.decode_threads,
    timeoutMs: audio.decode_timeout_ms,
    maxSeconds: audio.max_minutes * 60,
  });
  const engine = createSpeechEngine({ folder: speechFolder(config), decode: decoder.decode, log });
  router.setEngine(SPEECH_ENGINE, [{ engine, weight: 1 }]);
  return {
    options: { decoder, folder, maxUploadBytes: audio.upload_bytes },
    async close() {
      router.removeEngine(SPEECH_ENGINE);
      await engine.close();
      await decoder.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
