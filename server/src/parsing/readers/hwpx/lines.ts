import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import type { Line, PageTracker } from '../hwp/pages.ts';
import { integerOf } from './header.ts';

/** Where the lines of a paragraph stood when it was last laid out. */
export const linesOf = (paragraph: XmlElement): Line[] =>
  [...childrenOf(childOf(paragraph, 'hp:linesegarray'), 'hp:lineseg')].map((line) => ({
    start: integerOf(line, 'textpos'),
    top: integerOf(line, 'vertpos'),
    height: integerOf(line, 'vertsize'),
  }));

/** Tells the tracker the paper of a section, in the form in which HWP 5 has it. */
export function definePage(tracker: PageTracker, paper: XmlElement): void {
  const margin = childOf(paper, 'hp:margin');
  const lengths = [
    integerOf(paper, 'width'),
    integerOf(paper, 'height'),
    ...['left', 'right', 'top', 'bottom', 'header', 'footer', 'gutter'].map((side) => integerOf(margin, side)),
    attributeOf(paper, 'landscape') === 'NARROWLY' ? 1 : 0,
  ];
  const bytes = Buffer.alloc(lengths.length * 4);
  for (const [at, length] of lengths.entries()) bytes.writeUInt32LE(Math.max(0, length) >>> 0, at * 4);
  tracker.pageDef(bytes);
}
