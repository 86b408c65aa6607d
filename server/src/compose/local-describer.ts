import { statSync } from 'node:fs';
import {
  type FailureKind,
  type Machine,
  ModelFailure,
  type ModelFile,
  type SupervisorSettings,
  createLocalFiles,
  planLoad,
} from '@ai-studio/llama-runtime';
import type { LocalModel } from '../models/local.ts';
import { type Cause, type FolderModel, type LocalFacts, causedBy } from '../weights/index.ts';

/** Failures by the names that people are told them by. */
export const causes: Readonly<Record<FailureKind, Cause | null>> = {
  absent: causedBy('model_absent'),
  corrupt: causedBy('file_damaged'),
  architecture: causedBy('model_architecture'),
  memory: causedBy('model_memory'),
  crashed: causedBy('model_crashed'),
  runtime: causedBy('model_runtime'),
  stopping: null,
};

/** What the headers of the files say, and what follows from it for this machine. */
export function createDescriber(settings: SupervisorSettings, machine: Machine, onForget: (id: string) => void) {
  const files = createLocalFiles(settings, machine);
  const factsOf = (model: LocalModel): LocalFacts => {
    try {
      const needsBytes = planLoad(files.find(model.id), settings, machine).bytes;
      return { model, needsBytes, problem: null, cause: null };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { model, needsBytes: null, problem, cause: error instanceof ModelFailure ? causes[error.reason] : null };
    }
  };
  return {
    /** The file of a model. Throws ModelFailure where there is none, or where it is changing in this moment. */
    find(id: string): ModelFile {
      const file = files.find(id);
      // The folder is looked at once a second: what is loaded must be what was seen.
      const now = statSync(file.path, { throwIfNoEntry: false });
      if (!now) throw new ModelFailure('absent', `There is no model ${id} on this machine.`);
      if (file.fingerprint.split(' ')[0] === `${now.size}:${now.mtimeMs}`) return file;
      throw new ModelFailure('absent', `The file of the model ${id} is being replaced at the moment.`);
    },
    models: files.models,
    /** Takes in what is in the folder; what somebody is still writing does not count. */
    async describe(found: readonly FolderModel[]): Promise<ReadonlyMap<string, LocalFacts>> {
      const here = found.filter(({ state }) => state !== 'arriving');
      const given = here.map(({ id, path, state, reason }) =>
        state === 'broken' ? { id, path, problem: reason ?? 'The file is incomplete.' } : { id, path },
      );
      for (const id of await files.update(given)) onForget(id);
      return new Map(files.models().map((model) => [model.id, factsOf(model)]));
    },
  };
}
export type Describer = ReturnType<typeof createDescriber>;
