import { Lexer, type Token, type Tokens } from 'marked';
import { append } from '../../package/append.ts';
import type { ParseLimits } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { KoreanTokenizer, formulas } from './tokenizer.ts';

/** Texts of so many marks are none that a person wrote: looking for the ends of each would take forever. */
const MAX_MARKS = 500;
const marks = /[*_~`![\]<\\]/g;
const hasManyMarks = (text: string): boolean => {
  marks.lastIndex = 0;
  for (let count = 0; count <= MAX_MARKS; count++) if (marks.exec(text) === null) return false;
  return true;
};

const asText = (text: string): Token => ({ type: 'text', raw: text, text });

/** Reads Markdown in bounded time; `damaged` tells whether some of it was taken as plain text for that. */
export interface MarkdownLexer {
  readonly lex: (text: string) => Token[];
  readonly damaged: () => boolean;
}

/**
 * One lexer a document: addresses that are defined in one text are known in those that follow. Throws ParseError `TOO_LARGE` for
 * tables of too many cells.
 */
export function createMarkdownLexer(limits: ParseLimits): MarkdownLexer {
  const budget = createBudget(limits);
  const lexer = new Lexer({ gfm: true, tokenizer: new KoreanTokenizer(), extensions: formulas });
  let damaged = false;

  const plainly = (text: string): Token => {
    damaged = true;
    return asText(text);
  };

  /** What stands in a line: all at once, or line by line where there are too many marks. */
  function inline(text: string, into: Token[]): void {
    lexer.state.inRawBlock = false;
    if (!hasManyMarks(text)) {
      lexer.inlineTokens(text, into);
      return;
    }
    for (const line of text.split(/(?<=\n)/))
      if (hasManyMarks(line)) into.push(plainly(line));
      else lexer.inlineTokens(line, into);
  }

  function blocks({ kind, text, language, tableHead }: Piece): Token[] {
    if (kind === 'code') return [{ type: 'code', raw: '', text, lang: language }];
    if (kind === 'plain') return [plainly(text)];
    const tokens: Token[] = [];
    const waiting = lexer.inlineQueue.length;
    try {
      lexer.blockTokens(tableHead + text, tokens);
    } catch {
      // Its patterns go as deep as a text has lines; what was found before is dropped with what was to be read in its lines.
      lexer.inlineQueue.length = waiting;
      return text.split(/\n{2,}/).map(plainly);
    }
    return tokens;
  }

  return {
    damaged: () => damaged,
    lex(text) {
      const all: Token[] = [];
      for (const piece of piecesOf(text, budget.cells)) {
        const tokens = blocks(piece);
        const [first] = tokens;
        const last = all.at(-1);
        if (piece.tableHead !== '' && first?.type === 'table' && last?.type === 'table') {
          append((last as Tokens.Table).rows, (first as Tokens.Table).rows);
          tokens.shift();
        }
        append(all, tokens);
      }
      // Only now are all addresses known that are defined somewhere.
      for (const one of lexer.inlineQueue.splice(0)) inline(one.src, one.tokens);
      return all;
    },
  };
}
