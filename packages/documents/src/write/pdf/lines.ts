import type { Span } from '../../document.ts';
import { isWritableLink } from '../links.ts';
import { boxes, type Letters, type Look, lookOf } from './letters.ts';

/** A stretch of a line that looks the same. */
export interface Piece {
  readonly text: string;
  /** From the left edge of the line. */
  readonly x: number;
  readonly width: number;
  readonly look: Look;
  /** Note that is referred to here. */
  readonly note?: string;
}

export interface TextLine {
  readonly pieces: readonly Piece[];
  readonly width: number;
  readonly height: number;
  /** From its top to the line that letters stand on. */
  readonly base: number;
}

/** Measures text; points. */
export interface Measure {
  readonly letters: Letters;
  widthOf(text: string, look: Look): number;
  /** The mark of a note where it is referred to; null for one that is not there. */
  mark(note: string): string | null;
}

/** Distance of lines, in the size of letters. */
const LINE_EM = 1.5;
const BASE_EM = 1.1;
/** Letters that are raised or lowered. */
export const SCRIPT_SHARE = 0.65;

interface Word {
  readonly text: string;
  readonly look: Look;
  readonly note?: string;
}

/** Words with the blanks behind them, boxes, and breaks of lines; words that no line holds are cut beforehand. */
const wordPattern = /\n|[☐☑☒◪]|[^\s☐☑☒◪]{1,100} {0,100}| {1,100}/gu;

function wordsOf(spans: readonly Span[], base: Look, measure: Measure): Word[] {
  return spans.flatMap((span) => {
    const { link, note, ...plain } = span;
    const shown = note === undefined ? null : measure.mark(note);
    const look = lookOf(link !== undefined && isWritableLink(link) ? { ...plain, link } : plain, base);
    if (note !== undefined && shown !== null) return [{ text: shown, look: { ...base, script: 'super' }, note }];
    const text = measure.letters.of(span.text);
    return (text.match(wordPattern) ?? []).flatMap((word) =>
      measure.letters
        .runsOf(word)
        .map((run) => ({ text: run.text, look: run.spare === undefined ? look : { ...look, spare: run.spare } })),
    );
  });
}

/** As much of a word as fits, a letter at least. */
function fittingLength(word: string, look: Look, room: number, measure: Measure): number {
  const letters = Array.from(word);
  let [from, to] = [1, letters.length];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (measure.widthOf(letters.slice(0, middle).join(''), look) <= room) from = middle;
    else to = middle - 1;
  }
  return letters.slice(0, from).join('').length;
}

const isAlike = (one: Look, other: Look): boolean =>
  one === other ||
  (['size', 'bold', 'italic', 'strike', 'script', 'link', 'spare'] as const).every((name) => one[name] === other[name]);

/** Sets text in lines that are so wide. */
export function setLines(spans: readonly Span[], base: Look, width: number, measure: Measure): TextLine[] {
  const lines: TextLine[] = [];
  let pieces: Piece[] = [];
  let x = 0;
  const close = () => {
    const size = pieces.reduce((most, { look }) => Math.max(most, look.size), base.size);
    lines.push({ pieces, width: x, height: size * LINE_EM, base: size * BASE_EM });
    pieces = [];
    x = 0;
  };
  const put = ({ text, look, note }: Word, wide: number) => {
    const last = pieces.at(-1);
    const joins = last !== undefined && note === undefined && last.note === undefined && isAlike(last.look, look);
    if (joins && !boxes.has(text) && !boxes.has(last.text))
      pieces[pieces.length - 1] = { ...last, text: last.text + text, width: x + wide - last.x };
    else pieces.push({ text, x, width: wide, look, ...(note === undefined ? {} : { note }) });
    x += wide;
  };
  for (const word of wordsOf(spans, base, measure)) {
    if (word.text === '\n') {
      close();
      continue;
    }
    let rest = word;
    for (;;) {
      const bare = rest.text.trimEnd();
      if (x + measure.widthOf(bare, rest.look) <= width || (bare === '' && x > 0)) break;
      // A word that is wider than the line is cut.
      if (x === 0) {
        const length = fittingLength(rest.text, rest.look, width, measure);
        if (length >= rest.text.length) break;
        const begin = { ...rest, text: rest.text.slice(0, length) };
        put(begin, measure.widthOf(begin.text, rest.look));
        rest = { ...rest, text: rest.text.slice(length) };
      }
      close();
    }
    put(rest, measure.widthOf(rest.text, rest.look));
  }
  if (pieces.length > 0 || lines.length === 0) close();
  return lines;
}
