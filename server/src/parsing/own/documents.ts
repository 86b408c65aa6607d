import type {
  ParserBlocks,
  ParserDocument,
  ParserOutline,
  ParserTable,
  ParserText,
} from '@ai-studio/contract/console/parser.ts';
import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { Renderer, PageDrawer, ViewRequest } from '@ai-studio/documents';
import type { Person } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';
import type { AcceptedFile, ParseJobs } from '../jobs/jobs.ts';
import { blobKey } from '../jobs/record.ts';
import { REMOVED_CHANNEL } from '../jobs/runner.ts';
import { type PagePicture, createPictures } from './pictures.ts';
import { type OwnRow, deleteOwn, findOwn, listOwn, resultOf, shown } from './rows.ts';

export interface OwnDocumentsDeps {
  readonly db: Database;
  readonly bus: Bus;
  readonly blobs: BlobStore;
  readonly jobs: Pick<ParseJobs, 'accept'>;
  readonly renderer: Renderer;
  /** What draws pages; apart from what reads documents, so that nobody waits for a long one. */
  readonly pool: PageDrawer;
  /** Where files lie while they are drawn. */
  readonly folder: string;
  readonly log: Logger;
}

type Format = DocumentParseFields['response_format'];

/** A file that is handed to a person. */
export interface DocumentFile {
  /** Of the document, without its ending. */
  readonly stem: string;
  readonly bytes: Uint8Array;
}

/**
 * The documents that a person reads in the console. Whatever is asked of one that is another's, that has expired or that is not
 * read yet: `not_found`.
 */
export interface OwnDocuments {
  /** The newest first. */
  list(owner: Person): Promise<ParserDocument[]>;
  find(owner: Person, id: string): Promise<ParserDocument>;
  /** Has a file read. Errors: those of {@link ParseJobs.accept}. */
  add(owner: Person, file: AcceptedFile, pages: string | undefined): Promise<ParserDocument>;
  /** Removes it with its file and what was read; ends the reading. */
  remove(owner: Person, id: string): Promise<void>;
  outline(owner: Person, id: string): Promise<ParserOutline>;
  blocks(owner: Person, id: string, at: { page: number; from: number }): Promise<ParserBlocks>;
  /** Further rows of a table: the block `at` of a page. */
  rows(owner: Person, id: string, at: { page: number; at: number; fromRow: number }): Promise<ParserTable>;
  text(owner: Person, id: string, at: { page: number; format: Format }): Promise<ParserText>;
  /** All of it as a file of this format. */
  file(owner: Person, id: string, format: Format): Promise<DocumentFile>;
  /** A page as a picture. Errors: also `unprocessable`, `unavailable`. */
  picture(owner: Person, id: string, at: { page: number; width: number; signal: AbortSignal }): Promise<PagePicture>;
}

const noDocument = () =>
  new StudioError('not_found', 'There is no such document; what was read is kept for a limited time');
const noPage = () => new StudioError('not_found', 'The document has no such page');

/** Formats whose pages are drawn. */
const drawn: ReadonlySet<string | null> = new Set(['pdf', 'image']);

const stemOf = ({ name, id }: OwnRow) => (name ?? '').replace(/\.[^.]{1,8}$/, '').trim() || id;

/** The verbs of documents that people read in the console. */
export function createOwnDocuments(deps: OwnDocumentsDeps): OwnDocuments {
  const { db, bus, blobs, jobs, renderer, log } = deps;
  const pictures = createPictures(deps);

  async function required(owner: Person, id: string): Promise<OwnRow> {
    const row = await findOwn(db, owner, id);
    if (row === undefined) throw noDocument();
    return row;
  }

  async function read(owner: Person, id: string): Promise<OwnRow> {
    const row = await required(owner, id);
    if (row.state !== 'done') throw noDocument();
    return row;
  }

  async function load(owner: Person, id: string): Promise<Uint8Array> {
    const result = await resultOf(db, owner, id);
    if (result === null) throw noDocument();
    return result;
  }

  /** Asks what was read; the person has been looked up before. */
  async function ask<Kind extends ViewRequest['kind']>(
    owner: Person,
    id: string,
    question: Extract<ViewRequest, { kind: Kind }>,
  ) {
    await read(owner, id);
    const told = await renderer.view<Kind>({ id, load: () => load(owner, id) }, question);
    if (told === null) throw noPage();
    return told;
  }

  return {
    list: async (owner) => (await listOwn(db, owner)).map(shown),
    find: async (owner, id) => shown(await required(owner, id)),
    async add(owner, file, pages) {
      const fields = {
        parser_type: 'auto',
        response_format: 'json',
        ...(pages === undefined ? {} : { pages }),
      } as const;
      const { document_id: id } = await jobs.accept(owner, file, fields);
      return shown(await required(owner, id));
    },
    async remove(owner, id) {
      await required(owner, id);
      // The file goes first: a document without one is still removed, a file without a document never.
      await blobs.delete(blobKey({ id, tenantId: owner.tenantId }));
      await deleteOwn(db, owner, id);
      // Whoever reads it and misses this finds out at its next heartbeat.
      await bus
        .publish(REMOVED_CHANNEL, id)
        .catch((error: unknown) => log.warn({ err: error }, 'withdrawn document could not be announced on the bus'));
    },
    async outline(owner, id) {
      const { format } = await read(owner, id);
      const outline = await ask<'outline'>(owner, id, { kind: 'outline' });
      return { ...outline, pictures: drawn.has(format) };
    },
    blocks: (owner, id, at) => ask<'blocks'>(owner, id, { kind: 'blocks', ...at }),
    rows: (owner, id, at) => ask<'rows'>(owner, id, { kind: 'rows', ...at }),
    text: (owner, id, at) => ask<'text'>(owner, id, { kind: 'text', ...at }),
    async file(owner, id, format) {
      const row = await read(owner, id);
      const { name, expires_at: expires } = row;
      const more = { document_id: id, ...(expires === null ? {} : { expires_at: expires.toISOString() }) };
      const { took_ms: elapsedMs } = shown(row);
      const bytes = await renderer.write(await load(owner, id), { name, elapsedMs: elapsedMs ?? 0, format, more });
      return { stem: stemOf(row), bytes };
    },
    async picture(owner, id, at) {
      const { format } = await read(owner, id);
      if (!drawn.has(format)) throw noPage();
      const { tenantId } = owner;
      return pictures.page({ tenantId, key: blobKey({ id, tenantId }) }, at);
    },
  };
}
