import { writeZip, type Parts } from './zip.ts';

const owpml = 'http://www.hancom.co.kr/hwpml/2011';
const namespaces = [
  ['hp', `${owpml}/paragraph`],
  ['hs', `${owpml}/section`],
  ['hc', `${owpml}/core`],
  ['hh', `${owpml}/head`],
  ['opf', 'http://www.idpf.org/2007/opf/'],
]
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>';

/** Parts of a written HWPX file; `header` is what stands within the list of references, sections are their paragraphs. */
export interface HwpxForm {
  readonly sections: readonly string[];
  readonly header?: string;
  readonly metadata?: string;
  /** Order of the sections in the spine. */
  readonly order?: readonly number[];
  readonly others?: Readonly<Record<string, string>>;
  readonly withoutPackage?: boolean;
}

/** All parts of an HWPX file. */
export function hwpxParts({
  sections,
  header = '',
  metadata = '',
  order,
  others = {},
  withoutPackage,
}: HwpxForm): Parts {
  const spine = order ?? [...sections.keys()];
  const items = sections
    .map((_, at) => `<opf:item id="section${at}" href="Contents/section${at}.xml" media-type="application/xml"/>`)
    .join('');
  const references = spine.map((at) => `<opf:itemref idref="section${at}"/>`).join('');
  const content = `${declaration}<opf:package ${namespaces}><opf:metadata>${metadata}</opf:metadata><opf:manifest>${items}</opf:manifest><opf:spine>${references}</opf:spine></opf:package>`;
  return [
    ['mimetype', 'application/hwp+zip', { stored: true }],
    ...(withoutPackage ? [] : [['Contents/content.hpf', content] as const]),
    ['Contents/header.xml', `${declaration}<hh:head ${namespaces}><hh:refList>${header}</hh:refList></hh:head>`],
    ...sections.map(
      (paragraphs, at) =>
        [`Contents/section${at}.xml`, `${declaration}<hs:sec ${namespaces}>${paragraphs}</hs:sec>`] as const,
    ),
    ...Object.entries(others),
  ];
}

/** Writes an HWPX file. */
export const writeHwpx = (form: HwpxForm): Buffer => writeZip(hwpxParts(form));

/** Text of a run. */
export const text = (words: string): string => `<hp:t>${words}</hp:t>`;

/** A paragraph of text, or of what stands in its one run. */
export const paragraph = (content: string, attributes = '', lines: readonly number[] = []): string => {
  const places = lines.map((top) => `<hp:lineseg textpos="0" vertpos="${top}" vertsize="1000"/>`).join('');
  const inner = content.startsWith('<') || content === '' ? content : text(content);
  return `<hp:p ${attributes}><hp:run charPrIDRef="0">${inner}</hp:run>${places === '' ? '' : `<hp:linesegarray>${places}</hp:linesegarray>`}</hp:p>`;
};

/** What a note, a cell or a box holds. */
export const list = (paragraphs: string): string => `<hp:subList>${paragraphs}</hp:subList>`;

/** A cell of a table, with its place and how far it goes. */
export const cell = (
  content: string,
  [row, column]: readonly [number, number],
  [rowSpan, columnSpan]: readonly [number, number] = [1, 1],
  attributes = '',
): string =>
  `<hp:tc ${attributes}>${list(content.startsWith('<hp:p') ? content : paragraph(content))}<hp:cellAddr colAddr="${column}" rowAddr="${row}"/><hp:cellSpan colSpan="${columnSpan}" rowSpan="${rowSpan}"/></hp:tc>`;
