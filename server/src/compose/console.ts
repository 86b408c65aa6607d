import { type Console, type ConsoleDeps, openConsole } from '../console/index.ts';
import type { IdentityDeps } from '../identity/index.ts';
import { createEngineHealth, createFinder, createServerVerbs, reservedEngineNames } from '../model-servers/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { configuredEngines, type OpenEngines, probeServer } from './engines.ts';
import { openSso } from './identity.ts';
import { type LocalModels, modelFolder, modelMemoryBudget } from './local-models.ts';
import type { Base } from './parts.ts';

interface Deps extends Omit<
  ConsoleDeps,
  keyof IdentityDeps | 'catalogue' | 'configuredUrl' | 'log' | 'models' | 'sso' | 'states' | 'trustProxy'
> {
  readonly identity: IdentityDeps;
  /** The catalogue of the configuration. */
  readonly configured: Catalogue;
  readonly engines: OpenEngines;
  readonly models: LocalModels;
}

/** What the pages of models, model files and model servers work with. */
function modelPages(
  { config, parts }: Base,
  { bus, configured, engines, identity, models }: Deps,
): ConsoleDeps['models'] {
  const { catalogue, servers, store } = models;
  const { db, box } = identity;
  const taken = reservedEngineNames(Object.keys(config.engines));
  const { enabled, ports } = config.probe;
  return {
    store,
    catalogue,
    configured,
    folder: modelFolder(config),
    memoryBudgetBytes: modelMemoryBudget(config),
    servers: createServerVerbs({ db, bus, box, servers, probeServer, configured, catalogue, taken }),
    health: createEngineHealth({ states: () => engines.router.states(), addressesOf: engines.addressesOf }),
    finder: enabled
      ? createFinder({ ports: ports.filter((one) => one !== config.server.port), probeServer })
      : () => Promise.resolve([]),
    engines: configuredEngines(config),
    closing: parts.stopping,
  };
}

/** Makes the console's own interface. */
export function openConsoleRoutes(base: Base, deps: Deps): Console {
  const { config, log } = base;
  const { identity, engines, models } = deps;
  return openConsole({
    ...deps,
    ...identity,
    catalogue: models.catalogue,
    models: modelPages(base, deps),
    states: () => engines.router.states(),
    sso: openSso(config, identity, log),
    configuredUrl: config.server.public_url ?? null,
    trustProxy: config.server.trust_proxy,
    log,
  });
}
