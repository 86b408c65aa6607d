import iconv from 'iconv-lite';
import { createPage } from './page.ts';

// What RTF says: the page of HTML or the plain text of a mail, where RTF only wraps that (MS-OXRTFEX), else paragraphs, headings and tables as HTML.
// Source: Rich Text Format Specification 1.9.1.

/** What a text in RTF says. */
export interface RtfText {
  readonly kind: 'html' | 'text';
  /** True for the page that the sender wrote, wrapped in RTF. */
  readonly wrapped: boolean;
  readonly text: string;
}

/** Destinations that hold no text. */
const silent = new Set(
  'fonttbl colortbl stylesheet info pict object objdata themedata colorschememapping datastore latentstyles fldinst bkmkstart bkmkend listtable listoverridetable rsidtbl generator xmlnstbl nonshppict filetbl revtbl mmathPr sp header footer headerl headerr headerf footerl footerr footerf'.split(
    ' ',
  ),
);
/** Those marked as optional that hold text all the same. */
const spoken = new Set(['htmltag', 'shptxt', 'shpinst', 'shprslt', 'fldrslt', 'field']);

/** Charsets of fonts. Source: RTF 1.9.1, `\fcharset`. */
const fontCharsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
};

const signs: Readonly<Record<string, string>> = {
  tab: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
};
const symbols: Readonly<Record<string, string>> = { '~': '\u00A0', _: '\u2011', '-': '' };

/** Groups within each other; what lies deeper is read as if it lay there. */
const MAX_DEPTH = 500;

interface Group {
  readonly silent: boolean;
  readonly font: number;
  /** Letters that stand for one in Unicode, for programs that know none. */
  readonly skipped: number;
  /** Text for programs that read RTF alone. */
  readonly onlyRtf: boolean;
  /** Within a tag of the page. */
  readonly tag: boolean;
  readonly hidden: boolean;
  readonly bold: boolean;
  readonly table: boolean;
  /** Of a heading, from 1; 0 for none. */
  readonly level: number;
  /** Within a note. */
  readonly note: boolean;
}

const outermost: Group = {
  silent: false,
  font: -1,
  skipped: 1,
  onlyRtf: false,
  tag: false,
  hidden: false,
  bold: false,
  table: false,
  level: 0,
  note: false,
};

type Mode = RtfText['kind'] | 'rtf';

/** A control word with its number; null where it has none. */
interface Word {
  readonly name: string;
  readonly value: number | null;
}

