import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import type { FreshDatabase } from './postgres.ts';

/** A database behind a port of loopback, which can be closed as a server that goes away. */
export interface PostgresDoor {
  /** How it is reached. */
  readonly source: {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly tls: false;
    readonly credentials: { readonly username: string; readonly password: string };
  };
  /** Runs a statement, and resolves with its rows. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** Closes the port alone. Safe to repeat. */
  shut(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one; the database stays when it is closed. */
export async function openPostgresDoor({ connection }: Pick<FreshDatabase, 'connection'>): Promise<PostgresDoor> {
  const { host, port, user, password, database } = connection;
  const client = new Client({ ...connection });
  await client.connect();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const inner = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const one of [socket, inner]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => sockets.delete(one));
    }
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port: door } = server.address() as { port: number };
  let shutting: Promise<void> | null = null;
  const shut = () =>
    (shutting ??= new Promise<void>((resolve) => {
      for (const one of sockets) one.destroy();
      server.close(() => resolve());
    }));
  return {
    source: { host: '127.0.0.1', port: door, database, tls: false, credentials: { username: user, password } },
    query: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    shut,
    async close() {
      await shut();
      await client.end();
    },
  };
}
