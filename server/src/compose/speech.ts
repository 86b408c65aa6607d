import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpeechEngine, ESPEAK_MODEL, espeakVoices, findSpeechModels } from '../adapters/engines/speech/index.ts';
import { createAudioDecoder, createSpeechModels } from '../audio/index.ts';
import type { Config } from '../config/index.ts';
import type { Surfaces } from '../http/index.ts';
import type { ChatRouter } from '../inference/index.ts';
import { openProcessFolder } from '../kernel/process-folder.ts';
import { SPEECH_ENGINE } from '../models/local.ts';
import type { Base } from './parts.ts';

// The part of the composition that hears and speaks.

export { ESPEAK_MODEL, espeakVoices, findSpeechModels };

/** Where the folders of speech models are. */
export const speechFolder = ({ data_dir }: Config): string => join(data_dir, 'models', 'speech');

/** Begins to ask the program that speaks without a model, whose answer takes a tenth of a second: the first scan of models waits for it. */
export const lookForSpeechProgram = (): void => void espeakVoices();

/** The speech models of this machine, as they come and go. */
export const openSpeechModels = (config: Config) =>
  createSpeechModels({
    findModels: () => findSpeechModels(speechFolder(config)),
    hasProgram: async () => (await espeakVoices()) !== null,
    programId: ESPEAK_MODEL,
  });

/** What decodes files of people, and how long it may take. */
export type OpenSpeech = Omit<Surfaces['audio'], 'catalogue'>;

/** Opens the engine of this machine's speech models and what decodes files of people. */
export async function openSpeech(
  { config, log, parts }: Base,
  { router }: { readonly router: ChatRouter },
): Promise<OpenSpeech> {
  const { audio } = config;
  const maxSeconds = audio.max_minutes * 60;
  const folder = await openProcessFolder(join(config.data_dir, 'audio'));
  parts.onClose('folder of recordings', () => rm(folder, { recursive: true, force: true }));
  const decoder = parts.own(
    'decoder of recordings',
    createAudioDecoder({
      concurrency: audio.decode_threads,
      timeoutMs: audio.decode_timeout_ms,
      maxSeconds,
      ffmpeg: audio.ffmpeg,
    }),
  );
  const engine = parts.own(
    'speech engine',
    createSpeechEngine({ folder: speechFolder(config), decode: decoder.decode, log }),
  );
  router.setEngine(SPEECH_ENGINE, [{ engine, weight: 1 }]);
  parts.onClose('routing to speech', () => router.removeEngine(SPEECH_ENGINE));
  const timeout = { totalMs: config.timeouts.total_ms, perSecondMs: audio.ms_per_second, maxSeconds };
  return { router, decoder, timeout, folder, maxUploadBytes: audio.upload_bytes };
}
