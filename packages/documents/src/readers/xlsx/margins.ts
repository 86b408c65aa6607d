import { type Block, type Margin, plain } from '../../document.ts';
import { type XmlElement, childOf, childrenOf, innerText } from '../../package/xml.ts';

/** Words at the left, in the middle and at the right, among codes for looks, pages, dates and names. Source: ECMA-376 part 1, 18.3.1.46. */
function wordsOf(code: string): string[] {
  return code
    .slice(0, 2_000)
    .split(/&[LCR]/)
    .map((part) =>
      part
        .replaceAll(/&&|&"[^"]*"|&K[\dA-Fa-f+-]{6}|&\d{1,3}|&[BIUSEXYOHPNDTZFAG]/g, (found) =>
          found === '&&' ? '&' : '',
        )
        .trim(),
    )
    .filter((part) => /\p{L}/u.test(part));
}

/** The header or footer of a sheet's pages, once; none where that says nothing but numbers and dates. */
export function marginsOf(root: XmlElement, type: Margin['type'], page: number): Margin[] {
  const name = type === 'header' ? 'Header' : 'Footer';
  const lines = new Set<string>();
  for (const part of childrenOf(childOf(root, 's:headerFooter')))
    if (part.name.endsWith(name)) for (const line of wordsOf(innerText(part))) lines.add(line);
  const blocks = [...lines].map((line): Block => ({ type: 'paragraph', page, spans: plain(line) }));
  return blocks.length === 0 ? [] : [{ type, page, blocks }];
}
