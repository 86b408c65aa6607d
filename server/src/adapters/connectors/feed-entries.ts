import type { SaxesTagNS } from 'saxes';
import { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { piecesOf, readXml, trimmed } from './in-pieces.ts';

/** An entry of a feed, as it stands there. */
export interface FeedEntry {
  /** Of the feed, else its link. */
  readonly id: string;
  readonly title: string;
  /** Address that it leads to; null where it names none. */
  readonly link: string | null;
  /** Time of the last change, or of its appearance, as it is written; empty where it has none. */
  readonly changed: string;
  /** HTML or text. */
  readonly content: string;
}

/** What a feed may begin with. Sources: RSS 2.0, RSS 1.0 (RDF), RFC 4287. */
const roots: ReadonlySet<string> = new Set(['rss', 'RDF', 'feed']);
const entryTags: ReadonlySet<string> = new Set(['item', 'entry']);
const XHTML = 'http://www.w3.org/1999/xhtml';
/** What stands for each field, the better one first. */
const fields = {
  id: ['id', 'guid'],
  title: ['title'],
  changed: ['updated', 'modified', 'pubDate', 'published', 'date'],
  content: ['encoded', 'content', 'description', 'summary'],
} as const;

/** The letters of a feed: by its XML declaration or the server, else UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): AsyncIterable<string> {
  const declared = /^[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  )?.[1];
  return piecesOf(bytes, /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ?? declared);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The entries of a feed, in its order, given what its server says of its type. Rejects with StudioError `unavailable` for what is none. */
export async function readFeed(bytes: Uint8Array, contentType = ''): Promise<FeedEntry[]> {
  const wrong = (cause?: unknown) => sourceFailure('feed_missing', { cause });
  const found: FeedEntry[] = [];
  const path: string[] = [];
  let hasRoot = false;
  let values: Map<string, string> | null = null;
  let link: string | null = null;
  let letters = '';
  /** Depth of an element whose content is XHTML, which is kept as it is. */
  let markup: number | null = null;
  const opentag = ({ local, uri, attributes }: SaxesTagNS) => {
    if (path.length === 0 && !roots.has(local)) throw wrong();
    hasRoot = true;
    path.push(local);
    if (entryTags.has(local) && values === null) {
      values = new Map();
      link = null;
      return;
    }
    if (values === null) return;
    if (markup !== null) {
      letters += uri === XHTML ? `<${local}>` : '';
      return;
    }
    letters = '';
    if (uri === XHTML) markup = path.length;
    const href = attributes['href']?.value;
    const rel = attributes['rel']?.value ?? 'alternate';
    if (local === 'link' && href !== undefined && rel === 'alternate') link ??= href.trim();
  };
  const text = (part: string) => void (letters += markup === null ? part : escaped(part));
  const closetag = ({ local, uri }: SaxesTagNS) => {
    const depth = path.length;
    path.pop();
    if (values === null) return;
    if (markup !== null) {
      if (depth > markup) letters += uri === XHTML ? `</${local}>` : '';
      else markup = null;
      return;
    }
    if (entryTags.has(local) && !path.some((one) => entryTags.has(one))) {
      const all = values;
      const first = (names: readonly string[]) =>
        names.map((name) => all.get(name) ?? '').find((one) => one !== '') ?? '';
      const title = first(fields.title).replaceAll(/\s+/gu, ' ').trim();
      const to = link ?? (first(['link']) || null);
      const id = first(fields.id) || to || title;
      if (id !== '')
        found.push({ id, title, link: to, changed: first(fields.changed), content: first(fields.content) });
      values = null;
    } else if (!values.has(local) && letters.trim() !== '') values.set(local, letters.trim());
    letters = '';
  };
  try {
    await readXml(trimmed(decoded(bytes, contentType)), wrong, { opentag, text, closetag });
  } catch (cause) {
    throw cause instanceof StudioError ? cause : wrong(cause);
  }
  if (path.length > 0 || !hasRoot) throw wrong();
  return found;
}
