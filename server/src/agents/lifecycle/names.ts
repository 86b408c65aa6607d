import type { NamesById } from '@ai-studio/contract/console/agents.ts';
import type { PersonActor } from '../../kernel/actor.ts';
import type { LifecycleDeps } from './deps.ts';
import { collectionsOf } from './resources.ts';

/** Ids of collections and tool servers, and what may be the ID of an agent. */
const ID = /[0-9a-f]{32}|"[A-Za-z0-9_-]{22}"/g;

/**
 * Names of the collections, tool servers and agents whose ids stand in what is shown, such as a difference or a trace. What the person may
 * not see stays an id, like one of nothing.
 */
export async function resolveNames(deps: LifecycleDeps, person: PersonActor, shown: unknown): Promise<NamesById> {
  const ids = new Set((JSON.stringify(shown).match(ID) ?? []).map((id) => id.replaceAll('"', '')));
  if (ids.size === 0) return { collections: {}, servers: {}, agents: {} };
  const [collections, servers, agents] = await Promise.all([
    collectionsOf(deps, person),
    deps.servers(person),
    deps.db.query
      .selectFrom('agents')
      .select(['slug as id', 'name'])
      .where('tenant_id', '=', person.tenantId)
      .execute(),
  ]);
  const named = (all: readonly { readonly id: string; readonly name: string }[]) =>
    Object.fromEntries(all.filter(({ id }) => ids.has(id)).map(({ id, name }) => [id, name]));
  return { collections: named(collections), servers: named(servers), agents: named(agents) };
}
