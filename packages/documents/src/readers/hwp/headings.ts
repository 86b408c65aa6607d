import type { Span } from '../../document.ts';
import {
  headingLevels,
  isContentsLine,
  isContentsTitle,
  looksLikeTitle,
  markerOf,
} from '../../text/korean-headings.ts';
import type { Candidate } from '../../text/korean-headings.ts';
import { listedLines } from '../../text/list-runs.ts';
import type { Item, TextItem } from './session.ts';

const contentsStyle = /^(?:차례|목차|toc)/iu;
const titleStyle = /^(?:제목|문서 제목|title)$/iu;
const quoteStyle = /^(?:인용문?|quote)$/iu;
const codeStyle = /^(?:코드|소스 ?코드|(?:source )?code)$/iu;
const subtitleStyle = /^(?:부제목?|subtitle)$/iu;
/** Marks that a document may give to its outline although what they stand before are the points of a list. */
const pointMark = /^[^\p{L}\p{N}]$/u;
const boxMark = /^[□■▢▣❏❑❐❒◻◼☐]$/u;
/** Paragraphs at the beginning among which the title of the document is looked for, and how much larger its letters are. */
const TITLE_SEARCH_PARAGRAPHS = 12;
const MIN_TITLE_SIZE_RATIO = 1.5;
const MAX_TITLE_LENGTH = 80;
const MIN_LARGE_SIZE_RATIO = 1.15;
const MIN_STANDOUT_SIZE_RATIO = 1.05;

const plainText = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** The number before a paragraph as a part of its text. */
export const withMark = ({ mark, spans }: TextItem): readonly Span[] =>
  mark === null || mark.text === '' ? spans : [{ text: `${mark.text} ` }, ...spans];

/** True when a paragraph is an entry of a list of contents. */
export const isContents = (item: TextItem): boolean => {
  const text = plainText(item.spans);
  return (contentsStyle.test(item.styleName) && !isContentsTitle(text)) || isContentsLine(text);
};

/** True for a part of a program, by its style. */
export const isCode = ({ styleName, mark }: TextItem): boolean => mark === null && codeStyle.test(styleName);

export const roleOf = (item: TextItem): 'contents' | 'title' | 'subtitle' | 'quote' | null => {
  if (isContents(item)) return 'contents';
  if (titleStyle.test(item.styleName)) return 'title';
  if (quoteStyle.test(item.styleName)) return 'quote';
  return subtitleStyle.test(item.styleName) ? 'subtitle' : null;
};

/** Of one list of contents. */
const MAX_CONTENTS_ENTRIES = 1000;

const withoutSpaces = (text: string): string => text.replaceAll(/[\s.·…]+/gu, '');

/**
 * Entries of lists of contents without page numbers: what stands after a title such as `목차`, on its page, and is said again
 * later on.
 */
export const contentsEntries = (items: readonly Item[]): ReadonlySet<Item> => {
  const entries = new Set<Item>();
  const texts = items.filter((item) => item.kind === 'text');
  const last = new Map(texts.map((item, index) => [withoutSpaces(plainText(withMark(item))), index]));
  for (const [index, title] of texts.entries()) {
    const words = plainText(title.spans);
    if (words.length > MAX_TITLE_LENGTH || !isContentsTitle(words.replaceAll(/^[-–<[(\s]+|[-–>\])\s]+$/gu, '')))
      continue;
    let first: string | null = null;
    const end = Math.min(texts.length, index + 1 + MAX_CONTENTS_ENTRIES);
    for (let at = index + 1; at < end && texts[at]!.page === title.page; at += 1) {
      const text = withoutSpaces(plainText(withMark(texts[at]!)));
      // The list is over where its first entry stands again.
      if (text === first) break;
      first ??= text;
      if ((last.get(text) ?? at) > at) entries.add(texts[at]!);
    }
  }
  return entries;
};

