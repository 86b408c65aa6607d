import { largest, smallest } from '../package/extremes.ts';
import { isTickLine } from './form-fields.ts';

/**
 * How Korean public bodies and companies number their documents, from the outermost in. A lower rank stands above a higher one.
 * Ranks are compared within a document: what is present decides the level of each.
 */
interface Style {
  readonly name: string;
  readonly rank: number;
  readonly pattern: RegExp;
  /** Always a heading; others are one only where their line is short and looks like a title. */
  readonly always: boolean;
}

const roman = '[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]|(?:[IVX]{1,5})(?=\\.)';
const hangulOrder = '[가나다라마바사아자차카타파하]';
const hanjaNumber = '[一二三四五六七八九十]{1,3}';

const styles: readonly Style[] = [
  { name: 'part', rank: 1, pattern: /^제\s*\d{1,3}\s*편(?=\s|$)/, always: true },
  { name: 'chapter', rank: 2, pattern: /^제\s*\d{1,3}\s*장(?=\s|$)/, always: true },
  { name: 'section', rank: 3, pattern: /^제\s*\d{1,3}\s*절(?=\s|$)/, always: true },
  { name: 'subsection', rank: 4, pattern: /^제\s*\d{1,3}\s*관(?=\s|$)/, always: true },
  // `제8조 및 제9조에 따라` goes on with a sentence.
  {
    name: 'article',
    rank: 5,
    pattern: /^제\s*\d{1,4}\s*조(?:의\s*\d{1,3})?(?=\s|\(|（|【|$)(?!\s+(?:및|또는|제\s*\d{1,3}\s*[조항호]))/,
    always: true,
  },
  { name: 'supplement', rank: 2, pattern: /^(?:부\s*칙|별\s*표|별\s*지|붙\s*임)(?=\s|\d|<|\(|:|$)/, always: true },
  { name: 'roman', rank: 6, pattern: new RegExp(`^(?:${roman})\\s*[.．]?(?=\\s|$)`), always: true },
  { name: 'hanja', rank: 7, pattern: new RegExp(`^${hanjaNumber}[.．、]\\s*`), always: false },
  { name: 'square', rank: 8, pattern: /^[□■◆◇❏❑▣]\s*/, always: true },
  { name: 'dotted', rank: 9, pattern: /^\d{1,2}(?:\.\d{1,2}){1,4}\.?(?=\s)/, always: false },
  { name: 'number', rank: 9, pattern: /^\d{1,2}[.．](?=\s|[가-힣A-Za-z(「『])/, always: false },
  { name: 'hangul', rank: 10, pattern: new RegExp(`^${hangulOrder}[.．](?=\\s|$)`), always: false },
  { name: 'number-bracket', rank: 11, pattern: /^\d{1,2}\)(?=\s|[가-힣])/, always: false },
  { name: 'hangul-bracket', rank: 12, pattern: new RegExp(`^${hangulOrder}\\)(?=\\s|[가-힣])`), always: false },
  { name: 'bracketed-number', rank: 13, pattern: /^[(（]\d{1,2}[)）]/, always: false },
  { name: 'bracketed-hangul', rank: 14, pattern: new RegExp(`^[(（]${hangulOrder}[)）]`), always: false },
  { name: 'circled', rank: 15, pattern: /^[①-⑳㉑-㉟]/, always: false },
  { name: 'circled-hangul', rank: 16, pattern: /^[㉮-㉻]/, always: false },
  // The letter `ㅇ` stands for a circle, where it stands alone.
  { name: 'circle', rank: 17, pattern: /^(?:[○●◦◎⚬◯❍]\s*|[ㅇᄋ](?=\s)\s*)/u, always: false },
  { name: 'dash', rank: 18, pattern: /^[-–—―ㅡ]\s+/, always: false },
  { name: 'note', rank: 19, pattern: /^(?:※|[＊*]{1,3})\s*/, always: false },
];

/** The number or mark that a line begins with. */
export interface Marker {
  readonly style: string;
  /** Smaller stands above larger. */
  readonly rank: number;
  /** As written, without the space behind it. */
  readonly text: string;
  readonly rest: string;
  readonly always: boolean;
}

/** The mark at the beginning of a line; null where there is none. */
export function markerOf(line: string): Marker | null {
  const text = line.trimStart();
  for (const { name, rank, pattern, always } of styles) {
    const found = pattern.exec(text)?.[0];
    if (found === undefined || found === '') continue;
    const depth = name === 'dotted' ? (found.match(/\d+/g)?.length ?? 2) - 1 : 0;
    return {
      style: depth === 0 ? name : `${name}-${depth}`,
      // 1.1 stands below 1., and both above 가.
      rank: rank + depth / 10,
      text: found.trim(),
      rest: text.slice(found.length).trimStart(),
      always,
    };
  }
  return null;
}

/** Titles are short: Korean words say much in few letters. */
const MAX_TITLE_LENGTH = 60;
/** A sentence that goes on is none. */
const sentenceEnd = /(?:다|요|음|함|임|됨|것|까)[.。?!]\s*$|[.。;,]$|[A-Za-z)][:：]$/;
const proseEnd = /(?:다|요|까)[.。?!]\s*$|[,;]$/;

/** Whether the text behind a mark reads like a title and not like a sentence. */
export function looksLikeTitle(text: string, { always = false }: { readonly always?: boolean } = {}): boolean {
  const words = text.trim();
  if (words === '') return false;
  if (words.length > MAX_TITLE_LENGTH * (always ? 2 : 1)) return false;
  return !(always ? proseEnd : sentenceEnd).test(words);
}

/** `제1장 총칙 ········ 3`: dots or a wide gap, then a page number. */
const contentsLine = /(?:[.·…‥․∙]\s*){3,}\s*\d{1,4}\s*$|\t+\s*\d{1,4}\s*$|\s{6,}\d{1,4}\s*$/;
const contentsTitle = /^\s*(?:목\s*차|차\s*례|contents|table of contents)\s*$/i;

/** Entries are short; a long text of dots or spaces would be searched forever. */
const MAX_CONTENTS_LENGTH = 400;
/** Whether a line belongs to a list of contents: its entries repeat the headings and are none. */
export const isContentsLine = (line: string): boolean => line.length <= MAX_CONTENTS_LENGTH && contentsLine.test(line);
export const isContentsTitle = (line: string): boolean => contentsTitle.test(line);

/** A paragraph that may be a heading, as a reader sees it. */
export interface Candidate {
  readonly text: string;
  /** Level that the file itself gives, from 1; it is believed. */
  readonly given?: number;
  /** Size of its letters against those of the running text; 1 is the same. */
  readonly scale?: number;
  readonly bold?: boolean;
  /** Stands alone in a box of one cell, as titles of Korean reports do. */
  readonly banner?: boolean;
}

/** Letters larger than the running text by this ratio make a heading of a short line. */
const MIN_LARGE_SIZE_RATIO = 1.15;

function isHeading({ text, given, scale = 1, bold = false, banner = false }: Candidate): boolean {
  if (given !== undefined) return true;
  if (isContentsLine(text) || isTickLine(text)) return false;
  const marker = markerOf(text);
  const short = looksLikeTitle(text, { always: true });
  if (banner && short) return true;
  if (marker?.always) return looksLikeTitle(marker.rest === '' ? marker.text : marker.rest, { always: true });
  if (scale >= MIN_LARGE_SIZE_RATIO && short) return true;
  if (marker !== null && marker.rank <= 11)
    return looksLikeTitle(marker.rest) && (bold || scale > 1 || marker.rank <= 10);
  return bold && marker === null && looksLikeTitle(text) && text.trim().length <= 40;
}

/** What decides the level: larger letters and outer numbers stand above. */
function rankOf({ text, scale = 1, banner = false }: Candidate): number {
  const marker = markerOf(text);
  if (marker !== null) return marker.rank;
  if (banner) return 0.5;
  // Between the numbered ranks, by size: twice as large stands above chapters, a little larger below Roman numbers.
  return scale >= 1.6 ? 0.8 : scale >= MIN_LARGE_SIZE_RATIO ? 5.5 : 11.5;
}

/** Where a rank stands among those whose level the file gives: at their level, else below the next one above or above the next below. */
function levelAmong(rank: number, known: ReadonlyMap<number, number>, ranks: readonly number[]): number {
  const same = known.get(rank);
  if (same !== undefined) return same;
  const between = (from: number, to: number) => ranks.filter((one) => one > from && one < to && !known.has(one)).length;
  const above = largest([...known.keys()].filter((one) => one < rank));
  if (known.has(above)) return (known.get(above) ?? 0) + between(above, rank) + 1;
  const below = smallest([...known.keys()]);
  return (known.get(below) ?? 1) - between(rank, below) - 1;
}

/**
 * Levels (1 to 6) of the paragraphs that are headings, null for the others. What a file says itself is believed; the rest gets the
 * level of its number among those that are present, so that a document that begins with `1.` has it at level 1. Where the file
 * gives levels to numbered headings, others with the same numbers are as high; where it gives them to titles without numbers alone,
 * the rest stands below those.
 */
export function headingLevels(candidates: readonly Candidate[]): readonly (number | null)[] {
  const headings = candidates.map((one) => isHeading(one));
  const ranks = new Set<number>();
  const known = new Map<number, number>();
  let given = 0;
  for (const [at, one] of candidates.entries()) {
    if (!headings[at]) continue;
    if (one.given === undefined) ranks.add(rankOf(one));
    else {
      given = Math.max(given, one.given);
      if (markerOf(one.text) !== null) known.set(rankOf(one), Math.min(one.given, known.get(rankOf(one)) ?? 6));
    }
  }
  const order = [...ranks].toSorted((a, b) => a - b);
  const within = (level: number) => Math.min(6, Math.max(1, Math.round(level)));
  return candidates.map((one, at) => {
    if (!headings[at]) return null;
    if (one.given !== undefined) return within(one.given);
    const rank = rankOf(one);
    return within(known.size > 0 ? levelAmong(rank, known, order) : given + order.indexOf(rank) + 1);
  });
}
