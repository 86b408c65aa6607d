import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cardTag, type Deployed, deployedBySlug, publicAgent, renderCard } from '../../../agents/index.ts';
import { StudioError } from '../../../kernel/errors.ts';
import type { Database } from '../../../ports/database.ts';
import type { Guard } from '../../guard.ts';
import { AGENTS, agentUrl, requestedForm, isSlug } from './address.ts';

interface CardRouteDeps {
  readonly guard: Guard;
  readonly db: Database;
  readonly keySet: object;
  readonly configuredUrl: string | null;
}

const CARD_SECONDS = 60;
const KEYS_SECONDS = 3_600;

/**
 * Who has the slug sees the card, as clients look for cards before they use a key. A key, where one is sent, has to be right, and of
 * the agent's tenant.
 */
async function shown({ guard, db }: CardRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<Deployed> {
  const { slug } = request.params as { slug: string };
  const none = () => new StudioError('not_found', 'There is no deployed agent of this slug');
  if (request.headers.authorization === undefined) {
    const agent = isSlug(slug) ? await publicAgent(db, slug) : null;
    if (agent === null) throw none();
    return agent;
  }
  const key = await guard.key(request, reply, null);
  await guard.reserve(key, reply, 0);
  const agent = isSlug(slug) ? await deployedBySlug({ db }, key.tenantId, slug) : null;
  if (agent?.deployed !== true) throw none();
  return agent;
}

/** Cards, and the keys by which notifications are checked. Source: decisions section 4. */
export function cardRoutes(scope: FastifyInstance, deps: CardRouteDeps): void {
  for (const path of [`${AGENTS}/:slug/.well-known/agent-card.json`, `${AGENTS}/:slug/a2a/.well-known/agent-card.json`])
    scope.get(path, async (request, reply) => {
      const deployed = await shown(deps, request, reply);
      const url = agentUrl(deps.configuredUrl, request, deployed.agent.slug);
      const card = renderCard(requestedForm(request) ?? '1.0', deployed, { url, extended: false });
      const tag = cardTag(card);
      reply.headers({
        ETag: tag,
        'Cache-Control': `private, max-age=${CARD_SECONDS}`,
        Vary: 'A2A-Version, Authorization',
      });
      if (request.headers['if-none-match'] === tag) return reply.status(304).send();
      return card;
    });
  scope.get(`${AGENTS}/.well-known/jwks.json`, (_request, reply) =>
    reply.header('Cache-Control', `public, max-age=${KEYS_SECONDS}`).send(deps.keySet),
  );
}
