export { createServerEngines, type OpenEngine, type ServerEngines } from './engines.ts';
export { createEmbedderProbes, type EmbedderProbes } from './embedder-probes.ts';
export { createEngineHealth, type EngineHealth, type EngineState } from './health.ts';
export { withoutSecrets } from './configured.ts';
export type { ConnectedServer } from './record.ts';
export { bindingsThatCount, createServedCatalogue, reservedEngineNames } from './served-catalogue.ts';
export { createServerVerbs, type ServerVerbs } from './verbs.ts';
export { type ConnectedServers, readServers, watchModelServers } from './watch.ts';
export { createFinder, findLocalServers, type Finder } from './found.ts';
