import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { type VllmOptions, checkVllmChat, tokenize, vllmPage } from '../fakes/vllm.ts';

/** One call that reached the fake model server. */
export interface UpstreamCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: ChatRequest & Record<string, unknown>;
  readonly response: ServerResponse;
  /** Resolves when the caller closed the connection before the answer had ended. */
  readonly aborted: Promise<void>;
}

/** What the fake model server does with a call. */
export type Handler = (call: UpstreamCall) => void | Promise<void>;

/** A scripted fake of vLLM with the checks that it documents, in the test's own process. What it refuses is not played. */
export interface Upstream {
  readonly url: string;
  /** Calls since the last `reset`, those that were refused left out, and health checks, listings and counts of tokens. */
  readonly calls: readonly UpstreamCall[];
  /** Chat requests since the last `reset` that its checks refused. */
  readonly refused: readonly UpstreamCall[];
  /** How many prompts it was asked to count since the last `reset`. */
  readonly counted: number;
  /** The body of the prompt that it counted last, as text; empty where it counted none. */
  readonly lastCounted: string;
  /** Is set up another way from now on, until the next `reset`. */
  restart(options: Omit<VllmOptions, 'models'>): void;
  /** The only call since the last `reset`. */
  one(): UpstreamCall;
  /** Sets what happens with calls from now on. */
  plays(handler: Handler): void;
  /** Forgets calls and goes back to the default reply. */
  reset(): void;
  /** Resolves with the next call as it arrives. */
  next(): Promise<UpstreamCall>;
  close(): Promise<void>;
}

export interface ScriptedTool {
  readonly id?: string;
  readonly name: string;
  readonly arguments: string | readonly string[];
}

/** One choice of a reply, in pieces. */
export interface Script {
  readonly reasoning?: string | readonly string[];
  /** Keys under which reasoning is sent. */
  readonly keys?: readonly ('reasoning_content' | 'reasoning')[];
  readonly text?: string | readonly string[];
  readonly tools?: readonly ScriptedTool[];
  /** null leaves the finish reason out. */
  readonly finish?: string | null;
  readonly stop?: string | number | null;
  readonly logprobs?: Record<string, unknown>;
}

export interface ReplyScript extends Script {
  /** Further choices. */
  readonly more?: readonly Script[];
  /** null: the server counts nothing. */
  readonly usage?: Record<string, unknown> | null;
  readonly extra?: Record<string, unknown>;
}

export const upstreamUsage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: null };

const pieces = (text: string | readonly string[] | undefined): readonly string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : text;

function head(call: UpstreamCall, object: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return { id: 'chatcmpl-up', object, created: 1_700_000_000, model: call.json.model, ...extra };
}

function underKeys(keys: Script['keys'], text: string): Record<string, string> {
  return Object.fromEntries((keys ?? ['reasoning_content']).map((key) => [key, text]));
}

function wholeChoice(script: Script, index: number): Record<string, unknown> {
  const text = pieces(script.text).join('');
  const reasoning = pieces(script.reasoning).join('');
  const tools = (script.tools ?? []).map((tool, i) => ({
    id: tool.id ?? `call_${i}`,
    type: 'function',
    function: { name: tool.name, arguments: pieces(tool.arguments).join('') },
  }));
  return {
    index,
    message: {
      role: 'assistant',
      content: text === '' && tools.length > 0 ? null : text,
      ...(script.reasoning === undefined ? {} : underKeys(script.keys, reasoning)),
      tool_calls: tools,
    },
    logprobs: script.logprobs ?? null,
    finish_reason: script.finish === undefined ? (tools.length > 0 ? 'tool_calls' : 'stop') : script.finish,
    stop_reason: script.stop ?? null,
  };
}

/** The deltas of one choice, the last with its finish reason. */
function choiceChunks(script: Script, index: number): Record<string, unknown>[] {
  const of = (delta: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
    index,
    delta,
    logprobs: null,
    finish_reason: null,
    ...more,
  });
  const chunks: Record<string, unknown>[] = [of({ role: 'assistant', content: '' })];
  for (const piece of pieces(script.reasoning)) chunks.push(of(underKeys(script.keys, piece)));
  for (const piece of pieces(script.text))
    chunks.push(of({ content: piece }, script.logprobs === undefined ? {} : { logprobs: script.logprobs }));
  for (const [i, tool] of (script.tools ?? []).entries()) {
    chunks.push(
      of({
        tool_calls: [
          { index: i, id: tool.id ?? `call_${i}`, type: 'function', function: { name: tool.name, arguments: '' } },
        ],
      }),
    );
    for (const piece of pieces(tool.arguments))
      chunks.push(of({ tool_calls: [{ index: i, function: { arguments: piece } }] }));
  }
  const finish = script.finish === undefined ? (script.tools ? 'tool_calls' : 'stop') : script.finish;
  if (finish !== null) chunks.push(of({}, { finish_reason: finish, stop_reason: script.stop ?? null }));
  return chunks;
}

