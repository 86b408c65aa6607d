import { PdfWriter } from '../pdf.ts';
import { times, tryAll } from './attempt.ts';

const pdf = (draw: (writer: PdfWriter) => void): Buffer => {
  const writer = new PdfWriter();
  draw(writer);
  return writer.bytes();
};
const changed = (bytes: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');
const small = () => pdf((writer) => writer.page().text(72, 90, '글').image(0, 0, 500, 500));
const some = ['read', 'CORRUPTED', 'NEEDS_OCR', 'TOO_LARGE'];
tryAll('a.pdf', [
  ['a picture that is declared huge', () => changed(small(), '/Width 1 /Height 1', '/Width 60000 /Height 60000'), some],
  ['a page that is its own parent', () => changed(small(), /\/Kids \[[^\]]*\]/, '/Kids [2 0 R 2 0 R]'), some],
  ['a million pages that are only declared', () => changed(small(), /\/Count 1>>/, '/Count 1000000>>'), some],
  ['a stream that is longer than the file', () => changed(small(), /\/Length \d+/, '/Length 4294967295'), some],
  [
    'a form within itself',
    () =>
      changed(
        small(),
        '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
        '/Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</I1 8 0 R>>>>',
      ),
    some,
  ],
  [
    'twenty thousand words in one place',
    () =>
      pdf((writer) => {
        const page = writer.page();
        for (let nth = 0; nth < 10_000; nth++) page.text(100, 100, '가나');
      }),
  ],
  [
    'twenty thousand lines',
    () =>
      pdf((writer) => {
        const page = writer.page().text(9, 20, '이 쪽에는 사람이 읽을 수 있는 글이 한 줄 있고 그림은 그 아래에 있다.');
        for (let nth = 0; nth < 20_000; nth++) page.line((nth * 37) % 500, (nth * 13) % 800, 550, (nth * 13) % 800);
      }),
  ],
  [
    'a grid of a million cells',
    () =>
      pdf((writer) => {
        const page = writer.page().text(9, 20, '이 쪽에는 사람이 읽을 수 있는 글이 한 줄 있고 그림은 그 아래에 있다.');
        for (let nth = 0; nth < 1_000; nth++)
          page.line(0, nth * 0.8, 595, nth * 0.8).line(nth * 0.59, 0, nth * 0.59, 842);
      }),
  ],
  [
    'a path of a hundred thousand points',
    () =>
      pdf((writer) => {
        const page = writer.page().text(9, 20, '이 쪽에는 사람이 읽을 수 있는 글이 한 줄 있고 그림은 그 아래에 있다.');
        page.content.push(`q 0 0 m ${times(100_000, (nth) => `${nth % 595} ${(nth * 7) % 842} l `)} S Q`);
      }),
  ],
  ['a line of a hundred thousand letters', () => pdf((writer) => writer.page().text(1, 100, '가'.repeat(100_000)))],
  [
    'a page as large as a town',
    () => pdf((writer) => writer.page({ width: 1e9, height: 1e9 }).text(1, 100, '가')),
    some,
  ],
  [
    'bookmarks without end',
    () =>
      pdf((writer) => {
        writer.page().text(9, 20, '이 쪽에는 사람이 읽을 수 있는 글이 한 줄 있고 그림은 그 아래에 있다.');
        for (let nth = 0; nth < 20_000; nth++) writer.bookmark(`${nth}`, 1);
      }),
  ],
]);
