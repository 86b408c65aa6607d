import { collectionRoutes } from './retrieval-collections.ts';
import type { CollectionRouteDeps } from './retrieval-common.ts';
import { collectionDocumentRoutes } from './retrieval-documents.ts';
import { evaluationRoutes } from './retrieval-evaluation.ts';
import { passageRoutes } from './retrieval-passages.ts';
import type { ConsoleRoute } from './route.ts';

export type { CollectionsDeps } from './retrieval-common.ts';

/** Collections, their documents and passages, and searches. Source: decisions sections 5 and 7. */
export const retrievalRoutes = (deps: CollectionRouteDeps): ConsoleRoute[] => [
  ...collectionRoutes(deps),
  ...collectionDocumentRoutes(deps),
  ...passageRoutes(deps),
  ...evaluationRoutes(deps),
];
