import type { PdfPage } from './pdf.ts';

// Small files that take a reader for ever.

const stream = (entries: string, body: string) => `<<${entries} /Length ${body.length}>>\nstream\n${body}\nendstream`;

/** A file of these objects, the catalog first, without a table of them: the library looks for them itself. */
function fileOf(objects: readonly string[]): Buffer {
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer <</Root 1 0 R /Size ${objects.length + 1}>>\n`, 'latin1');
}

const fonts = '/Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>';
const written = (text: string) => stream('', `BT /F 12 Tf 20 100 Td (${text}) Tj ET`);
const pageOf = (contents: number, resources: string) =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents ${contents} 0 R /Resources <<${resources}>>>>`;

/** What is painted with a pattern that is painted with a pattern, and so on, each a thousand times over the page. */
const PATTERN_COUNT = 4;
const painted = '/Pattern cs /P scn 0 0 600 200 re f';
const patternAt = (entries: string, body: string) =>
  stream(
    `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 900 900] /XStep 1 /YStep 1 ${entries}`,
    body,
  );

/** Pages with text, of which the second, when there are several, is a picture that takes for ever to be painted. */
export function endlessPdf(texts: readonly string[]): Buffer {
  const pages = texts.length + 1;
  const [first, patterns] = [3, 3 + 2 * pages];
  const at = Math.min(1, texts.length);
  const all = texts.toSpliced(at, 0, '');
  const kids = all.map((_, nth) => `${first + 2 * nth} 0 R`).join(' ');
  return fileOf([
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids}] /Count ${pages}>>`,
    ...all.flatMap((text, nth) => [
      pageOf(first + 2 * nth + 1, `${fonts} /Pattern <</P ${patterns} 0 R>>`),
      nth === at ? stream('', painted) : written(text),
    ]),
    ...Array.from({ length: PATTERN_COUNT }, (_, nth) =>
      patternAt(`/Resources <</Pattern <</P ${patterns + nth + 1} 0 R>>>>`, painted),
    ),
    patternAt('/Resources <<>>', '0 0 1 1 re f'),
  ]);
}

/** A smiling face of some thousand strokes, each as large as a letter: recognition takes them for text. */
export function drawFace(page: PdfPage): void {
  const radius = 250;
  let seed = 1;
  const shift = (most: number) => (((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31) * most).toFixed(1);
  const isEye = (x: number, y: number) => Math.hypot(Math.abs(x) - 90, y - 80) < 40;
  const isMouth = (x: number, y: number) => y < -60 && Math.abs(Math.hypot(x, y) - 150) < 12;
  for (let y = -radius; y < radius; y += 9)
    for (let x = -radius; x < radius; x += 6) {
      if (Math.hypot(x, y) > radius || isEye(x, y) || isMouth(x, y)) continue;
      const point = () => `${(300 + x + Number(shift(5))).toFixed(1)} ${(420 + y + Number(shift(6))).toFixed(1)}`;
      page.content.push(`q 0.6 w ${point()} m ${point()} ${point()} ${point()} c S Q`);
    }
}
