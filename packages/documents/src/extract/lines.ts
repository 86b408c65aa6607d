import type { Findings, Heads } from './findings.ts';
import { MAX_LABEL_LETTERS } from './findings.ts';
import type { Place } from './places.ts';
import { isTicks } from './ticks.ts';

/** Parts of a line that each have a label and a colon; blanks may stand within a label (`성  명 :`). */
function labelledParts(line: string): string[] {
  const parts: string[] = [];
  let begun = '';
  for (const piece of line.split(/\t|(?<!\s)\s{2,}(?=\S{1,20}\s{0,20}[:：])/)) {
    begun = begun === '' ? piece : `${begun} ${piece}`;
    if (!/[:：]/.test(piece)) continue;
    parts.push(begun);
    begun = '';
  }
  return parts;
}

/** A line such as `성명: 홍길동`, of which several may stand beside each other. */
export function findLine(line: string, heads: Heads, place: Place, findings: Findings): void {
  for (const part of labelledParts(line)) {
    const colon = /[:：]/.exec(part.slice(0, MAX_LABEL_LETTERS * 2));
    if (colon === null) continue;
    const text = part.slice(colon.index + 1);
    if (isTicks(text)) continue;
    for (const claim of findings.claims(part.slice(0, colon.index), heads))
      findings.addText(claim, text, 'line', 'text', place);
  }
}
