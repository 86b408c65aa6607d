import { createTextCutter } from './cut-text.ts';
import type { Tokenizer } from './tokens.ts';

/** The headings of a table of Markdown, with the line below them. */
const TABLE_HEAD = /^\|.*\|\n\|(?:\s*:?-+:?\s*\|)+\n/;

/** A table's rows in parts that each begin with its headings; null where the block is no such table, or its headings leave no room. */
function splitTable(block: string, maxTokens: number, tokenizer: Tokenizer): string[] | null {
  const [head] = TABLE_HEAD.exec(block) ?? [];
  if (head === undefined) return null;
  const room = maxTokens - tokenizer.count(head) - 1;
  if (room < maxTokens / 2) return null;
  const rows = block.slice(head.length).match(/[^\n]+\n?/g) ?? [];
  const { joined } = createTextCutter(tokenizer);
  return joined(rows, room).map((part) => head + part);
}

/**
 * Cuts the Markdown of one passage to pieces of at most so many tokens: between blocks, rows of a table (its headings stand in each piece),
 * sentences, words. For passages that turn out to be too long for a model whose tokens are others than those they were cut by.
 */
export function splitPassage(content: string, maxTokens: number, tokenizer: Tokenizer): string[] {
  if (tokenizer.count(content) <= maxTokens) return [content];
  const { cut } = createTextCutter(tokenizer);
  const pieces: string[] = [];
  let open = '';
  for (const block of content.split(/\n{2,}/).filter((one) => one.trim() !== '')) {
    const both = open === '' ? block : `${open}\n\n${block}`;
    if (tokenizer.count(both) <= maxTokens) {
      open = both;
      continue;
    }
    if (open !== '') pieces.push(open);
    const parts = splitTable(block, maxTokens, tokenizer) ?? cut(block, maxTokens);
    open = parts.pop() ?? '';
    pieces.push(...parts);
  }
  if (open !== '') pieces.push(open);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}
