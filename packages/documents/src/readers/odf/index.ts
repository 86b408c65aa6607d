import { type Block, type Document, type DocumentFormat, type Margin, type Page, textOf } from '../../document.ts';
import { append } from '../../package/append.ts';
import { assembleFlow } from '../../package/flow.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { LetterCount, countBlocks } from '../lost-letters.ts';
import { embeddedItems } from './embedded.ts';
import { readFields } from './fields.ts';
import { createLists } from './lists.ts';
import { marginBlocks, sheetMargins, slideMargins } from './margins.ts';
import type { EmbeddedDocument } from './objects.ts';
import { openDocument } from './package.ts';
import { readStyles } from './styles.ts';
import { readSheet } from './table.ts';
import type { Reading } from './reading.ts';
import { blocksWithin, itemsWithin, noteOf, readShape, titleSpans } from './text.ts';

type Opened = Awaited<ReturnType<typeof openBody>>;

/** The body of a document with what reading it needs. Throws ParseError `CORRUPTED` for a file without one. */
async function openBody(bytes: Uint8Array, { limits }: ReadOptions) {
  const letters = new LetterCount('all but letters');
  const document = await openDocument(bytes, limits, letters);
  const [body] = childrenOf(childOf(document.content, 'office:body'));
  if (body === undefined) throw new ParseError('CORRUPTED', 'The file is damaged: it has no text of a document.');
  const styles = readStyles(document.content, document.styles);
  const shown = new Set<EmbeddedDocument>();
  const reading: Reading = {
    styles,
    lists: createLists(styles),
    budget: createBudget(limits),
    fields: readFields(body),
    object: (object) => {
      const found = document.objects.find(object);
      if (found?.kind === 'document') {
        // Shown again it is a picture.
        if (shown.has(found)) return undefined;
        shown.add(found);
        letters.held(found.words);
        return found;
      }
      // A text may show one chart any number of times.
      const words = found?.kind === 'chart' ? (found.words.text ?? '') : (found?.latex ?? '');
      reading.budget.text(words.length);
      if (found?.kind === 'chart') letters.held(words);
      return found;
    },
    document: (found) => embeddedItems(found, reading),
    warn: (code, message) => document.warn({ code, message }),
    letters,
    blocks: (element) => blocksWithin(element, reading),
    comment: (annotation) => noteOf(annotation, 'comment', reading),
    noteCounts: new Map(),
    page: null,
    depth: 0,
  };
  return { document, body, reading };
}

const result = (
  format: DocumentFormat,
  { document: { meta, warnings }, reading }: Opened,
  pages: readonly Page[],
  blocks: readonly Block[],
): Document => ({ format, meta, pages, blocks, warnings: [...warnings(), ...reading.letters.warnings()] });

const holds = (element: XmlElement, name: string): boolean =>
  [...childrenOf(element)].some((child) => child.name === name || holds(child, name));

/**
 * ODT: text with headings, lists, tables, notes, comments and fields of forms. Pages are those of the last layout, where the file keeps
 * its breaks. Source: OpenDocument 1.3.
 */
function readText(opened: Opened, options: ReadOptions): Document {
  const { document, body, reading } = opened;
  const header = marginBlocks(document.styles, 'header', reading);
  const footer = marginBlocks(document.styles, 'footer', reading);
  if (holds(body, 'text:soft-page-break')) reading.page = 1;
  const items = itemsWithin(body, reading);
  const count = reading.page ?? 0;
  reading.budget.pages(count);
  const wanted = (page: number | null) => options.pages === null || page === null || options.pages.has(page);
  const running = assembleFlow(items, { headings: true });
  countBlocks(reading.letters, running);
  const blocks = [...header, ...running, ...footer].filter(({ page }) => wanted(page));
  const pages = Array.from({ length: count }, (_, at): Page => ({ number: at + 1 })).filter(({ number }) =>
    wanted(number),
  );
  if (count > 0) options.onPage(count, count);
  return result('odt', opened, pages, blocks);
}

/** A copy that a sheet keeps of another file that it takes values from. */
const isCopy = (sheet: XmlElement): boolean =>
  childOf(sheet, 'table:table-source') !== undefined && /^'\w+:/.test(attributeOf(sheet, 'table:name') ?? '');

