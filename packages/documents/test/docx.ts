import { writeZip, type Parts } from './zip.ts';

const office = 'http://schemas.openxmlformats.org';
const kinds = `${office}/officeDocument/2006/relationships`;

const namespaces = [
  ['w', `${office}/wordprocessingml/2006/main`],
  ['r', kinds],
  ['m', `${office}/officeDocument/2006/math`],
  ['a', `${office}/drawingml/2006/main`],
  ['wp', `${office}/drawingml/2006/wordprocessingDrawing`],
  ['pic', `${office}/drawingml/2006/picture`],
  ['c', `${office}/drawingml/2006/chart`],
  ['w14', 'http://schemas.microsoft.com/office/word/2010/wordml'],
  ['wps', 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  ['mc', `${office}/markup-compatibility/2006`],
  ['v', 'urn:schemas-microsoft-com:vml'],
  ['o', 'urn:schemas-microsoft-com:office:office'],
]
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const root = (name: string, content: string): string => `${declaration}<w:${name} ${namespaces}>${content}</w:${name}>`;

/** Parts of a written Word file; each is what stands within its root element. */
export interface DocxForm {
  readonly body: string;
  readonly styles?: string;
  readonly numbering?: string;
  readonly footnotes?: string;
  readonly endnotes?: string;
  readonly comments?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly footers?: Readonly<Record<string, string>>;
  /** Whole parts by name, with the last word of their relation's type; `http…` leads out of the file. */
  readonly others?: Readonly<Record<string, readonly [kind: string, content: string]>>;
  /** Documents that lie in the file, by their names, which name their relations too. */
  readonly embeddings?: Readonly<Record<string, Uint8Array>>;
  readonly core?: string;
  readonly app?: string;
}

const relation = (id: string, kind: string, target: string, external = false): string =>
  `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`;
const relationsPart = (content: string): string =>
  `${declaration}<Relationships xmlns="${office}/package/2006/relationships">${content}</Relationships>`;

/** All parts of a Word file; relations are named by the file of their part (`header1`, `chart1`). */
export function docxParts(form: DocxForm): Parts {
  const parts: [string, string | Uint8Array][] = [];
  let relations = '';
  const add = (name: string, kind: string, content: string): void => {
    parts.push([`word/${name}.xml`, content]);
    relations += relation(name, kind, `${name}.xml`);
  };
  if (form.styles !== undefined) add('styles', 'styles', root('styles', form.styles));
  if (form.numbering !== undefined) add('numbering', 'numbering', root('numbering', form.numbering));
  for (const kind of ['footnotes', 'endnotes', 'comments'] as const) {
    const content = form[kind];
    if (content !== undefined) add(kind, kind, root(kind, content));
  }
  for (const [name, content] of Object.entries(form.headers ?? {})) add(name, 'header', root('hdr', content));
  for (const [name, content] of Object.entries(form.footers ?? {})) add(name, 'footer', root('ftr', content));
  for (const [name, [kind, content]] of Object.entries(form.others ?? {})) {
    if (content.startsWith('http')) relations += relation(name, kind, content, true);
    else add(name, kind, content);
  }
  for (const [name, content] of Object.entries(form.embeddings ?? {})) {
    parts.push([`word/embeddings/${name}`, content]);
    relations += relation(name, 'package', `embeddings/${name}`);
  }
  return [
    ['_rels/.rels', relationsPart(relation('main', 'officeDocument', 'word/document.xml'))],
    ['word/document.xml', root('document', `<w:body>${form.body}</w:body>`)],
    ['word/_rels/document.xml.rels', relationsPart(relations)],
    ...parts,
    ...(form.core === undefined ? [] : [['docProps/core.xml', form.core] as const]),
    ...(form.app === undefined ? [] : [['docProps/app.xml', form.app] as const]),
  ];
}

/** Writes a Word file. */
export const writeDocx = (form: DocxForm): Buffer => writeZip(docxParts(form));

/** A run of text. */
export const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A paragraph of text, or of runs. */
export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content.startsWith('<') || content === '' ? content : run(content)}</w:p>`;

/** A cell of a table. */
export const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : paragraph(content)}</w:tc>`;
