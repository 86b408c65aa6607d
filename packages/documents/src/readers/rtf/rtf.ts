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

/** Reads RTF; null for what is none. */
export function readRtf(bytes: Uint8Array): RtfText | null {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!source.startsWith('{\\rtf')) return null;
  const head = source.slice(0, 2_000);
  const mode = /\\fromhtml1?(?![a-z\d])/.test(head) ? 'html' : /\\fromtext/.test(head) ? 'text' : 'rtf';
  const fonts = new Map<number, string>();
  const out: string[] = [];
  const page = createPage();
  let own = 'cp1252';
  let fontNumber = 0;
  let group: Group = {
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
  const groups: Group[] = [];
  let tooDeep = 0;
  let pending: string[] = [];
  let toSkip = 0;
  let optional = false;
  let inFonts = 0;

  const say = (text: string): void => {
    if (group.silent || group.hidden || text === '') return;
    if (mode === 'rtf') page.text(text, group.bold);
    else if (group.tag || !group.onlyRtf) out.push(text);
  };
  const flush = (): void => {
    if (pending.length === 0) return;
    const charset = (group.tag ? undefined : fonts.get(group.font)) ?? own;
    say(iconv.decode(Buffer.from(pending.join(''), 'latin1'), charset));
    pending = [];
  };
  const breakLine = (): void => {
    if (group.silent || group.hidden) return;
    if (mode === 'rtf') page.line();
    else if (group.tag || !group.onlyRtf) out.push('\n');
  };

  const word = (name: string, given: string | undefined): void => {
    const value = given === undefined ? null : Number(given);
    const on = value !== 0;
    const isOptional = optional;
    optional = false;
    if (inFonts > 0) {
      if (name === 'f') fontNumber = value ?? 0;
      else if (name === 'fcharset') {
        const charset = fontCharsets[value ?? 0];
        if (charset !== undefined) fonts.set(fontNumber, charset);
      } else if (name === 'cpg' && iconv.encodingExists(`cp${value}`)) fonts.set(fontNumber, `cp${value}`);
      return;
    }
    const sign = signs[name];
    if (sign !== undefined) {
      say(sign);
      return;
    }
    switch (name) {
      case 'ansicpg':
        own = value === 65_001 ? 'utf-8' : iconv.encodingExists(`cp${value}`) ? `cp${value}` : own;
        return;
      case 'mac':
        own = 'macintosh';
        return;
      case 'fonttbl':
        inFonts = groups.length;
        group = { ...group, silent: true };
        return;
      case 'f':
        group = { ...group, font: value ?? -1 };
        return;
      case 'plain':
        group = { ...group, hidden: false, bold: false };
        return;
      case 'uc':
        group = { ...group, skipped: Math.min(8, Math.max(0, value ?? 1)) };
        return;
      case 'u': {
        const code = ((value ?? 0) + 65_536) % 65_536;
        say(String.fromCharCode(code));
        toSkip = group.skipped;
        return;
      }
      case 'htmlrtf':
        group = { ...group, onlyRtf: on };
        return;
      case 'htmltag':
        group = { ...group, tag: true };
        return;
      case 'b':
        group = { ...group, bold: on };
        return;
      case 'v':
        group = { ...group, hidden: mode === 'rtf' && on };
        return;
      case 'intbl':
        group = { ...group, table: true };
        return;
      case 'pard':
        group = { ...group, table: false, level: 0 };
        return;
      case 'outlinelevel':
        group = { ...group, level: (value ?? 9) < 9 ? (value ?? 0) + 1 : 0 };
        return;
      case 'footnote':
        // A note stands in brackets where its mark is.
        say(' (');
        group = { ...group, note: true };
        return;
      case 'par':
      case 'sect':
      case 'page':
        if (group.silent) return;
        if (group.note) say(' ');
        else if (mode === 'rtf') page.paragraph(group.table, group.level);
        else breakLine();
        return;
      case 'line':
        breakLine();
        return;
      case 'cell':
      case 'nestcell':
        if (mode === 'rtf' && !group.silent) page.cell();
        return;
      case 'row':
      case 'nestrow':
        if (mode === 'rtf' && !group.silent) page.row();
        return;
      default:
        if (silent.has(name) || (isOptional && !spoken.has(name))) group = { ...group, silent: true };
    }
  };

  const tokens = /\\(?:'([\da-f]{2})|([a-z]{1,32})(-?\d{1,10})? ?|([^]))|([{}])|([^\\{}\r\n]+)|[\r\n]+/giy;
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    const [, hex, name, value, symbol, brace, plain] = token;
    if (hex !== undefined || plain !== undefined) {
      optional = false;
      let text = hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16));
      const skipped = Math.min(toSkip, text.length);
      toSkip -= skipped;
      text = text.slice(skipped);
      if (!group.silent && text !== '') pending.push(text);
      continue;
    }
    if (name === undefined && symbol === undefined && brace === undefined) continue;
    flush();
    if (brace === '{') {
      toSkip = 0;
      optional = false;
      if (groups.length < MAX_DEPTH) groups.push(group);
      else tooDeep++;
    } else if (brace === '}') {
      toSkip = 0;
      if (tooDeep > 0) tooDeep--;
      else {
        if (groups.length === inFonts) inFonts = 0;
        const outer = groups.pop() ?? group;
        if (group.note && !outer.note) say(')');
        group = outer;
      }
    } else if (name !== undefined) {
      if (name === 'bin') tokens.lastIndex += Math.max(0, Number(value ?? 0));
      toSkip = 0;
      word(name, value);
    } else if (symbol === '*') optional = true;
    else if (symbol === '\n' || symbol === '\r') word('par', undefined);
    else if (symbol === '\\' || symbol === '{' || symbol === '}') pending.push(symbol);
    else say(symbols[symbol ?? ''] ?? '');
  }
  flush();
  if (mode === 'rtf') return { kind: 'html', wrapped: false, text: page.end() };
  return { kind: mode, wrapped: true, text: out.join('') };
}
