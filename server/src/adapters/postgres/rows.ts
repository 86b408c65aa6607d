import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { Client, type Connection, type QueryResult, type Submittable } from 'pg';
import { StudioError } from '../../kernel/errors.ts';
import type { PostgresConnection } from './connection.ts';
import { clientConfig } from './pool.ts';

// Copies of all rows by PostgreSQL's own COPY over the connection: nothing need be installed, and the server need not see our files.

/** What is in a copy: one `NAME.copy` a table, in the text form of COPY, and this as `manifest.json`. */
export interface RowsManifest {
  readonly created_at: string;
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** The part of pg's connection that its types leave out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  readonly stream: Connection['stream'];
}
const copyConnection = (connection: Connection) => connection as unknown as CopyConnection;

/** A statement whose data goes over the connection beside its answer. */
abstract class Copy implements Submittable {
  readonly #text: string;
  readonly done: Promise<void>;
  protected readonly settle: { resolve(): void; reject(error: unknown): void };

  constructor(text: string) {
    this.#text = text;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.settle = { resolve, reject };
  }

  submit(connection: Connection): void {
    copyConnection(connection).query(this.#text);
  }
  handleError(error: Error): void {
    this.settle.reject(error);
  }
  handleReadyForQuery(): void {
    this.settle.resolve();
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(connection: Connection): void {
    copyConnection(connection).sendCopyFail('nothing to send');
  }
  handleCopyData(_message: { readonly chunk: Buffer }, _connection: Connection): void {}
}

class CopyOut extends Copy {
  readonly #file: NodeJS.WritableStream;
  #waits = false;

  constructor(text: string, file: NodeJS.WritableStream) {
    super(text);
    this.#file = file;
  }

  override handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    // The driver writes what comes next over what it gave, and the file is slower than it.
    if (this.#file.write(Buffer.from(chunk)) || this.#waits) return;
    const { stream } = copyConnection(connection);
    const onDrain = () => {
      this.#waits = false;
      this.#file.off('drain', onDrain).off('close', onDrain);
      stream.resume();
    };
    this.#waits = true;
    stream.pause();
    // A file that is ended never drains: what came with its last part may have ended it.
    this.#file.once('drain', onDrain).once('close', onDrain);
  }
}

class CopyIn extends Copy {
  readonly #path: string;

  constructor(text: string, path: string) {
    super(text);
    this.#path = path;
  }

  override handleCopyInResponse(connection: Connection): void {
    void this.#send(copyConnection(connection));
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of createReadStream(this.#path)) {
        connection.sendCopyFromChunk(chunk as Buffer);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail(error instanceof Error ? error.message : String(error));
    }
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const columnList = (columns: readonly string[]) => columns.map(quoted).join(', ');

async function withClient<T>(connection: PostgresConnection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const rowsOf = async <T extends object>(client: Client, text: string): Promise<readonly T[]> =>
  ((await client.query(text)) as QueryResult<T>).rows;

const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  GROUP BY c.relname ORDER BY c.relname`;
const MIGRATIONS = 'SELECT name FROM studio_migrations ORDER BY name';

/**
 * Copies all rows, as of one moment, into a folder, while others read and write. `meanwhile` is done before the copy ends and after
 * it was begun; under `lock`, an advisory lock, those who remove files wait that long. Throws the driver's errors.
 */
export const copyRowsOut = (
  connection: PostgresConnection,
  folder: string,
  { lock, meanwhile }: { readonly lock: number; readonly meanwhile: () => Promise<void> },
): Promise<RowsManifest> =>
  withClient(connection, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await rowsOf<{ name: string; columns: string[] }>(client, TABLES);
    const migrations = await rowsOf<{ name: string }>(client, MIGRATIONS);
    for (const { name, columns } of tables) {
      const file = createWriteStream(join(folder, `${name}.copy`), { mode: 0o600, flush: true });
      const copy = new CopyOut(`COPY ${quoted(name)} (${columnList(columns)}) TO STDOUT`, file);
      client.query(copy);
      await copy.done.finally(() => file.end());
      await finished(file);
    }
    await meanwhile();
    await client.query('COMMIT');
    const manifest: RowsManifest = {
      created_at: new Date().toISOString(),
      migrations: migrations.map(({ name }) => name),
      tables,
    };
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });

/** What a copy holds. Throws StudioError `invalid_request` for a folder that is no copy. */
export async function readManifest(folder: string): Promise<RowsManifest> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as RowsManifest;
  } catch (cause) {
    throw new StudioError('invalid_request', `${folder} holds no copy: its manifest.json cannot be read.`, { cause });
  }
}

const SEQUENCES = `SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Whether rows are what is wrong, and not the database: its disk, its connection. Source: PostgreSQL, error codes; classes 22, 23 and 42, and
 * 57014 for a file that could not be read.
 */
const isRowError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(?:22|23|42|57014)/.test(String(error.code));

const damagedCopy = (name: string, cause: Error) =>
  new StudioError('invalid_request', `The copy is damaged: the rows of ${name} cannot be read (${cause.message}).`, {
    cause,
  });

/**
 * Puts the rows of a copy in the place of what the tables hold, all or nothing. Throws StudioError `conflict` unless the database
 * has exactly the migrations that the copy names, `invalid_request` for a copy that is damaged.
 */
export const copyRowsIn = (connection: PostgresConnection, folder: string): Promise<void> =>
  withClient(connection, async (client) => {
    const manifest = await readManifest(folder);
    await client.query('BEGIN');
    const applied = (await rowsOf<{ name: string }>(client, MIGRATIONS)).map(({ name }) => name);
    if (applied.join() !== manifest.migrations.join())
      throw new StudioError('conflict', 'The copy was made by another version of the service than this one.');
    // Rows arrive in the order of tables, not of references.
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`TRUNCATE ${manifest.tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const { name, columns } of manifest.tables) {
      const copy = new CopyIn(`COPY ${quoted(name)} (${columnList(columns)}) FROM STDIN`, join(folder, `${name}.copy`));
      client.query(copy);
      await copy.done.catch((error: unknown) => {
        throw isRowError(error) ? damagedCopy(name, error) : error;
      });
    }
    for (const { table, column, sequence } of await rowsOf<{ table: string; column: string; sequence: string }>(
      client,
      SEQUENCES,
    ))
      await client.query(
        `SELECT setval($1, (SELECT coalesce(max(${quoted(column)}), 0) + 1 FROM ${quoted(table)}), false)`,
        [sequence],
      );
    await client.query('COMMIT');
  });
