import { escapeXml } from '../../write/xml.ts';
import { u16At, u32At } from '../hwp/bytes.ts';
import type { DocFile, Range } from './file.ts';
import { formFieldXml } from './form-fields.ts';
import { type Stretch, stretchAt } from './formatted-pages.ts';
import { paragraphLooks, runLooks, symbolOf, valued } from './looks.ts';
import type { DocStyles } from './styles.ts';
import { type Properties, isOn, numberOf, readProperties, sprms } from './sprms.ts';
import { type RowEnd, tableXml } from './tables.ts';

/** Letters that mean something else. Source: MS-DOC 2.4.1, 2.8.26. */
const [PICTURE, NOTE, CELL_END, DRAWING, COMMENT, LINE, PAGE, COLUMN, PARAGRAPH] = [
  0x01, 0x02, 0x07, 0x08, 0x05, 0x0b, 0x0c, 0x0e, 0x0d,
];
const [FIELD_BEGIN, FIELD_SEPARATOR, FIELD_END, HARD_HYPHEN, SOFT_HYPHEN, TAB, SPACE] = [
  0x13, 0x14, 0x15, 0x1e, 0x1f, 0x09, 0x20,
];

const noProperties: Properties = new Map();

/** What stands in the text at a place, as XML of a run; by the place. */
export interface Marks {
  readonly notes: ReadonlyMap<number, string>;
  /** Text in boxes that are drawn there; taken once. */
  readonly boxAt: (place: number) => string;
  /** Properties of the section that ends behind a place. */
  readonly sectionAt: (place: number) => string;
  /** Places behind the ends of sections. */
  readonly sectionEnds: ReadonlySet<number>;
}

export const noMarks: Marks = {
  notes: new Map(),
  boxAt: () => '',
  sectionAt: () => '',
  sectionEnds: new Set(),
};

/** How the text of a document looks. */
export interface TextLooks {
  readonly characters: readonly Stretch[];
  readonly paragraphs: readonly Stretch[];
  readonly styles: DocStyles;
  readonly fonts: readonly string[];
}

interface Paragraph extends Range {
  readonly style: number;
  readonly properties: Properties;
  /** The letter that ends it. */
  readonly end: number;
  /** How many tables it stands in. */
  readonly depth: number;
}

/** Tables within each other; what lies deeper stands in the last one. */
const MAX_TABLE_DEPTH = 8;

/** Fields within each other; more come from damage. */
const MAX_FIELD_DEPTH = 50;

function toldIn(text: string): Uint8Array {
  const told = new Uint8Array(text.length);
  /** Of each field that is open whether it shows something already. */
  const open: boolean[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === FIELD_BEGIN && open.length < MAX_FIELD_DEPTH) open.push(false);
    else if (letter === FIELD_SEPARATOR && open.length > 0) open[open.length - 1] = true;
    else if (letter === FIELD_END) open.pop();
    else if (open.at(-1) === false) told[at] = 1;
  }
  return told;
}

/** Writes parts of the text as WordprocessingML. */
export class StoryWriter {
  readonly #file: DocFile;
  readonly #looks: TextLooks;
  readonly #marks: Marks;
  readonly #parsed = new WeakMap<Stretch, Properties>();
  /** 1 at the places of what fields are told, which is not shown. */
  readonly #told: Uint8Array;

  constructor(file: DocFile, looks: TextLooks, marks: Marks = noMarks) {
    this.#file = file;
    this.#looks = looks;
    this.#marks = marks;
    this.#told = toldIn(file.text);
  }

  /** All blocks of a range. */
  blocks(range: Range): string {
    return this.#blocks(this.#paragraphs(range), 0);
  }

