import type { PublicRoute } from '../../http-kit/public-route.ts';
import { chunkRoutes } from './chunks.ts';
import { collectionRoutes } from './collections.ts';
import type { RetrievalRouteDeps } from './common.ts';
import { retrievalDocumentRoutes } from './documents.ts';
import { searchRoutes } from './search.ts';

export type { RetrievalRouteDeps } from './common.ts';

/** Everything under /rag42. Source: interface 4.3 and 4.5, decisions section 5. */
export const retrievalRoutes = (deps: RetrievalRouteDeps): readonly PublicRoute[] => [
  ...searchRoutes(deps),
  ...collectionRoutes(deps),
  ...retrievalDocumentRoutes(deps),
  ...chunkRoutes(deps),
];
