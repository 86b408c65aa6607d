import type { PublicRoute } from '../../http-kit/public-route.ts';
import { chunkRoutes } from './chunks.ts';
import { collectionRoutes } from './collections.ts';
import type { RetrievalRouteDeps } from './common.ts';
import { bulkRoutes } from './bulk.ts';
import { retrievalDocumentRoutes } from './documents.ts';
import { previewRoutes } from './preview.ts';
import { extractionRoutes } from './extractions.ts';
import { searchRoutes } from './search.ts';
import { retrievalToolRoutes } from './tools.ts';

export type { RetrievalRouteDeps } from './common.ts';

/** Everything under /rag42, and what models call of it as tools. Source: interface 4.3 and 4.5, decisions section 5. */
export const retrievalRoutes = (deps: RetrievalRouteDeps): readonly PublicRoute[] => [
  ...searchRoutes(deps),
  ...collectionRoutes(deps),
  ...previewRoutes(deps),
  ...bulkRoutes(deps),
  ...retrievalDocumentRoutes(deps),
  ...chunkRoutes(deps),
  ...extractionRoutes(deps),
  ...retrievalToolRoutes(deps),
];
