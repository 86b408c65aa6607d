import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';

/**
 * Resolves a host that a user named to the one address that may be connected to, behind the address guard. Rejects with an error whose
 * message may be shown.
 */
export type ResolveHost = (host: string, isEncrypted: boolean, signal: AbortSignal) => Promise<string>;

/** What a query of a PostgreSQL database gives: a document for each row. */
export interface SqlSource {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Whether the connection is encrypted, and the server must prove who it is. */
  readonly tls: boolean;
  readonly credentials: { readonly username: string; readonly password: string };
  /** Gives the columns `id` and `content`, and `title`, `version`, `url` where there are such. */
  readonly query: string;
  readonly resolve: ResolveHost;
  /** Rows that are asked for at once. */
  readonly pageSize?: number;
}

const PAGE_SIZE = 50;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 120_000;
/** Letters of a content that comes with its row; what is longer is asked for by itself. */
const MAX_HELD = 500_000;
const MAX_TITLE = 300;
const optional = ['title', 'version', 'url'] as const;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly content: string;
}

/** What a database says of a failure. Source: PostgreSQL, appendix A, "Error Codes". */
function failureOf(cause: unknown): StudioError {
  if (cause instanceof StudioError) return cause;
  const { code = '', message = '' } = cause as { readonly code?: string; readonly message?: string };
  if (/^(?:28|42501)/.test(code))
    return new StudioError('forbidden', 'The database refuses access; check the secrets of the connector', { cause });
  if (code === '57014') return new StudioError('unavailable', 'The query takes too long', { cause });
  if (/^(?:42|22|25|0A|3D)/.test(code))
    return new StudioError('invalid_request', `The query fails: ${message.slice(0, 300)}`, { cause, param: 'query' });
  return new StudioError('unavailable', 'The database does not answer', { cause });
}

/** A name of a file by a title, which may say what its content is. */
function nameOf(title: string, id: string): string {
  // eslint-disable-next-line no-control-regex
  const name = (title || id).replaceAll(/[\u0000-\u001F\u007F/\\\s]+/gu, ' ').trim();
  return /\.(?:txt|md|html|csv)$/i.test(name) ? name : `${name}.txt`;
}

/**
 * Opens a query of a PostgreSQL database as a source. Ids are those of its rows; versions are its column `version`, else a hash of the
 * row. Rows are asked for by pages of their ids, each in a transaction of its own that may only read, so that a long run keeps nothing open
 * in the database.
 */