  #properties(stretch: Stretch | undefined): Properties {
    if (stretch === undefined) return noProperties;
    const known = this.#parsed.get(stretch) ?? readProperties(stretch.list);
    this.#parsed.set(stretch, known);
    return known;
  }

  /** Properties of a paragraph; those that are too long for their place stand in the stream of data. */
  #paragraphProperties(list: Uint8Array): Properties {
    const own = readProperties(list.subarray(2));
    const place = numberOf(own, sprms.longProperties) ?? numberOf(own, sprms.olderLongProperties);
    if (place === undefined) return own;
    const { data } = this.#file;
    return readProperties(data.subarray(place + 2, place + 2 + u16At(data, place)), new Map(own));
  }

  #paragraphs({ from, to }: Range): Paragraph[] {
    const { text } = this.#file;
    const found: Paragraph[] = [];
    for (let at = from, begin = from; at < to; at++) {
      const letter = text.charCodeAt(at);
      const ends =
        letter === PARAGRAPH ||
        letter === CELL_END ||
        (letter === PAGE && this.#marks.sectionEnds.has(at + 1)) ||
        at + 1 === to;
      if (!ends) continue;
      found.push(this.#paragraph({ from: begin, to: at + 1 }, letter));
      begin = at + 1;
    }
    return found;
  }

  #paragraph(range: Range, end: number): Paragraph {
    const { paragraphs } = this.#looks;
    const stretch = paragraphs[stretchAt(paragraphs, this.#file.placeOf(range.to - 1))];
    const properties = stretch === undefined ? noProperties : this.#paragraphProperties(stretch.list);
    const inTable = isOn(properties, sprms.inTable);
    const depth = inTable ? Math.max(1, numberOf(properties, sprms.depth) ?? 1) : 0;
    return {
      ...range,
      style: stretch === undefined ? 0 : u16At(stretch.list, 0),
      properties,
      end,
      depth: Math.min(MAX_TABLE_DEPTH, depth),
    };
  }

  /** Blocks of paragraphs that stand in so many tables. */
  #blocks(paragraphs: readonly Paragraph[], depth: number): string {
    const parts: string[] = [];
    for (let at = 0; at < paragraphs.length;) {
      const first = paragraphs[at]!;
      if (first.depth <= depth) {
        parts.push(this.#paragraphXml(first));
        at++;
        continue;
      }
      let end = at + 1;
      while (end < paragraphs.length && paragraphs[end]!.depth > depth) end++;
      parts.push(this.#table(paragraphs.slice(at, end), depth + 1));
      at = end;
    }
    return parts.join('');
  }

  #table(paragraphs: readonly Paragraph[], depth: number): string {
    const rows: { cells: string[]; end: RowEnd }[] = [];
    let cells: string[] = [];
    let open: Paragraph[] = [];
    const closeCell = () => {
      cells.push(this.#blocks(open, depth));
      open = [];
    };
    for (const paragraph of paragraphs) {
      const { properties } = paragraph;
      const isOwn = paragraph.depth === depth;
      const endsRow = isOwn && isOn(properties, depth === 1 ? sprms.endsRow : sprms.endsInnerRow);
      if (endsRow) {
        if (open.length > 0) closeCell();
        if (cells.length > 0)
          rows.push({ cells, end: { table: properties.get(sprms.table), heads: isOn(properties, sprms.headsTable) } });
        cells = [];
        continue;
      }
      open.push(paragraph);
      if (isOwn && (depth === 1 ? paragraph.end === CELL_END : isOn(properties, sprms.endsInnerCell))) closeCell();
    }
    if (open.length > 0) closeCell();
    if (cells.length > 0) rows.push({ cells, end: { table: undefined, heads: false } });
    return tableXml(rows);
  }

  #paragraphXml(paragraph: Paragraph): string {
    const { from, to, end, style, properties } = paragraph;
    const isEnd = end === PARAGRAPH || end === CELL_END || end === PAGE;
    const { runs, endIsDeleted } = this.#runs({ from, to: isEnd ? to - 1 : to }, style, isEnd);
    const section = this.#marks.sectionAt(to);
    const looks = `${valued('pStyle', `s${style}`)}${paragraphLooks(properties)}${endIsDeleted ? '<w:rPr><w:del/></w:rPr>' : ''}${section}`;
    return `<w:p><w:pPr>${looks}</w:pPr>${runs}</w:p>`;
  }

  /** Runs of a range that look the same each, and whether what ends the paragraph behind it was deleted. */
  #runs(
    { from, to }: Range,
    style: number,
    hasEnd: boolean,
  ): { readonly runs: string; readonly endIsDeleted: boolean } {
    const { characters, fonts, styles } = this.#looks;
    const parts: string[] = [];
    let endIsDeleted = false;
    const context = { fonts, hasByStyle: (code: number) => styles.has(style, code) };
    this.#file.eachPiece({ from, to: hasEnd ? to + 1 : to }, (range, place, width) => {
      for (let at = range.from; at < range.to;) {
        const here = place + (at - range.from) * width;
        const index = stretchAt(characters, here);
        const stretch = characters[index];
        const isIn = stretch !== undefined && here < stretch.to;
        const border = isIn ? stretch.to : (characters[index + 1]?.from ?? Infinity);
        const next = Math.min(range.to, at + Math.max(1, Math.ceil((border - here) / width)));
        const properties = this.#properties(isIn ? stretch : undefined);
        const isDeleted = isOn(properties, sprms.deleted);
        const last = Math.min(next, to);
        if (next > to) endIsDeleted = isDeleted;
        if (at < last && !isDeleted) {
          const content = this.#content({ from: at, to: last }, properties);
          if (content !== '') parts.push(`<w:r><w:rPr>${runLooks(properties, context)}</w:rPr>${content}</w:r>`);
        }
        at = next;
      }
    });
    return { runs: parts.join(''), endIsDeleted };
  }

  /** What stands within a run. */
  #content({ from, to }: Range, properties: Properties): string {
    const symbol = properties.get(sprms.symbol);
    if (symbol !== undefined && symbol.length >= 4 && to - from === 1) return symbolOf(symbol, this.#looks.fonts);
    const { text } = this.#file;
    const parts: string[] = [];
    let begin = from;
    const say = (end: number) => {
      if (end > begin) parts.push(this.#words(text.slice(begin, end), begin));
    };
    for (let at = from; at < to; at++) {
      if (text.charCodeAt(at) >= SPACE) continue;
      say(at);
      parts.push(this.#sign(text.charCodeAt(at), at, properties));
      begin = at + 1;
    }
    say(to);
    return parts.join('');
  }

  /** Words, or what a field is told, which shows nothing itself. */
  #words(words: string, at: number): string {
    const isTold = this.#told[at] === 1;
    const name = isTold ? 'w:instrText' : 'w:t';
    return `<${name} xml:space="preserve">${escapeXml(words)}</${name}>`;
  }

  #sign(letter: number, at: number, properties: Properties): string {
    switch (letter) {
      case TAB:
        return '<w:tab/>';
      case LINE:
        return '<w:br/>';
      case PAGE:
        return '<w:br w:type="page"/>';
      case COLUMN:
        return '<w:br w:type="column"/>';
      case HARD_HYPHEN:
        return '<w:noBreakHyphen/>';
      case SOFT_HYPHEN:
        return '<w:softHyphen/>';
      case FIELD_BEGIN:
        return `<w:fldChar w:fldCharType="begin">${this.#formField(at)}</w:fldChar>`;
      case FIELD_SEPARATOR:
        return '<w:fldChar w:fldCharType="separate"/>';
      case FIELD_END:
        return '<w:fldChar w:fldCharType="end"/>';
      case NOTE:
      case COMMENT:
        return this.#marks.notes.get(at) ?? '';
      case PICTURE:
        return properties.has(sprms.picture) && this.#told[at] !== 1 ? '<w:pict><v:imagedata/></w:pict>' : '';
      case DRAWING:
        return this.#marks.boxAt(at);
      default:
        return '';
    }
  }

  /** The data of a form's field, which the picture within what it is told names. */
  #formField(begin: number): string {
    const { text, data } = this.#file;
    for (let at = begin + 1; at < text.length && at - begin < 300; at++) {
      const letter = text.charCodeAt(at);
      if (letter === FIELD_SEPARATOR || letter === FIELD_END || letter === FIELD_BEGIN) return '';
      if (letter !== PICTURE) continue;
      const { characters } = this.#looks;
      const properties = this.#properties(characters[stretchAt(characters, this.#file.placeOf(at))]);
      const place = properties.get(sprms.picture);
      return place === undefined || place.length < 4 ? '' : formFieldXml(data, u32At(place, 0));
    }
    return '';
  }
}
