import type { Passage } from './passages.ts';
import { terms } from '../words/words.ts';

/** How many words of a question the name of a column holds. */
const heldBy = (column: string, asked: ReadonlySet<string>) =>
  terms(column).filter(
    (word) =>
      asked.has(word) || [...asked].some((other) => other.length > 1 && (word.includes(other) || other.includes(word))),
  ).length;

/** A row as words: the cells that are asked for, after what names the row. */
export function rowText({ text, columns }: Passage, question: string): string {
  const cells = text.split(' | ');
  if (columns.length !== cells.length) return text;
  // The first cell with a word names the row, with those after it that have no column of their own.
  let last = Math.max(
    0,
    cells.findIndex((cell) => cell !== ''),
  );
  const names = [cells[last] ?? ''];
  while (columns[0] !== '' && columns[last + 1] === '') names.push(cells[++last] ?? '');
  const asked = new Set(terms(question));
  const others = cells
    .map((cell, i) => ({ cell, column: columns[i] ?? '', held: heldBy(columns[i] ?? '', asked) }))
    .slice(last + 1)
    .filter(({ cell }) => cell !== '');
  // Of "일반 회계" and "특별 회계" the one is meant that is named whole.
  const most = Math.max(0, ...others.map(({ held }) => held));
  return [
    ...names.filter((name) => name !== ''),
    ...others
      .filter(({ held }) => held === most)
      .map(({ cell, column }) => (column === '' ? cell : `${column}: ${cell}`)),
  ].join(', ');
}
