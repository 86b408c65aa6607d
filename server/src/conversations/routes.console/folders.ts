import { ConversationFolder, ConversationFolders, NamedFolder } from '@ai-studio/contract/console/conversations.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { createFolder, deleteFolder, listFolders, renameFolder } from '../index.ts';

const PATH = '/conversation-folders';
const ONE = `${PATH}/:id`;
const access = 'chat';

/** Folders of the conversations of the person who asks. */
export function conversationFolderRoutes(deps: DatabaseDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: PATH,
      access,
      reply: ConversationFolders,
      handle: async ({ ctx }) => ({ items: [...(await listFolders(deps, ctx.actor))] }),
    }),
    tenantRoute({
      method: 'POST',
      path: PATH,
      access,
      body: NamedFolder,
      reply: ConversationFolder,
      async handle({ ctx, body, reply }) {
        const made = await createFolder(deps, ctx.actor, body.name);
        void reply.status(201);
        return made;
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: NamedFolder,
      reply: ConversationFolder,
      handle: (call) => renameFolder(deps, call.ctx.actor, paramOf(call, 'id'), call.body.name),
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      handle: (call) => deleteFolder(deps, call.ctx.actor, paramOf(call, 'id')),
    }),
  ];
}
