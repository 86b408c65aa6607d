import type { EmbedDeps, RerankDeps } from '../../inference/index.ts';
import type { PrivacyDeps } from '../../privacy/index.ts';
import type { PublicRoute } from '../public-route.ts';
import { type A2aRouteDeps, agentRoutes } from './a2a/index.ts';
import { type AudioRouteDeps, audioRoutes } from './audio.ts';
import { type ChatRoutesDeps, chatRoutes } from './chat.ts';
import { describedRoutes, type DescriptionDeps } from './description.ts';
import { type DocumentRouteDeps, documentRoutes } from './documents.ts';
import { embeddingRoutes } from './embeddings.ts';
import { type HealthDeps, healthRoutes } from './health.ts';
import { type ModelRouteDeps, modelRoutes } from './models.ts';
import { privacyRoutes } from './privacy.ts';
import { rerankRoutes } from './rerank.ts';
import { type RetrievalRouteDeps, retrievalRoutes } from './retrieval/index.ts';

/** What the endpoints work with. */
export interface PublicRoutesDeps {
  readonly chat: ChatRoutesDeps;
  readonly embeddings: EmbedDeps;
  readonly rerank: RerankDeps;
  readonly privacy: PrivacyDeps;
  readonly documents: DocumentRouteDeps;
  readonly retrieval: RetrievalRouteDeps;
  readonly agents: A2aRouteDeps;
  readonly audio: AudioRouteDeps;
  readonly models: ModelRouteDeps;
  readonly health: HealthDeps;
  readonly description: DescriptionDeps;
}

/** The public interface, in the order in which people read it. */
export const publicRoutes = (deps: PublicRoutesDeps): readonly PublicRoute[] =>
  describedRoutes(deps.description, [
    ...chatRoutes(deps.chat),
    ...embeddingRoutes(deps.embeddings),
    ...rerankRoutes(deps.rerank),
    ...privacyRoutes(deps.privacy),
    ...documentRoutes(deps.documents),
    ...retrievalRoutes(deps.retrieval),
    ...agentRoutes(deps.agents),
    ...audioRoutes(deps.audio),
    ...modelRoutes(deps.models),
    ...healthRoutes(deps.health),
  ]);
