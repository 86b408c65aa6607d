import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cause, causedBy } from './cause.ts';
import { isModelName, isProjectorName, modelId, partNames, plainName } from './names.ts';
import { type Origin, readOrigin } from './origin.ts';

/** End of the data of a file according to its header, or why the header cannot be read. */
export type Extent =
  | { readonly end: number }
  /** `cut`: the file ends within its header. */
  | { readonly problem: string; readonly cut: boolean };

/** Reads the header of a model file. Rejects with file system errors only. */
export type ReadExtent = (path: string) => Promise<Extent>;

/** A model of the folder. */
export interface FolderModel {
  readonly id: string;
  /** Name of its file; of a model in several that of the first. */
  readonly name: string;
  readonly path: string;
  /** Names of the files that are here. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Size of the complete model; null where it is not known yet. */
  readonly totalBytes: number | null;
  /** `arriving`: it is being written, and may be incomplete. `broken`: it will not become complete by itself. */
  readonly state: 'ready' | 'arriving' | 'broken';
  /** Why it is not ready, for people. */
  readonly reason: string | null;
  /** The same by its name. */
  readonly cause: Cause | null;
  /** Of the first file. */
  readonly origin: Origin | null;
}

export interface ModelFolder {
  /** Scans the folder for models, each with a unique id. Empty where the folder does not exist. */
  scan(): Promise<readonly FolderModel[]>;
}

export interface ModelFolderOptions {
  readonly folder: string;
  readonly readExtent: ReadExtent;
  /** Milliseconds since 1970, as files have them. */
  readonly now?: () => number;
}

/** A complete file that changed this recently may still be written to: some programs allocate the full size first. */
const SETTLE_MS = 2_000;
/** An incomplete file without writes for this long stays incomplete. */
const STALLED_MS = 30_000;

/** A file at the last scan. */
interface FileSnapshot {
  readonly mark: string;
  /** Inode; another one means that another file was moved here. */
  readonly ino: number;
  readonly extent: Extent;
  readonly origin: Origin | null;
  /** Time of the first scan with this state. */
  readonly since: number;
  /** Whether it changed between scans. */
  readonly changed: boolean;
}

interface FileState extends FileSnapshot {
  readonly size: number;
  /** Time since the last known write. */
  readonly quietMs: number;
}

const formatBytes = (bytes: number) => bytes.toLocaleString('en');

type Problem = Pick<FolderModel, 'state' | 'reason' | 'cause'>;

const stillArriving = (reason: string): Problem => ({ state: 'arriving', reason, cause: causedBy('file_arriving') });

function findProblem({ extent, size, quietMs, origin }: FileState): Problem {
  if ('problem' in extent && !extent.cut)
    return quietMs < SETTLE_MS
      ? stillArriving('The file is still being written.')
      : { state: 'broken', reason: extent.problem, cause: causedBy('file_damaged') };
  if ('problem' in extent) {
    if (quietMs < STALLED_MS) return stillArriving('The file is still being written: its beginning is here.');
    const reason = `The file is incomplete: only its beginning is here. ${extent.problem}`;
    return { state: 'broken', reason, cause: causedBy('file_damaged') };
  }
  if (extent.end > size) {
    const here = `${formatBytes(size)} of its ${formatBytes(extent.end)} bytes are here.`;
    if (quietMs < STALLED_MS) return stillArriving(`The file is still being written: ${here}`);
    const cause = causedBy('file_incomplete', { have_bytes: size, all_bytes: extent.end });
    return { state: 'broken', reason: `The file is incomplete: only ${here}`, cause };
  }
  // The service itself only puts complete files here.
  if (origin !== null || quietMs >= SETTLE_MS) return { state: 'ready', reason: null, cause: null };
  return stillArriving('The file is still being written, or has been a moment ago.');
}

const severity = { ready: 0, arriving: 1, broken: 2 } as const;

