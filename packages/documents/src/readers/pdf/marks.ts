import type { Frame, Rect } from './geometry.ts';
import { isCentredIn, rectInFrame } from './geometry.ts';
import { type Pdfium, narrowText, wideText } from './pdfium.ts';

/** Elements, links and bookmarks beyond this are left out; real files stay far below. */
const MAX_ELEMENTS = 40_000;
const MAX_LINKS = 2_000;
const MAX_BOOKMARKS = 20_000;
const MAX_DEPTH = 64;
const URI_ACTION = 3;

/** Heading levels by the number of marked content, for files that tell their structure. */
export function headingMarks(pdfium: Pdfium, page: number): ReadonlyMap<number, number> {
  const marks = new Map<number, number>();
  const tree = pdfium.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return marks;
  const stack: { element: number; level: number | null; depth: number }[] = [];
  for (let at = Math.min(pdfium.FPDF_StructTree_CountChildren(tree), MAX_ELEMENTS) - 1; at >= 0; at--)
    stack.push({ element: pdfium.FPDF_StructTree_GetChildAtIndex(tree, at), level: null, depth: 0 });
  let seen = 0;
  for (let entry = stack.pop(); entry !== undefined && seen < MAX_ELEMENTS; entry = stack.pop(), seen++) {
    const { element, depth } = entry;
    if (element === 0 || depth > MAX_DEPTH) continue;
    const type = wideText(pdfium, (buffer, bytes) => pdfium.FPDF_StructElement_GetType(element, buffer, bytes), 256);
    const own = /^H([1-6])?$/.exec(type);
    const level = own === null ? (type === 'Title' ? 1 : entry.level) : Number(own[1] ?? 1);
    if (level !== null) {
      const count = Math.min(pdfium.FPDF_StructElement_GetMarkedContentIdCount(element), MAX_ELEMENTS);
      for (let at = 0; at < count; at++)
        marks.set(pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at), level);
    }
    const children = Math.min(pdfium.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS - seen);
    for (let at = children - 1; at >= 0; at--)
      stack.push({ element: pdfium.FPDF_StructElement_GetChildAtIndex(element, at), level, depth: depth + 1 });
  }
  pdfium.FPDF_StructTree_Close(tree);
  return marks;
}

/** Addresses that parts of a page lead to. */
export function linksOf(
  pdfium: Pdfium,
  document: number,
  page: number,
  frame: Frame,
): (rect: Rect) => string | undefined {
  const links: { rect: Rect; address: string }[] = [];
  const { scratch, memory } = pdfium;
  const words = () => new Int32Array(memory.buffer, scratch, 2);
  words()[0] = 0;
  for (let count = 0; count < MAX_LINKS; count++) {
    if (pdfium.FPDFLink_Enumerate(page, scratch, scratch + 4) === 0) break;
    const position = words()[0]!;
    const link = words()[1]!;
    const action = pdfium.FPDFLink_GetAction(link);
    if (action !== 0 && pdfium.FPDFAction_GetType(action) === URI_ACTION) {
      const address = narrowText(pdfium, (buffer, bytes) =>
        pdfium.FPDFAction_GetURIPath(document, action, buffer, bytes),
      );
      if (
        /^(?:https?:|mailto:|tel:|ftp:|www\.)/i.test(address) &&
        pdfium.FPDFLink_GetAnnotRect(link, scratch + 16) !== 0
      ) {
        const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(memory.buffer, scratch + 16, 4);
        links.push({ rect: rectInFrame(frame, left, bottom, right, top), address });
      }
    }
    words()[0] = position;
  }
  if (links.length === 0) return () => undefined;
  return (rect) => links.find((link) => isCentredIn(rect, link.rect, 1))?.address;
}

/** A title of the outline; pages begin at 1. */
export interface Bookmark {
  readonly title: string;
  readonly level: number;
  readonly page: number;
}

/** The outline of a document, from the outermost level (1) in. Bookmarks that go in circles are read once. */
export function bookmarksOf(pdfium: Pdfium, document: number): Bookmark[] {
  const found: Bookmark[] = [];
  const seen = new Set<number>();
  const stack = [{ mark: pdfium.FPDFBookmark_GetFirstChild(document, 0), level: 1 }];
  for (let entry = stack.pop(); entry !== undefined && seen.size < MAX_BOOKMARKS; entry = stack.pop()) {
    const { mark, level } = entry;
    if (mark === 0 || seen.has(mark)) continue;
    seen.add(mark);
    const title = wideText(pdfium, (buffer, bytes) => pdfium.FPDFBookmark_GetTitle(mark, buffer, bytes), 2_048);
    let target = pdfium.FPDFBookmark_GetDest(document, mark);
    if (target === 0) {
      const action = pdfium.FPDFBookmark_GetAction(mark);
      if (action !== 0) target = pdfium.FPDFAction_GetDest(document, action);
    }
    const page = target === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, target);
    if (title.trim() !== '') found.push({ title: title.trim(), level, page: page + 1 });
    stack.push({ mark: pdfium.FPDFBookmark_GetNextSibling(document, mark), level });
    if (level < MAX_DEPTH) stack.push({ mark: pdfium.FPDFBookmark_GetFirstChild(document, mark), level: level + 1 });
  }
  return found;
}
