import { parse } from 'parse5';
import type { Reader } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { createBudget } from '../budget.ts';
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

/** HTML: the text of the page with its tables, without what leads through the site. */
export const readHtml: Reader = (bytes, { limits, onPage }) => {
  const { text } = decodeText(bytes, givenCharset(bytes));
  const root = parse(withPlainFormulas(text));
  const elements = [...descendants(root)];
  const find = (name: string) => elements.find(({ tagName }) => tagName === name);
  const title = find('title');
  const language = attribute(find('html') ?? ({ attrs: [] } as unknown as Element), 'lang');
  const body = find('body');
  const blocks = body === undefined ? [] : blocksOf(body, createBudget(limits));
  const words =
    title === undefined
      ? ''
      : childrenOf(title)
          .map((node) => (isText(node) ? node.value : ''))
          .join('');
  onPage(1, 1);
  return {
    format: 'html',
    meta: {
      ...(words.trim() === '' ? {} : { title: words.replaceAll(/\s+/g, ' ').trim() }),
      ...(language === undefined || language === '' ? {} : { language }),
    },
    pages: [],
    blocks,
    warnings: [],
  };
};
