import type { Token, Tokens } from 'marked';
import { type Block, type ListItem, type Picture, type Span, type TableCell, plain, textOf } from '../../document.ts';
import type { Reader } from '../../reader.ts';
import { decodeText } from '../../text/charset.ts';
import { type Budget, createBudget } from '../budget.ts';
import { append } from '../../package/append.ts';
import { blocksOfPiece } from '../html/blocks.ts';
import { InlineReader, withoutTags } from './inline.ts';
import { createMarkdownLexer } from './lexer.ts';
import { unescaped } from './letters.ts';
import { takeNotes } from './notes.ts';

/** Pictures of a line, those that are links too. */
const imagesIn = (tokens: readonly Token[]): Tokens.Image[] =>
  tokens.flatMap((token) =>
    token.type === 'image'
      ? [token as Tokens.Image]
      : token.type === 'link'
        ? imagesIn((token as Tokens.Link).tokens)
        : [],
  );

/** Those that stand in the text letter by letter were taken out of it. */
const addressOf = (href: string): Partial<Picture> =>
  href === '' || href.startsWith('data:') ? {} : { address: href };

/** Whether an address is that of a file beside the text, as pictures that are given with it have. */
const isBeside = (href: string): boolean => href !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href);

/** More tags of anything but a table are none that a person wrote: what they are within each other takes too long. */
const MAX_TAGS = 2_000;
const hasManyTags = (html: string): boolean => html.split('<', MAX_TAGS + 1).length > MAX_TAGS;

const inItem: ReadonlySet<string> = new Set(['text', 'paragraph', 'list', 'space', 'checkbox']);

class Walk {
  readonly #budget: Budget;
  readonly #inline: InlineReader;

  constructor(budget: Budget, notes: ReadonlyMap<string, string>) {
    this.#budget = budget;
    this.#inline = new InlineReader(budget, notes);
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
        return [{ type: 'heading', level: Number(token['depth']), page, spans: this.#inline.spans(token.tokens) }];
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
        return this.#html(token.raw);
      case 'paragraph':
        return this.#lines(token.tokens ?? []);
      default:
        return token.tokens === undefined
          ? this.#paragraph(plain(unescaped(token.raw.trim())))
          : this.#lines(token.tokens);
    }
  }

  #html(html: string): Block[] {
    if (/<table[\s>]/i.test(html) || !hasManyTags(html)) return blocksOfPiece(html, this.#budget);
    return this.#paragraph(plain(unescaped(withoutTags(html)).trim()));
  }

  #paragraph(spans: readonly Span[]): Block[] {
    return textOf(spans).trim() === '' ? [] : [{ type: 'paragraph', page: null, spans }];
  }

  /** A paragraph; pictures that stand alone are its blocks, and those within its words follow it. */
  #lines(tokens: readonly Token[]): Block[] {
    const pictures = imagesIn(tokens);
    const alone =
      pictures.length > 0 &&
      tokens.every((token) => token.raw.trim() === '' || token.type === 'image' || imagesIn([token]).length > 0);
    if (!alone) return [...this.#paragraph(this.#inline.spans(tokens)), ...this.#picturesBeside(tokens)];
    return pictures.map(({ text, href }): Block => ({
      type: 'image',
      page: null,
      ...(text === '' ? {} : { alt: text }),
      ...addressOf(href),
    }));
  }

  /** Pictures within the words of a line, where their description stays. */
  #picturesBeside(tokens: readonly Token[]): Block[] {
    return imagesIn(tokens)
      .filter(({ href }) => isBeside(href))
      .map(({ href }): Block => ({ type: 'image', page: null, ...addressOf(href) }));
  }

  /** Items of lists within lists become items of a deeper level; other blocks of an item stand between the items. */
  #items(list: Tokens.List, level: number, found: (ListItem | Block)[]): void {
    const start = typeof list.start === 'number' ? list.start : 1;
    for (const [at, item] of list.items.entries()) {
      const own = item.tokens.filter(({ type }) => type === 'text' || type === 'paragraph') as Tokens.Generic[];
      const mark = item.task ? (item.checked ? '☑' : '☐') : list.ordered ? `${start + at}.` : '-';
      const spans = own.flatMap((token, nth) => [
        ...(nth === 0 ? [] : [{ text: '\n' }]),
        ...(token.tokens === undefined
          ? plain(unescaped(String(token['text'] ?? '')))
          : this.#inline.spans(token.tokens)),
      ]);
      found.push({ level, marker: mark, ordered: list.ordered, spans });
      append(found, this.#picturesBeside(own.flatMap(({ tokens = [] }) => tokens)));
      for (const token of item.tokens) {
        if (token.type === 'list' && this.#budget.mayNest(level + 1))
          this.#items(token as Tokens.List, level + 1, found);
        else if (!inItem.has(token.type)) append(found, this.blocks([token], level + 1));
      }
    }
  }

  #list(token: Tokens.List, depth: number): Block[] {
    const found: (ListItem | Block)[] = [];
    this.#items(token, depth, found);
    const blocks: Block[] = [];
    let items: ListItem[] | null = null;
    for (const one of found) {
      if ('type' in one) {
        blocks.push(one);
        items = null;
        continue;
      }
      if (items === null) blocks.push({ type: 'list', page: null, items: (items = []) });
      items.push({ ...one, level: one.level - depth });
    }
    return blocks;
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
        blocks: this.#lines(cell.tokens),
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

/** Markdown (CommonMark with tables, task lists and strikethrough; see `tokenizer.ts` for what Korean text has otherwise). */
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
