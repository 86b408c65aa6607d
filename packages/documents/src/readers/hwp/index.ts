import type { Block, Document, Warning } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader, ReadOptions } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { LetterCount } from '../lost-letters.ts';
import { openContainer } from './container.ts';
import type { Container } from './container.ts';
import { readDocInfo } from './doc-info.ts';
import { blocksOfItems, blocksOfBody } from './blocks.ts';
import { readLateMasterPages } from './controls.ts';
import { readMemos } from './memos.ts';
import { createNumbering } from './numbering.ts';
import { createPageTracker } from './pages.ts';
import { textOfRecord } from './paragraph.ts';
import { readItems } from './paragraph-items.ts';
import { readRecordAt, recordTrees, recordTags } from './records.ts';
import { standardNoteShape } from './section.ts';
import { pageOf } from './session.ts';
import type { Item, Place, Session } from './session.ts';
import { readSummary, summaryStream } from './summary.ts';

const createWarnings = () => {
  const warnings = new Map<string, Warning>();
  return {
    list: (): readonly Warning[] => [...warnings.values()],
    warn: (code: string, message: string): void => {
      if (!warnings.has(code)) warnings.set(code, { code, message });
    },
  };
};

type Warnings = ReturnType<typeof createWarnings>;

/** True when the document keeps the places of its lines: programs other than Hancom's often leave them out. */
const hasLines = (bytes: Uint8Array): boolean => {
  for (let record = readRecordAt(bytes, 0); record !== null; record = readRecordAt(bytes, record.end))
    if (record.tag === recordTags.paraLineSeg && record.data.length > 0) return true;
  return false;
};

const createSession = (container: Container, options: ReadOptions, { warn }: Warnings, paged: boolean): Session => {
  const budget = createBudget(options.limits);
  const damaged = (): void =>
    warn('records_damaged', 'Parts of the document are damaged; what could be read is given.');
  const info = readDocInfo(container.docInfo ?? new Uint8Array(), damaged);
  if (container.docInfo === null)
    warn('styles_missing', 'The shapes and styles of the document are missing; its text is given as plain.');
  const session: Session = {
    info,
    container,
    budget,
    letters: new LetterCount(),
    numbering: createNumbering(info),
    tracker: createPageTracker((pages) => {
      budget.pages(pages);
      if (paged && pages > 1) options.onPage(pages - 1, null);
    }),
    paged,
    warn,
    list: (records, place) =>
      records.flatMap((record) => (record.tag === recordTags.paraHeader ? readItems(record, session, place) : [])),
    finish: (items) => blocksOfItems(items),
    blocks: (records, place) => blocksOfItems(session.list(records, place)),
    noteShapes: { footnote: standardNoteShape, endnote: standardNoteShape },
    noteCounts: { footnote: 0, endnote: 0, comment: 0 },
    margins: new Set(),
    outline: 1,
  };
  return session;
};

const onPage = (item: Item, page: number | null): Item =>
  item.kind === 'text' ? { ...item, page } : { ...item, block: { ...item.block, page } };

/** Counts the letters in the records of text of a section. */
const countHeld = (bytes: Uint8Array, letters: LetterCount): void => {
  for (let record = readRecordAt(bytes, 0); record !== null; record = readRecordAt(bytes, record.end))
    if (record.tag === recordTags.paraText) letters.held(textOfRecord(record.data));
};

const readSection = (bytes: Uint8Array, session: Session): Item[] => {
  const items: Item[] = [];
  const body: Place = { kind: 'body', depth: 0, filled: false, fields: [], page: null };
  const damaged = (): void =>
    session.warn('records_damaged', 'Parts of the document are damaged; what could be read is given.');
  countHeld(bytes, session.letters);
  session.tracker.beginSection();
  /** Where those begin whose page is that of the next paragraph: their own places were not kept. */
  let uncertain = 0;
  for (const record of recordTrees(bytes, damaged)) {
    if (record.tag !== recordTags.paraHeader) continue;
    const found = [
      ...readItems(record, session, body),
      ...readMemos(record, session, body),
      ...readLateMasterPages(record, session, body),
    ];
    if (session.tracker.certain()) {
      const page = pageOf(session, body);
      for (; uncertain < items.length; uncertain += 1) items[uncertain] = onPage(items[uncertain]!, page);
      uncertain += found.length;
    }
    for (const item of found) items.push(item);
  }
  return items;
};

const wanted = (blocks: readonly Block[], pages: ReadonlySet<number> | null): readonly Block[] =>
  pages === null ? blocks : blocks.filter(({ page }) => page === null || pages.has(page));

const readBody = (container: Container, options: ReadOptions, warnings: Warnings): Document => {
  const first = container.sections[0]?.read() ?? new Uint8Array();
  const paged = hasLines(first);
  const session = createSession(container, options, warnings, paged);
  const items: Item[] = [];
  for (const [index, section] of container.sections.entries())
    for (const item of readSection(index === 0 ? first : section.read(), session)) items.push(item);
  if (container.damaged())
    warnings.warn('file_damaged', 'The file is damaged or cut off; what could be read of it is given.');
  const blocks = blocksOfBody(items);
  if (blocks.length === 0 && container.damaged())
    throw new ParseError('CORRUPTED', 'The file is damaged; nothing could be read of it.');
  const pages = paged ? session.tracker.pages() : [];
  if (paged) options.onPage(pages.length, pages.length);
  return {
    format: 'hwp',
    meta: readSummary(container.plain(summaryStream) ?? new Uint8Array()),
    pages: pages.filter(({ number }) => options.pages === null || options.pages.has(number)),
    blocks: wanted(blocks, options.pages),
    warnings: [...warnings.list(), ...session.letters.warnings()],
  };
};

/**
 * Reads HWP 5 documents, also those made for distribution. Pages are those of the last layout that the document keeps; without
 * one, `pages` is empty. Source: Hancom, HWP 5.0 revision 1.3.
 */
export const readHwp: Reader = (bytes, options) => {
  const container = openContainer(bytes, options.limits);
  if (container.sections.length === 0)
    throw new ParseError('CORRUPTED', 'The file is damaged: it has no text of a document.');
  return readBody(container, options, createWarnings());
};
