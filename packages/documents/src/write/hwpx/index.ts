import type { Block, Document } from '../../document.ts';
import { renderText } from '../../render/text.ts';
import { notesOf } from '../notes.ts';
import { PROGRAM, type WriteOptions, type WrittenFile } from '../options.ts';
import { packParts, type Part } from '../package.ts';
import { createWrittenLength } from '../bounds.ts';
import { createPictures, type PackedPicture } from '../pictures.ts';
import { escapeXml, XML_DECLARATION } from '../xml.ts';
import { blocksXml, noteXml, type BodyContext } from './body.ts';
import { headerPart } from './header.ts';
import { owpmlPart, paper, TEXT_WIDTH } from './names.ts';
import { runOf } from './runs.ts';
import { sectionControls } from './section.ts';
import { createShapes } from './shapes.ts';
import { styles, styleOf } from './styles.ts';

const MEDIA_TYPE = 'application/hwp+zip';
/** Letters of the text beside the file, which programs show in lists of files. */
const PREVIEW_LETTERS = 1_000;

const version = `${XML_DECLARATION}<hv:HCFVersion xmlns:hv="http://www.hancom.co.kr/hwpml/2011/version" tagetApplication="WORDPROCESSOR" major="5" minor="1" micro="0" buildNumber="1" os="1" xmlVersion="1.4" application="${PROGRAM}" appVersion="1, 0, 0, 0"/>`;
const settings = `${XML_DECLARATION}<ha:HWPApplicationSetting xmlns:ha="http://www.hancom.co.kr/hwpml/2011/app" xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0"><ha:CaretPosition listIDRef="0" paraIDRef="0" pos="0"/></ha:HWPApplicationSetting>`;
const manifest = `${XML_DECLARATION}<odf:manifest xmlns:odf="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`;
const container = `${XML_DECLARATION}<ocf:container xmlns:ocf="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:hpf="http://www.hancom.co.kr/schema/2011/hpf"><ocf:rootfiles><ocf:rootfile full-path="Contents/content.hpf" media-type="application/hwpml-package+xml"/><ocf:rootfile full-path="Preview/PrvText.txt" media-type="text/plain"/></ocf:rootfiles></ocf:container>`;

const item = (id: string, href: string, type: string, more = ''): string =>
  `<opf:item id="${id}" href="${href}" media-type="${type}"${more}/>`;

/** `Contents/content.hpf`: what the package holds, and in which order. */
function contentPart(title: string, pictures: readonly PackedPicture[]): string {
  const metadata = `<opf:title>${escapeXml(title)}</opf:title><opf:language>ko</opf:language><opf:meta name="generator" content="text">${PROGRAM}</opf:meta>`;
  const items = [
    item('header', 'Contents/header.xml', 'application/xml'),
    item('section0', 'Contents/section0.xml', 'application/xml'),
    item('settings', 'settings.xml', 'application/xml'),
    ...pictures.map(({ number, ending, mediaType }) =>
      item(`image${number}`, `BinData/image${number}.${ending}`, mediaType, ' isEmbeded="1"'),
    ),
  ].join('');
  return owpmlPart(
    'opf:package',
    'version="" unique-identifier="" id=""',
    `<opf:metadata>${metadata}</opf:metadata><opf:manifest>${items}</opf:manifest><opf:spine><opf:itemref idref="header" linear="yes"/><opf:itemref idref="section0" linear="yes"/></opf:spine>`,
  );
}

/** Height of the text of a page, in points, less a caption. */
const MAX_PICTURE_HEIGHT = (paper.height - paper.top - paper.bottom) / 100 - 60;

/** Writes HWPX (OWPML). Programs lay it out anew when they open it. Source: KS X 6101. */
export function writeHwpx(
  document: Pick<Document, 'blocks' | 'meta'>,
  options: WriteOptions,
): Pick<WrittenFile, 'bytes' | 'shown'> {
  const shapes = createShapes();
  // Styles come first, so that the plain ones have the first numbers.
  for (const { look, letters } of styles) {
    shapes.look(look);
    shapes.letter(letters);
  }
  const pictures = createPictures(options.pictures, { maxWidth: TEXT_WIDTH / 100, maxHeight: MAX_PICTURE_HEIGHT });
  const notes = notesOf(document.blocks);
  let ids = 0;
  let noteCount = 0;
  const context: BodyContext = {
    shapes,
    id: () => ++ids,
    pictures,
    counted: createWrittenLength(),
    base: 'normal',
    width: TEXT_WIDTH,
    note: (id) => {
      const note = notes.take(id);
      return note === null ? null : noteXml(note, ++noteCount, context);
    },
  };
  const title = options.title ?? '';
  const heading: readonly Block[] =
    title === '' ? [] : [{ type: 'paragraph', role: 'title', page: null, spans: [{ text: title }] }];
  const all = [...heading, ...notes.blocks];
  const written = blocksXml(all, context);
  const text = written === '' ? blocksXml([{ type: 'paragraph', page: null, spans: [] }], context) : written;
  // What all pages have in common stands in the first paragraph.
  const begin = /^<hp:p [^>]*>/.exec(text)?.[0] ?? '';
  const controls = runOf(shapes.letter(styleOf('normal').letters), sectionControls(options.pageNumbers));
  const section = owpmlPart('hs:sec', '', begin + controls + text.slice(begin.length));
  const preview = renderText(all).slice(0, PREVIEW_LETTERS).toWellFormed();
  const parts: Part[] = [
    ['mimetype', MEDIA_TYPE],
    ['version.xml', version],
    ['Contents/header.xml', headerPart(shapes)],
    ['Contents/section0.xml', section],
    ...pictures.all().map(({ number, ending, bytes }): Part => [`BinData/image${number}.${ending}`, bytes]),
    ['Preview/PrvText.txt', preview],
    ['settings.xml', settings],
    ['Contents/content.hpf', contentPart(title, pictures.all())],
    ['META-INF/container.xml', container],
    ['META-INF/manifest.xml', manifest],
  ];
  return { bytes: packParts(parts, new Set(['mimetype', 'version.xml'])), shown: pictures.addresses() };
}
