import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { unansweredBy } from './web.ts';

/**
 * Resolves a host that a user named to the one address that may be connected to, behind the address guard. Rejects with an error whose
 * message may be shown.
 */
export type ResolveHost = (host: string, isEncrypted: boolean, signal: AbortSignal) => Promise<string>;

/** Where a database is. */
export interface SqlPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Whether the connection is encrypted, and the server must prove who it is. */
  readonly tls: boolean;
  readonly credentials: { readonly username: string; readonly password: string };
}

/** What a query of a database gives: a document for each row. */
export interface SqlSource extends SqlPlace {
  /** Gives the columns `id` and `content`, and `title`, `version`, `url` where there are such. */
  readonly query: string;
  readonly resolve: ResolveHost;
  /** Rows that are asked for first; while their contents are short, each page has twice as many as the one before, up to {@link MAX_PAGE_SIZE}. */
  readonly pageSize?: number;
}

export type SqlRow = Readonly<Record<string, string>>;

/** A statement with the values of its parameters: it is one statement, whatever stands in it. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

/** A column of what a statement gives. */
export interface SqlColumn {
  readonly name: string;
  /** Whether its values are bytes, and no text. */
  readonly isBinary: boolean;
}

/** A connection. */
export interface SqlSession {
  /** Rejects with what the driver has for failures. */
  run(statement: SqlStatement): Promise<{ readonly columns: readonly SqlColumn[]; readonly rows: readonly SqlRow[] }>;
  /** Runs one without parameters or rows. */
  command(text: string): Promise<void>;
  /** Says good-bye. Safe to repeat. */
  end(): Promise<void>;
  /** Cuts it; what runs rejects. Safe to repeat. */
  destroy(): void;
}

/** What is asked of a query, whose rows have only the optional columns that are named. */
export interface SqlAsked {
  readonly query: string;
  readonly columns: ReadonlySet<string>;
  /** Whether its contents are bytes: they come by themselves, in Base64. */
  readonly isBinary: boolean;
}

/** How much is asked for at once. */
export interface SqlPage {
  readonly rows: number;
  /** Letters of the content of each row; what is longer is asked for by itself. */
  readonly letters: number;
}

/** A kind of database. */
export interface SqlDialect {
  /** Connects to the address that its host resolved to. `onCut`: it went away by itself. */
  connect(
    place: SqlPlace,
    address: string,
    hooks: { readonly signal: AbortSignal; readonly onCut: () => void },
  ): Promise<SqlSession>;
  /** Begins a transaction that may only read. */
  readonly begin: string;
  /** Gives no row, but the names of the columns. */
  columnsOf(query: string): SqlStatement;
  /** Ids that several rows have (`id`, `times`), and before them how many rows have none (`missing` is not empty): {@link MAX_ODD} at most. */
  oddIds(query: string): SqlStatement;
  /** The rows whose ids come after one, in the order of their bytes: `id`, the optional columns, the beginning of `content`, and `hash` of all of it. */
  pageAfter(asked: SqlAsked, last: string | null, page: SqlPage): SqlStatement;
  /** The beginning of the `content` of a row: so many letters, or bytes. */
  contentOf(asked: SqlAsked, id: string, length: number): SqlStatement;
  /** What a failure of the driver is; null where it is none that the database tells of. */
  failureOf(cause: unknown): StudioError | null;
}

const PAGE_SIZE = 50;
export const CONNECT_MS = 10_000;
export const STATEMENT_MS = 120_000;
/** The database makes the query anew for each page: with more rows in each a large table is not read thousands of times. */
const MAX_PAGE_SIZE = 3_200;
/** Letters of all contents of a page. */
const MAX_HELD = 25_000_000;
/** Letters of a content that comes with its row. */
const MAX_HELD_EACH = 500_000;
/** Ids of which it is told that they are none for a document. */
export const MAX_ODD = 100;
/** Letters of an optional column. */
export const MAX_OPTIONAL = 500;
/** Letters of a content that databases can cut after. */
const MAX_LENGTH = 2_000_000_000;
const MAX_TITLE = 300;
export const optionalColumns = ['title', 'version', 'url'] as const;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly content: string;
}

