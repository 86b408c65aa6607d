import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenChat, PreparedChat } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { checkJsonHeaders } from '../../http-kit/body.ts';
import type { KeyAccess } from '../../http-kit/key-access.ts';
import { clientSignal, withCall } from '../../http-kit/send-answer.ts';

export interface ChatCountingDeps {
  readonly openChat: OpenChat;
  readonly keyAccess: KeyAccess;
  /** Largest body, with the images in it. */
  readonly maxBytes: number;
}

/** Who asks, and until when. */
interface Asking {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** What routes have in common that look at chats and answer none. */
export function createChatCounting({ openChat, keyAccess, maxBytes }: ChatCountingDeps) {
  return {
    /** Before the body is read. */
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await keyAccess.authenticate(request, reply, 'chat');
      checkJsonHeaders(request.headers, maxBytes);
      // Fastify reads no body without a type.
      request.headers['content-type'] = 'application/json';
    },
    /**
     * Admits a chat as any that is answered, so that the policy for personal values holds for what its model's server is told, and
     * gives back what it reserved. Rejects with StudioError.
     */
    withChat: <T>(
      request: FastifyRequest,
      reply: FastifyReply,
      bytes: () => Buffer,
      work: (chat: PreparedChat, who: Asking) => Promise<T>,
    ): Promise<T> =>
      withCall(reply, async (onOpen) => {
        const { id: requestId, record } = request;
        if (!record.key) throw new StudioError('internal', 'Tokens were asked for without a key');
        const actor = keyAccess.actor(record.key);
        const { startedMs } = record;
        const inference = openChat({ actor, requestId, endpoint: 'tokenize', startedMs, softLimit: true });
        onOpen(inference);
        const chat = await inference.admit(bytes());
        record.call = { model: chat.model.id };
        try {
          return await work(chat, { requestId, signal: clientSignal(reply) });
        } finally {
          inference.settle();
        }
      }),
  };
}
