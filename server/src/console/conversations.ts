import {
  Conversation,
  ConversationChange,
  ConversationHead,
  ConversationPage,
  ConversationQuery,
  NewConversation,
  NewTurn,
} from '@ai-studio/contract/console/conversations.ts';
import { Language } from '@ai-studio/contract/console/session.ts';
import { z } from 'zod';
import {
  type Answers,
  changeConversation,
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  toJsonExport,
  toMarkdown,
} from '../conversations/index.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { allowanceOf, type AllowanceDeps } from '../identity/index.ts';
import { attachment } from './attachment.ts';
import { sendEvents } from './event-stream.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { type ConsoleRoute, tenantRoute, type TenantCall } from './route.ts';

export interface ConversationDeps extends AllowanceDeps {
  readonly answers: Answers;
  readonly box: SecretBox;
}

/** As the browser says it; one that this machine does not know reads as UTC, as the download is a link. */
const TimeZone = z
  .string()
  .regex(/^[A-Za-z][\w+/-]{0,63}$/, 'a name of a time zone, such as Asia/Seoul')
  .default('UTC');
const ExportQuery = z.object({
  format: z.enum(['md', 'json']).default('md'),
  language: Language.default('en'),
  time_zone: TimeZone,
});

const types = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

const ownerOf = ({ ctx, person }: TenantCall<unknown, unknown>) => ({ tenantId: ctx.tenantId, userId: person.userId });
const idOf = ({ params }: TenantCall<unknown, unknown>) => params['id'] ?? '';

/** Conversations of the person who asks. Nobody else's are ever found, whatever the role. */
export function conversationRoutes(deps: ConversationDeps): ConsoleRoute[] {
  const { answers } = deps;
  const searching = createOneAtATime();
  return [
    tenantRoute({
      method: 'GET',
      path: '/conversations',
      access: 'chat',
      query: ConversationQuery,
      reply: ConversationPage,
      handle(call) {
        const list = () => listConversations(deps, ownerOf(call), call.query);
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
      handle(call) {
        void call.reply.status(201);
        return createConversation(deps, ownerOf(call), call.body);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id',
      access: 'chat',
      reply: Conversation,
      handle: (call) => getConversation(deps, ownerOf(call), idOf(call)),
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/conversations/:id',
      access: 'chat',
      body: ConversationChange,
      reply: ConversationHead,
      handle: (call) => changeConversation(deps, ownerOf(call), idOf(call), call.body),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/conversations/:id',
      access: 'chat',
      handle: (call) => deleteConversation({ db: deps.db, forget: answers.forget }, ownerOf(call), idOf(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/turns',
      access: 'chat',
      body: NewTurn,
      async handle(call) {
        const allowance = await allowanceOf(deps, call.ctx.tenantId);
        return sendEvents(call.reply, await answers.ask(ownerOf(call), idOf(call), call.body, allowance, call.ctx));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id/turns/live',
      access: 'chat',
      handle: async (call) => sendEvents(call.reply, await answers.follow(ownerOf(call), idOf(call), call.ctx.signal)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/conversations/:id/stop',
      access: 'chat',
      handle: (call) => answers.stop(ownerOf(call), idOf(call)),
    }),
    tenantRoute({
      method: 'GET',
      path: '/conversations/:id/export',
      access: 'chat',
      query: ExportQuery,
      async handle(call) {
        const { format, language, time_zone: timeZone } = call.query;
        const conversation = await getConversation(deps, ownerOf(call), idOf(call));
        void call.reply
          .type(types[format])
          .header('Content-Disposition', attachment(conversation.title, format, 'conversation'));
        // Programs read the moments as they are.
        return format === 'json' ? toJsonExport(conversation) : toMarkdown(conversation, { language, timeZone });
      },
    }),
  ];
}
