import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { OpenAiError } from '@ai-studio/contract/errors.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { requestIdOf } from './request-id.ts';

// Failures of HTTP itself, before any route has the request.

/** A request that was answered before any route had it. */
export interface Refused {
  readonly requestId: string;
  readonly status: number;
  readonly error: unknown;
}

type OnRefused = (refused: Refused) => void;

const bareError = (status: number, message: string): OpenAiError => ({
  error: { message, type: 'invalid_request_error', param: null, code: String(status) },
});

const EXPECTATION = 'The only expectation that can be met is 100-continue (Expect)';
const NO_HOST = 'The request needs one header Host';
const NOT_HTTP = [400, 'The request is not valid HTTP'] as const;

/** What is told of the codes of Node.js and its parser; the rest is no HTTP. */
const told: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of chunks are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
};

/** Whether bytes of an answer may be on their way: what is written now would stand in their middle. Source: Node.js, `http.Server`. */
const isAnswering = (socket: Socket): boolean =>
  (socket as { readonly _httpMessage?: { readonly headersSent: boolean } | null })._httpMessage?.headersSent === true;

function refuseRaw(error: NodeJS.ErrnoException, socket: Socket, onRefused: OnRefused): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const [status, message] = told[error.code ?? ''] ?? NOT_HTTP;
  const text = JSON.stringify(bareError(status, message));
  const requestId = hexId();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  onRefused({ requestId, status, error: new StudioError('invalid_request', message, { cause: error }) });
}

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  message: string,
  onRefused: OnRefused,
): void {
  const text = JSON.stringify(bareError(status, message));
  const requestId = requestIdOf(req.headers);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': requestId,
    Connection: 'close',
  });
  res.end(text);
  onRefused({ requestId, status, error: new StudioError('invalid_request', message) });
}

/** Answers what is no HTTP, or takes too long. */
export function answerBadHttp(server: Server, onRefused: OnRefused): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseRaw(error, socket, onRefused));
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) =>
    refuse(req, res, 417, EXPECTATION, onRefused),
  );
}

/** Whether a request may go on to its route; else it is answered. HTTP/1.1 needs a host. Source: RFC 9112, section 3.2. */
export function hasHost(req: IncomingMessage, res: ServerResponse, onRefused: OnRefused): boolean {
  if (req.headers.host !== undefined || req.httpVersionMinor === 0) return true;
  refuse(req, res, 400, NO_HOST, onRefused);
  return false;
}

/** Takes the address off a target that has one (`http://host/path`), as proxies send it. Source: RFC 9112, section 3.2.2. */
export function dropAuthority(req: IncomingMessage): void {
  const { url = '/' } = req;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (rest !== undefined) req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
