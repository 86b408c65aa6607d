export { listServedModels, type ServedModelDeps, servedModelRoutes } from './served.ts';
export { type ConfiguredEngine, type ServerRouteDeps, serverRoutes } from './servers.ts';
