import { createServedTools, createToolServers, type ServedTools, type ToolServers } from '../agents/index.ts';
import { createAddressCheck, createGuardedFetch, createGuardedRequest } from '../net-guard/index.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

// The part of the composition that reaches servers of tools.

/** Tool servers, as this process reaches them. */
export interface OpenToolServers {
  /** For agents that call them. */
  readonly served: ServedTools;
  /** For the people who keep them. */
  readonly servers: ToolServers;
}

/** Opens what reaches servers of tools, behind the guard. */
export function openToolServers(
  { log, parts }: Base,
  { db, box, hosts: { allowed: allow } }: SealedData & OpenNetwork,
): OpenToolServers {
  const deps = { db, box, request: createGuardedRequest({ allow }) };
  const served = parts.own('tool servers', createServedTools(deps));
  const fetch = createGuardedFetch({ allow });
  const checkAddress = createAddressCheck({ allow });
  return { served, servers: createToolServers({ ...deps, served, fetch, checkAddress, log }) };
}
