import type { PublicRoute } from '../../http-kit/public-route.ts';
import { conversationRoutes } from './conversations.ts';
import { kept, type ResponseRouteDeps, responseRoute } from './responses.ts';

export type { ResponseRouteDeps } from './responses.ts';

/** POST /responses, what is kept of them, and conversations. Source: decisions section 3. */
export const responseRoutes = (deps: ResponseRouteDeps): readonly PublicRoute[] => [
  responseRoute(deps),
  ...kept(deps),
  ...conversationRoutes(deps.responses.conversations),
];
