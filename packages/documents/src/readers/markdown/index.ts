import type { Token, Tokens } from 'marked';
import { type Block, type ListItem, type Span, type TableCell, plain, textOf } from '../../document.ts';
import type { Reader } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { type Budget, createBudget } from '../budget.ts';
import { append } from '../../package/append.ts';
import { blocksOfPiece } from '../html/blocks.ts';
import { createMarkdownLexer } from './lexer.ts';
import { takeNotes } from './notes.ts';

type Looks = Omit<Span, 'text'>;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

function codePoint(number: number): string {
  return number > 0 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff)
    ? String.fromCodePoint(number)
    : '\uFFFD';
}

/** Letters that are written by name or number, as Markdown takes them from HTML. */
const unescaped = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return codePoint(Number(decimal));
    if (hex !== undefined) return codePoint(Number.parseInt(String(hex), 16));
    return entities[String(name)] ?? whole;
  });

/** Comments are left out, also one that has no end. */
function withoutComments(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let from = html.indexOf('<!--'); from !== -1; from = html.indexOf('<!--', at)) {
    parts.push(html.slice(at, from));
    const end = html.indexOf('-->', from + 4);
    at = end === -1 ? html.length : end + 3;
  }
  return parts.join('') + html.slice(at);
}

/** Tags within a line are left out; what they enclose stays. */
const withoutTags = (html: string) => withoutComments(html).replaceAll(/<\/?[a-z][^<>]*>/gi, '');

const noteReference = /\[\^([^\]\s]{1,100})\]/g;

class Walk {
  readonly #budget: Budget;
  readonly #notes: ReadonlyMap<string, string>;

  constructor(budget: Budget, notes: ReadonlyMap<string, string>) {
    this.#budget = budget;
    this.#notes = notes;
  }

  spans(tokens: readonly Token[] | undefined, looks: Looks = {}, depth = 0): Span[] {
    if (tokens === undefined) return [];
    return tokens.flatMap((token) => this.#span(token as Tokens.Generic, looks, depth));
  }

  #span(token: Tokens.Generic, looks: Looks, depth: number): Span[] {
    const inner = (more: Looks): Span[] =>
      this.#budget.mayNest(depth + 1) && token.tokens !== undefined
        ? this.spans(token.tokens, { ...looks, ...more }, depth + 1)
        : [{ text: String(token['text'] ?? ''), ...looks, ...more }];
    switch (token.type) {
      case 'strong':
        return inner({ bold: true });
      case 'em':
        return inner({ italic: true });
      case 'del':
        return inner({ strike: true });
      case 'link':
        return inner({ link: String(token['href']) });
      case 'codespan':
        return [{ text: String(token['text']), ...looks, code: true }];
      case 'br':
        return [{ text: '\n', ...looks }];
      case 'image':
        return [{ text: String(token['text']), ...looks }];
      case 'html':
        return this.#plain(withoutTags(token.raw), looks);
      case 'checkbox':
        return [];
      default:
        return token.tokens === undefined
          ? this.#plain(unescaped(String(token['text'] ?? token.raw)), looks)
          : inner({});
    }
  }

  #plain(text: string, looks: Looks): Span[] {
    const spans: Span[] = [];
    let at = 0;
    for (const found of this.#notes.size > 0 ? text.matchAll(noteReference) : []) {
      const [whole, id = ''] = found;
      if (!this.#notes.has(id)) continue;
      if (found.index > at) spans.push({ text: text.slice(at, found.index), ...looks });
      spans.push({ text: id, ...looks, note: id });
      at = found.index + whole.length;
    }
    if (at < text.length) spans.push({ text: text.slice(at), ...looks });
    return spans;
  }

  blocks(tokens: readonly Token[], depth = 0): Block[] {
    return tokens.flatMap((token) => this.#block(token as Tokens.Generic, depth));
  }

  #block(token: Tokens.Generic, depth: number): Block[] {
    const page = null;
    switch (token.type) {
      case 'space':
      case 'hr':
      case 'def':
        return [];
      case 'heading':
        return [{ type: 'heading', level: Number(token['depth']), page, spans: this.spans(token.tokens) }];
      case 'code': {
        const language = String(token['lang'] ?? '').split(/\s/)[0] ?? '';
        return [{ type: 'code', page, text: String(token['text']), ...(language === '' ? {} : { language }) }];
      }
      case 'blockquote':
        return this.#budget.mayNest(depth + 1)
          ? this.blocks(token.tokens ?? [], depth + 1).map((block) =>
              block.type === 'paragraph' ? { ...block, role: 'quote' as const } : block,
            )
          : this.#paragraph(plain(String(token['text'])));
      case 'list':
        return this.#list(token as Tokens.List, depth);
      case 'table':
        return [this.#table(token as Tokens.Table)];
      case 'html':
        return /<table[\s>]/i.test(token.raw)
          ? blocksOfPiece(token.raw, this.#budget)
          : this.#paragraph(plain(withoutTags(token.raw).trim()));
      case 'paragraph':
        return this.#paragraphWithPictures(token);
      default:
        return this.#paragraph(
          token.tokens === undefined ? plain(unescaped(token.raw.trim())) : this.spans(token.tokens),
        );
    }
  }

  #paragraph(spans: readonly Span[]): Block[] {
    return textOf(spans).trim() === '' ? [] : [{ type: 'paragraph', page: null, spans }];
  }

