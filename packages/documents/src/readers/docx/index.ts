import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import type { Block, Note, Warning } from '../../document.ts';
import { chartWords } from '../../package/chart.ts';
import { type DiagramWords, diagramWords } from '../../package/diagram.ts';
import { assembleFlow } from '../../package/flow.ts';
import { openOffice, type OfficePackage } from '../../package/office.ts';
import { metaOf } from '../../package/properties.ts';
import type { Relations } from '../../package/relations.ts';
import { childOf } from '../../package/xml.ts';
import { createBudget } from '../budget.ts';
import { LetterCount, countBlocks } from '../lost-letters.ts';
import { rawGraphic } from '../raw-xml.ts';
import { readChunks } from './chunks.ts';
import { countMain } from './held.ts';
import { noteFormatsOf, notesById } from './notes.ts';
import { createNumbering } from './numbering.ts';
import { countedAs, createPageCounter, sectionStarts, declaredPages, trustOf, withoutPages } from './pages.ts';
import type { NotePart, Reading, Story } from './reading.ts';
import { createSections, type Margins } from './sections.ts';
import { createBlockReader, readBlocks } from './story.ts';
import { readStyles } from './styles.ts';

/** The part with the text: as the package says, or the usual one. */
async function mainPart({ pack, main }: OfficePackage): Promise<string> {
  const named = await main();
  if (named !== null && pack.has(named)) return named;
  const found = pack.has('word/document.xml')
    ? 'word/document.xml'
    : pack.names.find((name) => /(?:^|\/)document\d*\.xml$/i.test(name));
  if (found === undefined) throw new ParseError('CORRUPTED', 'The file is damaged: it has no document in it.');
  return found;
}

const partOf = (relations: Relations, kind: string, usual: string): string => {
  for (const relation of relations.values()) if (relation.kind === kind && !relation.external) return relation.target;
  return usual;
};

interface ReadNotes {
  readonly notes: Reading['notes'];
  /** The parts that they stand in. */
  readonly contents: Partial<Record<Note['kind'], Uint8Array>>;
}

async function readNotes(office: OfficePackage, relations: Relations): Promise<ReadNotes> {
  const contents: Partial<Record<Note['kind'], Uint8Array>> = {};
  const read = async (kind: 'footnote' | 'endnote' | 'comment'): Promise<NotePart> => {
    const part = partOf(relations, `${kind}s`, `word/${kind}s.xml`);
    const root = await office.tree(part, (content) => (contents[kind] = content));
    return { part, relations: await office.relations(part), notes: notesById(root, `w:${kind}`) };
  };
  const notes: Partial<Record<Note['kind'], NotePart>> = {
    footnote: await read('footnote'),
    endnote: await read('endnote'),
    comment: await read('comment'),
  };
  return { notes, contents };
}

/** A chart or a diagram. */
interface Graphic {
  /** Its words as the file holds them. */
  readonly held: string;
  readonly words: DiagramWords;
}

async function readGraphics(office: OfficePackage, relations: Relations): Promise<ReadonlyMap<string, Graphic>> {
  const graphics = new Map<string, Graphic>();
  for (const { kind, target, external } of relations.values()) {
    if (external || (kind !== 'chart' && kind !== 'diagramData') || graphics.has(target)) continue;
    let held = '';
    const root = await office.tree(target, (content) => (held = rawGraphic(content)));
    const words = root === null ? null : kind === 'chart' ? chartWords(root) : diagramWords(root);
    if (words !== null) graphics.set(target, { held, words });
  }
  return graphics;
}

async function readMargins(office: OfficePackage, relations: Relations): Promise<Margins> {
  const margins: Map<string, NonNullable<ReturnType<Margins['get']>>> = new Map();
  for (const { kind, target, external } of relations.values()) {
    if (external || (kind !== 'header' && kind !== 'footer') || margins.has(target)) continue;
    let content: Uint8Array = new Uint8Array();
    const root = await office.tree(target, (bytes) => (content = bytes));
    if (root !== null) margins.set(target, { content, root, relations: await office.relations(target) });
  }
  return margins;
}

