import type { LocalModel } from '../models/local.ts';
import { type Cause, causedBy } from './cause.ts';
import type { CatalogueWeights } from './catalogue-entry.ts';
import type { Download } from './download/notes.ts';
import type { FolderModel } from './folder.ts';
import { NOT_VERIFIED, type Origin } from './origin.ts';
import type { EmbeddingProfile } from '../models/profile.ts';
import type { RunningModel, TriedEmbedder } from './runtime.ts';

/** State of a model, from absent to loaded into memory. `arriving`: it is being copied into the folder. */
export type WeightsState =
  | 'absent'
  | 'downloading'
  | 'verifying'
  | 'arriving'
  | 'ready'
  | 'loading'
  | 'loaded'
  | 'failed';

/** Facts from the header of a model's file, and what follows from them for this machine. */
export interface LocalFacts {
  readonly model: LocalModel;
  /** Memory of the loaded model in bytes; null for a file that cannot be used. */
  readonly needsBytes: number | null;
  /** Why it cannot be used. */
  readonly problem: string | null;
  /** The same by its name. */
  readonly cause: Cause | null;
}

/** An id of the service's catalogue that a local model serves. */
export interface BoundTo {
  readonly catalogueId: string;
  /** `configuration`: only a change of the configuration ends it. */
  readonly by: 'command' | 'configuration';
}

/** A model that can be downloaded, is being downloaded, or is in the folder. */
export interface WeightsEntry {
  /** Id in the catalogue of downloads; for other models the local id, or the file name where that id is taken. Unique. */
  readonly id: string;
  /** Id under which the service serves the file; null before the file is here. */
  readonly localId: string | null;
  readonly state: WeightsState;
  /** Why it failed, or what keeps it from being ready; for people. */
  readonly reason: string | null;
  /** The same by its name, where it has one. */
  readonly cause: Cause | null;
  /** A warning about a usable file, such as that there was no checksum. */
  readonly warning: string | null;
  /** 0 to 1 while it is downloaded or loaded; null where it is unknown. */
  readonly progress: number | null;
  /** Size on disk; null before it is here. */
  readonly bytes: number | null;
  /** Its running download, or one that left a part to continue or a reason of its failure. */
  readonly download: Download | null;
  /** Its entry in the catalogue of downloads; null for other files. */
  readonly about: CatalogueWeights | null;
  /** Facts from its header; null before it is complete. */
  readonly facts: LocalFacts | null;
  /** Its state in memory; null where it is not loaded or no service runs. */
  readonly running: RunningModel | null;
  readonly origin: Origin | null;
  readonly boundTo: readonly BoundTo[];
  readonly pinned: boolean;
  /** Of an embedding model; null for others, and before its file is here. */
  readonly embedder: EmbedderEntry | null;
}

/** What is known of an embedding model beside its file. */
export interface EmbedderEntry {
  /** What people said by command or in the console. */
  readonly settings: EmbeddingProfile;
  /** What came of it when it was tried last; null where it was not. */
  readonly tried: TriedEmbedder | null;
}

/** All data about one model. */
export interface ModelSources {
  readonly about: CatalogueWeights | null;
  readonly file: FolderModel | null;
  readonly download: Download | null;
  readonly facts: LocalFacts | null;
  readonly running: RunningModel | null;
  readonly boundTo: readonly BoundTo[];
  readonly pinned: boolean;
  readonly embedder: EmbedderEntry | null;
}

type EntryState = Pick<WeightsEntry, 'state' | 'reason' | 'cause' | 'progress'>;

const formatBytes = (bytes: number) => bytes.toLocaleString('en');
const progressOf = ({ part, parts, bytes, total }: Download) =>
  total === null || total === 0 ? null : (part - 1 + bytes / total) / parts;

function stateOfDownload(download: Download): EntryState {
  const { status, phase, bytes, total, pid, message } = download;
  if (status === 'running') {
    const cause = message === null ? null : (download.cause ?? null);
    return { state: phase, reason: message, cause, progress: progressOf(download) };
  }
  const keptHint = `${formatBytes(bytes)}${total === null ? '' : ` of ${formatBytes(total)}`} bytes are kept; pull it again to go on`;
  if (status === 'stopped') {
    return {
      state: 'absent',
      reason: `The download was ended: ${keptHint}.`,
      cause: causedBy('download_stopped'),
      progress: null,
    };
  }
  if (status === 'failed')
    return { state: 'failed', reason: download.reason, cause: download.cause ?? null, progress: null };
  return {
    state: 'failed',
    reason: `The download was interrupted, its process ${pid} is gone: ${keptHint}.`,
    cause: causedBy('download_interrupted'),
    progress: null,
  };
}

function stateOfFile(file: FolderModel, facts: LocalFacts | null, running: RunningModel | null): EntryState {
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

/** Id in the list: that of the catalogue of downloads, else the local id, else the file name where that id is taken. */
function idOf({ about, file, download }: ModelSources, catalogueIds: ReadonlySet<string>): string {
  if (about) return about.id;
  const id = file?.id ?? download?.id ?? '';
  return catalogueIds.has(id) ? (file?.name ?? download?.name ?? id).toLowerCase() : id;
}

/** Creates the list entry of a model. */
export function createEntry(known: ModelSources, catalogueIds: ReadonlySet<string>): WeightsEntry {
  const { about, file, download, facts, running, boundTo, pinned, embedder } = known;
  const isComplete = file?.state === 'ready';
  const state: EntryState =
    download?.status === 'running'
      ? stateOfDownload(download)
      : file
        ? stateOfFile(file, facts, running)
        : download
          ? stateOfDownload(download)
          : { state: 'absent', reason: null, cause: null, progress: null };
  return {
    id: idOf(known, catalogueIds),
    localId: file?.id ?? null,
    ...state,
    warning: file?.origin?.check === 'none' ? NOT_VERIFIED : null,
    bytes: file?.bytes ?? null,
    download: isComplete && download?.status !== 'running' ? null : download,
    about,
    facts: isComplete ? facts : null,
    running,
    origin: file?.origin ?? null,
    boundTo,
    pinned,
    embedder: isComplete ? embedder : null,
  };
}