function describeModel(folder: string, names: readonly string[], states: ReadonlyMap<string, FileState>): FolderModel {
  const [name = ''] = names;
  const here = names.flatMap((file) => states.get(file) ?? []);
  const missing = names.flatMap((file, i) => (states.has(file) ? [] : [i + 1]));
  const ends = here.map(({ extent }) => ('end' in extent ? extent.end : null));
  const known = missing.length === 0 && ends.every((end) => end !== null);
  const problems = here.map(findProblem);
  if (missing.length > 0) {
    const quietMs = Math.min(...here.map((file) => file.quietMs));
    problems.push({
      state: quietMs < STALLED_MS ? 'arriving' : 'broken',
      reason: `Of its ${names.length} files these are missing: ${missing.join(', ')}.`,
      cause: causedBy('file_parts_missing', { files: names.length, missing: missing.join(', ') }),
    });
  }
  const [first] = problems.toSorted((a, b) => severity[b.state] - severity[a.state]);
  return {
    id: modelId(name),
    name,
    path: join(folder, name),
    files: names.filter((file) => states.has(file)),
    bytes: here.reduce((sum, { size }) => sum + size, 0),
    totalBytes: known ? ends.reduce<number>((sum, end, i) => sum + Math.max(end ?? 0, here[i]?.size ?? 0), 0) : null,
    state: first?.state ?? 'broken',
    reason: first?.reason ?? null,
    cause: first?.cause ?? null,
    origin: states.get(name)?.origin ?? null,
  };
}

/** Of several models with the same id, the one with that file name gets it, else the first; the others become unusable. */
function resolveIdConflicts(models: readonly FolderModel[]): readonly FolderModel[] {
  const owners = new Map<string, FolderModel>();
  for (const model of models) {
    const { id, name } = model;
    if (!owners.has(id) || plainName(name) === `${id}.gguf`) owners.set(id, model);
  }
  return models.map((model): FolderModel => {
    const owner = owners.get(model.id);
    if (!owner || owner === model) return model;
    const reason = `The file ${owner.name} has the id ${model.id} already; give one of them another name.`;
    const cause = causedBy('file_id_taken', { file: owner.name, id: model.id });
    return { ...model, id: model.name, state: 'broken', reason, cause };
  });
}

/** Watches the folder of models. Reads headers again only of changed files. */
export function createModelFolder({ folder, readExtent, now = Date.now }: ModelFolderOptions): ModelFolder {
  let snapshots: ReadonlyMap<string, FileSnapshot> = new Map();

  const lookAt = async (name: string): Promise<FileState | null> => {
    try {
      const path = join(folder, name);
      const found = await stat(path);
      if (!found.isFile()) return null;
      const { size, mtimeMs, ino } = found;
      const mark = `${ino}:${size}:${mtimeMs}`;
      const before = snapshots.get(name);
      const current: FileSnapshot =
        before?.mark === mark
          ? before
          : {
              mark,
              ino,
              extent: await readExtent(path),
              origin: await readOrigin(folder, name, found),
              since: now(),
              changed: before?.ino === ino,
            };
      // Clocks of other machines differ: a file that changed between scans counts from its last change here.
      const observedMs = now() - current.since;
      return { ...current, size, quietMs: current.changed ? observedMs : Math.max(observedMs, now() - mtimeMs) };
    } catch (error) {
      // The file was removed during the scan.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      const extent = { problem: 'The file cannot be read.', cut: false };
      return { mark: 'unread', ino: 0, extent, origin: null, since: 0, changed: false, size: 0, quietMs: STALLED_MS };
    }
  };

  const scan = async (): Promise<readonly FolderModel[]> => {
    const all = await readdir(folder).catch((): string[] => []);
    const names = all.filter((name) => isModelName(name) && !isProjectorName(name)).toSorted();
    const states = new Map<string, FileState>();
    for (const name of names) {
      const state = await lookAt(name);
      if (state) states.set(name, state);
    }
    snapshots = states;
    const models = new Map<string, FolderModel>();
    for (const name of states.keys()) {
      const parts = partNames(name) ?? [name];
      if (!models.has(parts[0])) models.set(parts[0], describeModel(folder, parts, states));
    }
    return resolveIdConflicts([...models.values()]);
  };
  let lastScan: Promise<unknown> = Promise.resolve();
  return {
    scan() {
      const found = lastScan.then(scan);
      lastScan = found.catch(() => undefined);
      return found;
    },
  };
}
