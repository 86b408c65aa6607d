import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import type { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import type { OpenAiError } from '@ai-studio/contract/errors.ts';
import { expect } from 'vitest';
import { inTime } from './in-time.ts';

/** An answer read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The body as JSON of the form that the caller expects; a test asserts on what it reads from it. */
export const jsonOf = <T = ChatReply>(reply: Reply): T => JSON.parse(reply.text) as T;

/** A stream read to its end. */
export interface StreamReply extends Reply {
  readonly chunks: readonly ChatChunk[];
  readonly comments: readonly string[];
  /** The error event, when the stream had one. */
  readonly error: OpenAiError['error'] | null;
  readonly done: boolean;
}

export interface Caller {
  readonly base: string;
  readonly key: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON to send, or text or bytes to send as they are. */
  readonly body?: unknown;
  /** null sends no Authorization. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

/** One request to the service, with the caller's key unless another is given. */
export async function call(caller: Caller, path: string, options: CallOptions = {}): Promise<Reply> {
  const response = await send(caller, path, options);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The same, with the body still to be read. */
export function send(caller: Caller, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, signal } = options;
  const key = options.key === undefined ? caller.key : options.key;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const answer = fetch(caller.base + path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return inTime(`the answer to ${method} ${path}`, answer);
}

export const CHAT = '/v1/chat/completions';

/** A chat request; `messages` and `model` have values that suit most tests. */
export function chatBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'CORE-GOV', messages: [{ role: 'user', content: 'Hello' }], ...fields };
}

export const chat = (caller: Caller, fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  call(caller, CHAT, { body: chatBody(fields), headers });

export async function chatStream(
  caller: Caller,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<StreamReply> {
  const response = await send(caller, CHAT, { body: chatBody({ stream: true, ...fields }), headers });
  return readStream(response);
}

/** Reads a response of server-sent events; a connection that breaks ends it as an end does. */
export async function readStream(response: Response): Promise<StreamReply> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    if (response.body !== null)
      for await (const bytes of response.body) text += decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return { status: response.status, headers: response.headers, text, ...parseEvents(text) };
}

/** Takes the events of a chat stream apart. Throws when an event is not of the form that the interface gives. */
export function parseEvents(text: string): Pick<StreamReply, 'chunks' | 'comments' | 'error' | 'done'> {
  const chunks: ChatChunk[] = [];
  const comments: string[] = [];
  let error: OpenAiError['error'] | null = null;
  let done = false;
  for (const event of text.split('\n\n').filter((part) => part !== '')) {
    if (done || error !== null) throw new Error(`an event after the end: ${event}`);
    if (event.startsWith(':')) comments.push(event);
    else if (!event.startsWith('data: ') || event.includes('\n'))
      throw new Error(`not one data line: ${JSON.stringify(event)}`);
    else if (event === 'data: [DONE]') done = true;
    else {
      const parsed = JSON.parse(event.slice(6)) as ChatChunk | OpenAiError;
      if ('error' in parsed) error = parsed.error;
      else chunks.push(parsed);
    }
  }
  return { chunks, comments, error, done };
}

/** What a client has when it joins the deltas of one choice. */
export interface Joined {
  readonly role: string | undefined;
  readonly content: string;
  readonly reasoning_content: string | undefined;
  readonly reasoning: string | undefined;
  readonly tools: readonly {
    readonly id: string | undefined;
    readonly name: string | undefined;
    readonly arguments: string;
  }[];
  readonly finish: string | null;
  readonly stop: string | null | undefined;
}

export function join(chunks: readonly ChatChunk[], index = 0): Joined {
  let role: string | undefined;
  let content = '';
  let reasoningContent: string | undefined;
  let reasoning: string | undefined;
  let finish: string | null = null;
  let stop: string | null | undefined;
  const tools: { id: string | undefined; name: string | undefined; arguments: string }[] = [];
  for (const choice of chunks.flatMap((chunk) => chunk.choices).filter((one) => one.index === index)) {
    role ??= choice.delta.role;
    content += choice.delta.content ?? '';
    if (choice.delta.reasoning_content !== undefined)
      reasoningContent = (reasoningContent ?? '') + choice.delta.reasoning_content;
    if (choice.delta.reasoning !== undefined) reasoning = (reasoning ?? '') + choice.delta.reasoning;
    for (const delta of choice.delta.tool_calls ?? []) {
      const tool = (tools[delta.index] ??= { id: undefined, name: undefined, arguments: '' });
      tool.id ??= delta.id;
      tool.name ??= delta.function.name;
      tool.arguments += delta.function.arguments;
    }
    if (choice.finish_reason !== null) {
      finish = choice.finish_reason;
      stop = choice.stop_reason;
    }
  }
  return { role, content, reasoning_content: reasoningContent, reasoning, tools, finish, stop };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
};

/** `error.code` of a status. Source: decisions section 1, "Error forms". */
export const errorCode = (status: number) => (status >= 500 ? `${status}00` : String(status));

/** Asserts that a reply is a failure in the form of the interface, and returns its error. */
/** What an error is to hold beside what follows from its status. `code`: where it is not that of the status. */
interface ExpectedError {
  readonly param?: string | null;
  readonly message?: RegExp;
  readonly code?: string;
}

export function expectError(reply: Reply, status: number, expected: ExpectedError = {}): OpenAiError['error'] {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  const body = jsonOf<OpenAiError>(reply);
  expect(Object.keys(body)).toEqual(['error']);
  expectErrorObject(body.error, status, expected);
  return body.error;
}

export function expectErrorObject(
  error: OpenAiError['error'] | null,
  status: number,
  expected: ExpectedError = {},
): void {
  expect(error).not.toBeNull();
  if (error === null) return;
  expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type']);
  expect(error.code).toBe(expected.code ?? errorCode(status));
  expect(error.type).toBe(errorTypes[status] ?? 'server_error');
  expect(error.message.length).toBeGreaterThan(5);
  expect(error.message).not.toMatch(/\n\s+at |node_modules|127\.0\.0\.1|localhost|ECONN|undefined/);
  if (expected.param !== undefined) expect(error.param, error.message).toBe(expected.param);
  if (expected.message !== undefined) expect(error.message).toMatch(expected.message);
}

/** Sends a body in chunked coding, without Content-Length, and reads the answer. */
export function callChunked(
  caller: Caller,
  path: string,
  pieces: readonly (string | Buffer)[],
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${caller.key}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const request = httpRequest(caller.base + path, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('close', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}