  #paragraphWithPictures(token: Tokens.Generic): Block[] {
    const inner = token.tokens ?? [];
    const pictures = inner.filter(({ type }) => type === 'image') as Tokens.Image[];
    const alone = pictures.length > 0 && inner.every(({ type, raw }) => type === 'image' || raw.trim() === '');
    if (!alone) return this.#paragraph(this.spans(inner));
    return pictures.map(({ text, href }): Block => ({
      type: 'image',
      page: null,
      ...(text === '' ? {} : { alt: text }),
      // Those that stand in the text letter by letter were taken out of it.
      ...(href === '' || href.startsWith('data:') ? {} : { address: href }),
    }));
  }

  /** Items of lists within lists become items of a deeper level; other blocks of an item follow the list. */
  #items(list: Tokens.List, level: number, items: ListItem[], after: Block[]): void {
    const start = typeof list.start === 'number' ? list.start : 1;
    for (const [at, item] of list.items.entries()) {
      const own = item.tokens.filter(({ type }) => type === 'text' || type === 'paragraph') as Tokens.Generic[];
      const mark = item.task ? (item.checked ? '☑' : '☐') : list.ordered ? `${start + at}.` : '-';
      const spans = own.flatMap((token, nth) => [
        ...(nth === 0 ? [] : [{ text: '\n' }]),
        ...(token.tokens === undefined ? plain(unescaped(String(token['text'] ?? ''))) : this.spans(token.tokens)),
      ]);
      items.push({ level, marker: mark, ordered: list.ordered, spans });
      for (const token of item.tokens) {
        if (token.type === 'list' && this.#budget.mayNest(level + 1))
          this.#items(token as Tokens.List, level + 1, items, after);
        else if (!['text', 'paragraph', 'list', 'space', 'checkbox'].includes(token.type))
          append(after, this.blocks([token], level + 1));
      }
    }
  }

  #list(token: Tokens.List, depth: number): Block[] {
    const items: ListItem[] = [];
    const after: Block[] = [];
    this.#items(token, depth, items, after);
    return [
      { type: 'list', page: null, items: items.map((item) => ({ ...item, level: item.level - depth })) },
      ...after,
    ];
  }

  #table({ header, rows }: Tokens.Table): Block {
    this.#budget.cells((rows.length + 1) * header.length);
    const cells = [header, ...rows].flatMap((row, at) =>
      row.map((cell, column): TableCell => ({
        row: at,
        column,
        rowSpan: 1,
        columnSpan: 1,
        ...(at === 0 ? { header: true } : {}),
        blocks: this.#paragraph(this.spans(cell.tokens)),
      })),
    );
    return { type: 'table', page: null, rows: rows.length + 1, columns: header.length, headerRows: 1, cells };
  }
}

/** What some programs put before the text: facts between two lines of dashes. */
function frontMatter(text: string): { readonly title: string | null; readonly rest: string } {
  const found = /^---\n(.*?)\n(?:---|\.\.\.)(?:\n|$)/s.exec(text.slice(0, 20_000));
  if (found === null || !/^[\w-]+:/m.test(found[1] ?? '')) return { title: null, rest: text };
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(found[1] ?? '')?.[1] ?? null;
  return { title, rest: text.slice(found[0].length) };
}

/** Markdown (CommonMark with tables, task lists and strikethrough). */
export const readMarkdown: Reader = (bytes, { limits, onPage }) => {
  const { text } = decodeText(bytes);
  const budget = createBudget(limits);
  budget.text(text.length);
  const { title, rest } = frontMatter(text);
  const { notes, rest: running } = takeNotes(rest);
  const walk = new Walk(budget, notes);
  const lexer = createMarkdownLexer(limits);
  const blocks = walk.blocks(lexer.lex(running));
  for (const [id, note] of notes)
    blocks.push({ type: 'footnote', page: null, kind: 'footnote', id, blocks: walk.blocks(lexer.lex(note)) });
  const warnings = lexer.damaged()
    ? [{ code: 'markup_ignored', message: 'Parts with too many marks were read as plain text.' }]
    : [];
  onPage(1, 1);
  return { format: 'markdown', meta: title === null ? {} : { title }, pages: [], blocks, warnings };
};
