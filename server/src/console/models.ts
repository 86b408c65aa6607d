import { type EventDeps, eventRoutes } from '../weights/routes.console/events.ts';
import { type ServedModelDeps, servedModelRoutes } from '../model-servers/routes.console/served.ts';
import { type ServerRouteDeps, serverRoutes } from '../model-servers/routes.console/servers.ts';
import { type UploadDeps, uploadRoutes } from '../weights/routes.console/upload.ts';
import { type WeightsDeps, weightsRoutes } from '../weights/routes.console/weights.ts';
import type { ConsoleRoute } from '../console-kit/route.ts';

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
