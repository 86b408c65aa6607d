import type { ConsoleRoute } from '../../console-kit/route.ts';
import type { WeightsRouteDeps } from './deps.ts';
import { eventRoutes } from './events.ts';
import { uploadRoutes } from './upload.ts';
import { fileRoutes } from './weights.ts';

export type { WeightsPageDeps } from './deps.ts';

/** Model files: listed, fetched, uploaded, loaded, and what changes of them. */
export const weightsRoutes = (deps: WeightsRouteDeps): ConsoleRoute[] => [
  ...uploadRoutes(deps),
  ...fileRoutes(deps),
  ...eventRoutes(deps),
];
