import { createServedTools, createToolServers, type ServedTools, type ToolServers } from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { createGuardedFetch, createGuardedRequest } from '../net-guard/index.ts';
import type { Database } from '../ports/database.ts';

// The part of the composition that reaches servers of tools.

/** Tool servers, as this process reaches them. */
interface OpenToolServers {
  /** For agents that call them. */
  readonly served: ServedTools;
  /** For the people who keep them. */
  readonly servers: ToolServers;
  /** Ends the sessions with them. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens what reaches servers of tools, behind the guard. */
export function openToolServers(
  { network }: Config,
  { db, box, log }: { readonly db: Database; readonly box: SecretBox; readonly log: Logger },
): OpenToolServers {
  const deps = { db, box, request: createGuardedRequest({ allow: network.allow }) };
  const served = createServedTools(deps);
  const fetch = createGuardedFetch({ allow: network.allow });
  return { served, servers: createToolServers({ ...deps, served, fetch, log }), close: () => served.close() };
}
