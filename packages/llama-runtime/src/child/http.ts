import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { ApiError, errorBody, badRequest, toApiError } from './api-error.ts';
import type { Chat, ReplySink } from './chat.ts';
import { PRIORITY_HEADER, type Priority, priorityOf } from './turns.ts';

type JsonHandler = (body: unknown, signal: AbortSignal, priority: Priority) => Promise<string>;

/** Handlers of the endpoints that a loaded model serves; others are left out. */
export interface Endpoints {
  readonly chat?: Chat;
  readonly embeddings?: JsonHandler;
  readonly rerank?: JsonHandler;
  /** Bodies of /tokenize and /detokenize to their answers. */
  readonly tokens?: { tokenize(body: unknown): string; detokenize(body: unknown): string };
  /** Body of GET /v1/models. */
  readonly models: string;
}

export interface ChildServer {
  close(): Promise<void>;
}

/** The service in front checks sizes; this only keeps a mistake from taking all memory. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new ApiError(413, 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

function sendJson(response: ServerResponse, status: number, json: string): void {
  if (response.destroyed) return;
  if (status === 503) response.setHeader('retry-after', '1');
  response.writeHead(status, { 'content-type': 'application/json' }).end(json);
}

const sendError = (response: ServerResponse, error: unknown): void => {
  const failure = toApiError(error);
  if (!response.headersSent) {
    sendJson(response, failure.status, errorBody(failure));
    return;
  }
  response.end(`data: ${errorBody(failure)}\n\n`);
};

/**
 * Puts a chat reply on the wire: server-sent events or one JSON text. Events wait for the next turn of the event loop:
 * by then the next step of the model is under way, and writing costs it nothing.
 */
function sinkOf(response: ServerResponse): ReplySink {
  let waiting = '';
  const flush = () => {
    if (waiting === '' || response.destroyed) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(waiting);
    waiting = '';
  };
  return {
    chunk(json) {
      if (waiting === '') setImmediate(flush);
      waiting += `data: ${json}\n\n`;
    },
    done() {
      flush();
      response.end('data: [DONE]\n\n');
    },
    whole: (json) => sendJson(response, 200, json),
    fail(error) {
      flush();
      sendError(response, error);
    },
  };
}

/** Ends when the client goes away before it has its answer. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

async function handle(endpoints: Endpoints, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?')[0] ?? '';
  const signal = signalOf(response);
  const priority = priorityOf(request.headers[PRIORITY_HEADER]);
  if (request.method === 'GET') {
    if (path === '/health') return sendJson(response, 200, '{"status":"ok"}');
    if (path === '/v1/models') return sendJson(response, 200, endpoints.models);
  }
  if (request.method === 'POST') {
    if (path === '/v1/chat/completions' && endpoints.chat) {
      return endpoints.chat.reply(await readJson(request), sinkOf(response), signal, priority);
    }
    if (path === '/tokenize' && endpoints.tokens)
      return sendJson(response, 200, endpoints.tokens.tokenize(await readJson(request)));
    if (path === '/detokenize' && endpoints.tokens)
      return sendJson(response, 200, endpoints.tokens.detokenize(await readJson(request)));
    const handler =
      path === '/v1/embeddings' ? endpoints.embeddings : path === '/v1/rerank' ? endpoints.rerank : undefined;
    if (handler) return sendJson(response, 200, await handler(await readJson(request), signal, priority));
  }
  throw new ApiError(404, `This model does not serve ${request.method ?? ''} ${path}.`);
}

/** Serves the endpoints on a Unix socket. Rejects when it cannot listen. */
export async function serve(socketPath: string, endpoints: Endpoints): Promise<ChildServer> {
  const server: Server = createServer((request, response) => {
    handle(endpoints, request, response).catch((error: unknown) => sendError(response, error));
  });
  // Nobody but the service talks here, and a long prompt may wait for its turn as long as it must.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  server.timeout = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(socketPath, resolve);
  await promise;
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
