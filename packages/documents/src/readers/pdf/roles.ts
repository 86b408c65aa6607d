import type { Span } from '../../document.ts';
import { type Candidate, headingLevels, isContentsTitle, markerOf } from '../../text/korean-headings.ts';
import { captionStart } from './captions.ts';
import type { TextEntry } from './content.ts';
import { type Placed, bodySizes, isText } from './flow.ts';
import type { LineJoiner } from './line-joiner.ts';
import { itemsOf, lateItems, letteredOf } from './list-items.ts';
import type { Bookmark } from './marks.ts';
import { isContents, itemMark } from './paragraphs.ts';
import { MAX_TITLE_LENGTH, titleFaces } from './title-faces.ts';
import { append } from '../../package/append.ts';
import { largest, smallest } from '../../package/extremes.ts';

const MAX_CAPTION_LENGTH = 600;

const isCaption = (one: Placed | undefined): one is Placed<TextEntry> =>
  isText(one) && one.entry.text.length <= MAX_CAPTION_LENGTH && captionStart.test(one.entry.text);

/** Captions by the table or picture that they stand beside: above a table and below a picture first. */
function captionsOf(flow: readonly Placed[]): Map<Placed, Placed<TextEntry>> {
  const captions = new Map<Placed, Placed<TextEntry>>();
  const used = new Set<Placed>();
  for (const [at, one] of flow.entries()) {
    if (one.entry.kind === 'text') continue;
    const [before, after] = [flow[at - 1], flow[at + 1]];
    const wanted = one.entry.kind === 'table' ? [before, after] : [after, before];
    const pictured = (text: string) => /^\W*(?:그림|사진|fig)/i.test(text);
    const found = wanted.find(
      (other): other is Placed<TextEntry> =>
        isCaption(other) &&
        other.page === one.page &&
        !used.has(other) &&
        pictured(other.entry.text) === (one.entry.kind === 'picture'),
    );
    if (found === undefined) continue;
    captions.set(one, found);
    used.add(found);
  }
  return captions;
}

/** Entries of lists of contents: leaders, or what follows their title and ends with a number. */
function contentsOf(flow: readonly Placed[]): Set<Placed> {
  const found = new Set<Placed>();
  let within = false;
  const isEntry = (one: Placed | undefined) => isText(one) && isContents(one.entry.text);
  for (const [at, one] of flow.entries()) {
    if (!isText(one)) {
      within = false;
      continue;
    }
    const { text } = one.entry;
    if (isContentsTitle(text.replaceAll(/^[-–<[(\s]+|[-–>\])\s]+$/gu, ''))) {
      within = true;
      found.add(one);
    } else if (
      one.entry.contents === true ||
      isContents(text) ||
      (within && /\s\d{1,4}$/.test(text) && text.length < 150)
    )
      found.add(one);
    // The title of a part, above entries with numbers.
    else if (within && text.length < MAX_TITLE_LENGTH && (isEntry(flow[at + 1]) || isEntry(flow[at + 2])))
      found.add(one);
    else within = false;
  }
  return found;
}

const textKey = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Level that the outline gives to a text on a page. */
function outlineLevels(bookmarks: readonly Bookmark[]): (text: string, page: number) => number | undefined {
  const byText = new Map<string, Bookmark[]>();
  for (const mark of bookmarks) {
    const name = textKey(mark.title);
    if (name.length < 2) continue;
    const list = byText.get(name);
    if (list === undefined) byText.set(name, [mark]);
    else list.push(mark);
  }
  return (text, page) =>
    byText.get(textKey(text))?.find((mark) => mark.page <= 0 || Math.abs(mark.page - page) <= 1)?.level;
}

/** Titles of Latin letters are longer than Korean ones, which the rules for headings are made for. */
const shortenedTitle = (words: string, alone: boolean): string =>
  alone &&
  words.length > 40 &&
  words.length <= 80 &&
  /^[\p{Script=Latin}\p{N}\p{P}\s]+$/u.test(words) &&
  !/[.,;:?!]$/.test(words)
    ? words
        .slice(0, 40)
        .trimEnd()
        .replace(/[.,;]$/, '')
    : words;

