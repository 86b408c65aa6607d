import { A2aQuery, AgentCard03, JwkSet } from '@ai-studio/contract/a2a/v03.ts';
import { cardTag, type Deployed, deployedBySlug, publicAgent, renderCard } from '../index.ts';
import { type KeyRecord, readAiPresence } from '../../identity/index.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { AGENTS_PATH, SLUG_PARAM, agentUrls, requestedForm, isSlug } from './address.ts';

interface CardRouteDeps {
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
async function findCardAgent(
  db: Database,
  key: KeyRecord | null,
  slug: string,
): Promise<{ readonly tenantId: TenantId; readonly deployed: Deployed }> {
  const none = () => new StudioError('not_found', 'There is no deployed agent of this slug');
  if (!isSlug(slug)) throw none();
  if (key === null) {
    const agent = await publicAgent(db, slug);
    if (agent === null) throw none();
    return agent;
  }
  const agent = await deployedBySlug({ db }, key.tenantId, slug);
  if (agent?.deployed !== true) throw none();
  return { tenantId: key.tenantId, deployed: agent };
}

const common = { method: 'GET', tag: 'Agents' } as const;

/** Cards, and the keys by which notifications are checked. Source: decisions section 4. */
export const cardRoutes = (
  deps: CardRouteDeps,
  renderFailure: NonNullable<PublicRoute['renderFailure']>,
): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    path: [
      `${AGENTS_PATH}/:slug/.well-known/agent-card.json`,
      `${AGENTS_PATH}/:slug/a2a/.well-known/agent-card.json`,
      `${AGENTS_PATH}/:slug/a2a/rpc/.well-known/agent-card.json`,
      `${AGENTS_PATH}/:slug/a2a/v1/.well-known/agent-card.json`,
    ],
    access: 'optional_key',
    summary: 'Agent card',
    description:
      'What a deployed agent tells of itself. Needs no key; with one, only agents of its tenant have a card. `A2A-Version: 1.0` asks for the 1.0 form.',
    params: SLUG_PARAM,
    query: { A2aQuery },
    reply: { AgentCard: AgentCard03 },
    renderFailure,
    async handle({ key, params, request, reply }) {
      const { tenantId, deployed } = await findCardAgent(deps.db, key, params.slug);
      const ai = await readAiPresence(deps, tenantId);
      const url = agentUrls(deps.configuredUrl, request, deployed.agent.slug);
      const card = renderCard(requestedForm(request) ?? '1.0', deployed, { url, extended: false, ai });
      const tag = cardTag(card);
      reply.headers({
        ETag: tag,
        'Last-Modified': deployed.updatedAt.toUTCString(),
        'Cache-Control': `private, max-age=${CARD_SECONDS}`,
        Vary: 'A2A-Version, Authorization',
      });
      if (request.headers['if-none-match'] === tag) return reply.status(304).send();
      return reply.send(card);
    },
  }),
  publicRoute({
    ...common,
    path: `${AGENTS_PATH}/.well-known/jwks.json`,
    access: 'public',
    summary: 'Keys of push notifications',
    description: 'The JWK set by which receivers check the signature of push notifications.',
    reply: { JwkSet },
    renderFailure,
    handle: ({ reply }) => reply.header('Cache-Control', `public, max-age=${KEYS_SECONDS}`).send(deps.keySet),
  }),
];
