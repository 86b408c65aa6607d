import { type Parts, writeZip } from './zip.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const names = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${office}"`;
const relation = (id: string, kind: string, target: string, mode = '') =>
  `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"${mode}/>`;
const relations = (...all: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

/** A place, in points. */
export const at = (x: number, y: number, width = 100, height = 50) =>
  `<a:xfrm><a:off x="${x * 12_700}" y="${y * 12_700}"/><a:ext cx="${width * 12_700}" cy="${height * 12_700}"/></a:xfrm>`;
/** A paragraph of one run. */
export const line = (text: string, properties = '', run = '') =>
  `<a:p>${properties}<a:r>${run}<a:t>${text}</a:t></a:r></a:p>`;
/** A shape of paragraphs. */
export const shape = (lines: string, { ph = '', place = '', more = '' } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"${more}/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${lines}</p:txBody></p:sp>`;
const tree = (shapes: string) => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;

/** A slide of a written presentation. */
export interface SlideForm {
  readonly shapes: string;
  readonly hidden?: boolean;
  readonly notes?: string;
  /** Documents that lie in the file, by their names, which name their relations too. */
  readonly embeddings?: Readonly<Record<string, Uint8Array>>;
}

/** Parts of a presentation. */
export function pptxParts(slides: readonly SlideForm[]): Parts {
  return [
    ['_rels/.rels', relations(relation('m', 'officeDocument', 'ppt/presentation.xml'))],
    [
      'ppt/presentation.xml',
      `<p:presentation ${names}><p:sldIdLst>${slides.map((_, nth) => `<p:sldId id="${256 + nth}" r:id="s${nth}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    ],
    [
      'ppt/_rels/presentation.xml.rels',
      relations(...slides.map((_, nth) => relation(`s${nth}`, 'slide', `slides/slide${nth}.xml`))),
    ],
    [
      'ppt/slideLayouts/layout.xml',
      `<p:sldLayout ${names}>${tree(shape('', { ph: '<p:ph type="body" idx="1"/>', place: at(10, 200) }))}</p:sldLayout>`,
    ],
    ['ppt/slideLayouts/_rels/layout.xml.rels', relations(relation('m', 'slideMaster', '../slideMasters/master.xml'))],
    [
      'ppt/slideMasters/master.xml',
      `<p:sldMaster ${names}>${tree('')}<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
    ],
    ...slides.flatMap(({ embeddings = {} }) =>
      Object.entries(embeddings).map(([name, content]) => [`ppt/embeddings/${name}`, content] as const),
    ),
    ...slides.flatMap(({ shapes, hidden, notes, embeddings = {} }, nth) => [
      [`ppt/slides/slide${nth}.xml`, `<p:sld ${names}${hidden ? ' show="0"' : ''}>${tree(shapes)}</p:sld>`] as const,
      [
        `ppt/slides/_rels/slide${nth}.xml.rels`,
        relations(
          relation('l', 'slideLayout', '../slideLayouts/layout.xml'),
          relation('a', 'hyperlink', 'https://a.kr', ' TargetMode="External"'),
          ...Object.keys(embeddings).map((name) => relation(name, 'package', `../embeddings/${name}`)),
          ...(notes === undefined ? [] : [relation('n', 'notesSlide', `../notesSlides/notes${nth}.xml`)]),
        ),
      ] as const,
      ...(notes === undefined
        ? []
        : [
            [
              `ppt/notesSlides/notes${nth}.xml`,
              `<p:notes ${names}>${tree(shape(line(notes), { ph: '<p:ph type="body" idx="1"/>' }))}</p:notes>`,
            ] as const,
          ]),
    ]),
  ];
}

/** Writes a presentation. */
export const writePptx = (slides: readonly SlideForm[]): Buffer => writeZip(pptxParts(slides));
