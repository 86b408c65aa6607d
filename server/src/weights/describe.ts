import type { LocalModel } from '../models/local.ts';
import type { Cause } from './cause.ts';
import type { LocalFacts } from './entry.ts';
import type { FolderModel } from './folder.ts';

/** A file of the folder of models. */
interface FolderFile {
  readonly id: string;
  readonly path: string;
  /** Why it cannot be used, where that is known before its header is read. */
  readonly problem?: string;
}

export interface DescribeDeps {
  /** The headers of the files. `update` resolves with the ids that changed or went. */
  readonly files: {
    update(files: readonly FolderFile[]): Promise<readonly string[]>;
    models(): readonly LocalModel[];
  };
  /** Memory that a model takes when it is loaded, in bytes. Throws for one that cannot be used. */
  readonly bytesOf: (id: string) => number;
  /** The name of such a failure. */
  readonly causeOf: (error: unknown) => Cause | null;
  /** Told of each model whose file changed or went. */
  readonly onForget?: (id: string) => void;
}

/** What the headers of the files say, and what follows from it for this machine, by local id. */
export type Describe = (found: readonly FolderModel[]) => Promise<ReadonlyMap<string, LocalFacts>>;

/** Makes what takes in what is in the folder; what somebody is still writing does not count. */
export function createDescribe({ files, bytesOf, causeOf, onForget }: DescribeDeps): Describe {
  const factsOf = (model: LocalModel): LocalFacts => {
    try {
      return { model, needsBytes: bytesOf(model.id), problem: null, cause: null };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { model, needsBytes: null, problem, cause: causeOf(error) };
    }
  };
  return async (found) => {
    const here = found.filter(({ state }) => state !== 'arriving');
    const given = here.map(({ id, path, state, reason }) =>
      state === 'broken' ? { id, path, problem: reason ?? 'The file is incomplete.' } : { id, path },
    );
    for (const id of await files.update(given)) onForget?.(id);
    return new Map(files.models().map((model) => [model.id, factsOf(model)]));
  };
}
