import { SearchIndexState } from '@ai-studio/contract/console/search-index.ts';
import { tenantRoute, type ConsoleRoute } from '../console-kit/route.ts';

/** What the route of the search index works with. */
export interface SearchIndexDeps {
  /** How the search index fares. Never rejects. */
  readonly searchState: () => Promise<SearchIndexState>;
}

/** GET /search-index: where it is, how it fares, and what its operator should do. */
export const searchIndexRoutes = ({ searchState }: SearchIndexDeps): ConsoleRoute[] => [
  tenantRoute({
    method: 'GET',
    path: '/search-index',
    access: 'index.view',
    reply: SearchIndexState,
    handle: () => searchState(),
  }),
];
