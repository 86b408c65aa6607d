import type { DefaultTreeAdapterTypes } from 'parse5';
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
/** Letters of a title that is markup. */
const MAX_MARKED_TITLE = 4_000;
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

/** The text of a title that is markup. */
async function textOf(markup: string): Promise<string> {
  // Loaded with the first such title, as many feeds have none.
  const { parseFragment } = await import('parse5');
  const lettersOf = (node: DefaultTreeAdapterTypes.ChildNode): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(lettersOf).join('') : '';
  const { childNodes } = parseFragment(markup.slice(0, MAX_MARKED_TITLE));
  return childNodes.map(lettersOf).join('').replaceAll(/\s+/gu, ' ').trim();
}

/** An address on another one; as it is written where that is none, or it leads nowhere. */
const resolved = (href: string, base: string): string => (URL.canParse(href, base) ? new URL(href, base).href : href);

/**
 * The entries of a feed, in its order, given what its server says of its type and the address that it came from. Rejects with StudioError
 * `unavailable` for what is none.
 */
export async function readFeed(bytes: Uint8Array, contentType = '', url = ''): Promise<FeedEntry[]> {
  const wrong = (cause?: unknown) => sourceFailure('feed_missing', { cause });
  const found: FeedEntry[] = [];
  const path: string[] = [];
  /** What links of each open element are relative to, where an element says so (RFC 4287, 2); null where the feed's own address is. */
  const bases: (string | null)[] = [];
  /** Places in `found` of titles that are markup. */
  const marked = new Set<number>();
  let isTitleMarked = false;
  let hasRoot = false;
  let values: Map<string, string> | null = null;
  let link: string | null = null;
  let letters = '';
  /** Depth of an element whose content is XHTML, which is kept as it is. */
  let markup: number | null = null;
  const based = (href: string): string => {
    const base = bases.at(-1) ?? null;
    return base === null ? href : resolved(href, base);
  };
  const opentag = ({ local, uri, attributes }: SaxesTagNS) => {
    if (path.length === 0 && !roots.has(local)) throw wrong();
    hasRoot = true;
    path.push(local);
    const outer = bases.at(-1) ?? null;
    const own = attributes['xml:base']?.value.trim();
    bases.push(own === undefined ? outer : resolved(own, outer ?? url));
    if (entryTags.has(local) && values === null) {
      values = new Map();
      link = null;
      isTitleMarked = false;
      return;
    }
    if (values === null) return;
    if (local === 'title' && markup === null)
      isTitleMarked ||= /^x?html$/i.test(attributes['type']?.value.trim() ?? '');
    if (markup !== null) {
      letters += uri === XHTML ? `<${local}>` : '';
      return;
    }
    letters = '';
    if (uri === XHTML) markup = path.length;
    const href = attributes['href']?.value;
    const rel = attributes['rel']?.value ?? 'alternate';
    if (local === 'link' && href !== undefined && rel === 'alternate') link ??= based(href.trim());
  };
  const text = (part: string) => void (letters += markup === null ? part : escaped(part));
  const closetag = ({ local, uri }: SaxesTagNS) => {
    const depth = path.length;
    path.pop();
    const base = bases.pop() ?? null;
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
      if (id !== '' && isTitleMarked) marked.add(found.length);
      if (id !== '')
        found.push({ id, title, link: to, changed: first(fields.changed), content: first(fields.content) });
      values = null;
    } else if (!values.has(local) && letters.trim() !== '') {
      const text = letters.trim();
      values.set(local, local === 'link' && base !== null ? resolved(text, base) : text);
    }
    letters = '';
  };
  try {
    await readXml(trimmed(decoded(bytes, contentType)), wrong, { opentag, text, closetag });
  } catch (cause) {
    throw cause instanceof StudioError ? cause : wrong(cause);
  }
  if (path.length > 0 || !hasRoot) throw wrong();
  return Promise.all(
    found.map(async (entry, at) => (marked.has(at) ? { ...entry, title: await textOf(entry.title) } : entry)),
  );
}
