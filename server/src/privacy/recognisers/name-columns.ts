import type { Report } from '../finding.ts';
import { longSurnames, notNames, surnames } from './names.ts';

// Names in columns with a heading for names: 이름,연락처 … 홍길동,010-…

const NAME_HEADING =
  /^["']?(?:(?<sure>성명|성함|고객명|예금주|환자명|학생명|회원명|직원명|사원명|명의자|대표자명|담당자명|신청인명|성명\(한글\))|이름|(?:full |customer |employee )?name)["']?$/i;
const MAY_BE_HEADING = /성명|성함|이름|[가-힣]명|예금주|명의자|name/i;
const SEPARATORS = ['\t', '|', ',', ';'] as const;
const ENGLISH = /^[A-Z][a-z]{1,15}(?:-[A-Z][a-z]{1,15})? (?:[A-Z]\. )?[A-Z][a-z]{1,15}(?:-[A-Z][a-z]{1,15})?$/;
const MAX_LINE_LENGTH = 2_000;

/** The column of names of the current table. */
interface Column {
  readonly separator: string;
  readonly at: number;
  readonly cells: number;
  /** Whether its heading can only be about people. */
  readonly isCertain: boolean;
}

function findNameColumn(line: string): Column | null {
  const separator = SEPARATORS.find((one) => line.includes(one));
  if (separator === undefined) return null;
  const cells = cellsOf(line, separator);
  for (const [at, cell] of cells.entries()) {
    const found = NAME_HEADING.exec(cell.trim());
    if (found) return { separator, at, cells: cells.length, isCertain: found.groups?.['sure'] !== undefined };
  }
  return null;
}

/** Splits a line into cells; separators within quotes do not count. */
function cellsOf(line: string, separator: string): readonly string[] {
  if (!line.includes('"')) return line.split(separator);
  const cells: string[] = [];
  let offset = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === '"') quoted = !quoted;
    if (char !== separator || quoted) continue;
    cells.push(line.slice(offset, at));
    offset = at + 1;
  }
  // A quote without an end is an ordinary character.
  return quoted ? line.split(separator) : [...cells, line.slice(offset)];
}

/** Whether a word is a family name followed by one to three syllables of any kind. */
const hasSurname = (word: string) =>
  /^[가-힣]{2,4}$/.test(word) &&
  !notNames.has(word) &&
  (longSurnames.has(word.slice(0, 2)) ? word.length > 2 : surnames.has(word.charAt(0)) && word.length < 4);

/** Reports names in tables of lines with separators. `isName` says whether a Korean word has the form of a name. */
export function findNameColumns(text: string, isName: (word: string) => boolean, report: Report): void {
  if (!MAY_BE_HEADING.test(text)) return;
  let column: Column | null = null;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    if (end - start > MAX_LINE_LENGTH) column = null;
    if (end - start > MAX_LINE_LENGTH) continue;
    const line = text.slice(start, end);
    const heading: Column | null = MAY_BE_HEADING.test(line) ? findNameColumn(line) : null;
    if (heading !== null || column === null) {
      column = heading;
      continue;
    }
    const cells = cellsOf(line, column.separator);
    // The rule of dashes below a heading of Markdown.
    if (/^[\s|:-]+$/.test(line)) continue;
    if (cells.length !== column.cells) {
      column = null;
      continue;
    }
    const cell = cells[column.at] ?? '';
    const word = cell.replace(/^[\s"']+|[\s"']+$/g, '');
    if (word === '') continue;
    const isNameCell = column.isCertain ? hasSurname(word) || ENGLISH.test(word) : isName(word);
    if (!isNameCell) continue;
    const before = cells.slice(0, column.at).reduce((sum, one) => sum + one.length + 1, 0);
    const offset = start + before + cell.indexOf(word);
    report('PERSON', offset, offset + word.length, column.isCertain ? 0.85 : 0.75);
  }
}
