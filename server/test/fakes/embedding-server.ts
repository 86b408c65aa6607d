import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a fake embedding server checks its requests: as the servers of these names do. */
export type EmbeddingServerKind = 'vllm' | 'tei' | 'llama-server' | 'ollama';

export interface EmbeddingServerOptions {
  readonly kind?: EmbeddingServerKind;
  readonly model?: string;
  /** Tokens of a text, with the two special ones that each has. */
  readonly maxTokens?: number;
  readonly dimension?: number;
  /** Whether `dimensions` may shorten the vectors. */
  readonly shortens?: boolean;
  /** Tei: cuts long texts, whatever a request says. */
  readonly autoTruncate?: boolean;
  /** Tei: texts of one call. */
  readonly maxBatch?: number;
  /** Length of the vectors. */
  readonly norm?: number;
  /** Trained with "query: " and "passage: ": texts without them all look alike. */
  readonly wantsPrefixes?: boolean;
}

/** A fake embedding server with the documented checks of a real one, in the test's own process. */
export interface EmbeddingServer {
  /** Base address with `/v1`. */
  readonly url: string;
  /** The texts of each call of /v1/embeddings, refused ones too. */
  readonly calls: readonly (readonly string[])[];
  /** Paths of all requests. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const SPECIAL_TOKENS = 2;
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
/** Letters of one token: much as multilingual vocabularies have them, so that a Korean page has as many tokens as it has for a real model. */
const LATIN_LETTERS = 8;
const OTHER_LETTERS = 1.6;
const tokensOfWord = (word: string): number =>
  (word.match(/[\p{Script=Latin}\p{N}]+|[^\p{Script=Latin}\p{N}]+/gu) ?? []).reduce(
    (sum, run) =>
      sum + Math.ceil([...run].length / (/^[\p{Script=Latin}\p{N}]/u.test(run) ? LATIN_LETTERS : OTHER_LETTERS)),
    0,
  );
/** Tokens of a text as this fake counts them, special ones among them. */
export const fakeTokensOf = (text: string): number =>
  wordsOf(text).reduce((sum, word) => sum + tokensOfWord(word), SPECIAL_TOKENS);
function cut(text: string, maxTokens: number): string {
  const kept: string[] = [];
  let left = maxTokens - SPECIAL_TOKENS;
  for (const word of wordsOf(text)) {
    left -= tokensOfWord(word);
    if (left < 0) break;
    kept.push(word);
  }
  return kept.join(' ');
}

/** Words as directions: texts with like words lie near each other. */
function vectorOf(text: string, size: number, { norm = 1, wantsPrefixes = false }: EmbeddingServerOptions): number[] {
  const prefixed = /^(?:query|passage): /.test(text);
  const vector = Array.from({ length: size }, () => 0.001);
  for (const word of wordsOf(text.replace(/^(?:query|passage): /, '').toLowerCase())) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % size] = (vector[hash % size] ?? 0) + 1;
  }
  if (wantsPrefixes && !prefixed) vector[0] = (vector[0] ?? 0) + 50;
  const length = Math.hypot(...vector) / norm;
  return vector.map((value) => value / length);
}

/** How a server refuses a text that is too long; undefined for one that it reads whole. For fakes that answer by themselves. */
export function refusalOf(
  texts: readonly string[],
  { kind = 'vllm', maxTokens = 512 }: Pick<EmbeddingServerOptions, 'kind' | 'maxTokens'> = {},
): Answer | undefined {
  const long = texts.map(fakeTokensOf).find((tokens) => tokens > maxTokens);
  return long === undefined ? undefined : refuseLong(kind, long, maxTokens);
}

