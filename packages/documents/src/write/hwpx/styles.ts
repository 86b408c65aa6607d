import { borders } from './border-numbers.ts';
import type { Letters, ParagraphLook } from './shapes.ts';

/** A style with its names in Hancom Office. */
export interface StyleForm {
  readonly name: string;
  readonly englishName: string;
  readonly look: ParagraphLook;
  readonly letters: Letters;
}

/** Hundredths of a point of the running text. */
export const TEXT_SIZE = 1100;
const headingSizes = [1600, 1400, 1300, 1200, 1150, 1150];

const text: Letters = { size: TEXT_SIZE };

const plainStyles = {
  normal: { name: '바탕글', englishName: 'Normal', look: { after: 400 }, letters: text },
  title: {
    name: '제목',
    englishName: 'Title',
    look: { align: 'CENTER', before: 1200, after: 1200 },
    letters: { size: 2000, face: 'title' },
  },
  subtitle: {
    name: '부제목',
    englishName: 'Subtitle',
    look: { align: 'CENTER', after: 800 },
    letters: { size: 1300, face: 'title' },
  },
  quote: {
    name: '인용문',
    englishName: 'Quote',
    look: { left: 2000, after: 400, border: borders.quote },
    letters: text,
  },
  code: {
    name: '코드',
    englishName: 'Code',
    look: { align: 'LEFT', before: 400, after: 400, line: 130, border: borders.code },
    letters: { size: 950, face: 'mono' },
  },
  cell: { name: '표 내용', englishName: 'Table Text', look: { line: 130 }, letters: { size: 1000 } },
  caption: { name: '캡션', englishName: 'Caption', look: { align: 'CENTER' }, letters: { size: 1000 } },
  picture: { name: '그림', englishName: 'Picture', look: { align: 'CENTER', after: 400 }, letters: text },
  note: { name: '각주', englishName: 'Footnote', look: { line: 130 }, letters: { size: 900 } },
} as const satisfies Readonly<Record<string, StyleForm>>;
export type StyleName = keyof typeof plainStyles;

const headingStyles = headingSizes.map((size, level): StyleForm => ({
  name: `개요 ${level + 1}`,
  englishName: `Outline ${level + 1}`,
  look: {
    align: 'LEFT',
    before: level === 0 ? 1800 : 1200,
    after: 400,
    keepWithNext: true,
    head: { type: 'OUTLINE', id: 0, level },
  },
  letters: { size, face: 'title' },
}));

/** All styles in the order of their numbers. */
export const styles: readonly StyleForm[] = [...Object.values(plainStyles), ...headingStyles];

const names = Object.keys(plainStyles);
export const styleNumber = (name: StyleName): number => names.indexOf(name);
export const styleOf = (name: StyleName): StyleForm => plainStyles[name];
/** The style of headings of a level, from 1. */
export function headingStyle(level: number): { readonly number: number; readonly form: StyleForm } {
  const at = Math.min(headingStyles.length, Math.max(1, level)) - 1;
  return { number: names.length + at, form: headingStyles[at] ?? plainStyles.normal };
}
