import { packParts, type Part } from '../../write/package.ts';
import { XML_DECLARATION, escapeXml } from '../../write/xml.ts';
import { createCursor, u16At, u32At } from '../hwp/bytes.ts';
import { type DocFile, type Range, readPlaces, tables } from './file.ts';
import { readStretches } from './formatted-pages.ts';
import { numberingXml } from './lists.ts';
import { sectionLooks } from './sections.ts';
import { type Marks, StoryWriter, type TextLooks, noMarks } from './story.ts';
import { DocStyles, readFonts } from './styles.ts';

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:v="urn:schemas-microsoft-com:vml"';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const partOf = (name: string, content: string): Part => [
  `word/${name}.xml`,
  `${XML_DECLARATION}<w:${rootOf(name)} ${NAMESPACES}>${content}</w:${rootOf(name)}>`,
];
const rootOf = (name: string): string => (name.startsWith('header') ? 'hdr' : name.startsWith('footer') ? 'ftr' : name);

/** Places of marks of notes, and where the texts of these stand. */
const noteKinds = [
  { kind: 'footnote', marks: tables.footnoteMarks, texts: tables.footnoteTexts, part: 'footnotes', bytes: 2 },
  { kind: 'endnote', marks: tables.endnoteMarks, texts: tables.endnoteTexts, part: 'endnotes', bytes: 2 },
  { kind: 'comment', marks: tables.commentMarks, texts: tables.commentTexts, part: 'comments', bytes: 30 },
] as const;
const AUTHOR_PLACE = 20;

function authorsOf(table: Uint8Array): string[] {
  const cursor = createCursor(table);
  const authors: string[] = [];
  while (cursor.left >= 2) authors.push(cursor.text());
  return authors;
}

interface Notes {
  /** XML of the references by the place of their marks. */
  readonly marks: Map<number, string>;
  readonly parts: readonly Part[];
}

function notesOf(file: DocFile, writer: StoryWriter): Notes {
  const marks = new Map<number, string>();
  const authors = authorsOf(file.table(tables.commentAuthors));
  const parts = noteKinds.map(({ kind, marks: marksTable, texts, part, bytes }) => {
    const { places, data } = readPlaces(file.table(marksTable), bytes);
    const ranges = file.ranges(part, readPlaces(file.table(texts), 0));
    const notes = data.map((about, at) => {
      const range = ranges[at];
      // A mark that the author chose stands in the text.
      const custom = kind !== 'comment' && u16At(about, 0) === 0 ? ' w:customMarkFollows="1"' : '';
      marks.set(places[at] ?? -1, `<w:${kind}Reference w:id="${at + 1}"${custom}/>`);
      const author = kind === 'comment' ? ` w:author="${escapeXml(authors[u16At(about, AUTHOR_PLACE)] ?? '')}"` : '';
      return `<w:${kind} w:id="${at + 1}"${author}>${range === undefined ? '' : writer.blocks(range)}</w:${kind}>`;
    });
    return partOf(part, notes.join(''));
  });
  return { marks, parts };
}

const SHAPE_ID_PLACE = 14;

/** Texts in boxes by the shape that they are in. */
function boxesOf(
  file: DocFile,
  writer: StoryWriter,
): { readonly at: (place: number) => string; readonly rest: () => string } {
  const texts = readPlaces(file.table(tables.boxes), 22);
  const ranges = file.ranges('boxes', texts);
  const boxes = new Map<number, Range>();
  for (const [at, about] of texts.data.entries()) {
    const range = ranges[at];
    if (range !== undefined && range.to > range.from) boxes.set(u32At(about, SHAPE_ID_PLACE), range);
  }
  const drawings = readPlaces(file.table(tables.drawings), 26);
  const shapes = new Map(drawings.data.map((about, at) => [drawings.places[at] ?? -1, u32At(about, 0)]));
  const take = (shape: number): string => {
    const range = boxes.get(shape);
    boxes.delete(shape);
    return range === undefined
      ? ''
      : `<w:pict><v:textbox><w:txbxContent>${writer.blocks(range)}</w:txbxContent></v:textbox></w:pict>`;
  };
  return {
    at: (place) => take(shapes.get(place) ?? -1),
    rest: () => [...boxes.keys()].map((shape) => `<w:p><w:r>${take(shape)}</w:r></w:p>`).join(''),
  };
}

