import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HotHandler } from '../../http-kit/http-exchange.ts';
import { createHttpDate } from './reply-head.ts';
import { BodyMemory } from './body-memory.ts';
import { type ConnectionOwner, FrontConnection } from './connection.ts';

export interface FrontOptions {
  /** Handlers of `POST`, by whole path. */
  readonly handlers: ReadonlyMap<string, HotHandler>;
  /** Whether the service stops: replies then say that their connection closes. */
  readonly isDraining: () => boolean;
  /** How often connections are looked at that took too long. */
  readonly checkIntervalMs: number;
}

export interface Front {
  /** Closes the connections that no request is at. */
  closeIdle(): void;
}

/** node:http keeps a connection this much longer than it says, for requests that are under way. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

/**
 * Puts a front before a node:http server, on the same port: it serves plain requests to the hot routes itself, and gives a connection to
 * the server, with all that it has not served, as soon as anything else comes (docs/decisions/http-front.md). Limits of time are the
 * server's own.
 */
export function createFront(server: Server, { handlers, isDraining, checkIntervalMs }: FrontOptions): Front {
  const open = new Set<FrontConnection>();
  const [serve] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  if (!serve) throw new TypeError('The server has no listener of connections');
  const date = createHttpDate();
  const memory = new BodyMemory();
  const owner: ConnectionOwner = {
    handlers,
    memory,
    now: () => performance.now(),
    replyFrame: () => ({ closes: isDraining(), keepAliveMs: server.keepAliveTimeout, date: date() }),
    handOver(connection, socket, unread) {
      open.delete(connection);
      connection.release();
      socket.unshift(unread);
      serve.call(server, socket);
      socket.resume();
    },
    fail(connection, code) {
      if (connection.isReplying) connection.destroy();
      else server.emit('clientError', Object.assign(new Error(code), { code }), connection.socket);
    },
    closed: (connection) => void open.delete(connection),
  };

  const isLate = (connection: FrontConnection, now: number): boolean => {
    const waited = now - connection.sinceMs;
    switch (connection.waiting) {
      case 'first request':
        return waited > server.headersTimeout;
      case 'next request':
        return waited > server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS;
      case 'body':
        return waited > server.requestTimeout;
      case 'reply':
        return false;
    }
  };
  const check = () => {
    memory.trim();
    const now = owner.now();
    for (const connection of open) {
      if (!isLate(connection, now)) continue;
      if (connection.waiting === 'next request') connection.destroy();
      else owner.fail(connection, 'ERR_HTTP_REQUEST_TIMEOUT');
    }
  };

  server.off('connection', serve);
  server.on('connection', (socket: Socket) => open.add(new FrontConnection(owner, socket)));
  let sweeper: NodeJS.Timeout | undefined;
  server.on('listening', () => (sweeper = setInterval(check, checkIntervalMs).unref()));
  server.on('close', () => clearInterval(sweeper));

  return {
    closeIdle() {
      for (const connection of open) if (connection.waiting === 'next request') connection.destroy();
    },
  };
}