/** Reads DOCX (WordprocessingML, transitional and strict). Source: ECMA-376. */
export const readDocx: Reader = async (bytes, { limits, pages: wanted, onPage, ...options }) => {
  const office = await openOffice(bytes, limits);
  const part = await mainPart(office);
  const main = await office.pack.read(part);
  if (main === null) throw new ParseError('CORRUPTED', 'The file is damaged: its text can not be read.');
  const relations = await office.relations(part);
  const styles = readStyles(await office.tree(partOf(relations, 'styles', 'word/styles.xml')));
  const numbering = await office.tree(partOf(relations, 'numbering', 'word/numbering.xml'));
  const budget = createBudget(limits);
  const graphics = await readGraphics(office, relations);
  const chunks = await readChunks(office, relations, options.readInner);
  const { notes, contents } = await readNotes(office, relations);
  const letters = new LetterCount('all but letters');
  countMain(letters, main, contents);
  const embedded = new Set<string>();
  let characters = 0;
  const reading: Reading = {
    styles,
    numbering: createNumbering(numbering, (style) => styles.paragraph(style).paragraph.numbering),
    limits,
    budget: {
      ...budget,
      text: (count) => {
        characters += count;
        budget.text(count);
      },
    },
    warn: office.warn,
    letters,
    notes,
    noteFormats: noteFormatsOf(await office.tree(partOf(relations, 'settings', 'word/settings.xml'))),
    graphic: (target) => {
      const graphic = graphics.get(target);
      const words = graphic?.words;
      // A text may show one chart any number of times; its words take no room of the pages.
      budget.text((words?.text?.length ?? 0) * (words?.outline === undefined ? 1 : 2));
      letters.held(graphic?.held ?? '');
      return words;
    },
    chunks,
    embedded: (target) => {
      const blocks = embedded.has(target) ? [] : (chunks.get(target) ?? []);
      embedded.add(target);
      return blocks;
    },
    readBlocks,
    pages: createPageCounter((page) => {
      budget.pages(page);
      onPage(page - 1, null);
    }),
    depth: 0,
    noteCounts: new Map(),
  };
  const margins = await readMargins(office, relations);
  const sections = createSections(reading, relations, margins, sectionStarts(main));
  const story: Story = {
    reading,
    part,
    relations,
    isBody: true,
    fields: [],
    inContents: false,
    inTable: false,
  };
  const read = createBlockReader(story);
  const root = office.stream(part, main, 'w:body', (element) => {
    if (element.name === 'w:sectPr') return sections.end(element);
    for (const item of read(element)) sections.items.push(item);
    const section = childOf(childOf(element, 'w:pPr'), 'w:sectPr');
    if (section !== undefined) sections.end(section);
  });
  const declared = await declaredPages(office, main);
  const blocks: Block[] = assembleFlow(sections.items, { headings: true, outlined: declared.outlined });
  countBlocks(letters, blocks);
  const warnings = [...office.warnings(), ...letters.warnings()];
  const damaged = root.name !== 'w:document' || office.warnings().some(({ code }) => code !== 'part_size_differs');
  if (blocks.length === 0 && damaged)
    throw new ParseError('CORRUPTED', 'The file is damaged: nothing of its text can be read.');
  const counted = sections.pages();
  const trust = trustOf(declared, counted.length, characters);
  const pages = trust === 'unknown' ? [] : counted;
  if (pages.length > 0) onPage(pages.length, pages.length);
  const core = partOf(await office.relations(''), 'core-properties', 'docProps/core.xml');
  const shown = trust === 'unknown' ? withoutPages(blocks) : blocks;
  return {
    format: 'docx',
    meta: metaOf(await office.tree(core)),
    ...(trust === 'unknown' ? { pageCount: countedAs(declared, counted.length, characters, limits.pages) } : {}),
    pages: wanted === null ? pages : pages.filter(({ number }) => wanted.has(number)),
    blocks: wanted === null ? shown : shown.filter(({ page }) => page === null || wanted.has(page)),
    warnings: trust === 'guess' ? [...warnings, guessedPages] : warnings,
  };
};

const guessedPages: Warning = {
  code: 'pages_by_breaks',
  message: 'Pages are counted by the breaks of the author; the program may show more of them.',
};
