import { collectionRoutes } from './collections.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { collectionDocumentRoutes } from './documents.ts';
import { evaluationRoutes } from './evaluation.ts';
import { extractionRoutes } from './extractions.ts';
import { passageRoutes } from './passages.ts';
import { previewRoutes } from './preview.ts';
import type { ConsoleRoute } from '../../console-kit/route.ts';

export type { CollectionRouteDeps, CollectionsDeps } from './deps.ts';

/** Collections, their documents and passages, and searches. Source: decisions sections 5 and 7. */
export const retrievalRoutes = (deps: CollectionRouteDeps): ConsoleRoute[] => [
  ...collectionRoutes(deps),
  ...collectionDocumentRoutes(deps),
  ...passageRoutes(deps),
  ...previewRoutes(deps),
  ...evaluationRoutes(deps),
  ...extractionRoutes(deps),
];