export function createSqlConnector(source: SqlSource): Connector {
  const { pageSize = PAGE_SIZE, credentials } = source;
  const query = source.query.trim().replace(/;+$/, '');
  let open: { readonly client: Client; readonly socket: Socket } | null = null;
  /** Rows of the page that was listed last, which the caller is about to fetch. */
  let held: ReadonlyMap<string, Row> = new Map();

  async function connect(signal: AbortSignal) {
    if (open !== null) return open;
    const { host, port, database, tls } = source;
    let address: string;
    try {
      address = await source.resolve(host, tls, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const why = cause instanceof Error ? cause.message : 'no reason is known';
      throw new StudioError('unavailable', `The database does not answer: ${why}`, { cause });
    }
    const { Client } = await import('pg');
    const socket = new Socket();
    const client = new Client({
      host: address,
      port,
      database,
      user: credentials.username,
      password: credentials.password,
      ssl: tls ? { servername: host, rejectUnauthorized: true } : false,
      stream: () => socket,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS + CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      application_name: 'ai-studio',
      // All as text: what the columns are is the affair of the query.
      types: { getTypeParser: () => (value: unknown) => value },
    });
    client.on('error', () => {
      if (open?.client === client) open = null;
    });
    await client.connect();
    return (open = { client, socket });
  }

  /** Makes one transaction, which may only read; its connection is given up where it fails or the signal says so. */
  async function read<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const stop = () => open?.socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { client } = await connect(signal);
      await client.query('BEGIN READ ONLY');
      const found = await work(client);
      await client.query('COMMIT');
      return found;
    } catch (cause) {
      open?.socket.destroy();
      open = null;
      signal.throwIfAborted();
      throw failureOf(cause);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Which of the columns the query gives. Throws StudioError `invalid_request` where one is missing that must be there. */
  async function columnsOf(client: Client): Promise<ReadonlySet<string>> {
    // With parameters a text is one statement at most, whatever stands in it.
    const { fields } = await client.query(`SELECT * FROM (${query}\n) AS q WHERE $1::text IS NULL LIMIT 0`, ['']);
    const columns = new Set(fields.map(({ name }) => name));
    for (const name of ['id', 'content'])
      if (!columns.has(name))
        throw new StudioError('invalid_request', `The query gives no column ${name}`, { param: 'query' });
    return columns;
  }

  const selected = (columns: ReadonlySet<string>): string =>
    [
      `left(q.id::text, ${MAX_SOURCE_ID + 1}) AS id`,
      ...optional.map((name) =>
        columns.has(name) ? `coalesce(left(q.${name}::text, 500), '') AS ${name}` : `'' AS ${name}`,
      ),
      `coalesce(left(q.content::text, ${MAX_HELD + 1}), '') AS content`,
      // Of all of it, also of what does not come along.
      `md5(coalesce(q.content::text, '')) AS hash`,
    ].join(', ');

  const pageAfter = (columns: ReadonlySet<string>, last: string | null, signal: AbortSignal) =>
    read(signal, async (client) => {
      const { rows } = await client.query<Row & { readonly hash: string }>(
        `SELECT ${selected(columns)} FROM (${query}\n) AS q WHERE q.id IS NOT NULL AND ($1::text IS NULL OR q.id::text COLLATE "C" > $1)
         ORDER BY q.id::text COLLATE "C" LIMIT ${pageSize}`,
        [last],
      );
      return rows.map(({ hash, ...row }) => ({
        ...row,
        version:
          row.version ||
          createHash('sha256')
            .update(JSON.stringify([row.title, row.url, hash]))
            .digest('base64url'),
      }));
    });

  async function* list(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const columns = await read(signal, columnsOf);
    let isWhole = true;
    let items = 0;
    let last: string | null = null;
    for (;;) {
      const rows: readonly Row[] = await pageAfter(columns, last, signal);
      held = new Map(rows.filter(({ content }) => content.length <= MAX_HELD).map((row) => [row.id, row]));
      for (const { id, title, version, url } of rows) {
        if (id === '' || id.length > MAX_SOURCE_ID) {
          isWhole = false;
          yield {
            type: 'unreadable',
            id: null,
            name: title || id.slice(0, 100),
            reason: 'its id is empty or too long',
          };
          continue;
        }
        if (++items > maxItems) {
          yield { type: 'unreadable', id: null, name: '', reason: `the query gives more than ${maxItems} rows` };
          return void (yield { type: 'end', isWhole: false, cursor: null });
        }
        const metadata = url === '' ? {} : { url };
        yield {
          type: 'present',
          item: { id, name: nameOf(title.slice(0, MAX_TITLE), id), version, bytes: null, metadata },
        };
      }
      last = rows.at(-1)?.id ?? null;
      if (last === null || rows.length < pageSize) break;
      // An id that was cut is not where the next page begins.
      if (last.length > MAX_SOURCE_ID)
        throw new StudioError('unavailable', 'The ids of the query are too long to go through it');
    }
    yield { type: 'end', isWhole, cursor: null };
  }

  return {
    async *list({ maxItems, signal }) {
      try {
        yield* list(maxItems, signal);
      } finally {
        held = new Map();
      }
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      let content = held.get(id)?.content;
      content ??= await read(signal, async (client) => {
        await columnsOf(client);
        const { rows } = await client.query<{ readonly content: string }>(
          `SELECT coalesce(left(q.content::text, $2::int), '') AS content FROM (${query}\n) AS q WHERE q.id::text = $1 LIMIT 1`,
          [id, Math.min(maxBytes + 1, 2_000_000_000)],
        );
        return rows[0]?.content;
      });
      if (content === undefined) throw new StudioError('not_found', 'The query gives no such row any more');
      const bytes = Buffer.from(content);
      if (bytes.length > maxBytes) throw new StudioError('too_large', `It is larger than ${maxBytes} bytes`);
      await writeFile(path, bytes, { signal });
      return { bytes: bytes.length };
    },
    async close() {
      const ended = open;
      open = null;
      held = new Map();
      if (ended === null) return;
      await ended.client.end().catch(() => undefined);
      ended.socket.destroy();
    },
  };
}
