import type { Note } from '../../document.ts';
import type { LetterCount } from '../lost-letters.ts';
import { type Sought, rawElements, rawRuns, rawText, withoutElements } from '../raw-xml.ts';

/** Words that were deleted or moved away, what older programs show in the place of something, how letters are spoken, and formulas. */
const leftOut: Sought = { names: ['del', 'moveFrom', 'Fallback', 'rt', 'oMath'] };

const shownOf = (part: Uint8Array): string => withoutElements(rawText(part) ?? '', leftOut);

/** Counts what a part shows. */
export function countPart(letters: LetterCount, part: Uint8Array): void {
  for (const run of rawRuns(shownOf(part))) letters.held(run);
}

const idOf = (attributes: string): string => /\bid\s*=\s*["']([^"']*)["']/u.exec(attributes)?.[1] ?? '';

/** Counts the main part with the notes that it refers to, as often as it does; a note that nothing refers to is not shown. */
export function countMain(
  letters: LetterCount,
  main: Uint8Array,
  notes: Readonly<Partial<Record<Note['kind'], Uint8Array>>>,
): void {
  const shown = shownOf(main);
  for (const run of rawRuns(shown)) letters.held(run);
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const part = notes[kind];
    if (part === undefined) continue;
    const words = new Map<string, string>();
    for (const { attributes, inner } of rawElements(shownOf(part), { names: [kind] }))
      words.set(idOf(attributes), [...rawRuns(inner)].join(''));
    for (const [, attributes = ''] of shown.matchAll(new RegExp(`<(?:[\\w.-]+:)?${kind}Reference\\s([^<>]*)>`, 'gu')))
      letters.held(words.get(idOf(attributes)) ?? '');
  }
}
