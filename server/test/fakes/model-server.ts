import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VllmOptions, checkVllmChat, tokenize } from './vllm.ts';

/** What the fake model server does with one chat or embedding request. */
export type Behaviour =
  | {
      /** Sends bytes as a stream, in pieces cut at the given byte positions, each in a write of its own. */
      readonly do: 'stream';
      readonly body: string | Buffer;
      readonly cuts?: readonly number[];
      /** Wait between pieces, in milliseconds. */
      readonly delayMs?: number;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** What follows the last piece: the proper end, silence, or a connection that is reset. */
      readonly ending?: 'end' | 'hang' | 'reset';
    }
  | {
      readonly do: 'reply';
      readonly status?: number;
      /** A string is sent as it stands, all else as JSON. */
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Reads the request and stays silent, before the headers or after them. */
  | { readonly do: 'hang'; readonly before: 'headers' | 'first-token' }
  /** Breaks the connection (RST) once the request has been read. */
  | { readonly do: 'reset' };

/** One request that reached the fake. Times are milliseconds of `performance.now()`. */
export interface RecordedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
  /** When the caller closed the connection before the answer had ended; null until then. */
  readonly abortedAtMs: number | null;
  /** Resolves with `abortedAtMs`. */
  readonly aborted: Promise<number>;
}

export interface ModelServerOptions {
  readonly models?: readonly string[];
  /** `owned_by` of the listed models, by which clients tell servers apart. */
  readonly ownedBy?: string;
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it checks before it answers a chat as told; null for nothing. As vLLM where it says to be one by its own list. */
  readonly checks?: Omit<VllmOptions, 'models'> | null;
  /** Answers of GET requests beside /v1/models and /health, by path; a string is sent as it stands. */
  readonly pages?: Readonly<Record<string, unknown>>;
  /** Listens on this Unix socket instead of a loopback port. */
  readonly socketPath?: string;
}

/** A fake model server of the OpenAI format, on TCP or a Unix socket, in the test's own process. */
export interface ModelServer {
  /** Base address with `/v1`; for a Unix socket `http://localhost/v1`. */
  readonly url: string;
  readonly socketPath: string | null;
  /** Chat and embedding requests so far, in order, those that its checks refused left out; GET requests are in `visits`. */
  readonly requests: readonly RecordedRequest[];
  /** Chat requests that its checks refused. */
  readonly refused: readonly RecordedRequest[];
  /** Paths of GET requests so far, and of counts of prompts. */
  readonly visits: readonly string[];
  /** Connections open now. */
  readonly connections: number;
  /** Whether GET /health answers 200 (else 503). */
  healthy: boolean;
  /** Plays these once each, in order, before `always`. */
  next(...behaviours: readonly Behaviour[]): void;
  /** Plays this from now on; at first a short answer in Korean, streamed or whole as asked. */
  always(behaviour: Behaviour): void;
  /** Resolves with the first request that arrives from now on. */
  nextRequest(): Promise<RecordedRequest>;
  /** Stops listening and drops all connections: new ones are refused. */
  refuse(): Promise<void>;
  /** Listens again on the same port. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

interface Recorded extends RecordedRequest {
  abortedAtMs: number | null;
}

const sse = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

/** Tokens that prompt and reply have room for, by the list of its models. */
const CONTEXT_LENGTH = 8192;

/** Vectors of the fake: four numbers that depend on the text only. */
const vectorOf = (text: string) => [text.length, text.codePointAt(0) ?? 0, 0.5, -1];

/** Events of a plain reply in the shape of vLLM, one content delta a piece. */
export function plainStream(pieces: readonly string[], model = 'fake'): string {
  const base = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const chunk = (delta: object, finish: string | null = null) =>
    sse({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const usage = { prompt_tokens: 5, total_tokens: 5 + pieces.length, completion_tokens: pieces.length };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({ content: '' }, 'stop'),
    sse({ ...base, choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('');
}

/** A whole reply in the shape of vLLM. */
export function plainReply(content: string, model = 'fake'): Record<string, unknown> {
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, tool_calls: [] },
        logprobs: null,
        finish_reason: 'stop',
        stop_reason: null,
      },
    ],
    usage: { prompt_tokens: 5, total_tokens: 8, completion_tokens: 3, prompt_tokens_details: null },
  };
}

const DEFAULT_PIECES = ['안녕', '하세요', '.'];

function usual({ path, json }: RecordedRequest): Behaviour {
  if (path.endsWith('/embeddings')) {
    const input = Array.isArray(json['input']) ? (json['input'] as string[]) : [String(json['input'])];
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    return {
      do: 'reply',
      body: {
        object: 'list',
        data,
        model: json['model'],
        usage: { prompt_tokens: input.length, total_tokens: input.length },
      },
    };
  }
  const model = String(json['model']);
  if (json['stream'] === true) return { do: 'stream', body: plainStream(DEFAULT_PIECES, model) };
  return { do: 'reply', body: plainReply(DEFAULT_PIECES.join(''), model) };
}

function piecesOf(body: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set([0, ...cuts, body.length])].filter((n) => n >= 0 && n <= body.length).sort((a, b) => a - b);
  return at.slice(1).map((end, i) => body.subarray(at[i], end));
}

