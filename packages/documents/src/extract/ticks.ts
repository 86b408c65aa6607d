import type { Box } from '../document.ts';
import { labelText } from '../text/form-fields.ts';
import { hasLetters, type Mark, type MarkedLine } from './marks.ts';
import { labelKey } from './labels.ts';

/** A box to tick with the words that may be its caption, the likelier first. */
export interface Tick {
  readonly isTicked: boolean;
  readonly captions: readonly string[];
  readonly box?: Box;
}

/** Boxes to tick that belong together, and the words that may be the label of all, the likelier first. */
export interface TickGroup {
  ticks: readonly Tick[];
  labels: readonly string[];
}

/** A text that begins with a box to tick is no value: what is ticked is. */
export const isTicks = (text: string): boolean => /^[\s([]*(?:[☐☑☒🗹]|[□■].*[□■])/u.test(text);

/** Boxes of a line behind one label. */
interface Segment {
  readonly label: string;
  readonly ticks: readonly Tick[];
}

/** The words of a caption, up to a gap. */
const captionAt = /^\s{0,3}((?:(?!\s{2}|\t).)*)/u;

const tickOf = ({ isTicked, label, name, box }: Mark, caption: string): Tick => ({
  isTicked,
  captions: [label ?? '', caption, name ?? ''].filter(hasLetters),
  ...(box === undefined ? {} : { box }),
});

/** Words behind each mark: its caption, and what is left before the next one. */
function wordsBehind({ text, marks }: MarkedLine): { caption: string; rest: string }[] {
  return marks.map((mark, at) => {
    const words = text.slice(mark.to, marks[at + 1]?.from ?? text.length);
    const caption = mark.label === undefined ? (captionAt.exec(words)?.[0] ?? '') : '';
    return { caption, rest: words.slice(caption.length) };
  });
}

/** Captions that stand before their boxes: `예 ☑ 아니오 ☐`. */
function captionsBefore({ text, marks }: MarkedLine): readonly Segment[] | null {
  const last = marks.at(-1);
  if (last === undefined || marks.some(({ label }) => label !== undefined) || hasLetters(text.slice(last.to)))
    return null;
  const before = marks.map(({ from }, at) => text.slice(marks[at - 1]?.to ?? 0, from));
  if (!before.every(hasLetters)) return null;
  const [first = ''] = before;
  const colon = Math.max(first.lastIndexOf(':'), first.lastIndexOf('：'));
  const isLabelAlone = colon >= 0 && !hasLetters(first.slice(colon));
  // The first of several has no caption before it: theirs stand behind them.
  if (isLabelAlone && marks.length > 1) return null;
  const captions = before.with(0, isLabelAlone ? '' : first.slice(colon + 1));
  const label = isLabelAlone || (colon < 0 && marks.length === 1) ? first : first.slice(0, Math.max(0, colon));
  return [{ label, ticks: marks.map((mark, at) => tickOf(mark, labelText(captions[at] ?? '') ?? '')) }];
}

/**
 * A caption and the label of the next boxes, where both stand in one: `여 장애여부:` before a box. The label is one that is known; without
 * a colon behind it all is caption.
 */
function splitLabel(words: string, isLabel: (text: string) => boolean): { caption: string; label: string } {
  if (/[:：]\s*$/u.test(words)) {
    const pieces = words.trim().split(/\s+/u).slice(-12);
    for (let at = 1; at < pieces.length; at++) {
      const label = pieces.slice(at).join(' ');
      if (isLabel(label)) return { caption: words.slice(0, words.lastIndexOf(label)), label };
    }
  }
  return { caption: words, label: '' };
}

function segmentsOf(line: MarkedLine, isLabel: (text: string) => boolean): readonly Segment[] {
  const before = captionsBefore(line);
  if (before !== null) return before;
  const segments: { label: string; ticks: Tick[] }[] = [{ label: line.text.slice(0, line.marks[0]?.from), ticks: [] }];
  for (const [at, { caption: words, rest }] of wordsBehind(line).entries()) {
    const { caption, label } = splitLabel(words, isLabel);
    segments.at(-1)?.ticks.push(tickOf(line.marks[at]!, labelText(caption) ?? ''));
    const next = hasLetters(label) ? label : rest;
    if (hasLetters(next)) segments.push({ label: next, ticks: [] });
  }
  return segments.filter(({ ticks }) => ticks.length > 0);
}

const keysOf = (ticks: readonly Tick[]) => ticks.map(({ captions }) => labelKey(captions[0] ?? ''));
/** Boxes of one question; more are those of a list. */
const MAX_GROUP_TICKS = 200;

/** Boxes that go on with those before them: none of them stands there already, as those of another question do. */
export const goesOn = (ticks: readonly Tick[], more: readonly Tick[]): boolean => {
  if (ticks.length + more.length > MAX_GROUP_TICKS) return false;
  const known = new Set(keysOf(ticks));
  return !keysOf(more).some((key) => known.has(key));
};

/** What a label may be of the words before a box: all of them, or the last of several parts. */
const labelsIn = (words: string): readonly string[] =>
  [
    ...new Set([
      words,
      words
        .trim()
        .split(/\s{2,}|\t|[:：](?=.*\S)/u)
        .at(-1) ?? '',
    ]),
  ]
    .map((label) => labelText(label) ?? '')
    .filter(hasLetters);

/** Puts together the boxes of lines that follow each other. */
export class TickReader {
  readonly #isLabel: (text: string) => boolean;
  /** The line before, where it has words and no box. */
  #before = '';
  #group: TickGroup | null = null;

  constructor(isLabel: (text: string) => boolean) {
    this.#isLabel = isLabel;
  }

  /** The groups that begin in this line; boxes that go on with the line before are added to its group. */
  read(line: MarkedLine): readonly TickGroup[] {
    if (line.marks.length === 0) {
      if (line.text.trim() === '') return [];
      this.end();
      this.#before = line.text;
      return [];
    }
    const groups: TickGroup[] = [];
    for (const { label, ticks } of segmentsOf(line, this.#isLabel)) {
      const group = this.#group;
      if (group !== null && !hasLetters(label) && goesOn(group.ticks, ticks)) group.ticks = [...group.ticks, ...ticks];
      else {
        const words = hasLetters(label) ? label : group === null ? this.#before : '';
        groups.push((this.#group = { ticks, labels: labelsIn(words) }));
      }
    }
    this.#before = '';
    return groups;
  }

  /** What comes next does not go on with what was read. */
  end(): void {
    this.#group = null;
    this.#before = '';
  }
}
