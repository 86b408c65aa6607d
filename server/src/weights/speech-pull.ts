import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { downloadFile, type Progress } from './download/file.ts';
import { takeLock } from './download/lock.ts';
import { type SpeechWeights, speechWeights } from './speech-models.ts';

export interface SpeechPullOptions {
  /** Folder whose folders are speech models. */
  readonly folder: string;
  /** Address of the hub, or of a mirror with its paths. */
  readonly mirror: string;
  readonly token: string | null;
  readonly requireChecksum: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
}

/** The entry of a name. Throws StudioError `not_found`. */
function entryOf(id: string): SpeechWeights {
  const found = speechWeights.find((one) => one.id === id.toLowerCase());
  if (found !== undefined) return found;
  const known = speechWeights.map((one) => one.id).join(', ');
  throw new StudioError('not_found', `There is no speech model ${JSON.stringify(id.slice(0, 100))}; known: ${known}`);
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Downloads a speech model; its folder appears when it is whole. What came of an earlier try is kept and continued. Resolves with
 * its id, null where it was there already. Throws StudioError.
 */
export async function pullSpeechModel(what: string, options: SpeechPullOptions): Promise<string | null> {
  const { id, repository, files } = entryOf(what);
  const { folder, mirror, token, requireChecksum, signal, onProgress } = options;
  const whole = join(folder, id);
  if (await isThere(whole)) return null;
  // Names that begin with a dot are no models.
  const coming = join(folder, `.${id}`);
  await mkdir(coming, { recursive: true });
  const unlock = await takeLock(join(folder, `.${id}.lock`), id);
  try {
    for (const name of files) {
      const url = `${mirror.replace(/\/+$/, '')}/${repository}/resolve/main/${encodeURIComponent(name)}`;
      const tell = (progress: Progress) => onProgress(name, progress);
      const given = { folder: coming, token, readExtent: null, requireChecksum, signal, onProgress: tell };
      await downloadFile({ url, name, sha256: null }, given);
    }
    await rm(join(coming, '.downloads'), { recursive: true, force: true });
    await rename(coming, whole);
    return id;
  } finally {
    await unlock();
  }
}
