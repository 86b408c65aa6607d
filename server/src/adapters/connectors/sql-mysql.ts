import { connect as connectTo, type Socket } from 'node:net';
import type { FieldPacket, RowDataPacket } from 'mysql2';
import { MAX_SOURCE_ID } from '../../ports/connector.ts';
import {
  CONNECT_MS,
  MAX_ODD,
  MAX_OPTIONAL,
  optionalColumns,
  type SqlDialect,
  sqlFailures,
  STATEMENT_MS,
} from './sql.ts';

/** A column as text, whatever it is, in one character set. */
const textOf = (column: string): string => `CONVERT(${column} USING utf8mb4)`;
/** What ids are compared by: their bytes, as collations take some letters for others. */
const bytesOf = (value: string): string => `CAST(${textOf(value)} AS BINARY)`;

/** Source: MariaDB Server, "Error Codes"; MySQL Reference, "Server Error Message Reference". */
const refused: ReadonlySet<number> = new Set([1044, 1045, 1142, 1143, 1227, 1251, 1370, 1698, 3118, 4151]);
const slow: ReadonlySet<number> = new Set([1969, 3024]);
/** Of a server that is there but takes nobody now: too many connections, going down, a query that was ended, waits for a lock, a deadlock. */
const busy: ReadonlySet<number> = new Set([1040, 1053, 1129, 1130, 1203, 1205, 1213, 1226, 1317, 1927]);
const UNKNOWN_VARIABLE = 1193;

/** Types of strings (VARCHAR, the BLOBs, VAR_STRING, STRING), and the character set of those that are bytes. Source: MySQL, `field_types.h`. */
const stringTypes: ReadonlySet<number> = new Set([15, 249, 250, 251, 252, 253, 254]);
const BINARY = 63;
const isBinary = ({ type, columnType, characterSet }: FieldPacket): boolean =>
  characterSet === BINARY && stringTypes.has(columnType ?? type ?? -1);

const numberOf = (cause: unknown): number => Number((cause as { readonly errno?: unknown }).errno ?? 0);

/** Queries of MySQL and MariaDB. */
export const mysql: SqlDialect = {
  begin: 'START TRANSACTION READ ONLY',
  async connect({ host, port, database, tls, credentials }, address, { signal, onCut }) {
    const { createConnection } = await import('mysql2/promise');
    let socket: Socket | null = null;
    const destroy = () => void socket?.destroy();
    signal.addEventListener('abort', destroy, { once: true });
    try {
      const connection = await createConnection({
        // Who the server must prove to be; where it is connected to is the address alone.
        host,
        stream: () => (socket = connectTo(port, address)),
        database,
        user: credentials.username,
        password: credentials.password,
        ...(tls ? { ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2' } } : {}),
        charset: 'utf8mb4',
        connectTimeout: CONNECT_MS,
        multipleStatements: false,
        // Files of this machine are given to no server.
        flags: ['-LOCAL_FILES'],
      });
      connection.on('error', onCut);
      const command = async (text: string) => void (await connection.query({ sql: text, timeout: CONNECT_MS }));
      try {
        await command(`SET SESSION max_execution_time = ${STATEMENT_MS}`);
      } catch (cause) {
        if (numberOf(cause) !== UNKNOWN_VARIABLE) throw cause;
        // MariaDB has another one, in seconds.
        await command(`SET SESSION max_statement_time = ${STATEMENT_MS / 1_000}`);
      }
      return {
        async run({ text, values }) {
          const [rows, fields] = await connection.execute<RowDataPacket[]>(
            { sql: text, timeout: STATEMENT_MS + CONNECT_MS },
            [...values],
          );
          return { columns: fields.map((field) => ({ name: field.name, isBinary: isBinary(field) })), rows };
        },
        command,
        async end() {
          await connection.end().catch(() => undefined);
          destroy();
        },
        destroy,
      };
    } catch (cause) {
      destroy();
      throw cause;
    } finally {
      signal.removeEventListener('abort', destroy);
    }
  },
  columnsOf: (query) => ({ text: `SELECT * FROM (${query}\n) AS q WHERE ? IS NULL LIMIT 0`, values: [''] }),
  oddIds: (query) => ({
    text: `SELECT COALESCE(LEFT(MIN(${textOf('q.id')}), ${MAX_SOURCE_ID + 1}), '') AS id, CAST(COUNT(*) AS CHAR) AS times, IF(COUNT(q.id) = 0, 'yes', '') AS missing
         FROM (${query}\n) AS q GROUP BY ${bytesOf('q.id')} HAVING COUNT(q.id) = 0 OR COUNT(*) > 1 ORDER BY ${bytesOf('q.id')} LIMIT ${MAX_ODD}`,
    values: [],
  }),
  pageAfter({ query, columns, isBinary: isOfBytes }, last, page) {
    const selected = [
      `LEFT(${textOf('q.id')}, ${MAX_SOURCE_ID + 1}) AS id`,
      ...optionalColumns.map((name) =>
        columns.has(name) ? `COALESCE(LEFT(${textOf(`q.${name}`)}, ${MAX_OPTIONAL}), '') AS ${name}` : `'' AS ${name}`,
      ),
      isOfBytes ? "'' AS content" : `COALESCE(LEFT(${textOf('q.content')}, ${page.letters + 1}), '') AS content`,
      // Of all of it, also of what does not come along.
      `MD5(COALESCE(${isOfBytes ? 'q.content' : textOf('q.content')}, '')) AS hash`,
    ].join(', ');
    const after = last === null ? '' : `AND ${bytesOf('q.id')} > ${bytesOf('?')} `;
    return {
      text: `SELECT ${selected} FROM (${query}\n) AS q WHERE q.id IS NOT NULL ${after}ORDER BY ${bytesOf('q.id')} LIMIT ${page.rows}`,
      values: last === null ? [] : [last],
    };
  },
  contentOf: ({ query, isBinary: isOfBytes }, id, length) => ({
    text: `SELECT COALESCE(${isOfBytes ? `TO_BASE64(SUBSTRING(q.content, 1, ${Math.trunc(length)}))` : `LEFT(${textOf('q.content')}, ${Math.trunc(length)})`}, '') AS content FROM (${query}\n) AS q WHERE ${bytesOf('q.id')} = ${bytesOf('?')} LIMIT 1`,
    values: [id],
  }),
  failureOf(cause) {
    const number = numberOf(cause);
    if ((cause as { readonly code?: unknown }).code === 'HANDSHAKE_NO_SSL_SUPPORT') return sqlFailures.plain(cause);
    // Those of the network have names instead, or negative numbers.
    if (!(number >= 1_000) || busy.has(number)) return null;
    if (refused.has(number)) return sqlFailures.refused(cause);
    return slow.has(number)
      ? sqlFailures.slow(cause)
      : sqlFailures.wrong(cause, (cause as { readonly sqlMessage?: string }).sqlMessage ?? 'no reason is given');
  },
};