const MAX_HEADING_LINES = 3;
/** Letters of headings are no smaller than this share of the running text; bold ones may be smaller above it. */
const MIN_SIZE_RATIO = 0.97;
const MIN_BOLD_SIZE_RATIO = 0.85;
/** Letters larger than the running text by this ratio stand out. */
const MIN_LARGE_SIZE_RATIO = 1.15;

const isAbove = (next: Placed | undefined, body: number): boolean =>
  isText(next) && next.entry.size >= MIN_SIZE_RATIO * body && !next.entry.bold;

/** A line alone in slanted letters whose words begin with capitals, above text that is upright. */
function isItalicTitle({ spans, text, lines }: TextEntry, next: Placed | undefined): boolean {
  const slanted = (some: readonly Span[]) => some.every((span) => span.italic === true || span.text.trim() === '');
  if (lines > 1 || text.length > 60 || !isText(next) || next.entry.lines < 2) return false;
  const capitals = text.split(/\s+/).every((word) => word.length < 4 || /^\P{Ll}/u.test(word));
  return capitals && slanted(spans) && !slanted(next.entry.spans);
}

/** So many lines of one kind below each other, with nothing between them, are labels and no headings. */
const MIN_LABEL_RUN_LINES = 3;

/** Lines of covers and diagrams: large or bold, one below the other, without a number and without text of their own. */
function inRows(
  flow: readonly Placed[],
  levels: ReadonlyMap<Placed, number>,
  given: ReadonlySet<Placed>,
): readonly Placed[] {
  const found: Placed[] = [];
  let row: Placed<TextEntry>[] = [];
  const first = flow.find((one) => levels.has(one));
  const close = () => {
    // The first of all is the title.
    if (row.length >= MIN_LABEL_RUN_LINES)
      append(
        found,
        row.filter((one) => one !== first),
      );
    row = [];
  };
  for (const one of flow) {
    // Pictures lie anywhere beside such lines.
    if (one.entry.kind === 'picture') continue;
    const plain = isText(one) && levels.has(one) && !given.has(one) && !one.entry.banner;
    if (!plain || markerOf(one.entry.text) !== null) {
      close();
      continue;
    }
    const last = row.at(-1);
    if (last !== undefined && (last.page !== one.page || levels.get(last) !== levels.get(one))) close();
    row.push(one);
  }
  close();
  return found;
}

/** Words of two letters; set apart behind a number or a square, as in `1 성 과`. A stamp is set apart without one. */
const hasWords = (text: string): boolean =>
  /\p{L}{2}/u.test(text) || (/^[\dⅠ-Ⅻ①-⑳□■]/u.test(text) && /\p{L}\s\p{L}/u.test(text));

/** A line with something to tick or to fill in heads nothing. */
export const hasField = ({ spans }: TextEntry): boolean => spans.some(({ field }) => field !== undefined);

/** Entries between a question and its options at most. */
const MAX_QUESTION_ENTRIES = 3;

/** A question of an examination, whose options follow. */
const isQuestion = (flow: readonly Placed[], at: number, words: string): boolean =>
  /[?？]\s*(?:[[(〔][^\])〕]{0,20}[\])〕])?$/u.test(words) &&
  flow.slice(at + 1, at + 1 + MAX_QUESTION_ENTRIES).some((one) => isText(one) && one.entry.text.startsWith('①'));

/** The roles of the entries of a document. */
export interface Roles {
  readonly levels: ReadonlyMap<Placed, number>;
  readonly contents: ReadonlySet<Placed>;
  readonly captions: ReadonlyMap<Placed, Placed<TextEntry>>;
  /** Items that begin with a letter and a point. */
  readonly lettered: ReadonlySet<Placed>;
}

/** What a file says of its headings. */
export interface Told {
  readonly bookmarks: readonly Bookmark[];
  /** It names all of them: there are no others. */
  readonly named?: boolean;
}

/** The same, with what is known of the ends of its lines. */
export interface ToldAndLearnt extends Told {
  readonly joiner: Pick<LineJoiner, 'between'>;
}