/** The refusals of a text that is too long. Sources: as in `too-long.ts` of the adapter. */
function refuseLong(kind: EmbeddingServerKind, given: number, limit: number): Answer {
  if (kind === 'tei')
    return {
      status: 413,
      body: {
        message: `\`inputs\` must have less than ${limit} tokens. Given: ${given}`,
        code: 413,
        type: 'Validation',
      },
    };
  if (kind === 'llama-server')
    return {
      status: 400,
      body: {
        error: {
          code: 400,
          message: `input (${given} tokens) is larger than the max context size (${limit} tokens). skipping`,
          type: 'exceed_context_size_error',
        },
      },
    };
  return {
    status: 400,
    body: {
      error: {
        message: `This model's maximum context length is ${limit} tokens. However, you requested ${given} tokens in the input for embedding generation. Please reduce the length of the input.`,
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
  };
}

const pagesOf = (options: Required<Pick<EmbeddingServerOptions, 'kind' | 'model' | 'maxTokens' | 'autoTruncate'>>) => {
  const { kind, model, maxTokens, autoTruncate } = options;
  const own = {
    vllm: { owned_by: 'vllm', max_model_len: maxTokens },
    'llama-server': { owned_by: 'llamacpp', meta: { n_ctx_train: maxTokens } },
    ollama: { owned_by: 'library' },
    tei: {},
  }[kind];
  const list = { object: 'list', data: [{ id: model, object: 'model', created: 0, ...own }] };
  return new Map<string, unknown>([
    ...(kind === 'tei'
      ? [['/info', { model_id: model, max_input_length: maxTokens, auto_truncate: autoTruncate }] as const]
      : [['/v1/models', list] as const]),
    ['/health', {}],
  ]);
};

/** Starts the fake. Close it at the end of the test. */
export async function startEmbeddingServer(options: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const { kind = 'vllm', model = 'fake-embedder', maxTokens = 512, dimension = 16, maxBatch = 32 } = options;
  const { shortens = false, autoTruncate = false } = options;
  const pages = pagesOf({ kind, model, maxTokens, autoTruncate });
  const cuts = kind === 'ollama' || (kind === 'tei' && autoTruncate);
  const calls: string[][] = [];
  const paths: string[] = [];

  function embed(body: Record<string, unknown>): Answer {
    const texts = [body['input']].flat() as string[];
    calls.push(texts);
    if (kind === 'tei' && texts.length > maxBatch) {
      const message = `batch size ${texts.length} > maximum allowed batch size ${maxBatch}`;
      return { status: 413, body: { message, code: 413, type: 'Validation' } };
    }
    const wanted = typeof body['dimensions'] === 'number' ? body['dimensions'] : null;
    if (wanted !== null && !shortens && kind === 'vllm') {
      const message = `Model "${model}" does not support matryoshka representation, changing output dimensions will lead to poor results.`;
      return { status: 400, body: { error: { message, type: 'BadRequestError', param: null, code: 400 } } };
    }
    const size = wanted !== null && shortens ? wanted : dimension;
    const long = texts.map(fakeTokensOf).find((tokens) => tokens > maxTokens);
    if (long !== undefined && !cuts) return refuseLong(kind, long, maxTokens);
    const kept = texts.map((text) => (fakeTokensOf(text) > maxTokens ? cut(text, maxTokens) : text));
    const used = kept.reduce((sum, text) => sum + fakeTokensOf(text), 0);
    const data = kept.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, size, options) }));
    return { body: { object: 'list', model, data, usage: { prompt_tokens: used, total_tokens: used } } };
  }

  function tokenize(body: Record<string, unknown>): Answer {
    const text = String(body['prompt'] ?? body['content'] ?? body['inputs']);
    const tokens = Array.from({ length: fakeTokensOf(text) }, (_, id) => id);
    if (kind === 'tei') return { body: [tokens.map((id) => ({ id, special: false }))] };
    if (kind === 'vllm') return { body: { count: tokens.length, max_model_len: maxTokens, tokens } };
    return kind === 'llama-server' ? { body: { tokens } } : { status: 404, body: {} };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? '';
    paths.push(path);
    if (request.method === 'GET') return pages.has(path) ? { body: pages.get(path) } : { status: 404, body: {} };
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
    if (path === '/v1/embeddings') return embed(body);
    return path === '/tokenize' ? tokenize(body) : { status: 404, body: {} };
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    answer(request).then(
      ({ status = 200, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    paths,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
