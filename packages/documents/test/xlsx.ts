import { type Parts, writeZip } from './zip.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
const relations = (...all: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

/** A sheet of a written workbook. */
export interface SheetForm {
  readonly name: string;
  readonly state?: string;
  /** What stands in `sheetData`, and behind it. */
  readonly data: string;
  readonly before?: string;
  readonly after?: string;
  /** Documents that lie on the sheet, by their names, which name their relations too. */
  readonly embeddings?: Readonly<Record<string, Uint8Array>>;
}

/** What a written workbook has beside its sheets. */
export interface XlsxForm {
  readonly strings?: string;
  readonly date1904?: boolean;
  /** The sheet that is open, from 0. */
  readonly open?: number;
  /** The cells that a document shows in which the workbook lies. */
  readonly shown?: string;
}

const embeddedParts = (embeddings: NonNullable<SheetForm['embeddings']>, at: number): Parts => [
  [
    `xl/worksheets/_rels/sheet${at}.xml.rels`,
    relations(...Object.keys(embeddings).map((name) => relation(name, 'package', `../embeddings/${name}`))),
  ],
  ...Object.entries(embeddings).map(([name, content]) => [`xl/embeddings/${name}`, content] as const),
];

/** Parts of a workbook; strings stand in their cells. */
export function xlsxParts(sheets: readonly SheetForm[], more: XlsxForm = {}): Parts {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"${state ? ` state="${state}"` : ''}/>`,
  );
  return [
    ['_rels/.rels', relations(relation('w', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${more.date1904 ? 1 : 0}"/><bookViews><workbookView activeTab="${more.open ?? 0}"/></bookViews><sheets>${list.join('')}</sheets>${more.shown === undefined ? '' : `<oleSize ref="${more.shown}"/>`}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ...sheets.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`)),
        relation('st', 'styles', 'styles.xml'),
        relation('ss', 'sharedStrings', 'sharedStrings.xml'),
      ),
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;년&quot; m&quot;월&quot; d&quot;일&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    ],
    ['xl/sharedStrings.xml', `<sst xmlns="${main}">${more.strings ?? ''}</sst>`],
    ...sheets.flatMap(({ embeddings }, at) => (embeddings === undefined ? [] : embeddedParts(embeddings, at))),
    ...sheets.map(
      ({ data, before = '', after = '' }, at) =>
        [
          `xl/worksheets/sheet${at}.xml`,
          `<worksheet xmlns="${main}">${before}<sheetData>${data}</sheetData>${after}</worksheet>`,
        ] as const,
    ),
  ];
}

/** Writes a workbook. */
export const writeXlsx = (...form: Parameters<typeof xlsxParts>): Buffer => writeZip(xlsxParts(...form));

/** A cell of words. */
export const text = (reference: string, words: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${words}</t></is></c>`;
/** A cell of a number. */
export const number = (reference: string, value: number | string, style = 0) =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
/** Rows of cells. */
export const rows = (...lines: string[]) => lines.map((cells) => `<row>${cells}</row>`).join('');