/** ODS: each sheet is a page with its tables, and comments on its cells. */
function readSheets(opened: Opened, options: ReadOptions): Document {
  const { document, body, reading } = opened;
  const sheets: XmlElement[] = [];
  for (const sheet of childrenOf(body, 'table:table')) {
    if (isCopy(sheet)) reading.letters.seen(innerText(sheet));
    else sheets.push(sheet);
  }
  reading.budget.pages(sheets.length);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1;
    if (options.pages !== null && !options.pages.has(number)) {
      reading.letters.seen(innerText(sheet));
      continue;
    }
    const name = attributeOf(sheet, 'table:name') ?? '';
    const hidden = reading.styles.isHiddenTable(attributeOf(sheet, 'table:style-name')) ? { hidden: true } : {};
    pages.push({ number, ...(name === '' ? {} : { name }), ...hidden });
    reading.page = number;
    const cells = readSheet(sheet, reading);
    const shapes = [...childrenOf(childOf(sheet, 'table:shapes'))].flatMap((shape) => readShape(shape, reading));
    const found = [...cells, ...assembleFlow(shapes)];
    countBlocks(reading.letters, found);
    if (found.length > 0 && name !== '')
      blocks.push({ type: 'heading', level: 1, page: number, source: 'sheet', spans: [{ text: name }], ...hidden });
    append(
      blocks,
      found.map((block) => ({ ...block, ...hidden })),
    );
    options.onPage(number, sheets.length);
  }
  reading.page = null;
  const used = new Set(sheets.map((sheet) => reading.styles.masterOf(attributeOf(sheet, 'table:style-name'))));
  const margins = (type: Margin['type']) => sheetMargins(document.styles, type, used, reading);
  return result('ods', opened, pages, [...margins('header'), ...blocks, ...margins('footer')]);
}

/** The title of a slide as a heading, and the rest of its frames as they come. */
function slideBlocks(slide: XmlElement, reading: Reading): { readonly title: string; readonly blocks: Block[] } {
  const items: FlowItem[] = [];
  const heads: Block[] = [];
  let title = '';
  for (const child of childrenOf(slide)) {
    const role = attributeOf(child, 'presentation:class');
    if (child.name === 'presentation:notes' || attributeOf(child, 'presentation:placeholder') === 'true') continue;
    const box = role === 'title' && title === '' ? childOf(child, 'draw:text-box') : undefined;
    const { spans, after } = box === undefined ? { spans: [], after: [] } : titleSpans(box, reading);
    title = title === '' ? textOf(spans).replaceAll(/\s+/gu, ' ').trim() : title;
    if (spans.length === 0) append(items, readShape(child, reading));
    else {
      heads.push({ type: 'heading', level: 1, page: reading.page, spans });
      append(items, after);
    }
  }
  return { title, blocks: [...heads, ...assembleFlow(items)] };
}

/** ODP: each slide is a page, with the notes of the speaker. */
function readSlides(opened: Opened, options: ReadOptions): Document {
  const { document, body, reading } = opened;
  const slides = [...childrenOf(body, 'draw:page')];
  reading.budget.pages(slides.length);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  for (const [at, slide] of slides.entries()) {
    const number = at + 1;
    if (options.pages !== null && !options.pages.has(number)) {
      reading.letters.seen(innerText(slide));
      continue;
    }
    reading.page = number;
    const found = slideBlocks(slide, reading);
    const name = found.title === '' ? (attributeOf(slide, 'draw:name') ?? '') : found.title;
    pages.push({ number, ...(name === '' ? {} : { name }) });
    append(blocks, found.blocks);
    countBlocks(reading.letters, found.blocks);
    const notes = childOf(slide, 'presentation:notes');
    const said =
      notes === undefined ? [] : [...childrenOf(notes)].flatMap((frame) => assembleFlow(readShape(frame, reading)));
    const spoken = said.filter((block) => block.type !== 'image');
    countBlocks(reading.letters, spoken);
    if (spoken.length > 0)
      blocks.push({ type: 'footnote', kind: 'speaker', id: `speaker-${number}`, page: number, blocks: spoken });
    options.onPage(number, slides.length);
  }
  reading.page = null;
  append(blocks, slideMargins(document.styles, body, reading));
  return result('odp', opened, pages, blocks);
}

/**
 * OpenDocument: texts, spreadsheets and presentations. Throws ParseError `ENCRYPTED`, `CORRUPTED`, and `UNSUPPORTED` for a file that
 * holds none of them. Source: OpenDocument 1.3.
 */
export const readOdf: Reader = async (bytes, options) => {
  const opened = await openBody(bytes, options);
  switch (opened.body.name) {
    case 'office:text':
      return readText(opened, options);
    case 'office:spreadsheet':
      return readSheets(opened, options);
    case 'office:presentation':
      return readSlides(opened, options);
    default:
      throw new ParseError('UNSUPPORTED', 'The file is a drawing or a formula. Save it as PDF and try again.');
  }
};
