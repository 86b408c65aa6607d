import type { Logger } from '../kernel/log.ts';
import type { LocalModel } from '../models/local.ts';
import type { ModelStore } from './model-store.ts';
import { createFollowPins, type FollowPinsDeps } from './pins.ts';

export interface KeepModelsDeps extends FollowPinsDeps {
  readonly store: Pick<ModelStore, 'scan' | 'tidy' | 'changed'>;
  /** Takes in what the folder holds. */
  readonly describe: (found: Awaited<ReturnType<ModelStore['scan']>>) => Promise<unknown>;
  readonly models: () => readonly LocalModel[];
  /** Finds what else this machine has. */
  readonly scanSpeechModels: () => Promise<void>;
  /** Brings the catalogue up to date. */
  readonly show: () => void;
  readonly log: Logger;
}

/** How often the folder is scanned. */
const SCAN_INTERVAL_MS = 1_000;
/** How often what killed processes left is removed. */
const TIDY_INTERVAL_MS = 60 * 60_000;

/**
 * Scans the model files, then again and again: what is new is shown, pins are followed, leftovers removed. Rejects where the
 * first scan fails. Resolves with what ends it.
 */
export async function keepModels(deps: KeepModelsDeps): Promise<() => void> {
  const { store, log } = deps;
  const followPins = createFollowPins(deps);
  const refresh = async () => {
    await deps.describe(await store.scan());
    await deps.scanSpeechModels();
    deps.show();
    if (await followPins(deps.models())) store.changed();
  };
  await refresh();
  const scan = () =>
    void refresh().catch((error: unknown) => log.error({ err: error }, 'model files could not be scanned'));
  const tidy = () =>
    void store.tidy().catch((error: unknown) => log.warn({ err: error }, 'leftovers of imports could not be removed'));
  const scanning = setInterval(scan, SCAN_INTERVAL_MS).unref();
  tidy();
  const tidying = setInterval(tidy, TIDY_INTERVAL_MS).unref();
  return () => {
    clearInterval(scanning);
    clearInterval(tidying);
  };
}
