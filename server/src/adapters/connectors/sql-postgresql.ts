import { Socket } from 'node:net';
import { MAX_SOURCE_ID } from '../../ports/connector.ts';
import {
  CONNECT_MS,
  MAX_ODD,
  MAX_OPTIONAL,
  optionalColumns,
  type SqlDialect,
  type SqlRow,
  sqlFailures,
  STATEMENT_MS,
} from './sql.ts';

/** Of the type of bytes. Source: PostgreSQL, `pg_type.dat`. */
const BYTEA = 17;

/** Queries of PostgreSQL. */
export const postgresql: SqlDialect = {
  begin: 'BEGIN READ ONLY',
  async connect({ host, port, database, tls, credentials }, address, { signal, onCut }) {
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
    client.on('error', onCut);
    const destroy = () => void socket.destroy();
    signal.addEventListener('abort', destroy, { once: true });
    try {
      await client.connect();
    } finally {
      signal.removeEventListener('abort', destroy);
    }
    return {
      async run({ text, values }) {
        const { fields, rows } = await client.query<SqlRow>(text, [...values]);
        return { columns: fields.map(({ name, dataTypeID }) => ({ name, isBinary: dataTypeID === BYTEA })), rows };
      },
      command: async (text) => void (await client.query(text)),
      async end() {
        await client.end().catch(() => undefined);
        socket.destroy();
      },
      destroy,
    };
  },
  columnsOf: (query) => ({ text: `SELECT * FROM (${query}\n) AS q WHERE $1::text IS NULL LIMIT 0`, values: [''] }),
  oddIds: (query) => ({
    text: `SELECT coalesce(left(q.id::text, ${MAX_SOURCE_ID + 1}), '') AS id, count(*)::text AS times,
         CASE WHEN q.id::text IS NULL THEN 'yes' ELSE '' END AS missing FROM (${query}\n) AS q
         GROUP BY q.id::text HAVING q.id::text IS NULL OR count(*) > 1 ORDER BY q.id::text NULLS FIRST LIMIT ${MAX_ODD}`,
    values: [],
  }),
  pageAfter({ query, columns, isBinary }, last, page) {
    const selected = [
      `left(q.id::text, ${MAX_SOURCE_ID + 1}) AS id`,
      ...optionalColumns.map((name) =>
        columns.has(name) ? `coalesce(left(q.${name}::text, ${MAX_OPTIONAL}), '') AS ${name}` : `'' AS ${name}`,
      ),
      isBinary ? "'' AS content" : `coalesce(left(q.content::text, ${page.letters + 1}), '') AS content`,
      // Of all of it, also of what does not come along.
      `md5(coalesce(q.content${isBinary ? '' : '::text'}, '')) AS hash`,
    ].join(', ');
    return {
      text: `SELECT ${selected} FROM (${query}\n) AS q WHERE q.id IS NOT NULL AND ($1::text IS NULL OR q.id::text COLLATE "C" > $1)
         ORDER BY q.id::text COLLATE "C" LIMIT ${page.rows}`,
      values: [last],
    };
  },
  contentOf: ({ query, isBinary }, id, length) => ({
    text: `SELECT coalesce(${isBinary ? "encode(substring(q.content from 1 for $2::int), 'base64')" : 'left(q.content::text, $2::int)'}, '') AS content FROM (${query}\n) AS q WHERE q.id::text = $1 LIMIT 1`,
    values: [id, length],
  }),
  // Source: PostgreSQL, appendix A, "Error Codes".
  failureOf(cause) {
    const { code = '', message = '' } = cause as { readonly code?: string; readonly message?: string };
    // Of the driver, which has no code for it.
    if (message === 'The server does not support SSL connections') return sqlFailures.plain(cause);
    if (/^(?:28|42501)/.test(code)) return sqlFailures.refused(cause);
    if (code === '57014') return sqlFailures.slow(cause);
    return /^(?:42|22|25|0A|3D)/.test(code) ? sqlFailures.wrong(cause, message) : null;
  },
};
