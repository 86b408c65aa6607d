import type { FastifyRequest } from 'fastify';
import { readSession } from '../identity/index.ts';
import type { Database } from '../ports/database.ts';
import { readCookie, sessionCookie } from './cookies.ts';
import { type EventDeps, eventRoutes } from './models-events.ts';
import { type ServedModelDeps, servedModelRoutes } from './models-served.ts';
import { type ServerRouteDeps, serverRoutes } from './models-servers.ts';
import { type UploadDeps, uploadRoutes } from './models-upload.ts';
import { type WeightsDeps, weightsRoutes } from './models-weights.ts';
import type { ConsoleRoute } from './route.ts';

/** What the pages of models work with. */
export type ModelsDeps = ServedModelDeps & ServerRouteDeps & UploadDeps & WeightsDeps;

/** Models, model files and model servers. */
export function modelRoutes(
  deps: ModelsDeps & Pick<EventDeps, 'log'> & { readonly db: Database },
): readonly ConsoleRoute[] {
  const stillMay = async ({ headers }: FastifyRequest) => {
    try {
      const person = await readSession(deps, readCookie(headers, sessionCookie), true);
      return person.actions.has('models.view');
    } catch {
      return false;
    }
  };
  return [
    ...servedModelRoutes(deps),
    ...uploadRoutes(deps),
    ...weightsRoutes(deps),
    ...serverRoutes(deps),
    ...eventRoutes({ ...deps, stillMay }),
  ];
}
