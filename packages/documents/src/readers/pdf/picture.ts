import { ParseError } from '../../parse-error.ts';
import type { DrawnPage } from '../../sandbox/messages.ts';
import { encodePng } from '../../picture/png.ts';
import { prevailingTurn } from './glyphs.ts';
import { PdfFile } from './index.ts';
import type { Pdfium } from './pdfium.ts';

/** Pixels of one picture, however long the page is. */
const MAX_BITMAP_PIXELS = 8_000_000;
/** Source: `fpdfview.h`: FPDFBitmap_BGRx, FPDF_ANNOT. */
const FPDF_BITMAP_BGRX = 3;
const FPDF_ANNOT = 1;
const WHITE_BGRX = 0xff_ff_ff_ff;

const unreadablePageError = (page: number) =>
  new ParseError('CORRUPTED', `Page ${page} is damaged and cannot be shown.`);

/** Quarters of a turn, clockwise, by which the reader turns the page further than its file says: text stands upright. */
function furtherTurn(pdfium: Pdfium, page: number): number {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return 0;
  try {
    // What is recognised in its picture lies as the page is shown.
    if (pdfium.FPDFText_CountChars(text) <= 0) return 0;
    const rotation = Math.max(0, pdfium.FPDFPage_GetRotation(page));
    const sideways = (prevailingTurn(pdfium, text) + rotation) % 4;
    return (4 - sideways) % 4;
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

function drawPage(pdfium: Pdfium, page: number, width: number): Buffer | null {
  const turn = furtherTurn(pdfium, page);
  const sides = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const [across = 1, down = 1] = (turn % 2 === 0 ? sides : sides.toReversed()).map((side) => Math.max(1, side));
  const scale = Math.min(width / across, Math.sqrt(MAX_BITMAP_PIXELS / (across * down)));
  const [wide, high] = [across, down].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const bitmap = pdfium.FPDFBitmap_CreateEx(wide, high, FPDF_BITMAP_BGRX, 0, 0);
  if (bitmap === 0) return null;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, WHITE_BGRX);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, turn, FPDF_ANNOT);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const data = new Uint8Array(pdfium.memory.buffer, pdfium.FPDFBitmap_GetBuffer(bitmap), stride * high);
    return encodePng({ width: wide, height: high, stride, data });
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/**
 * A page (from 1) as a PNG file so many pixels wide, or less for a page that is very long; turned as the reader has read it, so
 * that boxes of blocks fit. Throws ParseError `ENCRYPTED`, `CORRUPTED`, `TOO_LARGE`.
 */
export async function pdfPicture(bytes: Uint8Array, number: number, width: number): Promise<DrawnPage> {
  const file = new PdfFile(bytes);
  try {
    const picture = await file.use(({ pdfium, document }) => {
      const page = pdfium.FPDF_LoadPage(document, number - 1);
      if (page === 0) return null;
      try {
        const png = drawPage(pdfium, page, width);
        return png === null ? null : { png, pages: pdfium.FPDF_GetPageCount(document) };
      } finally {
        pdfium.FPDF_ClosePage(page);
      }
    });
    if (picture === null) throw unreadablePageError(number);
    return picture;
  } finally {
    file.close();
  }
}
