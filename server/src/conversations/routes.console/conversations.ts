import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import {
  Conversation,
  ConversationChange,
  ConversationSummary,
  ConversationPage,
  ConversationMessage,
  ConversationQuery,
  ConversationStop,
  FollowUps,
  NewConversation,
  NewTurn,
} from '@ai-studio/contract/console/conversations.ts';
import { GiveFeedback } from '@ai-studio/contract/console/feedback.ts';
import { TalkExportQuery } from '@ai-studio/contract/console/talks.ts';
import {
  type Answers,
  changeConversation,
  createConversation,
  deleteConversation,
  type FollowUpMaker,
  getConversation,
  rateAnswer,
  readCitation,
  listConversations,
  namedCollections,
  toJsonExport,
  toMarkdown,
  withChatFiles,
} from '../index.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { AllowanceDeps } from '../../identity/index.ts';
import type { TalkReader } from '../../kernel/talk-markdown.ts';
import { actorOf, contextOf } from '../../console-kit/allowance.ts';
import { citedSourceRoutes } from '../../console-kit/source-routes.ts';
import type { Originals, RetrievalDeps } from '../../retrieval/index.ts';
import { sendTalk, type TalkFileDeps } from '../../console-kit/talk-file.ts';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { createKeyedQueue } from '../../console-kit/keyed-queue.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';

/** What the routes of conversations work with. */
interface ConversationRouteDeps extends AllowanceDeps, TalkFileDeps {
  readonly collections: { readonly originals: Originals; readonly retrieval: RetrievalDeps };
  readonly answers: Answers;
  /** Makes what could be asked next. */
  readonly followUps: FollowUpMaker;
  readonly box: SecretBox;
}

const FEEDBACK = '/conversations/:id/messages/:message/feedback';

const idOf = (call: AnyCall) => paramOf(call, 'id');
const placeOf = (call: AnyCall) => ({ id: idOf(call), messageId: paramOf(call, 'message') });

/** Conversations of the person who asks. Nobody else's are ever found, whatever the role. */
export function conversationRoutes(deps: ConversationRouteDeps): ConsoleRoute[] {
  const { answers } = deps;
  const files = { retrieval: deps.collections.retrieval };
  const searching = createKeyedQueue();
  return [
    tenantRoute({
      method: 'GET',
      path: '/conversations',
      access: 'chat',
      query: ConversationQuery,
      reply: ConversationPage,
      handle(call) {
        const list = () => listConversations(deps, call.ctx.actor, call.query);
        // Words are looked for in everything that the person has.
        return call.query.text ? searching(call.person.userId, call.signal, list) : list();
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations',
      access: 'chat',
      body: NewConversation,
      reply: Conversation,
      async handle(call) {
        const made = await createConversation(deps, await actorOf(deps, call), call.body);
        void call.reply.status(201);
        return made;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id',
      access: 'chat',
      reply: Conversation,
      handle: async (call) => getConversation(deps, await actorOf(deps, call), idOf(call)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/conversations/:id',
      access: 'chat',
      body: ConversationChange,
      reply: ConversationSummary,
      handle: async (call) => changeConversation(deps, await actorOf(deps, call), idOf(call), call.body),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/conversations/:id',
      access: 'chat',
      handle: (call) => deleteConversation({ db: deps.db, forget: answers.forget, files }, call.ctx.actor, idOf(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/turns',
      access: 'chat',
      body: NewTurn,
      async handle(call) {
        return sendEvents(call.reply, await answers.ask(await contextOf(deps, call), idOf(call), call.body));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id/turns/live',
      access: 'chat',
      handle: async (call) => sendEvents(call.reply, await answers.follow(call.ctx.actor, idOf(call), call.ctx.signal)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/stop',
      access: 'chat',
      query: ConversationStop,
      handle: (call) => answers.stop(call.ctx.actor, idOf(call), call.query.answer),
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id/export',
      access: 'chat',
      query: TalkExportQuery,
      async handle(call) {
        const conversation = await getConversation(deps, await actorOf(deps, call), idOf(call));
        const talk = {
          title: conversation.title,
          markdown: (reader: TalkReader) => toMarkdown(conversation, reader),
          json: (mark: TextByLanguage) => toJsonExport(conversation, mark),
        };
        return sendTalk(deps, call, talk, call.query);
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: FEEDBACK,
      access: 'chat',
      body: GiveFeedback,
      reply: ConversationMessage,
      handle: (call) => rateAnswer(deps, call.ctx.actor, placeOf(call), call.body),
    }),
    tenantRoute({
      method: 'DELETE',
      path: FEEDBACK,
      access: 'chat',
      handle: async (call) => void (await rateAnswer(deps, call.ctx.actor, placeOf(call), null)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/messages/:message/follow-ups',
      access: 'chat',
      reply: FollowUps,
      handle: async (call) => deps.followUps(await contextOf(deps, call), placeOf(call)),
    }),
    ...citedSourceRoutes({
      originals: deps.collections.originals,
      path: '/conversations/:id/messages/:message/sources/:number',
      access: 'chat',
      async sourceOf(call) {
        const ctx = await contextOf(deps, call);
        const place = { id: idOf(call), messageId: paramOf(call, 'message'), number: paramOf(call, 'number') };
        const citation = await readCitation(deps, ctx.actor, place);
        const listed = (await namedCollections(deps, ctx.actor, [citation.collection_id])).length > 0;
        return { citation, listed, ctx: { ...ctx, actor: withChatFiles(ctx.actor) } };
      },
    }),
  ];
}
