import { deflateSync } from 'node:zlib';
import type { GreyImage } from '../../src/ocr/grey.ts';
import { PdfFile } from '../../src/readers/pdf/index.ts';
import { paintedPage } from '../../src/readers/pdf/painted.ts';
import { type Font, pretendard } from './font.ts';

// Pages as a scanner sees them: text is painted with a font that has Korean letters, and only its picture is kept.

/** What stands on a page; places are points from its upper left corner. */
export interface ScanPage {
  readonly width?: number;
  readonly height?: number;
  readonly lines: readonly { readonly x: number; readonly y: number; readonly text: string; readonly size?: number }[];
  /** Lines that are drawn: from, to. */
  readonly rules?: readonly ScanRule[];
  /** The same as rows of dots. */
  readonly dottedRules?: readonly ScanRule[];
  /** Squares to tick, from their upper left corner. */
  readonly boxes?: readonly ScanBox[];
}

type ScanRule = readonly [x0: number, y0: number, x1: number, y1: number];

interface ScanBox {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** What is in it: nothing when left out. */
  readonly mark?: 'tick' | 'cross' | 'ink';
}

/** The mark in a square whose corners are 0 and 1, as steps of a path; a tick goes over its edge. */
const marks = {
  tick: '0.15 0.5 m 0.4 0.2 l 1.15 1.2 l S',
  cross: '0.1 0.1 m 0.9 0.9 l 0.1 0.9 m 0.9 0.1 l S',
  ink: '0 0 1 1 re f',
} as const;

const drawnBox = ({ x, y, side, mark }: ScanBox, height: number): string => {
  const drawn = mark === undefined ? '' : `0.12 w ${marks[mark]}`;
  return `q ${side} 0 0 ${side} ${x} ${height - y - side} cm ${0.7 / side} w 0 0 1 1 re S ${drawn} Q`;
};

type Part = readonly [dictionary: string, stream?: Buffer];

/** A PDF file of objects, the first of which is its catalogue. */
function pdfOf(parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = pieces[0]!.length;
  const add = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [at, [dictionary, stream]] of parts.entries()) {
    places.push(length);
    const body = stream === undefined ? '' : `/Length ${stream.length}`;
    add(Buffer.from(`${at + 1} 0 obj\n<<${dictionary}${body}>>\n`));
    if (stream !== undefined)
      for (const one of [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]) add(one);
    add(Buffer.from('endobj\n'));
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<</Size ${parts.length + 1}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`;
  add(Buffer.from(`xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${table}${trailer}`));
  return Buffer.concat(pieces);
}

function contentOf({ height = 842, lines, rules = [], dottedRules = [], boxes = [] }: ScanPage, font: Font): string {
  const drawn = ([x0, y0, x1, y1]: ScanRule) => `${x0} ${height - y0} m ${x1} ${height - y1} l S`;
  const text = lines.map(({ x, y, text, size = 11 }) => {
    const hex = Array.from(text, (letter) => font.glyphOf(letter.codePointAt(0)!).toString(16).padStart(4, '0')).join(
      '',
    );
    return `BT /F ${size} Tf ${x} ${height - y} Td <${hex}> Tj ET`;
  });
  return [
    ...text,
    ...rules.map(drawn),
    'q 0.7 w [0.7 1.4] 0 d',
    ...dottedRules.map(drawn),
    'Q',
    ...boxes.map((box) => drawnBox(box, height)),
  ].join('\n');
}

/** A page with its text, as a file. */
function pagePdf(page: ScanPage): Buffer {
  const font = pretendard();
  const glyphs = new Set(
    page.lines.flatMap(({ text }) => Array.from(text, (one) => font.glyphOf(one.codePointAt(0)!))),
  );
  const widths = [...glyphs].map((glyph) => `${glyph} [${Math.round(font.width(glyph))}]`).join(' ');
  return pdfOf([
    ['/Type/Catalog/Pages 2 0 R'],
    ['/Type/Pages/Kids[3 0 R]/Count 1'],
    [
      `/Type/Page/Parent 2 0 R/MediaBox[0 0 ${page.width ?? 595} ${page.height ?? 842}]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>`,
    ],
    ['', Buffer.from(contentOf(page, font))],
    ['/Type/Font/Subtype/Type0/BaseFont/Scan/Encoding/Identity-H/DescendantFonts[6 0 R]'],
    [
      `/Type/Font/Subtype/CIDFontType2/BaseFont/Scan/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 7 0 R/CIDToGIDMap/Identity/W[${widths}]`,
    ],
    [
      '/Type/FontDescriptor/FontName/Scan/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80/FontFile2 8 0 R',
    ],
    ['/Filter/FlateDecode', deflateSync(font.bytes, { level: 1 })],
  ]);
}

/** A text in lines of a column so wide, in points, each as long as it may be. */
export function wrapped(text: string, width: number, size = 11): string[] {
  const font = pretendard();
  const widthOf = (words: string) =>
    Array.from(words).reduce((sum, one) => sum + font.width(font.glyphOf(one.codePointAt(0)!)), 0) * (size / 1_000);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A page as it is seen at 300 dots an inch. */
export async function scanned(page: ScanPage): Promise<GreyImage> {
  const file = new PdfFile(pagePdf(page));
  try {
    const painted = await file.use(({ pdfium, document }) => paintedPage(pdfium, document, 1));
    if (painted === null) throw new Error('the page could not be painted');
    return painted.image;
  } finally {
    file.close();
  }
}

/** A PDF file of A4 pages, each a picture or the words of a page that has text (in a font that every reader has). */
export function scannedPdf(pages: readonly (GreyImage | string)[]): Buffer {
  const parts: Part[] = [
    ['/Type/Catalog/Pages 2 0 R'],
    [`/Type/Pages/Kids[${pages.map((_, at) => `${4 + at * 3} 0 R`).join(' ')}]/Count ${pages.length}`],
    ['/Type/Font/Subtype/Type1/BaseFont/Helvetica'],
  ];
  for (const [at, page] of pages.entries()) {
    const first = 4 + at * 3;
    const content = typeof page === 'string' ? `BT /F 12 Tf 72 700 Td (${page}) Tj ET` : 'q 595 0 0 842 0 0 cm /P Do Q';
    parts.push(
      [
        `/Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${first + 1} 0 R/Resources<</Font<</F 3 0 R>>/XObject<</P ${first + 2} 0 R>>>>`,
      ],
      ['', Buffer.from(content)],
      typeof page === 'string'
        ? ['']
        : [
            `/Type/XObject/Subtype/Image/Width ${page.width}/Height ${page.height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`,
            deflateSync(page.data, { level: 1 }),
          ],
    );
  }
  return pdfOf(parts);
}
