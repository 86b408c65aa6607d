import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import type { Line, PageTracker } from '../hwp/pages.ts';
import { integerOf } from './header.ts';

/**
 * Where the lines of a paragraph stood when it was last laid out; none where they were only filled in: then all stand at the top
 * and bear no marks.
 */
export function linesOf(paragraph: XmlElement): Line[] {
  let isLaidOut = false;
  const lines: Line[] = [];
  for (const line of childrenOf(childOf(paragraph, 'hp:linesegarray'), 'hp:lineseg')) {
    const top = integerOf(line, 'vertpos');
    if (top !== 0 || integerOf(line, 'flags') !== 0) isLaidOut = true;
    lines.push({
      start: integerOf(line, 'textpos'),
      top,
      height: integerOf(line, 'vertsize'),
      left: integerOf(line, 'horzpos'),
      width: Math.max(0, integerOf(line, 'horzsize')),
    });
  }
  return isLaidOut || lines.length === 1 ? lines : [];
}

/** Detects line positions that a program filled in as zeros, by the share of paragraphs at the very top. */
export function createFillerDetector() {
  let all = 0;
  let atTop = 0;
  return {
    saw: (paragraph: XmlElement): void => {
      const [first] = linesOf(paragraph);
      if (first === undefined || attributeOf(paragraph, 'pageBreak') === '1') return;
      all++;
      if (first.top === 0) atTop++;
    },
    /** Each of most paragraphs would begin a page of its own. */
    isFilledIn: (): boolean => atTop >= 5 && atTop * 2 > all,
  };
}

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
