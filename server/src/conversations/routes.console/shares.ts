import { ConversationShare, ConversationShares, SharedConversation } from '@ai-studio/contract/console/shares.ts';
import { actorOf, contextOf } from '../../console-kit/allowance.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { citedSourceRoutes } from '../../console-kit/source-routes.ts';
import type { AllowanceDeps } from '../../identity/index.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { Originals } from '../../retrieval/index.ts';
import { listShares, readShare, readSharedCitation, shareConversation, withdrawShare } from '../index.ts';

/** What the routes of shared conversations work with. */
interface ShareRouteDeps extends AllowanceDeps {
  readonly collections: { readonly originals: Originals };
  readonly box: SecretBox;
}

const SHARED = '/shared-conversations/:id';
const access = 'chat';
const idOf = (call: AnyCall) => paramOf(call, 'id');

/** Conversations that people show to others of their tenant, each to be withdrawn by whoever shows it. */
export function conversationShareRoutes(deps: ShareRouteDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/shares',
      access,
      reply: ConversationShare,
      async handle(call) {
        const share = await shareConversation(deps, call.ctx.auditActor, call.ctx.actor, idOf(call));
        void call.reply.status(201);
        return share;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversation-shares',
      access,
      reply: ConversationShares,
      handle: async ({ ctx }) => ({ items: await listShares(deps, ctx.actor) }),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/conversation-shares/:id',
      access,
      handle: (call) => withdrawShare(deps, call.ctx.auditActor, call.ctx.actor, idOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: SHARED,
      access,
      reply: SharedConversation,
      handle: async (call) => readShare(deps, await actorOf(deps, call), idOf(call)),
    }),
    // Within what the reader may see: a shown answer opens no collection.
    ...citedSourceRoutes({
      originals: deps.collections.originals,
      path: `${SHARED}/messages/:message/sources/:number`,
      access,
      async sourceOf(call) {
        const ctx = await contextOf(deps, call);
        const place = { id: idOf(call), messageId: paramOf(call, 'message'), number: paramOf(call, 'number') };
        return { citation: await readSharedCitation(deps, ctx.actor, place), listed: true, ctx };
      },
    }),
  ];
}
