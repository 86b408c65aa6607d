import type { LetterCount } from '../lost-letters.ts';
import { plainText, rawElements, rawRuns, rawText, withoutElements } from '../raw-xml.ts';

/** Runs without reading aids of East Asian words, and without control characters. Source: ECMA-376 part 1, 22.4.2.4. */
const runsIn = (xml: string): string =>
  [...rawRuns(withoutElements(xml, { names: ['rPh', 'Fallback'] }))].join('').replaceAll(/_x[\dA-F]{4}_/giu, '');

const valueIn = (cell: string): string => {
  for (const { inner } of rawElements(cell, { names: ['v'] })) return plainText(inner);
  return '';
};

const attributeIn = (attributes: string, name: string): string =>
  new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`, 'u').exec(attributes)?.[1] ?? '';

/** Counts what the parts of a workbook hold, as they are written. */
export function createHeldText(letters: LetterCount) {
  const strings: string[] = [];
  return {
    /** Keeps the strings that all sheets share; they count where a cell shows them. */
    strings: (part: Uint8Array): void => {
      for (const { inner } of rawElements(rawText(part) ?? '', { names: ['si'], empty: true }))
        strings.push(runsIn(inner));
    },
    /** Counts the cells that hold text: numbers and dates are shown otherwise than they are kept. */
    sheet: (part: Uint8Array): void => {
      for (const { attributes, inner } of rawElements(rawText(part) ?? '', { names: ['c'] })) {
        const type = attributeIn(attributes, 't');
        if (type === 's') letters.held(strings[Number(valueIn(inner))] ?? '');
        else if (type === 'inlineStr') letters.held(runsIn(inner));
        else if (type === 'str') letters.held(valueIn(inner));
      }
    },
    drawing: (part: Uint8Array): void => letters.held(runsIn(rawText(part) ?? '')),
    words: (text: string): void => letters.held(text),
    /** Counts comments but those that are threads as well. */
    comments: (part: Uint8Array, threaded: ReadonlySet<string>): void => {
      for (const { attributes, inner } of rawElements(rawText(part) ?? '', { names: ['comment'] }))
        if (!threaded.has(attributeIn(attributes, 'ref'))) letters.held(runsIn(inner));
    },
    threads: (part: Uint8Array): void => {
      for (const { inner } of rawElements(rawText(part) ?? '', { names: ['text'] })) letters.held(plainText(inner));
    },
  };
}

export type HeldText = ReturnType<typeof createHeldText>;
