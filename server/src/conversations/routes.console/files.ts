import {
  ConversationFile,
  ConversationFiles,
  ConversationFilesQuery,
  ConversationFileUpload,
} from '@ai-studio/contract/console/conversation-parts.ts';
import { actorOf, admitPerson, type CountedCalls } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { sendUntrusted } from '../../console-kit/untrusted-file.ts';
import { cleanName, receiveUpload } from '../../console-kit/upload.ts';
import { addFile, describeFiles, findFile, openPicture, removeUnsent } from '../index.ts';
import type { RetrievalDeps } from '../../retrieval/index.ts';

/** What the routes of files of conversations work with. */
interface ConversationFileRouteDeps extends CountedCalls {
  readonly collections: {
    readonly retrieval: RetrievalDeps;
    /** Largest file. */
    readonly maxBytes: number;
    /** Where files lie until they are kept. */
    readonly folder: string;
  };
}

const ALL = '/conversation-files';
const access = 'chat';

/** Files for messages, each its person's own. */
export function conversationFileRoutes(deps: ConversationFileRouteDeps): ConsoleRoute[] {
  const files = { retrieval: deps.collections.retrieval };
  return [
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      takesFile: true,
      query: ConversationFileUpload,
      reply: ConversationFile,
      async handle(call) {
        const upload = await receiveUpload(call, deps.collections, () => admitPerson(deps, call));
        try {
          const { path, bytes, admitted } = upload;
          const added = await addFile(files, admitted, { path, bytes, name: cleanName(call.query.name) });
          void call.reply.status(201);
          return added;
        } finally {
          await upload.remove();
        }
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ALL,
      access,
      query: ConversationFilesQuery,
      reply: ConversationFiles,
      handle: async (call) => ({
        items: await describeFiles(files, await actorOf(deps, call), call.query.ids.split(',')),
      }),
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${ALL}/:id`,
      access,
      handle: (call) => removeUnsent(files, call.ctx.actor, paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ALL}/:id/picture`,
      access,
      handle: async (call) =>
        sendUntrusted(call.reply, await openPicture(files, await findFile(files, call.ctx.actor, paramOf(call, 'id')))),
    }),
  ];
}
