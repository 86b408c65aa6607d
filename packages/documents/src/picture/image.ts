import { withCore } from '../ocr/engine.ts';
import type { GreyImage } from '../ocr/grey.ts';
import { ParseError } from '../parse-error.ts';
import { decodedPage } from '../readers/image/decoded.ts';
import { headerOf } from '../readers/image/header.ts';
import type { DrawnPage } from '../sandbox/messages.ts';
import { encodePng } from './png.ts';

/** Pixels that are decoded, at one byte each; documents with more are not read either. */
const MAX_PIXELS = 120_000_000;

const damagedPictureError = () => new ParseError('CORRUPTED', 'The picture is damaged and cannot be shown.');

function greyPng({ width, height, data }: GreyImage): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at++) pixels.fill(data[at] ?? 255, at * 4, at * 4 + 3);
  return encodePng({ width, height, stride: width * 4, data: pixels });
}

/**
 * A page (from 1) of a file of pictures, in grey, at least so many pixels wide where it has as many. For what browsers do not show.
 * Throws ParseError `CORRUPTED`, `TOO_LARGE`.
 */
export async function imagePicture(bytes: Uint8Array, number: number, width: number): Promise<DrawnPage> {
  const header = headerOf(bytes);
  const page = header?.pages[number - 1];
  if (header === null || page === undefined) throw damagedPictureError();
  if (page.width * page.height > MAX_PIXELS)
    throw new ParseError('TOO_LARGE', 'The picture has too many pixels to be shown.');
  const smaller = Math.max(1, Math.floor(page.width / width), Math.ceil(Math.sqrt((page.width * page.height) / 8e6)));
  const image = await withCore(['eng'], (core) => decodedPage(core, bytes, { kind: header.kind, page, smaller }));
  if (image === null) throw damagedPictureError();
  return { png: greyPng(image), pages: header.pages.length };
}
