import {
  type EncodedBody,
  type Engine,
  EngineError,
  type TokenizeCall,
  type Tokenized,
} from '../../../ports/engine.ts';
import type { Dialect } from './dialects.ts';
import { asArray, asNumber, asObject } from './json.ts';

export interface ServerTokenizerDeps {
  readonly engineId: string;
  readonly dialect: () => Dialect;
  readonly detect: () => Promise<void>;
  /** Posts to a path of the server. Resolves with the JSON of the reply; rejects with EngineError. */
  readonly post: (path: string, body: EncodedBody, model: string, signal: AbortSignal) => Promise<unknown>;
}

type Post = (path: string, body: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The page that takes the very request of a chat. */
interface ChatPage {
  readonly path: string;
  /** Its tokens; or its prompt as text, which is tokenized then. Null where the answer has another form. */
  readonly read: (answer: unknown, texts: boolean) => Tokenized | string | null;
}

/** How a kind of server turns texts into tokens and back. */
interface ServerTokenizer {
  /** Null where it takes texts alone. */
  readonly chat: ChatPage | null;
  readonly text: (
    post: Post,
    call: { readonly model: string; readonly text: string; readonly special: boolean; readonly texts: boolean },
  ) => Promise<Tokenized | null>;
  readonly detokenize: (post: Post, model: string, tokens: readonly number[]) => Promise<string | null>;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numbersOf = (values: unknown): number[] =>
  asArray(values).flatMap((value) => asNumber(value) ?? asNumber(asObject(value)?.['id']) ?? []);
const textsOf = (values: unknown): string[] | null =>
  Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : null;

/** Pieces of llama.cpp: text, or the bytes of what is none. */
const piecesOf = (values: unknown): string[] =>
  asArray(values).map((value) => {
    const piece = asObject(value)?.['piece'];
    return typeof piece === 'string' ? piece : Buffer.from(numbersOf(piece)).toString('utf8');
  });

function readCounted(answer: unknown): Tokenized | null {
  const { count, tokens, token_strs: texts } = asObject(answer) ?? {};
  const numbers = numbersOf(tokens);
  const counted = asNumber(count) ?? (Array.isArray(tokens) ? numbers.length : null);
  return counted === null ? null : { count: counted, tokens: numbers, texts: textsOf(texts) };
}

/** The tokens of Text Generation Inference: a list of `{ id, text }`. */
function readSimpleTokens(tokens: unknown, texts: boolean): Tokenized | null {
  if (!Array.isArray(tokens)) return null;
  const numbers = numbersOf(tokens);
  return {
    count: numbers.length,
    tokens: numbers,
    texts: texts ? tokens.map((token: unknown) => textOf(asObject(token)?.['text']) ?? '') : null,
  };
}

/**
 * Sources: docs.vllm.ai, "OpenAI-Compatible Server", Tokenizer API; SGLang, `entrypoints/openai/serving_tokenize.py`, which takes texts
 * alone; llama.cpp, tools/server/README.md, POST /tokenize, /detokenize and /apply-template; Text Generation Inference API, POST /tokenize
 * and /chat_tokenize. Ollama, LM Studio and hosted services have none.
 */
const vllm: ServerTokenizer = {
  chat: { path: '/tokenize', read: readCounted },
  text: async (post, { model, text, special, texts }) =>
    readCounted(
      await post('/tokenize', {
        model,
        prompt: text,
        add_special_tokens: special,
        ...(texts ? { return_token_strs: true } : {}),
      }),
    ),
  detokenize: async (post, model, tokens) => textOf(asObject(await post('/detokenize', { model, tokens }))?.['prompt']),
};
const byDialect: Partial<Readonly<Record<Dialect, ServerTokenizer>>> = {
  vllm,
  // Our own processes have the form of vLLM.
  'llama-child': vllm,
  sglang: {
    ...vllm,
    chat: null,
    detokenize: async (post, model, tokens) => textOf(asObject(await post('/detokenize', { model, tokens }))?.['text']),
  },
  'llama-server': {
    chat: { path: '/apply-template', read: (answer) => textOf(asObject(answer)?.['prompt']) },
    // One that runs several models goes by the name.
    async text(post, { model, text, special, texts }) {
      const answer = await post('/tokenize', { model, content: text, add_special: special, with_pieces: texts });
      const { tokens } = asObject(answer) ?? {};
      if (!Array.isArray(tokens)) return null;
      const numbers = numbersOf(tokens);
      return { count: numbers.length, tokens: numbers, texts: texts ? piecesOf(tokens) : null };
    },
    detokenize: async (post, model, tokens) =>
      textOf(asObject(await post('/detokenize', { model, tokens }))?.['content']),
  },
  tgi: {
    chat: {
      path: '/chat_tokenize',
      read: (answer, texts) => readSimpleTokens(asObject(answer)?.['tokenize_response'], texts),
    },
    // It adds special tokens to every text, and cannot be told otherwise.
    text: async (post, { text, special, texts }) =>
      special ? readSimpleTokens(await post('/tokenize', { inputs: text }), texts) : null,
    detokenize: () => Promise.resolve(null),
  },
};

/** Whether a kind of server tells the tokens of a chat by a page of its own. Our own processes decide by themselves what is left. */
export const countsChats = (dialect: Dialect): boolean =>
  dialect !== 'llama-child' && (byDialect[dialect]?.chat ?? null) !== null;

/** What a caller may say of the end of a prompt. */
const templateFields: ReadonlySet<string> = new Set(['add_generation_prompt', 'continue_final_message']);

/** A server without the page has no tokenizer. */
const isMissing = (error: unknown) =>
  error instanceof EngineError && (error.status === 404 || error.status === 405 || error.status === 501);

/** The tokenizer of a server. What it has not is null. */
export function createServerTokenizer({
  dialect,
  detect,
  post,
}: ServerTokenizerDeps): Required<Pick<Engine, 'tokenize' | 'detokenize'>> {
  const orNull = <T>(asked: Promise<T | null>): Promise<T | null> =>
    asked.catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
  const posting =
    (model: string, signal: AbortSignal): Post =>
    (path, body) =>
      post(path, [Buffer.from(JSON.stringify(body))], model, signal);

  async function tokenizeChat(
    { chat }: ServerTokenizer,
    prompt: Extract<TokenizeCall['prompt'], { chat: unknown }>,
    { model, texts, signal }: TokenizeCall,
  ): Promise<Tokenized | string | null> {
    if (chat === null) return null;
    const edits = { ...prompt.edits, model, ...(texts ? { return_token_strs: true } : {}) };
    const answer = await post(chat.path, prompt.chat.encode(edits, templateFields), model, signal);
    return chat.read(answer, texts);
  }

  async function tokenize(call: TokenizeCall): Promise<Tokenized | null> {
    await detect();
    const tokenizer = byDialect[dialect()];
    if (!tokenizer) return null;
    const { model, prompt, texts, signal } = call;
    const ask = (text: string, special: boolean) =>
      tokenizer.text(posting(model, signal), { model, text, special, texts });
    if ('text' in prompt) return ask(prompt.text, prompt.special);
    const found = await tokenizeChat(tokenizer, prompt, call);
    return typeof found === 'string' ? ask(found, true) : found;
  }

  return {
    tokenize: (call) => orNull(tokenize(call)),
    async detokenize({ model, tokens, signal }) {
      await detect();
      const tokenizer = byDialect[dialect()];
      return tokenizer ? orNull(tokenizer.detokenize(posting(model, signal), model, tokens)) : null;
    },
  };
}
