import type { LetterCount } from '../lost-letters.ts';
import { type Sought, plainText, rawElements, rawRuns, rawText, withoutElements } from '../raw-xml.ts';

/** What older programs show in the place of something, formulas, numbers of slides and dates, and cells that others cover. */
const leftOut: Sought = {
  names: ['Fallback', 'oMath', 'fld', 'tc'],
  meant: (name, attributes) => {
    if (name === 'fld') return /\btype\s*=\s*["'](?:slidenum|datetime)/u.test(attributes);
    return name !== 'tc' || /\b[hv]Merge\s*=\s*["'](?:1|true)/u.test(attributes);
  },
};

const shownOf = (part: Uint8Array): string => withoutElements(rawText(part) ?? '', leftOut);

/** Counts the text of a slide. */
export function countPart(letters: LetterCount, part: Uint8Array): void {
  for (const run of rawRuns(shownOf(part))) letters.held(run);
}

/** Counts what the speaker says; the page of notes has a number and a picture of the slide besides. */
export function countSpoken(letters: LetterCount, part: Uint8Array): void {
  for (const { inner } of rawElements(shownOf(part), { names: ['sp'] }))
    if (/<(?:[\w.-]+:)?ph\s[^<>]*\btype\s*=\s*["']body["']/u.test(inner))
      for (const run of rawRuns(inner)) letters.held(run);
}

/** Counts comments, in the older form or the newer one. */
export function countComments(letters: LetterCount, part: Uint8Array): void {
  for (const run of rawRuns(shownOf(part))) letters.held(run);
  for (const { inner } of rawElements(shownOf(part), { names: ['text'] })) letters.held(plainText(inner));
}
