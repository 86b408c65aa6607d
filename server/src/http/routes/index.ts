import type { EmbedDeps, RerankDeps } from '../../inference/index.ts';
import type { PrivacyDeps } from '../../privacy/index.ts';
import type { EndpointContext } from '../endpoint-context.ts';
import type { Metrics } from '../metrics.ts';
import type { PublicRoute } from '../../http-kit/public-route.ts';
import { type A2aRouteDeps, agentRoutes, createA2aFailures } from '../../agents/routes.public/index.ts';
import { type AudioRouteDeps, audioRoutes } from '../../audio/routes.public.ts';
import { type BatchRouteDeps, batchRoutes } from '../../batches/routes.public.ts';
import { type ConnectorPublicDeps, connectorPublicRoutes } from '../../connectors/routes.public.ts';
import { type FileRouteDeps, fileRoutes } from '../../files/routes.public.ts';
import {
  type ChatRouteDeps,
  type ChatRoutesDeps,
  chatRoutes,
  embeddingRoutes,
  type ModelRouteDeps,
  modelRoutes,
  moderationRoutes,
  rerankRoutes,
  tokenRoutes,
  type TokenRouteDeps,
} from '../../inference/routes.public/index.ts';
import { createMcpFailures, type McpRouteDeps, mcpRoutes } from '../../mcp/routes.public/index.ts';
import { type ParsingRouteDeps, parsingRoutes } from '../../parsing/routes.public/index.ts';
import { messageRoutes, type MessageRouteDeps } from '../../messages/routes.public.ts';
import { privacyRoutes } from '../../privacy/routes.public.ts';
import { responseRoutes, type ResponseRouteDeps } from '../../responses/routes.public/index.ts';
import { type RetrievalRouteDeps, retrievalRoutes } from '../../retrieval/routes.public/index.ts';
import { describedRoutes, type DescriptionDeps } from './description.ts';
import { type HealthDeps, healthRoutes, type ReadinessCheck } from './health.ts';

/** What the endpoints work with, each with its own; what they share is in the context. */
export interface Surfaces {
  readonly chat: Pick<ChatRouteDeps, 'openChat' | 'agents'> & Pick<ChatRoutesDeps, 'checkText'>;
  readonly responses: ResponseRouteDeps['responses'];
  readonly messages: MessageRouteDeps['messages'];
  readonly tokens: Pick<TokenRouteDeps, 'tokens' | 'countPrompt'>;
  readonly files: FileRouteDeps;
  readonly batches: BatchRouteDeps;
  readonly embeddings: EmbedDeps;
  readonly rerank: RerankDeps;
  readonly privacy: PrivacyDeps;
  readonly documents: Omit<ParsingRouteDeps, 'metering' | 'now' | 'openChat' | 'catalogue' | 'maxJsonBytes'>;
  readonly retrieval: RetrievalRouteDeps;
  readonly connectors: ConnectorPublicDeps;
  readonly agents: Pick<A2aRouteDeps, 'a2a' | 'db' | 'runs' | 'keySet' | 'configuredUrl'>;
  readonly audio: AudioRouteDeps;
  readonly mcp: Pick<McpRouteDeps, 'mcp' | 'people' | 'configuredUrl' | 'origins'>;
  readonly models: Pick<ModelRouteDeps, 'catalogue' | 'agents'>;
  readonly health: Pick<HealthDeps, 'checks' | 'metricsToken' | 'serveMetrics'> & {
    /** Text of /metrics where several processes share the work; without it this one tells of itself. */
    readonly renderMetrics?: Metrics['render'] | undefined;
  };
  readonly description: DescriptionDeps;
}

/** What this process says of itself. */
export interface OwnHealth {
  /** Whether it stops. */
  readonly check: ReadinessCheck;
  readonly metrics: Metrics;
}

const healthDeps = ({ checks, renderMetrics, ...given }: Surfaces['health'], own: OwnHealth): HealthDeps => ({
  ...given,
  checks: [own.check, ...checks],
  metrics: { ...own.metrics, render: renderMetrics ?? own.metrics.render },
});

/** The public interface, in the order in which people read it. */
export function publicRoutes(given: Surfaces, context: EndpointContext, own: OwnHealth): readonly PublicRoute[] {
  const { keyAccess, keepAlive, metering, now, maxHotBytes: maxBytes } = context;
  const { checkText, ...chat } = given.chat;
  const { openChat } = chat;
  const failures = createA2aFailures(context.failures.openAi);
  return describedRoutes(given.description, [
    ...chatRoutes({ chat: { ...context.chat, ...chat }, checkText }),
    ...tokenRoutes({ ...given.tokens, openChat, keyAccess, maxBytes }),
    ...responseRoutes({ responses: given.responses, keyAccess, keepAlive, maxBytes, now }),
    ...messageRoutes({ messages: given.messages, keyAccess, keepAlive, failures: context.failures, maxBytes, now }),
    ...fileRoutes(given.files),
    ...batchRoutes(given.batches),
    ...embeddingRoutes(given.embeddings),
    ...rerankRoutes({ ...given.rerank, failures: context.failures }),
    ...moderationRoutes(),
    ...privacyRoutes(given.privacy),
    ...parsingRoutes({
      ...given.documents,
      metering,
      now,
      openChat,
      catalogue: given.models.catalogue,
      maxJsonBytes: maxBytes,
    }),
    ...retrievalRoutes(given.retrieval),
    ...connectorPublicRoutes(given.connectors),
    ...agentRoutes({ ...given.agents, keyAccess, failures, keepAlive, maxBytes, now }),
    ...audioRoutes(given.audio),
    ...mcpRoutes({ ...given.mcp, keyAccess, failures: createMcpFailures(context.failures.openAi), maxBytes }),
    ...modelRoutes({ ...given.models, startedSeconds: Math.floor(now() / 1000) }),
    ...healthRoutes(healthDeps(given.health, own)),
  ]);
}
