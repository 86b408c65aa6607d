import type { Pdfium } from './pdfium.ts';

/** More annotations on one page come from damage. */
const MAX_ANNOTATIONS = 3_000;
/** Invisible, hidden, not viewed. Source: PDF 32000-1, 12.5.3. */
const FLAG_HIDDEN = 1 | 2 | 32;

export const isHidden = (pdfium: Pdfium, annotation: number): boolean =>
  (pdfium.FPDFAnnot_GetFlags(annotation) & FLAG_HIDDEN) !== 0;

/** What `read` returns of each annotation of a page; null is left out. */
export function eachAnnotation<Result>(
  pdfium: Pdfium,
  page: number,
  read: (annotation: number) => Result | null,
): Result[] {
  const found: Result[] = [];
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let at = 0; at < count; at++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const result = read(annotation);
    if (result !== null) found.push(result);
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return found;
}