/** Failures that are the same with all databases. */
export const sqlFailures = {
  refused: (cause: unknown) => sourceFailure('secrets_refused', { cause }),
  plain: (cause: unknown) => sourceFailure('tls_missing', { cause, param: 'tls' }),
  slow: (cause: unknown) => sourceFailure('query_slow', { cause }),
  wrong: (cause: unknown, message: string) =>
    sourceFailure('query_fails', { values: { message: message.slice(0, 300) }, cause, param: 'query' }),
};

const pageOf = (rows: number): SqlPage => ({ rows, letters: Math.min(MAX_HELD_EACH, Math.floor(MAX_HELD / rows)) });

/** The page after one whose longest content that came along has so many letters. */
function nextPage(page: SqlPage, longest: number, smallest: number): SqlPage {
  if (longest > page.letters) return pageOf(Math.max(smallest, Math.floor(page.rows / 2)));
  const larger = pageOf(Math.min(page.rows * 2, Math.max(smallest, MAX_PAGE_SIZE)));
  return longest <= larger.letters ? larger : page;
}

/** A name of a file by a title, which may say what its content is; what bytes are they say themselves. */
function nameOf(title: string, id: string, isBinary: boolean): string {
  // eslint-disable-next-line no-control-regex
  const name = (title || id).replaceAll(/[\u0000-\u001F\u007F/\\\s]+/gu, ' ').trim();
  return isBinary || /\.(?:txt|md|html|csv)$/i.test(name) ? name : `${name}.txt`;
}

/**
 * Opens a query of a database as a source. Ids are those of its rows; versions are its column `version`, else a hash of the row. Rows are
 * asked for by pages of their ids, each in a transaction of its own that may only read, so that a long run keeps nothing open in the database.
 */
