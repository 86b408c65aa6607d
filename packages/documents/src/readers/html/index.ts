import { isUtf8 } from 'node:buffer';
import { parse } from 'parse5';
import type { Document } from '../../document.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { createBudget } from '../budget.ts';
import { partsAround } from './around.ts';
import { blocksOf } from './blocks.ts';
import { type Element, attribute, descendants, childrenOf, isText } from './tree.ts';

/** The charset that a page says it is in: it must stand in its first kilobyte. */
export const givenCharset = (bytes: Uint8Array) =>
  /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(Buffer.from(bytes.subarray(0, 4_096)).toString('latin1'))?.[1];

/** Formulas without the prefix that pages of XML may give their elements: the parser of HTML knows no prefixes. */
function withPlainFormulas(page: string): string {
  const prefix = /xmlns:([\w-]{1,32})\s*=\s*["']http:\/\/www\.w3\.org\/1998\/Math\/MathML["']/.exec(page)?.[1];
  return prefix === undefined ? page : page.replaceAll(new RegExp(`(</?)${prefix}:`, 'g'), '$1');
}

type Around = (body: Element, name: string) => ReadonlySet<Element>;

function read(bytes: Uint8Array, { limits, onPage }: ReadOptions, around: Around): Document {
  // Who keeps a page as UTF-8 often keeps what it says of itself: hardly any text of another charset is valid UTF-8.
  const { text } = decodeText(bytes, isUtf8(bytes) ? 'utf-8' : givenCharset(bytes));
  // What stands there for those without scripts is read as elements: nothing runs here.
  const root = parse(withPlainFormulas(text), { scriptingEnabled: false });
  const elements = [...descendants(root)];
  const find = (name: string) => elements.find(({ tagName }) => tagName === name);
  const title = find('title');
  const language = attribute(find('html') ?? ({ attrs: [] } as unknown as Element), 'lang');
  const body = find('body');
  const name = (title === undefined ? [] : childrenOf(title))
    .map((node) => (isText(node) ? node.value : ''))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const blocks = body === undefined ? [] : blocksOf(body, createBudget(limits), around(body, name));
  onPage(1, 1);
  return {
    format: 'html',
    meta: {
      ...(name === '' ? {} : { title: name }),
      ...(language === undefined || language === '' ? {} : { language }),
    },
    pages: [],
    blocks,
    warnings: [],
  };
}

/** A web page: its text with its tables. What stands around it is a header or a footer; links through the site are left out. */
export const readHtml: Reader = (bytes, options) => read(bytes, options, partsAround);

/** A page of HTML as bytes that say their charset, for the readers here. */
export const utf8Page = (html: string): Buffer => Buffer.from(`<meta charset="utf-8">${html}`);

/** HTML that is all text, such as a chapter of a book or a mail. */
export const readHtmlText: Reader = (bytes, options) => read(bytes, options, () => new Set());