/** Size of most letters of the running text. */
const bodySize = (items: readonly Item[]): number => {
  const sizes = new Map<number, number>();
  for (const item of items)
    if (item.kind === 'text') sizes.set(item.size, (sizes.get(item.size) ?? 0) + plainText(item.spans).length);
  return Math.max(1, [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 1000);
};

/** Letters other than those of a date. */
const countLetters = (text: string): number => text.replaceAll(/[^\p{L}]|[년월일]/gu, '').length;

/** A date or a list of contents is not what a document is called. */
const isPossibleTitle = ({ spans }: TextItem): boolean =>
  !isContentsTitle(plainText(spans)) && countLetters(plainText(spans)) >= 4;

/** The title of the document: the largest letters near its beginning, where nothing later is as large. */
export const titleOf = (items: readonly Item[]): TextItem | null => {
  const texts = items.filter((item) => item.kind === 'text');
  const begin = texts.slice(0, TITLE_SEARCH_PARAGRAPHS).filter(isPossibleTitle);
  const largest = begin.reduce((most, { size }) => Math.max(most, size), 0);
  if (largest < bodySize(items) * MIN_TITLE_SIZE_RATIO) return null;
  if (texts.slice(TITLE_SEARCH_PARAGRAPHS).some(({ size }) => size >= largest)) return null;
  const found = begin.find((item) => item.size === largest && item.given === null && !item.hidden);
  return found !== undefined && plainText(found.spans).length <= MAX_TITLE_LENGTH ? found : null;
};

/** The level that the document gives a paragraph, where what it says reads like a title. */
const givenOf = (item: TextItem): number | null => {
  const text = plainText(item.spans);
  const mark = item.mark?.text ?? '';
  if (item.given === null || !looksLikeTitle(text, { always: mark !== '' && !pointMark.test(mark) })) return null;
  return pointMark.test(mark) ? null : item.given;
};

const candidateOf = (item: Item, standard: number): Candidate => {
  if (item.kind === 'block') {
    const { spans, size, bold } = item.banner!;
    return { text: plainText(spans), scale: size / standard, bold, banner: true };
  }
  const mark = item.mark?.text ?? '';
  const text = plainText(item.spans);
  // Boxes of symbol fonts are the same mark as the common one.
  const shown = mark === '' ? text : `${boxMark.test(mark) ? '□' : mark} ${text}`;
  const given = givenOf(item);
  return { text: shown, scale: item.size / standard, bold: item.bold, ...(given === null ? {} : { given }) };
};

/** Titles without a level among others that have one take the level whose letters are no larger than theirs. */
const levelBySize = (candidates: readonly Candidate[]): Candidate[] => {
  const sizes = new Map<number, number>();
  for (const { given, scale = 1 } of candidates)
    if (given !== undefined) sizes.set(given, Math.max(sizes.get(given) ?? 0, scale));
  const known = [...sizes].filter(([, scale]) => scale >= MIN_LARGE_SIZE_RATIO).toSorted((a, b) => a[0] - b[0]);
  return candidates.map((one) => {
    if (one.given !== undefined || (one.scale ?? 1) < MIN_LARGE_SIZE_RATIO || markerOf(one.text) !== null) return one;
    if (!looksLikeTitle(one.text)) return one;
    const level = known.find(([, scale]) => (one.scale ?? 1) >= scale)?.[0];
    return level === undefined ? one : { ...one, given: level };
  });
};

const withoutGiven = ({ given: _, ...candidate }: Candidate): Candidate => candidate;

/**
 * Levels of candidates. Where only few of the headings have a level of their own, those are the exception: then all are ranked
 * by their numbers and looks, lest `1.` stands below what happens to bear an outline level.
 */
const headingRanks = (candidates: readonly Candidate[]): readonly (number | null)[] => {
  const levels = headingLevels(levelBySize(candidates));
  const given = candidates.filter((one) => one.given !== undefined).length;
  const all = levels.filter((level) => level !== null).length;
  return given * 2 >= all ? levels : headingLevels(candidates.map(withoutGiven));
};

/** Levels of the items that the document itself calls headings. */
export const givenLevels = (items: readonly Item[]): ReadonlyMap<Item, number> => {
  const levels = new Map<Item, number>();
  for (const item of items) if (item.kind === 'text' && item.given !== null) levels.set(item, item.given);
  return levels;
};

/** Points of lists: numbered paragraphs one after the other that neither their letters nor the document set apart. */
const listedItems = (items: readonly Item[], standard: number): ReadonlySet<Item> => {
  const full = items.filter((item) => item.kind === 'block' || plainText(withMark(item)).trim() !== '');
  const listed = listedLines(
    full.map((item) => {
      if (item.kind === 'block') return null;
      const standsOut = item.bold || item.size > standard * MIN_STANDOUT_SIZE_RATIO || givenOf(item) !== null;
      return { text: plainText(withMark(item)), standsOut };
    }),
  );
  return new Set(full.filter((_, at) => listed[at] === true));
};

/** True for a line of boxes to tick and fields to fill in. */
const isFormLine = ({ spans }: TextItem): boolean => spans.some(({ field }) => field !== undefined);

/** Levels of the items of the body that are headings, by what the document says, their numbers and their looks. */
export const bodyLevels = (
  items: readonly Item[],
  title: TextItem | null,
  contents: ReadonlySet<Item>,
): ReadonlyMap<Item, number> => {
  const standard = bodySize(items);
  const listed = listedItems(items, standard);
  const possible = items.filter((item) =>
    item.kind === 'block'
      ? item.banner !== undefined
      : item !== title &&
        roleOf(item) === null &&
        !isCode(item) &&
        !item.hidden &&
        !contents.has(item) &&
        !listed.has(item) &&
        item.mark?.checked === undefined &&
        !isFormLine(item) &&
        countLetters(plainText(item.spans)) >= 2,
  );
  const found = headingRanks(possible.map((item) => candidateOf(item, standard)));
  const levels = new Map<Item, number>();
  for (const [index, item] of possible.entries()) {
    const level = found[index];
    if (level != null) levels.set(item, level);
  }
  return levels;
};
