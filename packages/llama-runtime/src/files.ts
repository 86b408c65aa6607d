import { statSync } from 'node:fs';
import { GgufError } from './gguf-header.ts';
import { type InspectedModel, inspectModel, statModel } from './inspect.ts';
import { ModelFailure } from './supervisor/failure.ts';
import type { Machine } from './supervisor/machine.ts';
import { type LocalSettings, type ModelFile, planLoad } from './supervisor/plan.ts';

/** A file of the folder of models. */
export interface FolderFile {
  readonly id: string;
  readonly path: string;
  /** Why it cannot be used, where that is known before its header is read. */
  readonly problem?: string;
}

/** A model file in the terms of the catalogue. */
export interface DescribedModel {
  readonly id: string;
  readonly kind: InspectedModel['kind'];
  readonly description: string;
  readonly contextLength: number;
  readonly tools: boolean;
  readonly thinking: InspectedModel['thinking'];
  readonly family: string | null;
  readonly dimensions: number | null;
  /** Its file is no model, or a damaged one. */
  readonly unusable?: boolean;
}

interface FileEntry {
  readonly file: ModelFile | null;
  readonly fingerprint: string;
  readonly model: DescribedModel;
  readonly failure: ModelFailure | null;
}

/** The model files of this machine with what their headers say. */
export interface LocalFiles {
  /** Updates the index; reads the headers of new and changed files. Resolves with the ids that changed or were removed. */
  update(files: readonly FolderFile[]): Promise<readonly string[]>;
  /** Throws ModelFailure `absent`, `corrupt`. */
  find(id: string): ModelFile;
  /** The same for callers that open the file: throws ModelFailure `absent` also where it changed or was removed since the update. */
  findUnchanged(id: string): ModelFile;
  models(): readonly DescribedModel[];
}

const GIB = 1024 ** 3;

async function inspect({ id, path }: FolderFile, settings: LocalSettings, machine: Machine): Promise<FileEntry> {
  const found = await inspectModel(path);
  const { kind, bytes, fingerprint, trainContext, tokenBytes, tools, thinking, family, dimensions } = found;
  const file: ModelFile = { id, path, kind, bytes, fingerprint, trainContext, tokenBytes };
  const description = `${found.name ?? id}: ${found.architecture}, ${(bytes / GIB).toFixed(2)} GiB, on this machine`;
  const { contextLength } = planLoad(file, settings, machine);
  return {
    file,
    fingerprint,
    failure: null,
    model: {
      id,
      kind,
      description,
      contextLength,
      tools,
      thinking,
      family,
      dimensions: kind === 'embedding' ? dimensions : null,
    },
  };
}

/** An entry for a file that cannot be used, so that requests for it fail with the reason. */
function unusableEntry(id: string, fingerprint: string, reason: string): FileEntry {
  const failure = new ModelFailure('corrupt', `The model ${id} cannot be used: ${reason}`);
  const model = {
    id,
    kind: 'chat',
    description: reason,
    contextLength: 4096,
    tools: true,
    thinking: 'none',
    family: null,
    dimensions: null,
    unusable: true,
  } as const satisfies DescribedModel;
  return { file: null, fingerprint, model, failure };
}

export function createLocalFiles(settings: LocalSettings, machine: Machine): LocalFiles {
  let known: ReadonlyMap<string, FileEntry> = new Map();
  let updating: Promise<unknown> = Promise.resolve();

  /** The entry of a file: the one before where the file did not change. */
  const refresh = async (one: FolderFile): Promise<FileEntry | null> => {
    if (one.problem !== undefined) {
      const before = known.get(one.id);
      return before?.fingerprint === one.problem ? before : unusableEntry(one.id, one.problem, one.problem);
    }
    try {
      const { fingerprint } = await statModel(one.path);
      const before = known.get(one.id);
      if (before?.fingerprint === fingerprint && (before.file?.path ?? one.path) === one.path) return before;
      return await inspect(one, settings, machine).catch((error: unknown) => {
        if (error instanceof GgufError) return unusableEntry(one.id, fingerprint, error.message);
        throw error;
      });
    } catch (error) {
      // It was removed in the meantime.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      return unusableEntry(one.id, 'unread', 'The file cannot be read.');
    }
  };
  const update = async (files: readonly FolderFile[]) => {
    const next = new Map<string, FileEntry>();
    for (const file of files) {
      const found = await refresh(file);
      if (found) next.set(file.id, found);
    }
    const changed = [...known].filter(([id, before]) => next.get(id) !== before).map(([id]) => id);
    known = next;
    return changed;
  };

  const find = (id: string): ModelFile => {
    const found = known.get(id);
    if (found?.file) return found.file;
    throw found?.failure ?? new ModelFailure('absent', `There is no model ${id} on this machine.`);
  };

  return {
    find,
    findUnchanged(id) {
      const file = find(id);
      const now = statSync(file.path, { throwIfNoEntry: false });
      if (!now) throw new ModelFailure('absent', `There is no model ${id} on this machine.`);
      if (file.fingerprint.split(' ')[0] === `${now.size}:${now.mtimeMs}`) return file;
      throw new ModelFailure('absent', `The file of the model ${id} is being replaced at the moment.`);
    },
    update(files) {
      const done = updating.then(() => update(files));
      updating = done.catch(() => undefined);
      return done;
    },
    models: () => [...known.values()].map(({ model }) => model),
  };
}
