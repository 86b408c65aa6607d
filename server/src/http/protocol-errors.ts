import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { OpenAiError } from '@ai-studio/contract/errors.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { requestIdOf } from '../http-kit/request-id.ts';

// Failures of HTTP itself, before any route has the request.

/** A request that was rejected before any route. */
export interface RejectedRequest {
  readonly requestId: string;
  readonly status: number;
  readonly error: unknown;
}

type OnRejected = (rejected: RejectedRequest) => void;

const protocolError = (status: number, message: string): OpenAiError => ({
  error: { message, type: 'invalid_request_error', param: null, code: String(status) },
});

const EXPECTATION = 'The only expectation that can be met is 100-continue (Expect)';
const NO_HOST = 'The request needs one header Host';
const NOT_HTTP = [400, 'The request is not valid HTTP'] as const;

/** Replies to error codes of Node.js and its parser; any other code means malformed HTTP. */
const replies: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of chunks are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
};

/** Whether a response is being written, which further bytes would corrupt. Source: Node.js, `http.Server`. */
const isAnswering = (socket: Socket): boolean =>
  (socket as { readonly _httpMessage?: { readonly headersSent: boolean } | null })._httpMessage?.headersSent === true;

function sendRawRejection(error: NodeJS.ErrnoException, socket: Socket, onRejected: OnRejected): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const [status, message] = replies[error.code ?? ''] ?? NOT_HTTP;
  const text = JSON.stringify(protocolError(status, message));
  const requestId = hexId();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  onRejected({ requestId, status, error: new StudioError('invalid_request', message, { cause: error }) });
}

function sendRejection(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  message: string,
  onRejected: OnRejected,
): void {
  const text = JSON.stringify(protocolError(status, message));
  const requestId = requestIdOf(req.headers);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': requestId,
    Connection: 'close',
  });
  res.end(text);
  onRejected({ requestId, status, error: new StudioError('invalid_request', message) });
}

/** Replies to malformed HTTP, and to requests that time out. */
export function handleProtocolErrors(server: Server, onRejected: OnRejected): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    sendRawRejection(error, socket, onRejected),
  );
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) =>
    sendRejection(req, res, 417, EXPECTATION, onRejected),
  );
}

/** Rejects a request without the header Host, which HTTP/1.1 requires. Returns whether it may continue. Source: RFC 9112, section 3.2. */
export function checkHost(req: IncomingMessage, res: ServerResponse, onRejected: OnRejected): boolean {
  if (req.headers.host !== undefined || req.httpVersionMinor === 0) return true;
  sendRejection(req, res, 400, NO_HOST, onRejected);
  return false;
}

/** Takes the address off a target that has one (`http://host/path`), as proxies send it. Source: RFC 9112, section 3.2.2. */
export function stripAuthority(req: IncomingMessage): void {
  const { url = '/' } = req;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (rest !== undefined) req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
