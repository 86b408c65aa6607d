import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';
import type { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import type { ChatReply, Usage } from '@ai-studio/contract/chat/reply.ts';
import type { ChatOutput } from '../../inference/index.ts';
import type { EngineUsage } from '../../ports/engine.ts';
import type { AnswerFinish } from './finish.ts';
import type { AnswerForm, WholeAnswer } from './running-chat.ts';

// The answer of an agent in the form of chats, as latin1 characters of UTF-8 bytes. Source: interface 2.3 and 2.4.

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What all pieces of an answer say. */
interface AnswerHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

const line = (chunk: ChatChunk): string => latin1(`data: ${JSON.stringify(chunk)}\n\n`);

type Delta = ChatChunk['choices'][number]['delta'];

/** Lines of a stream. */
function createChunkLines(head: AnswerHead) {
  const chunk = (delta: Delta, finish: AnswerFinish | null): ChatChunk => ({
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
    end: (finish: AnswerFinish, usage: Usage | null) =>
      line(chunk({}, finish)) +
      (usage === null ? '' : line({ ...head, object: 'chat.completion.chunk', choices: [], usage })) +
      'data: [DONE]\n\n',
  };
}

/** A whole reply. */
function renderChatReply(head: AnswerHead, { content, annotations, usage, finish }: WholeAnswer): string {
  const sources = annotations.length === 0 ? {} : { annotations: [...annotations] };
  const message = { role: 'assistant' as const, content, tool_calls: [], ...sources };
  const reply: ChatReply = {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish, stop_reason: null }],
    usage: usageOf(usage),
    prompt_logprobs: null,
    service_tier: null,
    system_fingerprint: null,
    kv_transfer_params: null,
  };
  return latin1(JSON.stringify(reply));
}

function usageOf({ promptTokens: prompt_tokens, completionTokens: completion_tokens }: EngineUsage): Usage {
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, total_tokens, completion_tokens, prompt_tokens_details: null };
}

export interface ChatFormOptions {
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

/** The answer of an agent as a chat: as chunks while it comes, or as a whole reply. */
export class ChatForm implements AnswerForm {
  isOpen = false;
  readonly #output: ChatOutput;
  readonly #head: AnswerHead;
  readonly #options: ChatFormOptions;
  readonly #lines: ReturnType<typeof createChunkLines>;

  constructor(output: ChatOutput, head: AnswerHead, options: ChatFormOptions) {
    this.#output = output;
    this.#head = head;
    this.#options = options;
    this.#lines = createChunkLines(head);
  }

  say(text: string): boolean {
    return !this.#options.stream || this.#write(this.#lines.text(text));
  }

  end(answer: WholeAnswer): void {
    const { stream, includeUsage } = this.#options;
    if (!stream) return this.#output.reply(renderChatReply(this.#head, answer));
    const { annotations, usage, finish } = answer;
    if (annotations.length > 0) this.#write(this.#lines.annotations(annotations));
    this.#write(this.#lines.end(finish, includeUsage ? usageOf(usage) : null));
    this.#output.end();
  }

  fail(error: unknown): void {
    this.#output.fail(error);
  }

  ping(): void {
    this.#write(': ping\n\n');
  }

  #write(bytes: string): boolean {
    if (!this.isOpen) {
      this.isOpen = true;
      this.#output.open();
      this.#output.write(this.#lines.open());
    }
    return this.#output.write(bytes);
  }
}
