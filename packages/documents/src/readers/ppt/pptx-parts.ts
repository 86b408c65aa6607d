import { packParts, type Part } from '../../write/package.ts';
import { XML_DECLARATION } from '../../write/xml.ts';
import { inEmu } from './frames.ts';
import type { PptSlide, Presentation } from './presentation.ts';
import { findRecord, types } from './records.ts';
import { ShapeWriter } from './shapes.ts';

const NAMESPACES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${RELATION}/${kind}" Target="${target}"/>`;
const relationsPart = (name: string, relations: string): Part => [
  name,
  `${XML_DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
];

const slideXml = (root: string, shapes: string, attributes = ''): string =>
  `${XML_DECLARATION}<p:${root} ${NAMESPACES}${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;

function slideParts({ record, outline, notes, hidden }: PptSlide, number: number): Part[] {
  const writer = new ShapeWriter(outline);
  const shapes = writer.shapes(findRecord(record, types.drawing));
  const parts: Part[] = [
    [`ppt/slides/slide${number}.xml`, slideXml('sld', shapes + writer.rest(), hidden ? ' show="0"' : '')],
  ];
  if (notes === null) return parts;
  const spoken = new ShapeWriter([]).shapes(findRecord(notes, types.drawing));
  parts.push([`ppt/notesSlides/notesSlide${number}.xml`, slideXml('notes', spoken)]);
  parts.push(
    relationsPart(
      `ppt/slides/_rels/slide${number}.xml.rels`,
      relation('notes', 'notesSlide', `../notesSlides/notesSlide${number}.xml`),
    ),
  );
  return parts;
}

/** A presentation as the PPTX that says the same, as far as the reader of PPTX reads it. */
export function pptxOf({ slides, width, height }: Presentation): Uint8Array {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="slide${at + 1}"/>`).join('');
  const size = `<p:sldSz cx="${inEmu(width)}" cy="${inEmu(height)}"/>`;
  const parts: Part[] = [
    relationsPart('_rels/.rels', relation('main', 'officeDocument', 'ppt/presentation.xml')),
    relationsPart(
      'ppt/_rels/presentation.xml.rels',
      slides.map((_, at) => relation(`slide${at + 1}`, 'slide', `slides/slide${at + 1}.xml`)).join(''),
    ),
    [
      'ppt/presentation.xml',
      `${XML_DECLARATION}<p:presentation ${NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst>${size}</p:presentation>`,
    ],
    ...slides.flatMap((slide, at) => slideParts(slide, at + 1)),
  ];
  return packParts(parts, new Set(parts.map(([name]) => name)));
}
