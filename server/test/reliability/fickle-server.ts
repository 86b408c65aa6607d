import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chance } from './seeded.ts';

/** Models of the server. */
export const FICKLE_EMBEDDER = 'fickle-embedder';
export const FICKLE_RERANKER = 'fickle-reranker';

/** A fake server of an embedder and a reranker which, from a moment on, answers every second request in a way that is of no use. */
export interface FickleServer {
  /** Configuration of a service that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers are right until this is set, and again when it is null. */
  chance: Chance | null;
  close(): Promise<void>;
}

const LENGTH = 16;
const vectorOf = (text: string) => Array.from({ length: LENGTH }, (_, at) => 1 + (text.codePointAt(at) ?? 0));

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Answers that are of no use, for a request with so many inputs. */
const ways: readonly ((response: ServerResponse, count: number) => void)[] = [
  (response) => json(response, 503, { error: { message: 'overloaded' } }),
  (response) => json(response, 500, { error: 'CUDA error' }),
  (response) => json(response, 404, { error: { message: 'no such model' } }),
  (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"ind'),
  (response) => void response.destroy(),
  // Nothing: it hangs.
  () => undefined,
  (response) => json(response, 200, { data: [], results: [] }),
  ...[64, 0].map((length) => (response: ServerResponse, count: number) => {
    const embedding = Array.from({ length: length || LENGTH }, () => (length === 0 ? 0 : 1));
    const data = Array.from({ length: count }, (_, index) => ({ index, embedding }));
    json(response, 200, { data, results: data.map(() => ({ index: count + 1, relevance_score: 'high' })) });
  }),
];

interface Asked {
  readonly input?: string | readonly string[];
  readonly documents?: readonly string[];
}

function answer(response: ServerResponse, { input = [], documents }: Asked, chance: Chance | null): void {
  const texts = documents ?? (typeof input === 'string' ? [input] : input);
  if (chance?.hits(0.5) === true) return chance.pick(ways)(response, texts.length);
  const usage = { prompt_tokens: 5, total_tokens: 5 };
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  const results = texts.map((text, index) => ({ index, relevance_score: 1 / (1 + text.length) }));
  json(response, 200, documents === undefined ? { object: 'list', data, usage } : { id: 'x', results, usage });
}

export async function startFickleServer(): Promise<FickleServer> {
  const state: { chance: Chance | null } = { chance: null };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => void (text += part));
    request.on('end', () => answer(response, JSON.parse(text === '' ? '{}' : text) as Asked, state.chance));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const engines = (model: string) => [{ engine: 'fickle', model }];
  return Object.assign(state, {
    env: {
      STUDIO_ENGINES: JSON.stringify({
        fickle: { addresses: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`] },
      }),
      STUDIO_MODELS: JSON.stringify({
        [FICKLE_EMBEDDER]: { kind: 'embedding', engines: engines(FICKLE_EMBEDDER) },
        [FICKLE_RERANKER]: { kind: 'rerank', engines: engines(FICKLE_RERANKER) },
      }),
      STUDIO_RETRIEVAL_QUERY_TIMEOUT_MS: '500',
      // Of calls to a server that hangs.
      STUDIO_TIMEOUTS_TOTAL_MS: '20000',
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}
