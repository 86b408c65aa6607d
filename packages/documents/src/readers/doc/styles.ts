import { decodeUtf16, u16At } from '../hwp/bytes.ts';
import { type LooksContext, paragraphLooks, runLooks, valued } from './looks.ts';
import { type Properties, numberOf, readProperties } from './sprms.ts';

const NO_STYLE = 0xfff;
const [PARAGRAPH, CHARACTER] = [1, 2];

/** English names of Word's own styles, which have names of its language in the file. Source: MS-DOC 2.9.271, ECMA-376 `w:latentStyles`. */
const ownNames: ReadonlyMap<number, string> = new Map([
  ...Array.from({ length: 9 }, (_, at) => [at + 1, `heading ${at + 1}`] as const),
  ...Array.from({ length: 9 }, (_, at) => [at + 19, `toc ${at + 1}`] as const),
  [34, 'caption'],
  [35, 'table of figures'],
  [45, 'macro text'],
  [62, 'Title'],
  [74, 'Subtitle'],
  [101, 'HTML Preformatted'],
]);

interface DocStyle {
  readonly kind: number;
  readonly name: string;
  readonly base: number;
  readonly paragraph: Properties;
  readonly characters: Properties;
}

const noProperties: Properties = new Map();

function readStyle(bytes: Uint8Array, baseBytes: number): DocStyle {
  const [own, derived, parts] = [u16At(bytes, 0) & 0xfff, u16At(bytes, 2), u16At(bytes, 4) & 0xf];
  const kind = derived & 0xf;
  const letters = u16At(bytes, baseBytes);
  const begin = baseBytes + 2;
  const name = ownNames.get(own) ?? decodeUtf16(bytes, begin, begin + letters * 2);
  const lists: Uint8Array[] = [];
  for (let part = 0, at = begin + letters * 2 + 2; part < parts && at + 2 <= bytes.length; part++) {
    const length = u16At(bytes, at);
    lists.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length + (length & 1);
  }
  const isParagraph = kind === PARAGRAPH;
  const characters = lists[isParagraph ? 1 : 0];
  return {
    kind,
    name,
    base: derived >> 4,
    // The number of the style stands before them.
    paragraph: isParagraph && lists[0] !== undefined ? readProperties(lists[0].subarray(2)) : noProperties,
    characters: characters === undefined ? noProperties : readProperties(characters),
  };
}

/** Styles of a document by their number. Source: MS-DOC 2.9.271. */
export class DocStyles {
  readonly #styles: readonly (DocStyle | null)[];

  constructor(table: Uint8Array) {
    const head = u16At(table, 0);
    const [count, baseBytes] = [u16At(table, 2), u16At(table, 4)];
    const styles: (DocStyle | null)[] = [];
    for (let at = 2 + head; styles.length < count && at + 2 <= table.length;) {
      const length = u16At(table, at);
      styles.push(length === 0 ? null : readStyle(table.subarray(at + 2, at + 2 + length), baseBytes));
      at += 2 + length;
    }
    this.#styles = styles;
  }

  /** Whether a style, or one that it is based on, has a look. */
  has(style: number, code: number): boolean {
    let at = style;
    for (let depth = 0; depth < 16; depth++) {
      const found = this.#styles[at];
      if (found == null) return false;
      const value = numberOf(found.characters, code);
      if (value === 0 || value === 1) return value === 1;
      at = found.base;
    }
    return false;
  }

  /** The part `styles.xml`. */
  toXml(fonts: readonly string[]): string {
    const style = (one: DocStyle | null, id: number): string => {
      if (one === null || (one.kind !== PARAGRAPH && one.kind !== CHARACTER)) return '';
      const context: LooksContext = { fonts, hasByStyle: (code) => this.has(one.base, code) };
      const base = one.base === NO_STYLE || one.base === id ? '' : valued('basedOn', `s${one.base}`);
      const isDefault = id === 0 ? ' w:default="1"' : '';
      const kind = one.kind === PARAGRAPH ? 'paragraph' : 'character';
      const looks = `<w:pPr>${paragraphLooks(one.paragraph)}</w:pPr><w:rPr>${runLooks(one.characters, context)}</w:rPr>`;
      return `<w:style w:type="${kind}"${isDefault} w:styleId="s${id}">${valued('name', one.name)}${base}${looks}</w:style>`;
    };
    return this.#styles.map(style).join('');
  }
}

/** Names of fonts by their number. Source: MS-DOC 2.9.86, 2.9.273. */
export function readFonts(table: Uint8Array): string[] {
  const names: string[] = [];
  const count = u16At(table, 0);
  for (let at = 4; names.length < count && at < table.length;) {
    const length = table[at] ?? 0;
    names.push(decodeUtf16(table, at + 40, at + 1 + length).split('\0', 1)[0] ?? '');
    at += 1 + length;
  }
  return names;
}
