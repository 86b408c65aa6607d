import type { Element } from '@xmldom/xmldom';
import { paragraphText } from './texts.ts';
import { elementsBelow } from './tree.ts';

/** The text beside an HWPX file that programs show in lists of files. */
export const PREVIEW = 'Preview/PrvText.txt';
/** As many letters of it as Hancom Office writes. */
export const MAX_PREVIEW_LETTERS = 1_000;

/** The first lines of a filled section. */
export function previewOf(section: Element): string {
  let text = '';
  for (const paragraph of elementsBelow(section)) {
    if (text.length > MAX_PREVIEW_LETTERS) break;
    const line = paragraph.localName === 'p' ? paragraphText(paragraph).trim() : '';
    if (line !== '') text += `${line}\r\n`;
  }
  return text;
}
