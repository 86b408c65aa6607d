import { writeZip } from './zip.ts';

const oasis = 'urn:oasis:names:tc:opendocument:xmlns';
const namespaces = [
  ...['office', 'style', 'text', 'table', 'presentation', 'form', 'chart', 'meta', 'manifest'].map((name) => [
    name,
    name,
  ]),
  ['draw', 'drawing'],
  ['fo', 'xsl-fo-compatible'],
  ['svg', 'svg-compatible'],
]
  .map(([prefix, name]) => `xmlns:${prefix}="${oasis}:${name}:1.0"`)
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"')
  .join(' ');
const root = (name: string, content: string) =>
  `<?xml version="1.0"?><office:${name} ${namespaces}>${content}</office:${name}>`;

/** Parts of a written OpenDocument file; each is what stands within its element. */
export interface OdfForm {
  readonly kind: 'text' | 'spreadsheet' | 'presentation';
  readonly body: string;
  /** Automatic styles of the content. */
  readonly styles?: string;
  readonly masterStyles?: string;
  readonly meta?: string;
  readonly encrypted?: boolean;
  /** Further parts by their names. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Writes an OpenDocument file. */
export function writeOdf({
  kind,
  body,
  styles = '',
  masterStyles = '',
  meta = '',
  encrypted = false,
  parts = {},
}: OdfForm): Buffer {
  const lock = encrypted ? '<manifest:encryption-data/>' : '';
  return writeZip([
    ['mimetype', `application/vnd.oasis.opendocument.${kind}`, { stored: true }],
    ['content.xml', odfPart(kind, body, styles)],
    ['styles.xml', root('document-styles', `<office:master-styles>${masterStyles}</office:master-styles>`)],
    ['meta.xml', root('document-meta', `<office:meta>${meta}</office:meta>`)],
    ...Object.entries(parts),
    [
      'META-INF/manifest.xml',
      `<manifest:manifest ${namespaces}><manifest:file-entry manifest:full-path="content.xml">${lock}</manifest:file-entry></manifest:manifest>`,
    ],
  ]);
}

/** A document within a document, as its part holds it. */
export const odfPart = (kind: string, body: string, styles = ''): string =>
  root(
    'document-content',
    `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
  );

/** A chart within a document, as its part holds it. */
export const odfChart = (content: string): string => odfPart('chart', `<chart:chart>${content}</chart:chart>`);

/** A frame that shows an object of the package. */
export const objectFrame = (folder: string, more = ''): string =>
  `<draw:frame text:anchor-type="as-char"><draw:object xlink:href="./${folder}"/><draw:image xlink:href="./ObjectReplacements/${folder}"/>${more}</draw:frame>`;

/** A paragraph. */
export const p = (content: string, style = ''): string =>
  `<text:p${style === '' ? '' : ` text:style-name="${style}"`}>${content}</text:p>`;

/** A cell of a table. */
export const cell = (content: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${content.startsWith('<') || content === '' ? content : p(content)}</table:table-cell>`;

/** A row of cells. */
export const row = (cells: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
