import type { ChatRouter, EngineAddress } from '../inference/index.ts';
import type { ConnectedServer } from './record.ts';

/** Opens the engine of a server. */
export type OpenEngine = (server: Pick<ConnectedServer, 'name' | 'baseUrl' | 'apiKey'>) => readonly EngineAddress[];

/** The engines of the connected servers, in the router of this process. */
export interface ServerEngines {
  /**
   * Gives the router the engines of new and changed servers. Returns what takes away those of servers that are gone: to
   * be called when the catalogue names them no longer.
   */
  apply(servers: readonly ConnectedServer[]): () => void;
  /** Engines by name. */
  of(name: string): readonly EngineAddress[];
  /** Ends their connections. Safe to repeat. */
  close(): Promise<void>;
}

interface Opened {
  readonly mark: string;
  readonly addresses: readonly EngineAddress[];
}

export function createServerEngines({
  router,
  open,
}: {
  readonly router: Pick<ChatRouter, 'setEngine' | 'removeEngine'>;
  readonly open: OpenEngine;
}): ServerEngines {
  const opened = new Map<string, Opened>();
  return {
    apply(servers) {
      const usable = servers.filter(({ problem }) => problem === null);
      for (const server of usable) {
        const mark = JSON.stringify([server.baseUrl, server.apiKey]);
        if (opened.get(server.name)?.mark === mark) continue;
        const addresses = open(server);
        opened.set(server.name, { mark, addresses });
        // The one before is closed by the router when its last call is over.
        router.setEngine(server.name, addresses);
      }
      return () => {
        for (const name of opened.keys()) {
          if (usable.some((server) => server.name === name)) continue;
          opened.delete(name);
          router.removeEngine(name);
        }
      };
    },
    of: (name) => opened.get(name)?.addresses ?? [],
    async close() {
      await Promise.all([...opened.values()].flatMap(({ addresses }) => addresses.map(({ engine }) => engine.close())));
    },
  };
}
