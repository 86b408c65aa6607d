import { type GreyImage, greyOf } from '../../ocr/grey.ts';
import { UnreadablePage } from './page.ts';
import type { Pdfium } from './pdfium.ts';

/** Resolution in which pages are painted for recognition; less where they are very large. */
const OCR_DOTS_PER_INCH = 300;
const MAX_BITMAP_PIXELS = 20_000_000;
const WHITE_BGRX = 0xff_ff_ff_ff;
/** Source: `fpdfview.h`: FPDFBitmap_BGRx, FPDF_ANNOT (what is put upon the page is painted too, such as stamps). */
const FPDF_BITMAP_BGRX = 3;
const FPDF_ANNOT = 1;

/** A page as it is seen. */
export interface PaintedPage {
  readonly image: GreyImage;
  readonly dotsPerInch: number;
}

/** Source: `fpdf_edit.h`: FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM. */
const FPDF_PAGEOBJ_IMAGE = 3;
const FPDF_PAGEOBJ_FORM = 5;
/** More pixels of pictures, all of a page together, take minutes to paint; large scans have a tenth of it. */
const MAX_IMAGE_PIXELS = 300_000_000;
const MAX_OBJECTS = 20_000;

/** True when the pictures of a page are larger, as far as they say themselves, than can be painted. */
function isTooFine(pdfium: Pdfium, page: number): boolean {
  const stack: number[] = [];
  const push = (count: number, at: (index: number) => number): void => {
    for (let index = 0; index < Math.min(count, MAX_OBJECTS - stack.length); index++) stack.push(at(index));
  };
  push(pdfium.FPDFPage_CountObjects(page), (index) => pdfium.FPDFPage_GetObject(page, index));
  let dots = 0;
  let seen = 0;
  for (let object = stack.pop(); object !== undefined && seen < MAX_OBJECTS; object = stack.pop(), seen++) {
    const type = pdfium.FPDFPageObj_GetType(object);
    const form = object;
    if (type === FPDF_PAGEOBJ_FORM)
      push(pdfium.FPDFFormObj_CountObjects(form), (index) => pdfium.FPDFFormObj_GetObject(form, index));
    if (
      type !== FPDF_PAGEOBJ_IMAGE ||
      pdfium.FPDFImageObj_GetImagePixelSize(object, pdfium.scratch, pdfium.scratch + 4) === 0
    )
      continue;
    const [width = 0, height = 0] = new Uint32Array(pdfium.memory.buffer, pdfium.scratch, 2);
    dots += width * height;
  }
  return dots > MAX_IMAGE_PIXELS;
}

function paintPage(pdfium: Pdfium, page: number): PaintedPage | null {
  if (isTooFine(pdfium, page)) return null;
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const dotsPerInch = Math.min(OCR_DOTS_PER_INCH, 72 * Math.sqrt(MAX_BITMAP_PIXELS / (width * height)));
  const [wide, high] = [Math.floor((width * dotsPerInch) / 72), Math.floor((height * dotsPerInch) / 72)];
  if (!(wide >= 1 && high >= 1)) return null;
  const bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, FPDF_BITMAP_BGRX, 0, 0);
  if (bitmap === 0) return null;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, WHITE_BGRX);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, FPDF_ANNOT);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const from = new Uint8Array(pdfium.memory.buffer, pdfium.FPDFBitmap_GetBuffer(bitmap), stride * high);
    const data = new Uint8Array(wide * high);
    for (let y = 0, to = 0; y < high; y++)
      for (let x = 0, at = y * stride; x < wide; x++, at += 4, to++)
        data[to] = greyOf(from[at + 2]!, from[at + 1]!, from[at]!);
    return { image: { width: wide, height: high, data }, dotsPerInch };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/** A page (from 1) in grey; null where there is no memory for it, or its pictures are too large. Throws UnreadablePage. */
export function paintedPage(pdfium: Pdfium, document: number, number: number): PaintedPage | null {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new UnreadablePage(number);
  try {
    return paintPage(pdfium, page);
  } finally {
    pdfium.FPDF_ClosePage(page);
  }
}
