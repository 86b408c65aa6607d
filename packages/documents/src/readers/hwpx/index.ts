import type { Block } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { LetterCount, countRuns } from '../lost-letters.ts';
import { blocksOfItems, blocksOfBody } from '../hwp/blocks.ts';
import { createNumbering } from '../hwp/numbering.ts';
import { createPageTracker } from '../hwp/pages.ts';
import { standardNoteShape } from '../hwp/section.ts';
import { pageOf, type Item, type Place } from '../hwp/session.ts';
import type { XmlElement } from '../../package/xml.ts';
import { openContents } from './contents.ts';
import { readHeader } from './header.ts';
import { createFillerDetector } from './lines.ts';
import { readItems } from './paragraph.ts';
import type { Session } from './session.ts';

type Contents = Awaited<ReturnType<typeof openContents>>;

/** True when the document keeps the places of its lines: programs other than Hancom's often leave them out. */
const hasLines = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('lineseg ');

function createSession(contents: Contents, options: ReadOptions, paged: boolean): Session {
  const budget = createBudget(options.limits);
  const info = readHeader(contents.header);
  const session: Session = {
    info,
    budget,
    numbering: createNumbering(info),
    tracker: createPageTracker((pages) => {
      if (paged && pages > 1) options.onPage(pages - 1, null);
    }),
    paged,
    warn: (code, message) => contents.warn({ code, message }),
    charts: contents.charts,
    letters: new LetterCount(),
    masterPages: contents.masterPages,
    list: (elements, place) => elements.flatMap((element) => readItems(element, session, place)),
    finish: (items) => blocksOfItems(items),
    blocks: (elements, place) => blocksOfItems(session.list(elements, place)),
    noteShapes: { footnote: standardNoteShape, endnote: standardNoteShape },
    noteCounts: { footnote: 0, endnote: 0, comment: 0 },
    margins: new Set(),
    outline: 1,
  };
  return session;
}

const onPage = (item: Item, page: number | null): Item =>
  item.kind === 'text' ? { ...item, page } : { ...item, block: { ...item.block, page } };

function readSection(
  contents: Contents,
  part: string,
  bytes: Uint8Array,
  session: Session,
  saw: (paragraph: XmlElement) => void,
): Item[] {
  const items: Item[] = [];
  const body: Place = { kind: 'body', depth: 0, filled: false, fields: [], page: null };
  session.tracker.beginSection();
  /** Where those begin whose page is that of the next paragraph: their own places were not kept. */
  let uncertain = 0;
  contents.paragraphs(part, bytes, (paragraph) => {
    saw(paragraph);
    const found = readItems(paragraph, session, body);
    if (session.tracker.certain()) {
      const page = pageOf(session, body);
      for (; uncertain < items.length; uncertain++) {
        const item = items[uncertain];
        if (item !== undefined) items[uncertain] = onPage(item, page);
      }
      uncertain += found.length;
    }
    for (const item of found) items.push(item);
  });
  return items;
}

/** A block whose page is not known after all, and what stands in it. */
function withoutPage(block: Block): Block {
  if (block.type === 'table') {
    const cells = block.cells.map((cell) => ({ ...cell, blocks: cell.blocks.map(withoutPage) }));
    return { ...block, page: null, cells };
  }
  return 'blocks' in block ? { ...block, page: null, blocks: block.blocks.map(withoutPage) } : { ...block, page: null };
}

const wanted = (blocks: readonly Block[], pages: ReadonlySet<number> | null): readonly Block[] =>
  pages === null ? blocks : blocks.filter(({ page }) => page === null || pages.has(page));

/**
 * Reads HWPX (OWPML). Pages are those of the last layout that the document keeps; without one, `pages` is empty. Text that was
 * deleted while changes were tracked is left out. Source: KS X 6101.
 */
export const readHwpx: Reader = async (bytes, options) => {
  const contents = await openContents(bytes, options.limits);
  const items: Item[] = [];
  let session: Session | null = null;
  const doubt = createFillerDetector();
  for (const part of contents.sections) {
    const section = await contents.read(part);
    if (section === null) continue;
    session ??= createSession(contents, options, hasLines(section));
    countRuns(session.letters, section);
    for (const item of readSection(contents, part, section, session, doubt.saw)) items.push(item);
  }
  if (session === null) throw new ParseError('CORRUPTED', 'The file is damaged: its text can not be read.');
  const paged = session.paged && !doubt.isFilledIn();
  const found = blocksOfBody(items, { outlined: contents.outlined });
  const blocks = paged ? found : found.map(withoutPage);
  const warnings = [...contents.warnings(), ...session.letters.warnings()];
  if (blocks.length === 0 && warnings.some(({ code }) => /damaged|unreadable|malformed/.test(code)))
    throw new ParseError('CORRUPTED', 'The file is damaged: nothing of its text can be read.');
  const pages = paged ? session.tracker.pages() : [];
  session.budget.pages(pages.length);
  if (paged) options.onPage(pages.length, pages.length);
  return {
    format: 'hwpx',
    meta: contents.meta,
    pages: pages.filter(({ number }) => options.pages === null || options.pages.has(number)),
    blocks: wanted(blocks, options.pages),
    warnings,
  };
};
