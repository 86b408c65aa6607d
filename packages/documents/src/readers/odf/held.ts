import type { LetterCount } from '../lost-letters.ts';
import { type Sought, plainText, rawElements, rawText, withoutComments, withoutElements } from '../raw-xml.ts';

/** What was deleted, how letters are spoken, marks of notes, who wrote comments, titles of pictures, hints of cells, cells that others cover. */
const leftOut: Sought = {
  names:
    'tracked-changes ruby-text note-citation creator date date-string creator-initials title desc content-validations covered-table-cell binary-data object frame'.split(
      ' ',
    ),
  meant: (name, attributes) => {
    if (name === 'date' || name === 'title') return attributes.trim() === '';
    return name !== 'frame' || /:placeholder\s*=\s*["']true["']/u.test(attributes);
  },
};

const textIn = (xml: string): string =>
  [...rawElements(withoutElements(withoutComments(xml), leftOut), { names: ['p', 'h'] })]
    .map(({ inner }) => plainText(inner))
    .join('');

/** What stands in the paragraphs of a part. */
export const paragraphsIn = (part: Uint8Array): string => textIn(rawText(part) ?? '');

/** Counts the headers and footers among the styles of a document. */
export function countMargins(letters: LetterCount, part: Uint8Array): void {
  const names = ['header', 'header-left', 'header-first', 'footer', 'footer-left', 'footer-first'];
  for (const { inner } of rawElements(rawText(part) ?? '', { names })) letters.held(textIn(inner));
}
