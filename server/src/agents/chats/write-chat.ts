import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';
import type { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import type { ChatReply, Usage } from '@ai-studio/contract/chat/reply.ts';

// The answer of an agent in the form of chats, as latin1 characters of UTF-8 bytes. Source: interface 2.3 and 2.4.

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What all pieces of an answer say. */
export interface AnswerHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

export interface WholeAnswer {
  readonly content: string;
  readonly annotations: readonly UrlCitation[];
  readonly usage: Usage;
}

const line = (chunk: ChatChunk): string => latin1(`data: ${JSON.stringify(chunk)}\n\n`);

type Delta = ChatChunk['choices'][number]['delta'];

/** Lines of a stream. */
export function createChunkLines(head: AnswerHead) {
  const chunk = (delta: Delta, finish: 'stop' | null): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [
      { index: 0, delta, logprobs: null, finish_reason: finish, ...(finish === null ? {} : { stop_reason: null }) },
    ],
  });
  return {
    open: () => line(chunk({ role: 'assistant', content: '' }, null)),
    text: (content: string) => line(chunk({ content }, null)),
    annotations: (annotations: readonly UrlCitation[]) => line(chunk({ annotations: [...annotations] }, null)),
    /** The last ones; `usage` where it is asked for. */
    end: (usage: Usage | null) =>
      line(chunk({}, 'stop')) +
      (usage === null ? '' : line({ ...head, object: 'chat.completion.chunk', choices: [], usage })) +
      'data: [DONE]\n\n',
  };
}

/** A whole reply. */
export function renderChatReply(head: AnswerHead, { content, annotations, usage }: WholeAnswer): string {
  const sources = annotations.length === 0 ? {} : { annotations: [...annotations] };
  const message = { role: 'assistant' as const, content, tool_calls: [], ...sources };
  const reply: ChatReply = {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop', stop_reason: null }],
    usage,
    prompt_logprobs: null,
    service_tier: null,
    system_fingerprint: null,
    kv_transfer_params: null,
  };
  return latin1(JSON.stringify(reply));
}
