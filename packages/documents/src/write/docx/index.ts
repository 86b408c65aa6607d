import type { Document } from '../../document.ts';
import { createWrittenLength } from '../bounds.ts';
import { createPictures } from '../pictures.ts';
import { notesOf } from '../notes.ts';
import { PROGRAM, type WriteOptions, type WrittenFile } from '../options.ts';
import { packParts, type Part } from '../package.ts';
import { escapeXml, XML_DECLARATION } from '../xml.ts';
import { blocksXml, noteXml, type BodyContext } from './body.ts';
import { createLists } from './lists.ts';
import { CONTENT_TYPES, PACKAGE, paper, RELATIONS, TEXT_WIDTH, wordPart } from './names.ts';
import { run } from './runs.ts';
import { stylesPart } from './styles.ts';

/** Height of the text of a page, in points, less a caption. */
const MAX_PICTURE_HEIGHT = 600;

/** Relations of one part. */
function createRelations() {
  const all: string[] = [];
  const known = new Map<string, string>();
  return {
    add(kind: string, target: string, external = false): string {
      const key = `${kind} ${target}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const id = `rId${all.length + 1}`;
      known.set(key, id);
      all.push(
        `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${escapeXml(target)}"${external ? ' TargetMode="External"' : ''}/>`,
      );
      return id;
    },
    isEmpty: () => all.length === 0,
    part: () => `${XML_DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`,
  };
}

const footer = wordPart(
  'ftr',
  `<w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>${run('- ')}<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>${run(' -')}</w:p>`,
);

/** Notes that Word wants to be there: the line above the others. */
const separators =
  '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>';

const overrideOf = (name: string, type: string): string => `<Override PartName="/${name}" ContentType="${type}"/>`;

function contentTypes(parts: readonly Part[]): string {
  const kinds: Readonly<Record<string, string>> = {
    'word/document.xml': `${CONTENT_TYPES}.document.main+xml`,
    'word/styles.xml': `${CONTENT_TYPES}.styles+xml`,
    'word/settings.xml': `${CONTENT_TYPES}.settings+xml`,
    'word/numbering.xml': `${CONTENT_TYPES}.numbering+xml`,
    'word/footnotes.xml': `${CONTENT_TYPES}.footnotes+xml`,
    'word/footer1.xml': `${CONTENT_TYPES}.footer+xml`,
    'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
    'docProps/app.xml': 'application/vnd.openxmlformats-officedocument.extended-properties+xml',
  };
  const overrides = parts.flatMap(([name]) => {
    const kind = kinds[name];
    return kind === undefined ? [] : [overrideOf(name, kind)];
  });
  return `${XML_DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/><Default Extension="gif" ContentType="image/gif"/><Default Extension="bmp" ContentType="image/bmp"/>${overrides.join('')}</Types>`;
}

const coreProperties = (title: string): string =>
  `${XML_DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${title === '' ? '' : `<dc:title>${escapeXml(title)}</dc:title>`}</cp:coreProperties>`;
const appProperties = `${XML_DECLARATION}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>${PROGRAM}</Application></Properties>`;

/** Writes DOCX (WordprocessingML, transitional). Source: ECMA-376. */
export function writeDocx(
  document: Pick<Document, 'blocks' | 'meta'>,
  options: WriteOptions,
): Pick<WrittenFile, 'bytes' | 'shown'> {
  const main = createRelations();
  const inNotes = createRelations();
  const lists = createLists();
  const counted = createWrittenLength();
  const pictures = createPictures(options.pictures, { maxWidth: TEXT_WIDTH / 20, maxHeight: MAX_PICTURE_HEIGHT });
  const notes = notesOf(document.blocks);
  const written: string[] = [];
  let drawings = 0;
  const contextOf = (relations: typeof main, note: BodyContext['note']): BodyContext => ({
    link: (address) => relations.add('hyperlink', address, true),
    note,
    lists,
    pictures,
    picture: (number, ending) => relations.add('image', `media/picture${number}.${ending}`),
    counted,
    drawing: () => ++drawings,
  });
  // A note within a note is its mark alone: Word knows none.
  const noteContext = contextOf(inNotes, () => null);
  const body = contextOf(main, (id) => {
    const note = notes.take(id);
    if (note === null) return null;
    const number = written.length + 1;
    written.push(noteXml(note, number, noteContext));
    return `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${number}"/></w:r>`;
  });
  const title = options.title ?? '';
  const heading =
    title === '' ? [] : [{ type: 'paragraph', role: 'title', page: null, spans: [{ text: title }] } as const];
  const text = blocksXml([...heading, ...notes.blocks], TEXT_WIDTH, body);
  main.add('styles', 'styles.xml');
  main.add('settings', 'settings.xml');
  const numbering = lists.part();
  if (numbering !== null) main.add('numbering', 'numbering.xml');
  if (written.length > 0) main.add('footnotes', 'footnotes.xml');
  const foot = options.pageNumbers
    ? `<w:footerReference w:type="default" r:id="${main.add('footer', 'footer1.xml')}"/>`
    : '';
  const section = `<w:sectPr>${foot}<w:pgSz w:w="${paper.width}" w:h="${paper.height}"/><w:pgMar w:top="${paper.top}" w:right="${paper.right}" w:bottom="${paper.bottom}" w:left="${paper.left}" w:header="${paper.foot}" w:footer="${paper.foot}" w:gutter="0"/></w:sectPr>`;
  const end = text === '' || text.endsWith('</w:tbl>') ? '<w:p/>' : '';
  const top = createRelations();
  top.add('officeDocument', 'word/document.xml');
  const core = `${PACKAGE}/relationships/metadata/core-properties`;
  const extra = `<Relationship Id="rId8" Type="${core}" Target="docProps/core.xml"/><Relationship Id="rId9" Type="${RELATIONS}/extended-properties" Target="docProps/app.xml"/>`;
  const parts: Part[] = [
    ['_rels/.rels', top.part().replace('</Relationships>', `${extra}</Relationships>`)],
    ['word/document.xml', wordPart('document', `<w:body>${text}${end}${section}</w:body>`)],
    ['word/styles.xml', stylesPart()],
    [
      'word/settings.xml',
      wordPart('settings', '<w:defaultTabStop w:val="800"/><w:characterSpacingControl w:val="doNotCompress"/>'),
    ],
    ['word/_rels/document.xml.rels', main.part()],
    ['docProps/core.xml', coreProperties(title)],
    ['docProps/app.xml', appProperties],
  ];
  if (numbering !== null) parts.push(['word/numbering.xml', numbering]);
  if (written.length > 0) parts.push(['word/footnotes.xml', wordPart('footnotes', separators + written.join(''))]);
  if (!inNotes.isEmpty()) parts.push(['word/_rels/footnotes.xml.rels', inNotes.part()]);
  if (options.pageNumbers) parts.push(['word/footer1.xml', footer]);
  for (const { number, ending, bytes } of pictures.all()) parts.push([`word/media/picture${number}.${ending}`, bytes]);
  return {
    bytes: packParts([['[Content_Types].xml', contentTypes(parts)], ...parts]),
    shown: pictures.addresses(),
  };
}
