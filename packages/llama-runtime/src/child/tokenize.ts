import { z } from 'zod';
import { badRequest } from './api-error.ts';
import { prepareChat } from './chat-request.ts';
import type { ChatFormat } from './chat-format.ts';
import type { Vocabulary } from './tokens.ts';

export interface TokenizeOptions {
  /** Null for a model that reads no chats. */
  readonly dialogue: ChatFormat | null;
  readonly vocabulary: Vocabulary;
  readonly contextLength: number;
}

const TextBody = z.object({ prompt: z.string(), add_special_tokens: z.boolean().nullish() });
const Wanted = z.object({ return_token_strs: z.boolean().nullish() });
const TokensBody = z.object({ tokens: z.array(z.int().min(0)) });

/** Answers POST /tokenize and /detokenize, in the form of vLLM: a text, or the messages of a chat. Throws an ApiError. */
export function createTokenize({ dialogue, vocabulary, contextLength }: TokenizeOptions) {
  const tokensOf = (body: unknown): Uint32Array => {
    const text = TextBody.safeParse(body);
    if (!text.success) {
      if (dialogue === null) throw badRequest('prompt must be a text; this model reads no chats.', 'prompt');
      // A prompt that is too long is counted all the same.
      return prepareChat(body, { dialogue, vocabulary, contextLength: Number.MAX_SAFE_INTEGER }).prompt;
    }
    const { prompt, add_special_tokens: special } = text.data;
    return special === false ? vocabulary.tokenizePart(prompt) : vocabulary.tokenizeWhole(prompt);
  };
  const bytesOf = (token: number): Buffer => {
    if (token < vocabulary.size) return vocabulary.bytesOf(token);
    throw badRequest(`There is no token ${token}; this model has 0 to ${vocabulary.size - 1}.`, 'tokens');
  };
  return {
    tokenize(body: unknown): string {
      const tokens = [...tokensOf(body)];
      const wantsTexts = Wanted.safeParse(body).data?.return_token_strs === true;
      return JSON.stringify({
        count: tokens.length,
        max_model_len: contextLength,
        tokens,
        token_strs: wantsTexts ? tokens.map((token) => bytesOf(token).toString('utf8')) : null,
      });
    },
    detokenize(body: unknown): string {
      const parsed = TokensBody.safeParse(body);
      if (!parsed.success) throw badRequest('tokens must be a list of whole numbers.', 'tokens');
      return JSON.stringify({ prompt: Buffer.concat(parsed.data.tokens.map(bytesOf)).toString('utf8') });
    },
  };
}