export function createSqlConnector(dialect: SqlDialect, source: SqlSource): Connector {
  const { pageSize = PAGE_SIZE } = source;
  const query = source.query.trim().replace(/;+$/, '');
  let open: SqlSession | null = null;
  /** Rows of the page that was listed last, which the caller is about to fetch. */
  let held: ReadonlyMap<string, Row> = new Map();

  async function connect(signal: AbortSignal): Promise<SqlSession> {
    if (open !== null) return open;
    let address: string;
    try {
      address = await source.resolve(source.host, source.tls, signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw unansweredBy(cause);
    }
    const session = await dialect.connect(source, address, {
      signal,
      onCut() {
        if (open === session) open = null;
      },
    });
    return (open = session);
  }

  /** Makes one transaction, which may only read; its connection is given up where it fails or the signal says so. */
  async function read<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const stop = () => open?.destroy();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const session = await connect(signal);
      await session.command(dialect.begin);
      const found = await work(session);
      await session.command('COMMIT');
      return found;
    } catch (cause) {
      open?.destroy();
      open = null;
      signal.throwIfAborted();
      if (cause instanceof StudioError) throw cause;
      throw dialect.failureOf(cause) ?? sourceFailure('source_silent', { cause });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** What may be asked of the query. Throws StudioError `invalid_request` where a column is missing that must be there. */
  async function askedOf(session: SqlSession): Promise<SqlAsked> {
    const { columns: given } = await session.run(dialect.columnsOf(query));
    const columns = new Set(given.map(({ name }) => name));
    for (const name of ['id', 'content'])
      if (!columns.has(name)) throw sourceFailure('column_missing', { values: { column: name }, param: 'query' });
    return { query, columns, isBinary: given.some(({ name, isBinary }) => name === 'content' && isBinary) };
  }

  /** Rows that can be no documents of their own. */
  async function oddRowsOf(session: SqlSession): Promise<SourceChange[]> {
    const { rows } = await session.run(dialect.oddIds(query));
    return rows.map(({ id = '', times = '', missing = '' }) => {
      const shown = id.slice(0, 100);
      return missing === ''
        ? { type: 'unreadable', id, name: shown, problem: sourceFailure('id_twice') }
        : {
            type: 'unreadable',
            id: null,
            name: '',
            problem: sourceFailure('id_missing', { values: { rows: Number(times) } }),
          };
    });
  }

  const pageAfter = (asked: SqlAsked, last: string | null, page: SqlPage, signal: AbortSignal) =>
    read(signal, async (session) => {
      const { rows } = await session.run(dialect.pageAfter(asked, last, page));
      return rows.map(({ id = '', title = '', version = '', url = '', content = '', hash = '' }): Row => ({
        id,
        title,
        url,
        content,
        version:
          version ||
          createHash('sha256')
            .update(JSON.stringify([title, url, hash]))
            .digest('base64url'),
      }));
    });

  async function* list(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const [asked, odd] = await read(
      signal,
      async (session) => [await askedOf(session), await oddRowsOf(session)] as const,
    );
    yield* odd;
    const { isBinary } = asked;
    let cut: StudioError | undefined;
    let items = 0;
    let last: string | null = null;
    for (let page = pageOf(pageSize); ;) {
      const { rows: wanted, letters } = page;
      const rows: readonly Row[] = await pageAfter(asked, last, page, signal);
      const short = rows.filter(({ content }) => !isBinary && content.length <= letters);
      // Of several with one id the first is taken.
      held = new Map(short.toReversed().map((row) => [row.id, row]));
      // How long contents are that come by themselves is not known.
      if (!isBinary) page = nextPage(page, Math.max(0, ...rows.map(({ content }) => content.length)), pageSize);
      for (const [nth, { id, title, version, url }] of rows.entries()) {
        if (nth > 0 && rows[nth - 1]?.id === id) continue;
        if (id === '' || id.length > MAX_SOURCE_ID) {
          const problem = sourceFailure('id_unusable');
          cut ??= problem;
          yield { type: 'unreadable', id: null, name: title || id.slice(0, 100), problem };
          continue;
        }
        if (++items > maxItems) {
          const problem = sourceFailure('over_limit', { values: { limit: maxItems } });
          yield { type: 'unreadable', id: null, name: '', problem };
          return void (yield { type: 'end', isWhole: false, cursor: null, cut: problem });
        }
        const metadata = url === '' ? {} : { url };
        yield {
          type: 'present',
          item: { id, name: nameOf(title.slice(0, MAX_TITLE), id, isBinary), version, bytes: null, metadata },
        };
      }
      last = rows.at(-1)?.id ?? null;
      if (last === null || rows.length < wanted) break;
      // An id that was cut is not where the next page begins.
      if (last.length > MAX_SOURCE_ID) throw sourceFailure('ids_too_long');
    }
    yield { type: 'end', isWhole: cut === undefined, cursor: null, cut };
  }

  /** The content of a row, cut soon after what is too long; null where there is no such row. */
  const contentOf = (id: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> =>
    read(signal, async (session) => {
      const asked = await askedOf(session);
      const { rows } = await session.run(dialect.contentOf(asked, id, Math.min(maxBytes + 1, MAX_LENGTH)));
      const content = rows[0]?.['content'];
      return content === undefined ? null : Buffer.from(content, asked.isBinary ? 'base64' : 'utf8');
    });

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
      const here = held.get(id)?.content;
      const bytes = here === undefined ? await contentOf(id, maxBytes, signal) : Buffer.from(here);
      if (bytes === null) throw sourceFailure('document_gone');
      if (bytes.length > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
      await writeFile(path, bytes, { signal });
      return { bytes: bytes.length };
    },
    async close() {
      const ended = open;
      open = null;
      held = new Map();
      await ended?.end();
    },
  };
}