/** What stands at the ends of the pages of a section: even, usual and first ones. The first six texts are lines above notes. */
const margins = [
  { kind: 'header', type: 'even' },
  { kind: 'header', type: 'default' },
  { kind: 'footer', type: 'even' },
  { kind: 'footer', type: 'default' },
  { kind: 'header', type: 'first' },
  { kind: 'footer', type: 'first' },
] as const;
const NOTE_LINES = 6;

interface Sections {
  /** XML of the properties of each section, by the place behind its end. */
  readonly properties: ReadonlyMap<number, string>;
  readonly parts: readonly Part[];
  readonly relations: string;
}

function sectionsOf(file: DocFile, writer: StoryWriter): Sections {
  const { places, data } = readPlaces(file.table(tables.sections), 12);
  const ranges = file.ranges('margins', readPlaces(file.table(tables.margins), 0));
  const parts: Part[] = [];
  const relations: string[] = [];
  const properties = new Map<number, string>();
  for (const [at, about] of data.entries()) {
    const references = margins.map(({ kind, type }, nth) => {
      const range = ranges[NOTE_LINES + at * margins.length + nth];
      if (range === undefined || range.to - range.from < 2) return '';
      const name = `${kind}${at * margins.length + nth + 1}`;
      parts.push(partOf(name, writer.blocks(range)));
      relations.push(`<Relationship Id="${name}" Type="${RELATION}/${kind}" Target="${name}.xml"/>`);
      return `<w:${kind}Reference w:type="${type}" r:id="${name}"/>`;
    });
    const looks = sectionLooks(file.main, u32At(about, 2));
    properties.set(places[at + 1] ?? -1, `<w:sectPr>${references.join('')}${looks}</w:sectPr>`);
  }
  return { properties, parts, relations: relations.join('') };
}

const relationsPart = (name: string, relations: string): Part => [
  name,
  `${XML_DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
];

/** What the file says of its size. */
interface Size {
  readonly pages: number;
  readonly characters: number;
}

const sizePart = ({ pages, characters }: Size): Part => [
  'docProps/app.xml',
  `${XML_DECLARATION}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>${pages}</Pages><Characters>${characters}</Characters></Properties>`,
];

/** A document as the DOCX that says the same, as far as the reader of DOCX reads it. */
export function docxOf(file: DocFile, size: Size): Uint8Array {
  const fonts = readFonts(file.table(tables.fonts));
  const styles = new DocStyles(file.table(tables.styles));
  const looks: TextLooks = {
    characters: readStretches(file.main, file.table(tables.characters), 'characters'),
    paragraphs: readStretches(file.main, file.table(tables.paragraphs), 'paragraphs'),
    styles,
    fonts,
  };
  const beside = new StoryWriter(file, looks, noMarks);
  const notes = notesOf(file, beside);
  const boxes = boxesOf(file, beside);
  const sections = sectionsOf(file, beside);
  const body = file.part('text');
  const last = [...sections.properties.keys()].at(-1) ?? -1;
  const marks: Marks = {
    notes: notes.marks,
    boxAt: boxes.at,
    sectionAt: (place) => (place === last ? '' : (sections.properties.get(place) ?? '')),
    sectionEnds: new Set(sections.properties.keys()),
  };
  const text = new StoryWriter(file, looks, marks).blocks(body);
  const numbering = numberingXml(
    file.table(tables.lists),
    file.behind(tables.lists),
    file.table(tables.listUses),
    fonts,
  );
  const parts: Part[] = [
    relationsPart(
      '_rels/.rels',
      `<Relationship Id="main" Type="${RELATION}/officeDocument" Target="word/document.xml"/>`,
    ),
    relationsPart('word/_rels/document.xml.rels', sections.relations),
    partOf('document', `<w:body>${text}${boxes.rest()}${sections.properties.get(last) ?? ''}</w:body>`),
    partOf('styles', styles.toXml(fonts)),
    partOf('numbering', numbering),
    ...notes.parts,
    ...sections.parts,
    sizePart(size),
  ];
  return packParts(parts, new Set(parts.map(([name]) => name)));
}
