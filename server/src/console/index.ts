import { type AgentRouteDeps, agentRoutes, type AgentRunsDeps } from '../agents/routes.console/index.ts';
import { type SpeechPageDeps, speechRoutes } from '../audio/routes.console.ts';
import { batchRoutes } from '../batches/routes.console.ts';
import { type ConnectorRouteDeps, connectorRoutes } from '../connectors/routes.console.ts';
import type { CallAdmission, TargetState } from '../inference/index.ts';
import { createAddress } from '../console-kit/address.ts';
import type { Answers, FollowUpMaker } from '../conversations/index.ts';
import {
  chatModelRoutes,
  conversationFileRoutes,
  conversationFolderRoutes,
  conversationRoutes,
  conversationShareRoutes,
} from '../conversations/routes.console/index.ts';
import type { IdentityDeps, SsoDeps } from '../identity/index.ts';
import { identityRoutes } from '../identity/routes.console/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { type ModelServerRouteDeps, modelServerRoutes } from '../model-servers/routes.console/index.ts';
import { type NetworkRouteDeps, networkRoutes } from '../net-guard/routes.console.ts';
import { promptRoutes } from '../prompts/routes.console.ts';
import { type ParserDeps, parserRoutes } from '../parsing/routes.console.ts';
import type { Bus } from '../ports/bus.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import { type PrivacyPageDeps, privacyRoutes } from '../privacy/routes.console.ts';
import { type CollectionsDeps, retrievalRoutes } from '../retrieval/routes.console/index.ts';
import { usageRoutes } from '../usage/routes.console.ts';
import { type WeightsPageDeps, weightsRoutes } from '../weights/routes.console/index.ts';
import { type Console, createConsole, type ConsoleServerDeps } from './server.ts';
import { sampleRoutes } from '../samples/routes.console.ts';
import { type HealthCheck, overviewRoutes } from './overview.ts';
import { type SearchIndexDeps, searchIndexRoutes } from './search-index.ts';

export type { ConsoleRoute } from '../console-kit/route.ts';
export type { ConfiguredEngine } from '../model-servers/routes.console/index.ts';
export type { ParserDeps } from '../parsing/routes.console.ts';
export type { CollectionsDeps } from '../retrieval/routes.console/index.ts';
export type { Console } from './server.ts';

/** Dependencies of the pages of models, model files and model servers. */
interface ModelsDeps extends ModelServerRouteDeps, WeightsPageDeps {}

/** Dependencies of the console's own interface. */
export interface ConsoleDeps extends ConsoleServerDeps, IdentityDeps, NetworkRouteDeps, SearchIndexDeps {
  readonly log: Logger;
  /** Sends invitations; null where the operator has no mail server. */
  readonly mailer: Mailer | null;
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly version: string;
  /** The answers of conversations. */
  readonly answers: Answers;
  /** Makes what could be asked after an answer. */
  readonly followUps: FollowUpMaker;
  /** Writes what this process has counted and not yet stored. */
  readonly flush: () => Promise<void>;
  /** The engines as they are now. */
  readonly states: () => readonly TargetState[];
  /** Of the configuration, where a tenant has set none. */
  readonly defaultLimits: RateLimits;
  readonly calls: CallAdmission;
  /** Parsing of people's own documents. */
  readonly parser: ParserDeps;
  /** Speech to text, and text to speech. */
  readonly speech: SpeechPageDeps;
  /** Collections of documents. */
  readonly collections: CollectionsDeps;
  /** Sources that collections are kept in step with. */
  readonly connectors: ConnectorRouteDeps['connectors'];
  /** Detection of personal values. */
  readonly privacy: PrivacyPageDeps;
  /** Building and reviewing of agents. */
  readonly agents: AgentRouteDeps['agents'];
  /** Servers whose tools agents may call. */
  readonly toolServers: AgentRouteDeps['toolServers'];
  /** Runs of agents, and the files of their messages. */
  readonly agentRuns: AgentRunsDeps;
  /** Models, model files and model servers. */
  readonly models: ModelsDeps;
  /** Readiness checks. */
  readonly checks: readonly HealthCheck[];
  /** The single sign-on, where one is configured. */
  readonly sso: SsoDeps | null;
}

/** The console's own interface with all its routes. */
export function openConsole(deps: ConsoleDeps): Console {
  const all = { ...deps, address: createAddress(deps.configuredUrl) };
  const models = { ...all, ...deps.models };
  return createConsole(deps, [
    ...identityRoutes(all),
    ...privacyRoutes(all),
    ...usageRoutes(deps),
    ...modelServerRoutes(models),
    ...weightsRoutes(models),
    ...overviewRoutes(models),
    ...searchIndexRoutes(deps),
    ...conversationRoutes(all),
    ...conversationFileRoutes(all),
    ...conversationShareRoutes(all),
    ...conversationFolderRoutes(deps),
    ...chatModelRoutes(models),
    ...promptRoutes(all),
    ...parserRoutes(all),
    ...retrievalRoutes(all),
    ...connectorRoutes(all),
    ...speechRoutes(all),
    ...agentRoutes(all),
    ...networkRoutes(all),
    ...batchRoutes(all),
    ...sampleRoutes({ ...all, catalogue: deps.models.catalogue }),
  ]);
}
