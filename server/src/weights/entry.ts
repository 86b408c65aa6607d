import type { LocalModel } from '../models/local.ts';
import { type Cause, causedBy } from './cause.ts';
import type { CatalogueWeights } from './catalogue-entry.ts';
import type { Download } from './download/notes.ts';
import type { FolderModel } from './folder.ts';
import { NOT_VERIFIED, type Origin } from './origin.ts';
import type { RunningModel } from './runtime.ts';

/** Where a model stands, from not being here to being in memory. `arriving`: somebody is copying it into the folder. */
export type WeightsState =
  | 'absent'
  | 'downloading'
  | 'verifying'
  | 'arriving'
  | 'ready'
  | 'loading'
  | 'loaded'
  | 'failed';

/** What the header of a model's file says, and what follows from it for this machine. */
export interface LocalFacts {
  readonly model: LocalModel;
  /** Memory that it takes when it is loaded, in bytes; null for a file that cannot be used. */
  readonly needsBytes: number | null;
  /** Why it cannot be used. */
  readonly problem: string | null;
  /** The same by its name. */
  readonly cause: Cause | null;
}

/** An id of the service's catalogue that a model of this machine serves. */
export interface BoundTo {
  readonly catalogueId: string;
  /** `configuration`: only a change of the configuration takes it back. */
  readonly by: 'command' | 'configuration';
}

/** A model that can be downloaded, or is in the folder, or is on its way there. */
export interface WeightsEntry {
  /** Name among the models to download; for others the local id, or the name of the file where such a name is taken. Unique. */
  readonly id: string;
  /** Id under which the service serves the file; null before the file is here. */
  readonly localId: string | null;
  readonly state: WeightsState;
  /** Why it failed, or what keeps it from being ready; for people. */
  readonly reason: string | null;
  /** The same by its name, where it has one. */
  readonly cause: Cause | null;
  /** What a person should know of a file that is here all the same, such as that there was no checksum. */
  readonly warning: string | null;
  /** 0 to 1 while it comes or is loaded; null where that is not known. */
  readonly progress: number | null;
  /** On disk; null before it is here. */
  readonly bytes: number | null;
  /** The download of it that runs, or that left something to go on with or a reason why it failed. */
  readonly download: Download | null;
  /** What can be known before it is here; null for a file of another origin. */
  readonly about: CatalogueWeights | null;
  /** What its header says; null before it is whole. */
  readonly facts: LocalFacts | null;
  /** Its place in memory; null where it has none, or where no service runs. */
  readonly running: RunningModel | null;
  readonly origin: Origin | null;
  readonly boundTo: readonly BoundTo[];
  readonly pinned: boolean;
}

/** What is known of one model. */
export interface Known {
  readonly about: CatalogueWeights | null;
  readonly file: FolderModel | null;
  readonly download: Download | null;
  readonly facts: LocalFacts | null;
  readonly running: RunningModel | null;
  readonly boundTo: readonly BoundTo[];
  readonly pinned: boolean;
}

type Stand = Pick<WeightsEntry, 'state' | 'reason' | 'cause' | 'progress'>;

const count = (bytes: number) => bytes.toLocaleString('en');
const shareOf = ({ part, parts, bytes, total }: Download) =>
  total === null || total === 0 ? null : (part - 1 + bytes / total) / parts;

function standOfDownload(download: Download): Stand {
  const { status, phase, bytes, total, pid, message } = download;
  if (status === 'running') {
    const cause = message === null ? null : (download.cause ?? null);
    return { state: phase, reason: message, cause, progress: shareOf(download) };
  }
  const kept = `${count(bytes)}${total === null ? '' : ` of ${count(total)}`} bytes are kept; pull it again to go on`;
  if (status === 'stopped') {
    return {
      state: 'absent',
      reason: `The download was ended: ${kept}.`,
      cause: causedBy('download_stopped'),
      progress: null,
    };
  }
  if (status === 'failed')
    return { state: 'failed', reason: download.reason, cause: download.cause ?? null, progress: null };
  return {
    state: 'failed',
    reason: `The download was interrupted, its process ${pid} is gone: ${kept}.`,
    cause: causedBy('download_interrupted'),
    progress: null,
  };
}

function standOfFile(file: FolderModel, facts: LocalFacts | null, running: RunningModel | null): Stand {
  const { bytes, totalBytes, reason, cause } = file;
  if (file.state === 'broken') return { state: 'failed', reason, cause, progress: null };
  if (file.state === 'arriving') {
    return { state: 'arriving', reason, cause, progress: totalBytes ? Math.min(1, bytes / totalBytes) : null };
  }
  const problem = facts?.problem ?? null;
  if (problem !== null) return { state: 'failed', reason: problem, cause: facts?.cause ?? null, progress: null };
  if (!running) return { state: 'ready', reason: null, cause: null, progress: null };
  const { phase } = running;
  const progress = phase === 'loading' ? running.progress : null;
  return { state: phase, reason: running.reason, cause: running.cause, progress };
}

/** Name in the list: that among the models to download, else the local id; the file's own where another model has that name. */
function nameOf({ about, file, download }: Known, taken: ReadonlySet<string>): string {
  if (about) return about.id;
  const id = file?.id ?? download?.id ?? '';
  return taken.has(id) ? (file?.name ?? download?.name ?? id).toLowerCase() : id;
}

/** One model in the terms of the list; `taken` are the names of models to download. */
export function entryOf(known: Known, taken: ReadonlySet<string>): WeightsEntry {
  const { about, file, download, facts, running, boundTo, pinned } = known;
  const whole = file?.state === 'ready';
  const stand: Stand =
    download?.status === 'running'
      ? standOfDownload(download)
      : file
        ? standOfFile(file, facts, running)
        : download
          ? standOfDownload(download)
          : { state: 'absent', reason: null, cause: null, progress: null };
  return {
    id: nameOf(known, taken),
    localId: file?.id ?? null,
    ...stand,
    warning: file?.origin?.check === 'none' ? NOT_VERIFIED : null,
    bytes: file?.bytes ?? null,
    download: whole && download?.status !== 'running' ? null : download,
    about,
    facts: whole ? facts : null,
    running,
    origin: file?.origin ?? null,
    boundTo,
    pinned,
  };
}
