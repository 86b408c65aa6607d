import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { GgufError } from './gguf-header.ts';
import type { ServerSettings } from './child/settings.ts';
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
  /** It takes images, by a projector beside its file. */
  readonly images: boolean;
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

/** What runs the models of this machine, by their ids; null for the bundled runtime. */
export type ServerOf = (id: string) => ServerSettings | null;

/** Size and mark of what a model needs beside its file. Throws ModelFailure where it is not there. */
async function statProjector(server: ServerSettings | null): Promise<{ bytes: number; mark: string }> {
  if (server === null || server.projector === null) return { bytes: 0, mark: '' };
  const found = await stat(server.projector).catch(() => null);
  if (found) return { bytes: found.size, mark: ` ${found.size}:${found.mtimeMs}` };
  const name = basename(server.projector);
  throw new ModelFailure(
    'runtime',
    `The projector ${name} (mmproj of local_models.models) is not in the folder of models; put it there.`,
  );
}

interface InspectOptions {
  readonly settings: LocalSettings;
  readonly machine: Machine;
  readonly server: ServerSettings | null;
}

async function inspect({ id, path }: FolderFile, { settings, machine, server }: InspectOptions): Promise<FileEntry> {
  const found = await inspectModel(path);
  const { kind, trainContext, tokenBytes, tools, thinking, family, dimensions } = found;
  const projector = await statProjector(server);
  const bytes = found.bytes + projector.bytes;
  const fingerprint = found.fingerprint + projector.mark;
  const file: ModelFile = { id, path, kind, bytes, fingerprint, trainContext, tokenBytes, server };
  const by = server === null ? '' : ' by llama-server';
  const description = `${found.name ?? id}: ${found.architecture}, ${(bytes / GIB).toFixed(2)} GiB, on this machine${by}`;
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
      images: kind === 'chat' && server !== null && server.projector !== null,
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
    images: false,
    unusable: true,
  } as const satisfies DescribedModel;
  return { file: null, fingerprint, model, failure };
}

export function createLocalFiles(
  settings: LocalSettings,
  machine: Machine,
  serverOf: ServerOf = () => null,
): LocalFiles {
  let known: ReadonlyMap<string, FileEntry> = new Map();
  let updating: Promise<unknown> = Promise.resolve();

  /** The entry of a file: the one before where the file did not change. */
  const refresh = async (one: FolderFile): Promise<FileEntry | null> => {
    if (one.problem !== undefined) {
      const before = known.get(one.id);
      return before?.fingerprint === one.problem ? before : unusableEntry(one.id, one.problem, one.problem);
    }
    try {
      const server = serverOf(one.id);
      const projector = await statProjector(server).catch(() => ({ mark: ' no projector' }));
      const fingerprint = (await statModel(one.path)).fingerprint + projector.mark;
      const before = known.get(one.id);
      if (before?.fingerprint === fingerprint && (before.file?.path ?? one.path) === one.path) return before;
      return await inspect(one, { settings, machine, server }).catch((error: unknown) => {
        if (error instanceof GgufError) return unusableEntry(one.id, fingerprint, error.message);
        if (error instanceof ModelFailure)
          return { ...unusableEntry(one.id, fingerprint, error.message), failure: error };
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
