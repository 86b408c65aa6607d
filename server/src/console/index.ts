import type { IdentityDeps, SsoDeps } from '../identity/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Bus } from '../ports/bus.ts';
import type { TargetState } from '../chat/index.ts';
import type { Answers } from '../conversations/index.ts';
import type { Admission } from '../inference/index.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import { usageOfKeys } from '../usage/index.ts';
import { createAddress } from './address.ts';
import type { AgentRouteDeps } from './agent-common.ts';
import { type ToolServerRouteDeps, toolServerRoutes } from './agent-servers.ts';
import type { AgentRunsDeps } from './agent-run-common.ts';
import { agentRunRoutes } from './agent-runs.ts';
import { agentRoutes } from './agents.ts';
import { auditRoutes } from './audit.ts';
import { chatModelRoutes } from './chat-models.ts';
import { conversationRoutes } from './conversations.ts';
import { deployedAgentRoutes } from './deployed-agents.ts';
import { type Console, createConsole, type FrameDeps } from './frame.ts';
import { keyRoutes } from './keys.ts';
import { type ModelsDeps, modelRoutes } from './models.ts';
import { type ParserDeps, parserRoutes } from './parser.ts';
import { passkeyRoutes } from './passkeys.ts';
import { peopleRoutes } from './people.ts';
import { profileRoutes } from './profile.ts';
import { type HealthCheck, overviewRoutes } from './overview.ts';
import { type CollectionsDeps, retrievalRoutes } from './retrieval.ts';
import { type PrivacyPageDeps, privacyRoutes } from './privacy.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';
import { type SpeechPageDeps, speechRoutes } from './speech.ts';
import { ssoRoutes } from './sso.ts';
import { tenantRoutes } from './tenants.ts';
import { usageRoutes } from './usage.ts';

export type { Console } from './frame.ts';
export type { ParserDeps } from './parser.ts';
export type { CollectionsDeps } from './retrieval.ts';
export type { ConsoleRoute } from './route.ts';
export type { ConfiguredEngine } from './models-servers.ts';

/** Everything that the console's own interface works with. */
export interface ConsoleDeps extends FrameDeps, IdentityDeps {
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly version: string;
  /** The answers of conversations. */
  readonly answers: Answers;
  /** Writes what this process has counted and not yet stored. */
  readonly flush: () => Promise<void>;
  /** The engines as they are now. */
  readonly states: () => readonly TargetState[];
  /** Of the configuration, where a tenant has set none. */
  readonly defaultLimits: RateLimits;
  readonly admission: Admission;
  /** Documents that people read. */
  readonly parser: ParserDeps;
  /** What hears and speaks. */
  readonly speech: SpeechPageDeps;
  /** Collections of documents. */
  readonly collections: CollectionsDeps;
  /** What looks for personal values. */
  readonly privacy: PrivacyPageDeps;
  /** Building and reviewing of agents. */
  readonly agents: AgentRouteDeps['agents'];
  /** Servers whose tools agents may call. */
  readonly toolServers: ToolServerRouteDeps['toolServers'];
  /** Runs of agents, and the files of their messages. */
  readonly agentRuns: AgentRunsDeps;
  /** Models, model files and model servers. */
  readonly models: ModelsDeps;
  /** What must be well before the service takes requests. */
  readonly checks: readonly HealthCheck[];
  /** The single sign-on, where one is configured. */
  readonly sso: SsoDeps | null;
}

/** The console's own interface with all its routes. */
export function openConsole(deps: ConsoleDeps): Console {
  const all = { ...deps, address: createAddress(deps.configuredUrl) };
  return createConsole(deps, [
    ...sessionRoutes(all),
    ...profileRoutes(all),
    ...ssoRoutes(all),
    ...passkeyRoutes(all),
    ...peopleRoutes(all),
    ...tenantRoutes(all),
    ...settingsRoutes(all),
    ...privacyRoutes(all),
    ...auditRoutes(all),
    ...keyRoutes({ ...all, usageOfKeys: (tenantId, since) => usageOfKeys(deps, tenantId, since) }),
    ...usageRoutes(deps),
    ...modelRoutes({ ...all, ...deps.models }),
    ...overviewRoutes({ ...all, ...deps.models }),
    ...conversationRoutes(all),
    ...parserRoutes(all),
    ...retrievalRoutes(all),
    ...speechRoutes(all),
    ...agentRoutes(all),
    ...toolServerRoutes(all),
    ...agentRunRoutes(all),
    ...deployedAgentRoutes(all),
    ...chatModelRoutes({ ...all, ...deps.models }),
  ]);
}
