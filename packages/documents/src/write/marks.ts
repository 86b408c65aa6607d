import type { Block, List, ListItem } from '../document.ts';
import { formatNumber } from '../readers/hwp/number-formats.ts';

// Marks before the points of lists, taken apart so that the program that shows the file counts on by itself.

/** A shape of numbers: its number in HWP, its name in OWPML, its name in Word, where that has it. */
export interface NumberShape {
  readonly kind: number;
  readonly hwpx: string;
  readonly docx: string | null;
}
const shapes: readonly (NumberShape & { readonly signs: RegExp })[] = [
  { kind: 0, hwpx: 'DIGIT', docx: 'decimal', signs: /\d/ },
  { kind: 1, hwpx: 'CIRCLED_DIGIT', docx: 'decimalEnclosedCircle', signs: /[①-⑳㉑-㉟㊱-㊿]/ },
  { kind: 8, hwpx: 'HANGUL_SYLLABLE', docx: 'ganada', signs: /[가나다라마바사아자차카타파하]/ },
  { kind: 9, hwpx: 'CIRCLED_HANGUL_SYLLABLE', docx: null, signs: /[㉮-㉻]/ },
  { kind: 10, hwpx: 'HANGUL_JAMO', docx: 'chosung', signs: /[ㄱ-ㅎ]/ },
  { kind: 2, hwpx: 'ROMAN_CAPITAL', docx: 'upperRoman', signs: /[IVX]/ },
  { kind: 3, hwpx: 'ROMAN_SMALL', docx: 'lowerRoman', signs: /[ivx]/ },
  { kind: 4, hwpx: 'LATIN_CAPITAL', docx: 'upperLetter', signs: /[A-Z]/ },
  { kind: 5, hwpx: 'LATIN_SMALL', docx: 'lowerLetter', signs: /[a-z]/ },
];

/** A number with what stands around it. */
export interface NumberMark {
  readonly before: string;
  readonly shape: NumberShape;
  readonly number: number;
  readonly after: string;
}

/** The last run of signs of one shape, with a bracket or a dot behind it. */
const numbered =
  /^([^^%]{0,20}?)(\d{1,6}|[ivx]{1,6}|[IVX]{1,6}|[A-Za-z]|[가나다라마바사아자차카타파하ㄱ-ㅎ①-⑳㉑-㉟㊱-㊿㉮-㉻])([^\p{L}\p{N}^%]{0,2})$/u;
/** Numbers of letters that are looked through. */
const MAX_LETTER_NUMBER = 60;

function numberOf(sign: string, kind: number): number | null {
  if (kind === 0) return String(Number(sign)) === sign && Number(sign) > 0 ? Number(sign) : null;
  for (let number = 1; number <= MAX_LETTER_NUMBER; number++) if (formatNumber(number, kind) === sign) return number;
  return null;
}

/** The number of a mark; null for one that is no number, or is none that programs count. */
export function numberMark(marker: string): NumberMark | null {
  const [, before = '', sign = '', after = ''] = numbered.exec(marker) ?? [];
  const shape = shapes.find(({ signs }) => signs.test(sign));
  const number = shape === undefined ? null : numberOf(sign, shape.kind);
  return shape === undefined || number === null ? null : { before, shape, number, after };
}

/** How official documents number their points, from the outermost in. Source: 행정업무운영 편람, 문서의 항목 표시. */
const official: readonly (readonly [before: string, kind: number, after: string])[] = [
  ['', 0, '.'],
  ['', 8, '.'],
  ['', 0, ')'],
  ['', 8, ')'],
  ['(', 0, ')'],
  ['(', 8, ')'],
  ['', 1, ''],
  ['', 9, ''],
];

/** The mark of official documents for a number of a level, from 0. */
export function officialMark(level: number, number: number): string {
  const [before, kind, after] = official[Math.min(level, official.length - 1)] ?? ['', 0, '.'];
  return `${before}${formatNumber(number, kind)}${after}`;
}

const officialItem = (item: ListItem): ListItem => {
  const digits = item.ordered ? /^(\d{1,6})[.)]$/.exec(item.marker)?.[1] : undefined;
  return digits === undefined ? item : { ...item, marker: officialMark(item.level, Number(digits)) };
};
const officialList = (list: List): List => ({ ...list, items: list.items.map(officialItem) });

/** Numbered lists as official documents have them; other marks stay. */
export const withOfficialMarks = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block): Block => {
    if (block.type === 'list') return officialList(block);
    if (block.type === 'table')
      return {
        ...block,
        cells: block.cells.map((cell) => ({ ...cell, blocks: withOfficialMarks(cell.blocks) })),
      };
    return 'blocks' in block ? { ...block, blocks: withOfficialMarks(block.blocks) } : block;
  });
