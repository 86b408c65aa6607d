import { type EventDeps, eventRoutes } from './models-events.ts';
import { type ServedModelDeps, servedModelRoutes } from './models-served.ts';
import { type ServerRouteDeps, serverRoutes } from './models-servers.ts';
import { type UploadDeps, uploadRoutes } from './models-upload.ts';
import { type WeightsDeps, weightsRoutes } from './models-weights.ts';
import type { ConsoleRoute } from './route.ts';

/** What the pages of models work with. */
export type ModelsDeps = ServedModelDeps & ServerRouteDeps & UploadDeps & WeightsDeps;

/** Models, model files and model servers. */
export function modelRoutes(deps: ModelsDeps & Pick<EventDeps, 'log'>): readonly ConsoleRoute[] {
  return [
    ...servedModelRoutes(deps),
    ...uploadRoutes(deps),
    ...weightsRoutes(deps),
    ...serverRoutes(deps),
    ...eventRoutes(deps),
  ];
}
