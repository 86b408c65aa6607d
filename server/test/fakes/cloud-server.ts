import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake service does to whoever asks, and what it was asked. */
export interface CloudServer {
  readonly url: string;
  /** Paths with their queries, in their order. */
  readonly asked: string[];
  /** The next requests get these instead. */
  readonly refusals: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }[];
  /** Tokens that are taken; given out by the fake of the sign-in, if it has one. */
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

/** A request to a fake service. */
export interface CloudCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Answers in JSON. */
  json(value: unknown, status?: number): void;
  readonly reply: ServerResponse;
}

/** Starts a fake service on loopback; `isOpen` says which paths need no token. */
export async function startCloudServer(
  serve: (call: CloudCall, server: CloudServer) => void,
  isOpen: (path: string) => boolean = () => false,
): Promise<CloudServer> {
  const asked: string[] = [];
  const refusals: CloudServer['refusals'] = [];
  const tokens = new Set<string>();
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '', made.url);
    asked.push(decodeURIComponent(`${url.pathname}${url.search}`));
    const json = (value: unknown, status = 200) =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (!isOpen(url.pathname)) {
      const refusal = refusals.shift();
      if (refusal !== undefined) return void reply.writeHead(refusal.status, refusal.headers).end(refusal.body ?? '{}');
      if (!tokens.has(request.headers.authorization ?? '')) return json({ error: 'unauthorized' }, 401);
    }
    const { method = 'GET', headers } = request;
    serve({ method, url, headers, body: Buffer.concat(parts).toString(), json, reply }, made);
  };
  const server = createServer(
    (request, reply) => void answer(request, reply).catch((error: unknown) => reply.writeHead(500).end(String(error))),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  let closing: Promise<void> | null = null;
  const made: CloudServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refusals,
    tokens,
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      })),
  };
  return made;
}