export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** The events of a scripted reply as a model server streams them, `[DONE]` included. */
export function eventsOf(call: UpstreamCall, script: ReplyScript): string[] {
  const base = head(call, 'chat.completion.chunk', script.extra);
  const lists = [script, ...(script.more ?? [])].map(choiceChunks);
  const events: string[] = [];
  for (let i = 0; i < Math.max(...lists.map((list) => list.length)); i++) {
    for (const list of lists) if (list[i] !== undefined) events.push(sse({ ...base, choices: [list[i]] }));
  }
  if (call.json.stream_options?.include_usage === true && script.usage !== null)
    events.push(sse({ ...base, choices: [], usage: script.usage ?? upstreamUsage }));
  return [...events, 'data: [DONE]\n\n'];
}

export function openStream(call: UpstreamCall): ServerResponse {
  return call.response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Answers with the script, whole or streamed as the call asks. */
export function play(script: ReplyScript): Handler {
  return (call) => {
    if (call.json.stream === true) {
      openStream(call).end(eventsOf(call, script).join(''));
      return;
    }
    const choices = [script, ...(script.more ?? [])].map(wholeChoice);
    void answer(200, {
      ...head(call, 'chat.completion', script.extra),
      choices,
      ...(script.usage === null ? {} : { usage: script.usage ?? upstreamUsage }),
    })(call);
  };
}

/** Streams given bytes in given pieces, each in a packet of its own as far as the system allows. */
export function playPieces(make: (call: UpstreamCall) => readonly (string | Buffer)[]): Handler {
  return async (call) => {
    const response = openStream(call);
    response.socket?.setNoDelay(true);
    for (const piece of make(call)) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return ({ response }) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Accepts a call and never answers. */
export const silence: Handler = () => undefined;

async function readCall(request: IncomingMessage, response: ServerResponse): Promise<UpstreamCall> {
  const aborted = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableFinished) resolve();
    });
  });
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const json = (text === '' ? {} : JSON.parse(text)) as UpstreamCall['json'];
  return { path: request.url ?? '', headers: request.headers, text, json, response, aborted };
}

const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const NOT_FOUND = { detail: 'Not Found' };

/** Starts a scripted model server on a loopback port of its own. */
export async function openUpstream(models: readonly string[] = [], options: VllmOptions = {}): Promise<Upstream> {
  const usual = play({ text: 'OK' });
  let handler = usual;
  let calls: UpstreamCall[] = [];
  let refused: UpstreamCall[] = [];
  let counted = 0;
  let lastCounted = '';
  let setUp: VllmOptions = { ...options, models };
  let waiting: ((call: UpstreamCall) => void)[] = [];
  const sockets = new Set<Socket>();

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      const page = vllmPage(request.url ?? '', setUp);
      return sendJson(response, page === undefined ? 404 : 200, page ?? NOT_FOUND);
    }
    const call = await readCall(request, response);
    if (call.path === '/tokenize') {
      counted++;
      lastCounted = call.text;
      return setUp.tokenizer === false
        ? sendJson(response, 404, NOT_FOUND)
        : sendJson(response, 200, tokenize(call.json, setUp));
    }
    const refusal = call.path.endsWith('/chat/completions') ? checkVllmChat(call.json, setUp) : null;
    if (refusal) {
      refused.push(call);
      return sendJson(response, refusal.status, refusal.body);
    }
    calls.push(call);
    for (const resolve of waiting.splice(0)) resolve(call);
    await handler(call);
  };
  // A caller that goes away while its body is read, or an answer to one that has gone, is part of the tests; anything else is told.
  const server: Server = createServer(
    (request, response) =>
      void serve(request, response).catch((error: unknown) => {
        if (request.complete && !response.closed) console.error('the fake model server failed', error);
        response.destroy();
      }),
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get calls() {
      return calls;
    },
    get refused() {
      return refused;
    },
    get counted() {
      return counted;
    },
    get lastCounted() {
      return lastCounted;
    },
    restart: (changed) => void (setUp = { ...setUp, ...changed }),
    one() {
      const [only] = calls;
      if (only === undefined || calls.length !== 1)
        throw new Error(`${calls.length} calls reached the model server, not one`);
      return only;
    },
    plays: (next) => void (handler = next),
    reset() {
      handler = usual;
      calls = [];
      refused = [];
      counted = 0;
      lastCounted = '';
      setUp = { ...options, models };
      waiting = [];
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
