import { sourceFailure } from '../../ports/source-failure.ts';
import { piecesOf, readXml } from './in-pieces.ts';

/** What a WebDAV server tells of a file or a folder. Source: RFC 4918, 14.24 and 15. */
export interface DavEntry {
  readonly href: string;
  readonly isFolder: boolean;
  readonly etag: string | null;
  readonly modified: string | null;
  readonly bytes: number | null;
}

const DAV = 'DAV:';
const properties: ReadonlySet<string> = new Set(['href', 'getetag', 'getlastmodified', 'getcontentlength', 'status']);

/** The entries of a multistatus reply. Rejects with StudioError `unavailable` for what is none. */
export async function parseMultistatus(text: string | Uint8Array): Promise<DavEntry[]> {
  const found: DavEntry[] = [];
  const wrong = (cause?: unknown) => sourceFailure('not_protocol', { values: { protocol: 'WebDAV' }, cause });
  let isMultistatus = false;
  let fields: Record<string, string> = {};
  /** Of the block of properties, taken only where its status says that they are there. */
  let open: Record<string, string> | null = null;
  let letters: string | null = null;
  await readXml(piecesOf(text), wrong, {
    opentag({ uri, local }) {
      if (uri !== DAV) return;
      if (local === 'multistatus') isMultistatus = true;
      else if (local === 'response') fields = {};
      else if (local === 'propstat') open = {};
      else if (local === 'collection' && open !== null) open['collection'] = 'yes';
      else if (properties.has(local)) letters = '';
    },
    text(part) {
      if (letters !== null) letters += part;
    },
    closetag({ uri, local }) {
      if (uri !== DAV) return;
      if (properties.has(local)) {
        (open ?? fields)[local] = (letters ?? '').trim();
        letters = null;
      } else if (local === 'propstat') {
        if (/\s2\d\d(?:\s|$)/.test(open?.['status'] ?? ' 200')) Object.assign(fields, open);
        open = null;
      } else if (local === 'response' && fields['href'] !== undefined) {
        const { href, collection, getetag, getlastmodified, getcontentlength } = fields;
        const bytes = /^\d{1,15}$/.test(getcontentlength ?? '') ? Number(getcontentlength) : null;
        const isFolder = collection !== undefined;
        found.push({ href, isFolder, etag: getetag || null, modified: getlastmodified || null, bytes });
      }
    },
  });
  if (!isMultistatus) throw wrong();
  return found;
}