/** Finds headings, captions and lists of contents; `body` is the size of the letters of the text. */
export function rolesOf(flow: readonly Placed[], { bookmarks, named = false }: Told, body: number): Roles {
  const captions = captionsOf(flow);
  const captioned = new Set<Placed>(captions.values());
  const contents = contentsOf(flow);
  const bodyOf = bodySizes(flow, body);
  const items = itemsOf(flow, bodyOf);
  const lettered = letteredOf(flow);
  const outline = outlineLevels(bookmarks);
  const faces = titleFaces(flow);
  const candidates: (Candidate & { one: Placed })[] = [];
  for (const [at, one] of flow.entries()) {
    if (!isText(one) || captioned.has(one) || contents.has(one)) continue;
    const { text, size, face, banner, lines, code, hidden, level, note } = one.entry;
    const own = bodyOf(one);
    const bold = one.entry.bold || (lines === 1 && faces.has(face));
    const given = level ?? (lines <= MAX_HEADING_LINES ? outline(text, one.page) : undefined);
    const words = text.trim();
    if (given === undefined) {
      if (
        named ||
        one.entry.aside === true ||
        hidden ||
        code !== null ||
        note !== undefined ||
        hasField(one.entry) ||
        isQuestion(flow, at, words) ||
        lines > MAX_HEADING_LINES ||
        items.has(one) ||
        lettered.has(one)
      )
        continue;
      const smallest = bold && isAbove(flow[at + 1], own) ? MIN_BOLD_SIZE_RATIO : MIN_SIZE_RATIO;
      if (captionStart.test(words) || !hasWords(words) || size < smallest * own) continue;
      // Words such as `else` and `end for`.
      if (size < MIN_LARGE_SIZE_RATIO * own && /^\p{Ll}/u.test(words) && markerOf(words) === null) continue;
      // Dashes, circles and what stands at the end of a document head nothing.
      const bullet = itemMark(words);
      if (bullet !== null && markerOf(words) === null) continue;
      if (flow[at + 1] === undefined && size <= own) continue;
    }
    candidates.push({
      one,
      // `1 Introduction`, as papers number: a number with a dot to those who know only these.
      text: shortenedTitle(words, lines === 1 && bold)
        .replace(/^(\d{1,2})\s+(?=\p{Lu})/u, '$1. ')
        .replace(/^[(（](\d{1,2})[)）]\s*(?=\S)/, '$1) '),
      scale: Math.round((size / own) * 100) / 100,
      bold: bold || isItalicTitle(one.entry, flow[at + 1]),
      banner,
      ...(given === undefined ? {} : { given }),
    });
  }
  const levels = levelsOf(candidates);
  const given = new Set(candidates.flatMap((one) => (one.given === undefined ? [] : [one.one])));
  for (const one of inRows(flow, levels, given)) levels.delete(one);
  for (const one of lateItems(flow, levels, given)) levels.delete(one);
  return { levels, contents, captions, lettered };
}

/**
 * Levels of those that are headings. Where the file gives some, they are counted from 1, and the others stand beside those that
 * are as large as they are.
 */
function levelsOf(candidates: readonly (Candidate & { readonly one: Placed })[]): Map<Placed, number> {
  const steps = [...new Set(candidates.flatMap(({ given }) => given ?? []))].toSorted((a, b) => a - b);
  const found = headingLevels(candidates.map(({ one: _one, ...candidate }) => candidate));
  const given = candidates.flatMap(({ given, scale = 1 }) =>
    given === undefined ? [] : [{ level: Math.min(6, steps.indexOf(given) + 1), scale }],
  );
  const levels = new Map<Placed, number>();
  for (const [at, level] of found.entries()) {
    const candidate = candidates[at]!;
    if (level === null) continue;
    if (candidate.given !== undefined) levels.set(candidate.one, Math.min(6, steps.indexOf(candidate.given) + 1));
    else if (given.length === 0) levels.set(candidate.one, level);
    else {
      const beside = given.filter(({ scale }) => scale <= (candidate.scale ?? 1) + 0.02).map((one) => one.level);
      levels.set(
        candidate.one,
        Math.min(6, beside.length > 0 ? smallest(beside) : largest(given.map((one) => one.level)) + 1),
      );
    }
  }
  return levels;
}
