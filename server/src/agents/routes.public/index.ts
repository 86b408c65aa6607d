import type { FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import { bytesRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { A2aError } from '../index.ts';
import { AGENTS_PATH } from './address.ts';
import {
  type A2aRouteDeps,
  createRenderFailure,
  createStates,
  openRpc,
  readTag,
  type RenderFailure,
  type StateOf,
} from './calls.ts';
import { cardRoutes } from './cards.ts';
import { httpJsonRoutes } from './http-json.ts';
import { rpcRoutes } from './json-rpc.ts';

export type { A2aRouteDeps } from './calls.ts';
export { createA2aFailures } from './failure.ts';

/** Path without its query. */
const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

/** What stands below {@link AGENTS_PATH}, of what the wildcard gets. */
const RPC_PATH = new RegExp(`${AGENTS_PATH}/(?:v2/[^/]+/a2a|[^/]+/a2a(?:/rpc)?)/?$`);
const CARD_PATH = new RegExp(
  `${AGENTS_PATH}/(?:[^/]+/(?:a2a/(?:rpc/|v1/)?)?\\.well-known/agent-card|\\.well-known/jwks)\\.json/?$`,
);
/** What HTTP+JSON takes, by what stands behind `v1`. */
const httpMethods: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/message(?::|%3A)(?:send|stream)$/i, ['POST']],
  [/^\/tasks\/[^/]+(?::|%3A)cancel$/i, ['POST']],
  [/^\/tasks\/[^/]+(?::|%3A)subscribe$/i, ['GET', 'HEAD', 'POST']],
  [/^\/tasks\/[^/]+\/pushNotificationConfigs$/, ['GET', 'HEAD', 'POST']],
  [/^\/tasks\/[^/]+\/pushNotificationConfigs\/[^/]+$/, ['GET', 'HEAD', 'DELETE']],
  [/^\/(?:tasks(?:\/[^/]+)?|extendedAgentCard)$/, ['GET', 'HEAD']],
];
const HTTP_PATH = new RegExp(`${AGENTS_PATH}/[^/]+/a2a/v1(/.*?)/?$`);

function allowedMethods(path: string): readonly string[] {
  if (RPC_PATH.test(path)) return ['POST'];
  if (CARD_PATH.test(path)) return ['GET', 'HEAD'];
  const [, below = ''] = HTTP_PATH.exec(path) ?? [];
  return httpMethods.find(([pattern]) => pattern.test(below))?.[1] ?? [];
}

/** Whatever else is asked for below {@link AGENTS_PATH}. */
const unknownRoute = (
  { keyAccess, maxBytes }: A2aRouteDeps,
  stateOf: StateOf,
  renderFailure: RenderFailure,
): PublicRoute =>
  bytesRoute({
    access: 'agents',
    tag: 'Agents',
    method: 'ALL',
    path: `${AGENTS_PATH}/*`,
    hidden: true,
    summary: 'No agent',
    description: 'The path names no agent.',
    renderFailure,
    maxBytes,
    // Before a body is looked for, which some methods cannot do without.
    async enter(request, reply) {
      const path = pathOf(request);
      const allow = allowedMethods(path);
      // A slug that is longer than any comes here with the right method.
      if (allow.length === 0 || allow.includes(request.method)) return;
      reply.header('Allow', allow.join(', '));
      throw new StudioError('method_not_allowed', `${path} takes ${allow.join(', ')}, not ${request.method}`);
    },
    async handle(request, reply) {
      readTag(request, stateOf(request), openRpc);
      const key = await keyAccess.authenticate(request, reply, null);
      await keyAccess.count(key, reply);
      throw new A2aError('agentNotFound', 'The path names no agent: POST …/external/agents/{agent_slug}/a2a');
    },
  });

/** Agents over A2A, by the door of the interface and by those that cards name. Source: interface 4.2; decisions section 4. */
export function agentRoutes(deps: A2aRouteDeps): readonly PublicRoute[] {
  const stateOf = createStates();
  const renderFailure = createRenderFailure(deps.failures, stateOf);
  return [
    ...rpcRoutes(deps, stateOf, renderFailure),
    ...httpJsonRoutes(deps, stateOf, renderFailure),
    ...cardRoutes(deps, renderFailure),
    unknownRoute(deps, stateOf, renderFailure),
  ];
}
