import type { FastifyInstance } from 'fastify';
import { chunkRoutes } from './chunks.ts';
import { collectionRoutes } from './collections.ts';
import type { RetrievalRouteDeps } from './common.ts';
import { retrievalDocumentRoutes } from './documents.ts';
import { searchRoutes } from './search.ts';

export type { RetrievalRouteDeps } from './common.ts';

/** Everything under /rag42. Source: interface 4.3 and 4.5, decisions section 5. */
export function rag42Routes(app: FastifyInstance, deps: RetrievalRouteDeps): void {
  collectionRoutes(app, deps);
  retrievalDocumentRoutes(app, deps);
  chunkRoutes(app, deps);
  searchRoutes(app, deps);
}
