import type { ConsoleRoute } from '../../console-kit/route.ts';
import type { ModelServerRouteDeps } from './deps.ts';
import { servedModelRoutes } from './served.ts';
import { serverRoutes } from './servers.ts';

export type { ConfiguredEngine, ModelServerRouteDeps } from './deps.ts';
export { listServedModels } from './served.ts';

/** What serves the ids of the catalogue, and the model servers that do. */
export const modelServerRoutes = (deps: ModelServerRouteDeps): ConsoleRoute[] => [
  ...servedModelRoutes(deps),
  ...serverRoutes(deps),
];
