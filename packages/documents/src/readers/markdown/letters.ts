import { parseFragment } from 'parse5';

const known = new Map<string, string>();
const MAX_KNOWN_NAMES = 3_000;

function codePoint(number: number): string {
  return number > 0 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff)
    ? String.fromCodePoint(number)
    : '\uFFFD';
}

/** A letter by its name in HTML, such as `&middot;`; what is written where there is none. */
function namedLetter(written: string): string {
  const letter = known.get(written);
  if (letter !== undefined) return letter;
  const [node] = parseFragment(written).childNodes;
  const found = node?.nodeName === '#text' && 'value' in node ? node.value : written;
  if (known.size < MAX_KNOWN_NAMES) known.set(written, found);
  return found;
}

/** Letters that are written by name or number, as Markdown takes them from HTML. */
export const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|[a-z][a-z\d]{1,31});/gi, (whole, decimal, hex) => {
    if (decimal !== undefined) return codePoint(Number(decimal));
    return hex === undefined ? namedLetter(whole) : codePoint(Number.parseInt(String(hex), 16));
  });
