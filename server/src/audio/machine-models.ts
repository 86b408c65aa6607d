import type { CatalogueModel } from '../models/catalogue.ts';
import { speechProfile } from '../models/speech.ts';

/** A folder of a speech model. */
interface FoundModel {
  readonly id: string;
  readonly kind: 'transcription' | 'speech';
  readonly family: string;
  /** Another one when its files change. */
  readonly version: string;
}

export interface SpeechModelsDeps {
  readonly findModels: () => Promise<readonly FoundModel[]>;
  /** Whether the program that speaks without a model is installed. */
  readonly hasProgram: () => Promise<boolean>;
  /** Id of that program. */
  readonly programId: string;
}

/** The speech models of this machine, as they come and go. */
export interface SpeechModels {
  /** As of the last scan: the same objects as long as nothing changes. */
  list(): readonly CatalogueModel[];
  scan(): Promise<void>;
}

/**
 * Looks for the speech models that this machine has. One that appears is taken when two scans find the same files: a folder
 * that is being copied is no model yet. Those of the first scan are taken at once.
 */
export function createSpeechModels({ findModels, hasProgram, programId }: SpeechModelsDeps): SpeechModels {
  const program = speechProfile(
    programId,
    'speech',
    'The program eSpeak NG: understandable, not natural. Until a model is there.',
  );
  let entries: ReadonlyMap<string, CatalogueModel> = new Map();
  let seen: ReadonlyMap<string, string> | null = null;
  let list: readonly CatalogueModel[] = [];
  const entryOf = ({ id, kind, family }: FoundModel): CatalogueModel => {
    const known = entries.get(id);
    const description = `${family} model of this machine (sherpa-onnx)`;
    return known?.kind === kind && known.description === description ? known : speechProfile(id, kind, description);
  };
  return {
    list: () => list,
    async scan() {
      const [found, installed] = await Promise.all([findModels(), hasProgram()]);
      const before = seen;
      const settled = found.filter(
        ({ id, version }) => before === null || before.get(id) === version || entries.has(id),
      );
      seen = new Map(found.map(({ id, version }) => [id, version]));
      const next = settled.map(entryOf);
      entries = new Map(next.map((entry) => [entry.id, entry]));
      const all = installed && !entries.has(programId) ? [...next, program] : next;
      if (all.length !== list.length || all.some((entry, i) => entry !== list[i])) list = all;
    },
  };
}
