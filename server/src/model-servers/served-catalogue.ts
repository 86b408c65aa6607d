import type { Catalogue } from '../models/catalogue.ts';
import { LOCAL_ENGINE, SPEECH_ENGINE, type LocalBinding } from '../models/local.ts';
import { withModelServers } from '../models/served.ts';
import type { ConnectedServer } from './record.ts';
import type { ConnectedServers } from './watch.ts';

const usable = ({ problem }: ConnectedServer) => problem === null;

/** The catalogue of the configuration with the connected servers in it, as it is at each moment. */
export function createServedCatalogue(configured: Catalogue, servers: ConnectedServers): Catalogue {
  let seen: readonly ConnectedServer[] | null = null;
  let catalogue = configured;
  // Made anew only when the servers are others: who asks twice is given the same entries.
  const now = (): Catalogue => {
    const list = servers.list();
    if (list !== seen) catalogue = withModelServers(configured, list.filter(usable));
    seen = list;
    return catalogue;
  };
  return {
    defaultModel: configured.defaultModel,
    defaultEmbedder: configured.defaultEmbedder,
    aliases: configured.aliases,
    get: (id) => now().get(id),
    list: () => now().list(),
  };
}

/** Bindings to local models without those of ids that somebody has given to a server since. */
export function bindingsThatCount(
  bindings: readonly LocalBinding[],
  servers: readonly ConnectedServer[],
): readonly LocalBinding[] {
  const since = new Map<string, string>();
  for (const { id, boundAt } of servers.filter(usable).flatMap(({ models }) => models))
    if (boundAt > (since.get(id) ?? '')) since.set(id, boundAt);
  return bindings.filter(({ catalogueId, boundAt = '' }) => boundAt >= (since.get(catalogueId) ?? ''));
}

/** Names of engines that no connected server may have: those of the configuration and our own. */
export const reservedEngineNames = (configured: Iterable<string>): ReadonlySet<string> =>
  new Set([...configured, 'builtin', LOCAL_ENGINE, SPEECH_ENGINE]);
