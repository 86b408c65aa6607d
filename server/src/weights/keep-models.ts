import type { Logger } from '../kernel/log.ts';
import type { LocalModel } from '../models/local.ts';
import type { ModelStore } from './model-store.ts';
import { createFollowPins, type FollowPinsDeps } from './pins.ts';

export interface KeepModelsDeps extends FollowPinsDeps {
  readonly store: Pick<ModelStore, 'look' | 'tidy' | 'changed'>;
  /** Takes in what the folder holds. */
  readonly describe: (found: Awaited<ReturnType<ModelStore['look']>>) => Promise<unknown>;
  readonly models: () => readonly LocalModel[];
  /** Looks for what else this machine has. */
  readonly lookForSpeech: () => Promise<void>;
  /** Brings the catalogue up to date. */
  readonly show: () => void;
  readonly log: Logger;
}

/** How often the folder is looked at. */
const LOOK_MS = 1_000;
/** How often it is looked for what killed processes left. */
const TIDY_MS = 60 * 60_000;

/**
 * Looks at the model files, then again and again: what is new is shown, pins are followed, leftovers removed. Rejects where the
 * first look fails. Resolves with what ends it.
 */
export async function keepModels(deps: KeepModelsDeps): Promise<() => void> {
  const { store, log } = deps;
  const followPins = createFollowPins(deps);
  const refresh = async () => {
    await deps.describe(await store.look());
    await deps.lookForSpeech();
    deps.show();
    if (await followPins(deps.models())) store.changed();
  };
  await refresh();
  const look = () =>
    void refresh().catch((error: unknown) => log.error({ err: error }, 'the model files could not be looked at'));
  const tidy = () =>
    void store.tidy().catch((error: unknown) => log.warn({ err: error }, 'leftovers of imports could not be removed'));
  const looking = setInterval(look, LOOK_MS).unref();
  tidy();
  const tidying = setInterval(tidy, TIDY_MS).unref();
  return () => {
    clearInterval(looking);
    clearInterval(tidying);
  };
}
