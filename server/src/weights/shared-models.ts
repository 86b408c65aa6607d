import type { ConnectedServer, ConnectedServers, ServerEngines } from '../model-servers/index.ts';
import type { CatalogueModel, LiveCatalogue } from '../models/catalogue.ts';

/** What the processes of a service share: all at once, so that no model names an engine that is not there. */
export interface SharedModels {
  readonly models: readonly CatalogueModel[];
  readonly servers: readonly ConnectedServer[];
}

/** What the process that keeps the models shares at the moment. */
export const sharedModels = (
  catalogue: Pick<LiveCatalogue, 'all'>,
  servers: Pick<ConnectedServers, 'list'>,
): SharedModels => ({ models: catalogue.all(), servers: servers.list() });

interface ReceivedModels {
  /** The connected servers as they were shared last; listeners are told after the catalogue. */
  readonly servers: ConnectedServers;
  take(shared: SharedModels): void;
}

/** In another process: puts what is shared into its catalogue, and the engines of servers before that. */
export function receiveModels(
  catalogue: Pick<LiveCatalogue, 'replace'>,
  applyServers: ServerEngines['apply'],
): ReceivedModels {
  const listeners = new Set<() => void>();
  let list: readonly ConnectedServer[] = [];
  return {
    servers: {
      list: () => list,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    take({ models, servers }) {
      list = servers;
      const settle = applyServers(servers);
      catalogue.replace(models);
      settle();
      for (const listener of listeners) listener();
    },
  };
}
