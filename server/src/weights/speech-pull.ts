import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { downloadFile, type Progress } from './download/file.ts';
import { acquireLock } from './download/lock.ts';
import { type SpeechWeights, speechWeights } from './speech-models.ts';

export interface SpeechPullOptions {
  /** Folder whose folders are speech models. */
  readonly folder: string;
  /** Address of the hub, or of a mirror with its paths. */
  readonly mirror: string;
  readonly token: string | null;
  readonly requireChecksum: boolean;
  /** The models that there are; those of the catalogue when left out. */
  readonly known?: readonly SpeechWeights[];
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
}

/** Finds a speech model by name. Throws StudioError `not_found`. */
function findSpeechModel(id: string, known: readonly SpeechWeights[]): SpeechWeights {
  const found = known.find((one) => one.id === id.toLowerCase());
  if (found !== undefined) return found;
  const knownIds = known.map((one) => one.id).join(', ');
  throw new StudioError(
    'not_found',
    `There is no speech model ${JSON.stringify(id.slice(0, 100))}; known: ${knownIds}`,
  );
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Downloads a speech model, each file at the pinned revision with its size and checksum; its folder appears when it is complete. Continues
 * an earlier attempt. Resolves with its id; null where it existed already. Throws StudioError.
 */
export async function pullSpeechModel(what: string, options: SpeechPullOptions): Promise<string | null> {
  const { id, repository, revision, files } = findSpeechModel(what, options.known ?? speechWeights);
  const { folder, mirror, token, requireChecksum, signal, onProgress } = options;
  const target = join(folder, id);
  if (await exists(target)) return null;
  // Folders with a leading dot are no models.
  const partialFolder = join(folder, `.${id}`);
  await mkdir(partialFolder, { recursive: true });
  const unlock = await acquireLock(join(folder, `.${id}.lock`), id);
  try {
    for (const { path: name, bytes, sha256 } of files) {
      const path = name.split('/').map(encodeURIComponent).join('/');
      const url = `${mirror.replace(/\/+$/, '')}/${repository}/resolve/${revision}/${path}`;
      // Files of a folder within lie in that folder here too.
      const place = join(partialFolder, dirname(name));
      await mkdir(place, { recursive: true });
      const reportProgress = (progress: Progress) => onProgress(name, progress);
      const given = {
        folder: place,
        token,
        readExtent: null,
        requireChecksum,
        signal,
        onProgress: reportProgress,
      };
      await downloadFile({ url, name: basename(name), sha256, bytes }, given);
      await rm(join(place, '.downloads'), { recursive: true, force: true });
    }
    await rm(join(partialFolder, '.downloads'), { recursive: true, force: true });
    await rename(partialFolder, target);
    return id;
  } finally {
    await unlock();
  }
}
