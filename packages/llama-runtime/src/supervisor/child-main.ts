import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ChildSettings, mayUseGpu } from '../child/settings.ts';

const SOURCE = join(import.meta.dirname, '../child/main.ts');
/**
 * The same with all that it imports in few files, which halves the processor time of a start: where this module is bundled, beside
 * that bundle (tools/build-server.mjs). It is for models without a GPU, as it takes the binary as it is.
 */
const BUNDLED = join(dirname(import.meta.filename), 'llama-child', 'index.mjs');

/** Where the process of a model begins: asked at each start, as bundles of earlier sources are removed while a service runs. */
export const childMainOf = (settings: Pick<ChildSettings, 'gpu' | 'runtimeDir'>): string =>
  settings.runtimeDir === null && !mayUseGpu(settings) && existsSync(BUNDLED) ? BUNDLED : SOURCE;
