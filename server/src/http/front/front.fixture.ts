import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { HotHandler, HttpExchange } from '../../http-kit/http-exchange.ts';
import { NodeExchange } from '../../http-kit/node-exchange.ts';
import { handleProtocolErrors } from '../protocol-errors.ts';
import { createFront, type Front } from './index.ts';

export const HOT = '/v1/chat/completions';

/** A server with a front, or node:http alone, that answers alike. */
export interface TestServer {
  readonly server: Server;
  readonly front: Front | null;
  readonly port: number;
  /** Exchanges of the hot path that did not go through node:http. */
  readonly served: HttpExchange[];
  /** The server's ends of its connections, by the port of the other end. */
  readonly sockets: Map<number, Socket>;
  draining: boolean;
  close(): Promise<void>;
}

interface TestServerOptions {
  readonly hasFront?: boolean;
  readonly handler?: HotHandler;
  readonly timeoutMs?: number;
}

/** Answers with what was read of the request. */
export const echo: HotHandler = (exchange) => {
  exchange.listen({ closed: () => undefined, drained: () => undefined });
  const answer = (bytes: Buffer) => {
    const seen = { url: exchange.url, headers: exchange.headers, body: bytes.toString('latin1') };
    const text = Buffer.from(JSON.stringify(seen)).toString('latin1');
    exchange.reply(200, ['Content-Type', 'application/json', 'Content-Length', String(text.length)], text);
  };
  const refuse = (error: unknown) => {
    const text = String(error);
    if (!exchange.isComplete) exchange.discardBody();
    exchange.reply(413, ['Content-Length', String(text.length)], text);
  };
  try {
    const body = exchange.readBody(1_000_000);
    if (body instanceof Promise) body.then(answer, refuse);
    else answer(body);
  } catch (error) {
    refuse(error);
  }
};

/** Starts one on a port of its own. */
export async function startServer({
  hasFront = true,
  handler = echo,
  timeoutMs = 60_000,
}: TestServerOptions = {}): Promise<TestServer> {
  const server = createServer({
    keepAliveTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: 20,
    requireHostHeader: false,
  });
  handleProtocolErrors(server, () => undefined);
  const served: HttpExchange[] = [];
  const handle: HotHandler = (exchange) => {
    if (!(exchange instanceof NodeExchange)) served.push(exchange);
    handler(exchange);
  };
  const front = hasFront
    ? createFront(server, {
        handlers: new Map([[HOT, handle]]),
        isDraining: () => made.draining,
        checkIntervalMs: 20,
      })
    : null;
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket: Socket) => sockets.set(socket.remotePort ?? 0, socket));
  server.on('request', (req, res) => {
    if (req.method === 'POST' && req.url === HOT) handle(new NodeExchange(req, res));
    else res.end(`${req.method ?? ''} ${req.url ?? ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: TestServer = {
    server,
    front,
    port: (server.address() as AddressInfo).port,
    served,
    sockets,
    draining: false,
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

/** Text without what differs between any two replies. */
export const withoutTimes = (text: string): string =>
  text.replaceAll(/^Date: .*\r\n/gm, 'Date\r\n').replaceAll(/^X-Request-Id: .*\r\n/gm, 'X-Request-Id\r\n');

/** What came back; `isReset` where the connection was reset, which may have thrown away some of it. */
export interface Conversation {
  readonly text: string;
  readonly isReset: boolean;
}

/** Sends bytes, says that no more comes, and reads to the end. */
export const converseOnce = (port: number, bytes: string): Promise<Conversation> =>
  new Promise((resolve) => {
    let text = '';
    let isReset = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.on('error', () => (isReset = true));
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve({ text: withoutTimes(text), isReset }));
    socket.end(bytes, 'latin1');
  });

const MAX_CONVERSATIONS = 20;

/**
 * The same, again where the connection was reset: a server that refuses closes it while bytes are on their way, and the system may then
 * drop the answer that was sent before.
 */
export async function converse(port: number, bytes: string, begin: () => void = () => undefined): Promise<string> {
  for (let tries = 1; ; tries++) {
    begin();
    const { text, isReset } = await converseOnce(port, bytes);
    if (!isReset || tries === MAX_CONVERSATIONS) return text;
  }
}

/** A client that says one thing after the other. */
export class Client {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1').on('data', (part: string) => (this.text += part));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }
}

/** A request as clients send it. */
export const request = (body: string, lines: readonly string[] = [], path = HOT): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: studio:8080',
    'Content-Type: application/json',
    'Authorization: Bearer a-key',
    ...lines,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
