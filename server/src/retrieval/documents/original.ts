import type { PageDrawer, DocumentViewer } from '@ai-studio/documents';
import type { Actor, CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createPictures, type PagePicture } from '../../parsing/index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { loadRead } from './load-read.ts';
import { type DocumentAddress, findDocument, originalKey } from './rows.ts';

export interface OriginalsDeps extends Pick<RetrievalDeps, 'db' | 'blobs' | 'texts'> {
  readonly renderer: DocumentViewer;
  /** What draws pages. */
  readonly pool: PageDrawer;
  /** Where files lie while they are drawn. */
  readonly folder: string;
}

/** Documents of collections as they are, page by page. Whatever is not read yet or is not there for the caller: `not_found`. */
export interface Originals {
  outline(
    actor: Actor,
    address: DocumentAddress,
  ): Promise<{
    readonly pages: readonly { readonly number: number; readonly name?: string }[];
    /** Whether pages can be had as pictures. */
    readonly pictures: boolean;
  }>;
  /** A page as Markdown. */
  text(actor: Actor, address: DocumentAddress, page: number): Promise<{ readonly text: string; readonly cut: boolean }>;
  /** A page as a picture. Errors: also `unprocessable`, `unavailable`. */
  picture(ctx: CallContext, address: DocumentAddress, at: { page: number; width: number }): Promise<PagePicture>;
}

/** Formats whose pages are drawn. */
const drawn: ReadonlySet<string | null> = new Set(['pdf', 'image']);

const notParsedYet = () => new StudioError('not_found', 'The document has not been read yet');
const pageNotFound = () => new StudioError('not_found', 'The document has no such page');

/** The verbs that show documents of collections as they were given. */
export function createOriginals({ db, blobs, texts, renderer, pool, folder }: OriginalsDeps): Originals {
  const pictures = createPictures({ blobs, pool, folder });

  const find = (actor: Actor, address: DocumentAddress) => findDocument(db.query, actor, address);

  async function openView(actor: Actor, address: DocumentAddress) {
    const row = await find(actor, address);
    const { id } = row;
    const load = async () => {
      const packed = await loadRead({ blobs, texts }, row, { urgent: true });
      if (packed === null) throw notParsedYet();
      return packed;
    };
    // What was read changes when it is read anew.
    return { row, document: { id: `${id} ${row.last_revision} ${row.state}`, load } };
  }

  return {
    async outline(actor, address) {
      const { row, document } = await openView(actor, address);
      const { pages } = await renderer.view<'outline'>(document, { kind: 'outline' });
      return {
        pages: pages.map(({ number, name }) => ({ number, ...(name === undefined ? {} : { name }) })),
        pictures: drawn.has(row.format),
      };
    },
    async text(actor, address, page) {
      const { document } = await openView(actor, address);
      const rendered = await renderer.view<'text'>(document, { kind: 'text', page, format: 'markdown' });
      if (rendered === null) throw pageNotFound();
      return rendered;
    },
    async picture({ actor, signal }, address, at) {
      const { id, tenant_id: tenantId, format } = await find(actor, address);
      if (!drawn.has(format)) throw pageNotFound();
      return pictures.page({ tenantId, key: originalKey({ id, tenantId }) }, { ...at, signal });
    },
  };
}