const TOKENS = /\\(?:'([\da-f]{2})|([a-z]{1,32})(-?\d{1,10})? ?|([^]))|([{}])|([^\\{}\r\n]+)|[\r\n]+/giy;

const codePage = (value: number | null): string | null => (iconv.encodingExists(`cp${value}`) ? `cp${value}` : null);

/** Says what stands in a text, from its first token to its last. */
class RtfReader {
  readonly #mode: Mode;
  readonly #page = createPage();
  /** What the wrapped page or text says. */
  readonly #wrapped: string[] = [];
  /** Charsets by the number of the font. */
  readonly #fonts = new Map<number, string>();
  /** Depth of the table of fonts, while it is read; 0 elsewhere. */
  #fontsDepth = 0;
  #font = 0;
  #charset = 'cp1252';
  #group = outermost;
  readonly #outer: Group[] = [];
  #tooDeep = 0;
  /** Bytes as latin1 characters that are not decoded yet: a letter may have two. */
  #pending: string[] = [];
  /** Letters to come that stand for one in Unicode, which was said. */
  #toSkip = 0;
  /** Whether the next word may be passed over by who does not know it. */
  #optional = false;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  read(source: string): RtfText {
    const tokens = new RegExp(TOKENS);
    for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
      const [, hex, name, value, symbol, brace, plain] = token;
      if (hex !== undefined) this.#take(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (plain !== undefined) this.#take(plain);
      else if (brace === '{') this.#open();
      else if (brace === '}') this.#close();
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (name !== undefined) {
        if (name === 'bin') tokens.lastIndex += Math.max(0, Number(value ?? 0));
        this.#decode();
        this.#toSkip = 0;
        this.#word({ name, value: value === undefined ? null : Number(value) });
      }
    }
    this.#decode();
    return this.#mode === 'rtf'
      ? { kind: 'html', wrapped: false, text: this.#page.end() }
      : { kind: this.#mode, wrapped: true, text: this.#wrapped.join('') };
  }

  #take(text: string): void {
    this.#optional = false;
    const skipped = Math.min(this.#toSkip, text.length);
    this.#toSkip -= skipped;
    if (!this.#group.silent && skipped < text.length) this.#pending.push(text.slice(skipped));
  }

  #decode(): void {
    if (this.#pending.length === 0) return;
    const charset = (this.#group.tag ? undefined : this.#fonts.get(this.#group.font)) ?? this.#charset;
    this.#say(iconv.decode(Buffer.from(this.#pending.join(''), 'latin1'), charset));
    this.#pending = [];
  }

  #say(text: string): void {
    if (this.#group.silent || this.#group.hidden || text === '') return;
    if (this.#mode === 'rtf') this.#page.text(text, this.#group.bold);
    else if (this.#group.tag || !this.#group.onlyRtf) this.#wrapped.push(text);
  }

  #breakLine(): void {
    if (this.#mode !== 'rtf') this.#say('\n');
    else if (!this.#group.silent && !this.#group.hidden) this.#page.line();
  }

  #open(): void {
    this.#decode();
    this.#toSkip = 0;
    this.#optional = false;
    if (this.#outer.length < MAX_DEPTH) this.#outer.push(this.#group);
    else this.#tooDeep++;
  }

  #close(): void {
    this.#decode();
    this.#toSkip = 0;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    if (this.#outer.length === this.#fontsDepth) this.#fontsDepth = 0;
    const outer = this.#outer.pop() ?? this.#group;
    if (this.#group.note && !outer.note) this.#say(')');
    this.#group = outer;
  }

  #symbol(symbol: string): void {
    this.#decode();
    if (symbol === '*') this.#optional = true;
    else if (symbol === '\n' || symbol === '\r') this.#paragraph();
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.#pending.push(symbol);
    else this.#say(symbols[symbol] ?? '');
  }

  #paragraph(): void {
    if (this.#group.silent) return;
    if (this.#group.note) this.#say(' ');
    else if (this.#mode === 'rtf') this.#page.paragraph(this.#group.table, this.#group.level);
    else this.#breakLine();
  }

  #word(word: Word): void {
    const isOptional = this.#optional;
    this.#optional = false;
    const { name } = word;
    if (this.#fontsDepth > 0) this.#fontWord(word);
    else if (signs[name] !== undefined) this.#say(signs[name]);
    else if (this.#charsetWord(word) || this.#textWord(word)) return;
    else {
      const format = formatOf(word, this.#mode);
      if (format !== null) this.#group = { ...this.#group, ...format };
      else if (silent.has(name) || (isOptional && !spoken.has(name))) this.#group = { ...this.#group, silent: true };
    }
  }

  #fontWord({ name, value }: Word): void {
    if (name === 'f') this.#font = value ?? 0;
    const charset = name === 'fcharset' ? (fontCharsets[value ?? 0] ?? null) : name === 'cpg' ? codePage(value) : null;
    if (charset !== null) this.#fonts.set(this.#font, charset);
  }

  /** Takes a word that says which letters bytes are; false for another one. */
  #charsetWord({ name, value }: Word): boolean {
    if (name === 'ansicpg') this.#charset = value === 65_001 ? 'utf-8' : (codePage(value) ?? this.#charset);
    else if (name === 'mac') this.#charset = 'macintosh';
    else if (name === 'fonttbl') {
      this.#fontsDepth = this.#outer.length;
      this.#group = { ...this.#group, silent: true };
    } else return false;
    return true;
  }

  /** Takes a word that stands for a letter, or for what parts of a text are set apart by; false for another one. */
  #textWord({ name, value }: Word): boolean {
    const isOwnPage = this.#mode === 'rtf' && !this.#group.silent;
    switch (name) {
      case 'u':
        this.#say(String.fromCharCode(((value ?? 0) + 65_536) % 65_536));
        this.#toSkip = this.#group.skipped;
        return true;
      case 'footnote':
        // A note stands in brackets where its mark is.
        this.#say(' (');
        this.#group = { ...this.#group, note: true };
        return true;
      case 'par':
      case 'sect':
      case 'page':
        this.#paragraph();
        return true;
      case 'line':
        this.#breakLine();
        return true;
      case 'cell':
      case 'nestcell':
        if (isOwnPage) this.#page.cell();
        return true;
      case 'row':
      case 'nestrow':
        if (isOwnPage) this.#page.row();
        return true;
      default:
        return false;
    }
  }
}

/** What a word says of the text behind it in its group; null where it is none of these. */
function formatOf({ name, value }: Word, mode: Mode): Partial<Group> | null {
  const on = value !== 0;
  switch (name) {
    case 'f':
      return { font: value ?? -1 };
    case 'plain':
      return { hidden: false, bold: false };
    case 'uc':
      return { skipped: Math.min(8, Math.max(0, value ?? 1)) };
    case 'htmlrtf':
      return { onlyRtf: on };
    case 'htmltag':
      return { tag: true };
    case 'b':
      return { bold: on };
    case 'v':
      return { hidden: mode === 'rtf' && on };
    case 'intbl':
      return { table: true };
    case 'pard':
      return { table: false, level: 0 };
    case 'outlinelevel':
      return { level: (value ?? 9) < 9 ? (value ?? 0) + 1 : 0 };
    default:
      return null;
  }
}

/** Reads RTF; null for what is none. */
export function readRtf(bytes: Uint8Array): RtfText | null {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!source.startsWith('{\\rtf')) return null;
  const head = source.slice(0, 2_000);
  const mode = /\\fromhtml1?(?![a-z\d])/.test(head) ? 'html' : /\\fromtext/.test(head) ? 'text' : 'rtf';
  return new RtfReader(mode).read(source);
}
