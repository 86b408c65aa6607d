import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Token, TokenHandler } from 'parse5';
import { PIECE_LENGTH, piecesOf } from './in-pieces.ts';

/** What a page of a site says and where it leads. */
export interface WebPage {
  /** Empty where it has none. */
  readonly title: string;
  /** Of its text: another one means that people read something else. */
  readonly hash: string;
  /** Addresses, without what stands after `#`. */
  readonly links: readonly string[];
  /** Whether it asks not to be found. */
  readonly isHidden: boolean;
  /** Address that it names as the one to be taken in its place; null where it names none. */
  readonly canonical: string | null;
}

/** Links of a page that are looked at, how long they may be, and how many are looked at before others have their turn. */
const MAX_LINKS = 5_000;
const MAX_LINK_LENGTH = 8_000;
const LINKS_AT_ONCE = 200;

/** Elements whose content is no markup. Source: HTML, 13.2.6, where each mode of the tokenizer is switched to. */
const plainElements: Readonly<Record<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>> = {
  title: 'RCDATA',
  textarea: 'RCDATA',
  style: 'RAWTEXT',
  xmp: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  noscript: 'RAWTEXT',
  script: 'SCRIPT_DATA',
  plaintext: 'PLAINTEXT',
};
/** What holds no text for people: those above, and those that hold other elements. */
const silentPlain: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'iframe']);
const silentHolders: ReadonlySet<string> = new Set(['template', 'svg']);
/** What ends a drawing that nobody closed: the more frequent of those of HTML, 13.2.6.5. */
const endsDrawing: ReadonlySet<string> = new Set(
  'body br center code dd div dl dt em h1 h2 h3 h4 h5 h6 hr img li menu nobr ol p pre ruby span strong table ul'.split(
    ' ',
  ),
);

/** The letters of a page: by what the server says, else by what it says itself, else UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): AsyncIterable<string> {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  const named = /charset\s*=\s*["']?\s*([\w-]+)/i;
  return piecesOf(bytes, named.exec(contentType)?.[1] ?? /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]);
}

/** What is taken of a page while it is read. */
interface Found {
  title: string;
  base: string;
  isHidden: boolean;
  mayFollow: boolean;
  canonical: string | null;
  readonly hrefs: string[];
}

/** Notes what an element says and where it leads. */
function note(found: Found, { tagName, attrs }: Token.TagToken): void {
  const attribute = (name: string) => attrs.find((one) => one.name === name)?.value.trim();
  if (tagName === 'base') {
    const href = attribute('href') ?? '';
    if (href.length <= MAX_LINK_LENGTH && URL.canParse(href, found.base)) found.base = new URL(href, found.base).href;
  } else if (tagName === 'meta' && /^(?:robots|ai-studio)$/i.test(attribute('name') ?? '')) {
    const asked = attribute('content')?.toLowerCase() ?? '';
    found.isHidden ||= /\b(?:noindex|none)\b/.test(asked);
    found.mayFollow &&= !/\b(?:nofollow|none)\b/.test(asked);
  } else if (tagName === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attribute('rel') ?? '')) {
    const href = attribute('href') ?? '';
    if (href !== '' && href.length <= MAX_LINK_LENGTH) found.canonical ??= href;
  } else if (/^(?:a|area|i?frame)$/.test(tagName) && found.hrefs.length < MAX_LINKS) {
    const href = attribute(tagName.endsWith('frame') ? 'src' : 'href') ?? '';
    const isRefused = /\bnofollow\b/i.test(attribute('rel') ?? '');
    if (href !== '' && href.length <= MAX_LINK_LENGTH && !isRefused) found.hrefs.push(href);
  }
}

/**
 * Reads a page that stands at an address, given what its server says of its type; runs nothing of it. Its tags are read one after the other,
 * without the tree that browsers make of them: what a page nests takes no longer, and other work has its turn meanwhile.
 */
export async function readPage(bytes: Uint8Array, contentType: string, url: URL): Promise<WebPage> {
  // Loaded with the first page, as many services read none.
  const { Tokenizer, TokenizerMode } = await import('parse5');
  const hash = createHash('sha256');
  const found: Found = { title: '', base: url.href, isHidden: false, mayFollow: true, canonical: null, hrefs: [] };
  /** Text since the last tag. */
  let letters = '';
  /** Element without markup that is open, and depth of elements without text. */
  let plain = '';
  let silence = 0;
  const endText = () => {
    const text = silence > 0 || silentPlain.has(plain) ? '' : letters.replaceAll(/\s+/gu, ' ').trim();
    letters = '';
    if (text === '') return;
    hash.update(`${text}\n`);
    if (plain === 'title' && found.title === '') found.title = text;
  };
  const onText = ({ chars }: Token.CharacterToken) => {
    letters += chars;
    if (letters.length > PIECE_LENGTH) endText();
  };
  const handler: TokenHandler = {
    onStartTag(tag) {
      endText();
      const { tagName, selfClosing } = tag;
      if (endsDrawing.has(tagName) && silence > 0) silence = 0;
      if (silence === 0) note(found, tag);
      if (silentHolders.has(tagName) && !selfClosing) silence++;
      const mode = plainElements[tagName];
      if (mode === undefined || silence > 0) return;
      plain = tagName;
      tokenizer.state = TokenizerMode[mode];
    },
    onEndTag({ tagName }) {
      endText();
      if (tagName === plain) plain = '';
      if (silentHolders.has(tagName) && silence > 0) silence--;
    },
    onEof: endText,
    onCharacter: onText,
    onWhitespaceCharacter: onText,
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => undefined,
    onParseError: null,
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
  for await (const piece of decoded(bytes, contentType)) tokenizer.write(piece, false);
  tokenizer.write('', true);
  const links = new Set<string>();
  /** What stands at an address, without what stands after `#`; null for what is none of the web. */
  const addressOf = (href: string): string | null => {
    if (!URL.canParse(href, found.base)) return null;
    const to = new URL(href, found.base);
    to.hash = '';
    return to.protocol === 'https:' || to.protocol === 'http:' ? to.href : null;
  };
  for (const [nth, href] of (found.mayFollow ? found.hrefs : []).entries()) {
    if (nth % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) await nextTurn();
    const to = addressOf(href);
    if (to !== null) links.add(to);
  }
  const { title, isHidden } = found;
  const canonical = found.canonical === null ? null : addressOf(found.canonical);
  return { title, hash: hash.digest('base64url'), links: [...links], isHidden, canonical };
}
