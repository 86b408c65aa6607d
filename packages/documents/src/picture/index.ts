import { ParseError } from '../parse-error.ts';
import type { DrawnPage } from '../sandbox/messages.ts';
import { sniffFormat } from '../sniff.ts';

/** A page (from 1) of a document as a PNG file, so many pixels wide at most. Throws ParseError. */
export async function pagePicture(bytes: Uint8Array, page: number, width: number): Promise<DrawnPage> {
  const format = sniffFormat(bytes);
  if (format === 'pdf') {
    const { pdfPicture } = await import('../readers/pdf/picture.ts');
    return pdfPicture(bytes, page, width);
  }
  if (format === 'image') {
    const { imagePicture } = await import('./image.ts');
    return imagePicture(bytes, page, width);
  }
  throw new ParseError('UNSUPPORTED', 'Documents of this format have no pictures of their pages.');
}