async function play(behaviour: Behaviour, response: ServerResponse): Promise<void> {
  const socket = response.socket as Socket;
  switch (behaviour.do) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'hang':
      if (behaviour.before === 'first-token') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
      }
      return;
    case 'reply': {
      const text = typeof behaviour.body === 'string' ? behaviour.body : JSON.stringify(behaviour.body);
      response
        .writeHead(behaviour.status ?? 200, { 'content-type': 'application/json', ...behaviour.headers })
        .end(text);
      return;
    }
    case 'stream': {
      const {
        body,
        cuts = [],
        delayMs = 0,
        contentType = 'text/event-stream; charset=utf-8',
        ending = 'end',
      } = behaviour;
      response.writeHead(200, { 'content-type': contentType, ...behaviour.headers });
      socket.setNoDelay(true);
      for (const piece of piecesOf(Buffer.from(body), cuts)) {
        if (response.destroyed) return;
        response.write(piece);
        if (delayMs > 0) await sleep(delayMs);
        else if (cuts.length > 0) await new Promise((resolve) => setImmediate(resolve));
      }
      if (ending === 'end') response.end();
      else if (ending === 'reset') socket.resetAndDestroy();
      return;
    }
  }
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<Recorded> {
  const { promise: aborted, resolve } = Promise.withResolvers<number>();
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const recorded: Recorded = {
    atMs: performance.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    abortedAtMs: null,
    aborted,
  };
  response.on('close', () => {
    if (response.writableFinished) return;
    recorded.abortedAtMs = performance.now();
    resolve(recorded.abortedAtMs);
  });
  return recorded;
}

/** Starts the fake. Close it at the end of the test. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { models = ['fake'], ownedBy = 'vllm', headers = {}, pages = {}, socketPath } = options;
  const { checks = ownedBy === 'vllm' && !('/v1/models' in pages) ? {} : null } = options;
  const requests: Recorded[] = [];
  const refused: Recorded[] = [];
  const visits: string[] = [];
  const planned: Behaviour[] = [];
  const waiting: ((request: RecordedRequest) => void)[] = [];
  const sockets = new Set<Socket>();
  let standing: Behaviour | null = null;
  let healthy = true;

  const page = (path: string, response: ServerResponse) => {
    visits.push(path);
    const list = {
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: ownedBy, max_model_len: CONTEXT_LENGTH })),
    };
    const found = path in pages ? pages[path] : path === '/v1/models' ? list : path === '/health' ? {} : undefined;
    const status = path === '/health' && !healthy ? 503 : found === undefined ? 404 : 200;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof found === 'string' ? found : JSON.stringify(found ?? {}));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method === 'GET') return page(request.url ?? '', response);
    const recorded = await record(request, response);
    if (checks) {
      const setUp = { contextLength: CONTEXT_LENGTH, ...checks };
      if (recorded.path === '/tokenize') {
        visits.push(recorded.path);
        return play({ do: 'reply', body: tokenize(recorded.json, setUp) }, response);
      }
      const refusal = recorded.path.endsWith('/chat/completions') ? checkVllmChat(recorded.json, setUp) : null;
      if (refusal) {
        refused.push(recorded);
        return play({ do: 'reply', ...refusal }, response);
      }
    }
    requests.push(recorded);
    for (const resolve of waiting.splice(0)) resolve(recorded);
    await play(planned.shift() ?? standing ?? usual(recorded), response);
  };

  const server = createServer((request, response) => {
    // A caller that goes away while its body is read is part of the tests.
    serve(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      if (socketPath === undefined) server.listen(port, '127.0.0.1', resolve);
      else server.listen(socketPath, resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) server.close(() => resolve());
      else resolve();
    });

  await listen(0);
  const port = socketPath === undefined ? (server.address() as AddressInfo).port : 0;
  return {
    url: socketPath === undefined ? `http://127.0.0.1:${port}/v1` : 'http://localhost/v1',
    socketPath: socketPath ?? null,
    requests,
    refused,
    visits,
    get connections() {
      return sockets.size;
    },
    get healthy() {
      return healthy;
    },
    set healthy(value) {
      healthy = value;
    },
    next: (...behaviours) => void planned.push(...behaviours),
    always: (behaviour) => void (standing = behaviour),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    refuse: stop,
    accept: () => listen(port),
    close: stop,
  };
}
