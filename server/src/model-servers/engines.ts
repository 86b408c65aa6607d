import type { ChatRouter, EngineAddress } from '../inference/index.ts';
import type { ConnectedServer } from './record.ts';

/** Opens the engine of a server. */
export type OpenEngine = (server: Pick<ConnectedServer, 'name' | 'baseUrl' | 'apiKey'>) => readonly EngineAddress[];

/** The engines of the connected servers, in the router of this process. */
export interface ServerEngines {
  /**
   * Gives the router the engines of new and changed servers. Returns a function that removes the engines of deleted servers: call it
   * once the catalogue no longer names them.
   */
  apply(servers: readonly ConnectedServer[]): () => void;
  /** Engines by name. */
  addressesOf(name: string): readonly EngineAddress[];
  /** Closes their connections. Safe to repeat. */
  close(): Promise<void>;
}

interface OpenEngines {
  readonly configurationKey: string;
  readonly addresses: readonly EngineAddress[];
}

export function createServerEngines({
  router,
  open,
}: {
  readonly router: Pick<ChatRouter, 'setEngine' | 'removeEngine'>;
  readonly open: OpenEngine;
}): ServerEngines {
  const openEngines = new Map<string, OpenEngines>();
  return {
    apply(servers) {
      const usableServers = servers.filter(({ problem }) => problem === null);
      for (const server of usableServers) {
        const configurationKey = JSON.stringify([server.baseUrl, server.apiKey]);
        if (openEngines.get(server.name)?.configurationKey === configurationKey) continue;
        const addresses = open(server);
        openEngines.set(server.name, { configurationKey, addresses });
        // The router closes the previous engine when its last call has ended.
        router.setEngine(server.name, addresses);
      }
      return () => {
        for (const name of openEngines.keys()) {
          if (usableServers.some((server) => server.name === name)) continue;
          openEngines.delete(name);
          router.removeEngine(name);
        }
      };
    },
    addressesOf: (name) => openEngines.get(name)?.addresses ?? [],
    async close() {
      await Promise.all(
        [...openEngines.values()].flatMap(({ addresses }) => addresses.map(({ engine }) => engine.close())),
      );
    },
  };
}
