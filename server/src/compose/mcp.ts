import type { Surfaces } from '../http/index.ts';
import { type IdentityDeps, personActor, personOfToken } from '../identity/index.ts';
import { createMcp, openCancellations } from '../mcp/index.ts';
import { createGuardedFetch } from '../net-guard/index.ts';
import type { Metering } from '../usage/index.ts';
import type { OpenAgents } from './agents.ts';
import type { Documents } from './documents.ts';
import { openTokenPeople } from './identity.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import type { OpenPrivacy } from './privacy.ts';
import type { Retrieval } from './retrieval.ts';
import type { Data } from './store.ts';

// The part of the composition by which clients of the Model Context Protocol use the service.

interface Deps
  extends
    Data,
    OpenNetwork,
    Pick<OpenedLimiter, 'defaultLimits'>,
    Pick<Documents, 'documents'>,
    Pick<Retrieval, 'retrieval'>,
    Pick<OpenPrivacy, 'privacy'>,
    Pick<OpenAgents, 'runs' | 'runFiles'> {
  readonly metering: Metering;
  readonly identity: IdentityDeps;
  /** Of the service. */
  readonly version: string;
}

/** People for whom programs call by tokens; null where none can. */
function peopleOf({ config, log }: Base, { db, defaultLimits, identity }: Deps): Surfaces['mcp']['people'] {
  const deps = openTokenPeople(config, identity, log);
  const { oidc } = config.console;
  if (deps === null || oidc === undefined) return null;
  return {
    issuer: oidc.issuer,
    audiences: oidc.mcp_audiences,
    scopes: oidc.mcp_scopes,
    find: (call) => personOfToken(deps, call),
    actorOf: (person, rights) => personActor({ db, defaultLimits }, person, rights),
  };
}

/** Opens the MCP server. */
export async function openMcp(base: Base, deps: Deps): Promise<Surfaces['mcp']> {
  const { config, log, parts } = base;
  const { db, bus, documents, hosts, metering, retrieval, privacy, runs, runFiles, version } = deps;
  const cancellations = parts.own('cancellations of MCP', await openCancellations({ bus, log }));
  const mcp = createMcp({
    cancellations,
    version,
    log,
    retrieval,
    privacy,
    parsing: { ...documents, metering, now: Date.now, fetchFile: createGuardedFetch({ allow: hosts.allowed }) },
    agents: { db, runs, files: runFiles, log },
  });
  return {
    mcp,
    people: peopleOf(base, deps),
    configuredUrl: config.server.public_url ?? null,
    origins: config.server.cors_origins,
  };
}
