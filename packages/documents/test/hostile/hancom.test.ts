import {
  equation,
  note,
  paragraph as hwpParagraph,
  simpleTable,
  table,
  textBox,
  writeHwp,
} from '../hwp-writer/index.ts';
import type { RecordNode } from '../hwp-writer/records.ts';
import * as hwp3 from '../hwp3.ts';
import { cell as hwpxCell, hwpxParts, paragraph as hwpxParagraph, writeHwpx } from '../hwpx.ts';
import { writeZip } from '../zip.ts';
import { type Case, large, laughs, many, times, tryAll } from './attempt.ts';

const hwpx = (section: string) => writeHwpx({ sections: [section] });
tryAll('a.hwpx', [
  [
    'spans without end',
    () =>
      hwpx(
        hwpxParagraph(`<hp:tbl><hp:tr>${hwpxCell('a', [0, 0], [65_534, 1_000_000_000]).repeat(100)}</hp:tr></hp:tbl>`),
      ),
  ],
  [
    'cells far from each other',
    () =>
      hwpx(
        hwpxParagraph(
          `<hp:tbl rowCnt="65535" colCnt="65535"><hp:tr>${times(2_000, (nth) => hwpxCell('a', [nth * 20, nth * 20], [65_535, 65_535]))}</hp:tr></hp:tbl>`,
        ),
      ),
    ['read', 'TOO_LARGE'],
  ],
  [
    'tables within tables',
    () => hwpx('<hp:p><hp:run><hp:tbl><hp:tr><hp:tc><hp:subList>'.repeat(45) + hwpxParagraph('a')),
    ['read', 'TOO_LARGE'],
  ],
  ['elements without end', () => hwpx('<hp:run>'.repeat(100_000)), ['TOO_LARGE']],
  [
    'lines that go back and forth',
    () =>
      hwpx(
        hwpxParagraph(
          'a',
          '',
          many(100_000, (nth) => (nth % 2) * 1_000),
        ),
      ),
    ['read', 'TOO_LARGE'],
  ],
  ['thousands of sections', () => writeHwpx({ sections: many(large(5_000), () => hwpxParagraph('a')) })],
  ['more sections than parts may be', () => writeHwpx({ sections: many(20_001, () => '') }), ['TOO_LARGE']],
  ['a bomb', () => hwpx(hwpxParagraph('가'.repeat(20_000_000))), ['TOO_LARGE']],
  [
    'entities',
    () =>
      writeZip(
        hwpxParts({ sections: [''] }).map(
          ([name, content, form]) =>
            [
              name,
              name.includes('section')
                ? content.toString().replace('?>', `?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>`)
                : content,
              form ?? {},
            ] as const,
        ),
      ),
    ['CORRUPTED', 'read'],
  ],
]);

const hwp = (records: readonly RecordNode[]) => writeHwp({ sections: [records] });
const nested = (depth: number, wrap: (inner: RecordNode) => RecordNode): RecordNode =>
  depth === 0 ? hwpParagraph('속') : wrap(nested(depth - 1, wrap));
const wholeCell = (content: readonly RecordNode[]) => ({
  row: 0,
  column: 0,
  rowSpan: 65_535,
  columnSpan: 65_535,
  content,
});
tryAll('a.hwp', [
  [
    'tables within tables',
    () =>
      hwp([
        nested(400, (inner) =>
          hwpParagraph([
            simpleTable([['a']]),
            table({ rows: 1, columns: 1, cells: [{ row: 0, column: 0, content: [inner] }] }),
          ]),
        ),
      ]),
  ],
  ['boxes within boxes', () => hwp([nested(400, (inner) => hwpParagraph([textBox([inner])]))])],
  [
    'cells over each other',
    () =>
      hwp([hwpParagraph([table({ rows: 1, columns: 1, cells: many(5_000, () => wholeCell([hwpParagraph('a')])) })])]),
    ['read', 'TOO_LARGE'],
  ],
  [
    'cells far from each other',
    () =>
      hwp([
        hwpParagraph([
          table({
            rows: 65_535,
            columns: 65_535,
            cells: many(3_000, (nth) => ({ ...wholeCell([hwpParagraph('a')]), row: nth * 20, column: nth * 20 })),
          }),
        ]),
      ]),
    ['read', 'TOO_LARGE'],
  ],
  [
    'columns beyond number',
    () =>
      hwp([
        hwpParagraph([
          table({
            rows: 1,
            columns: large(60_000),
            cells: many(large(60_000), (column) => ({ row: 0, column, content: [hwpParagraph('a')] })),
          }),
        ]),
      ]),
  ],
  ...['{', 'sqrt ', '1 over ', 'x^', 'left ( ', 'matrix{a&', '"'].map((part): Case => [
    `a formula of ${part}`,
    () => hwp([hwpParagraph([equation(part.repeat(30_000 / part.length))])]),
  ]),
  ['thousands of notes', () => hwp([hwpParagraph(many(large(10_000), (nth) => note('fn  ', nth, 'a')))])],
  ['a bomb', () => writeHwp({ sections: [[hwpParagraph('가'.repeat(4_000_000))]] }), ['TOO_LARGE']],
]);

const old = (...pieces: readonly hwp3.Piece[]) => hwp3.writeHwp3({ paragraphs: [hwp3.paragraph(pieces)] });
const nestedOld = (depth: number, wrap: (inner: Buffer) => hwp3.Control): hwp3.Control =>
  wrap(depth === 0 ? hwp3.paragraph('속') : hwp3.paragraph([nestedOld(depth - 1, wrap)]));
const whole = [0, 0, 60_000, 60_000] as const;
/** A control with these numbers written over it. */
const withNumber = ({ bytes, letters }: hwp3.Control, at: number, value: number): hwp3.Control => {
  const changed = Buffer.from(bytes);
  changed.writeUInt16LE(value, at);
  return { bytes: changed, letters };
};
tryAll('old.hwp', [
  ['tables within tables', () => old(nestedOld(400, (inner) => hwp3.box(0, [{ at: whole, content: [inner] }])))],
  ['notes within notes', () => old(nestedOld(400, (inner) => hwp3.note('footnote', 1, inner)))],
  [
    'drawings within drawings',
    () => {
      const shapes = (depth: number): hwp3.Shape => ({ at: [0, 0], children: depth === 0 ? [] : [shapes(depth - 1)] });
      return old(hwp3.drawing(shapes(3_000)), 'a');
    },
  ],
  [
    'cells over each other',
    () =>
      old(
        hwp3.box(
          0,
          many(20_000, () => ({ at: whole, content: [hwp3.paragraph('a')] })),
        ),
      ),
    ['read', 'TOO_LARGE'],
  ],
  [
    'cells far from each other',
    () =>
      old(
        hwp3.box(
          0,
          many(3_000, (nth) => ({ at: [nth * 20, nth * 20, 5, 5] as const, content: [hwp3.paragraph('a')] })),
        ),
      ),
    ['read', 'TOO_LARGE'],
  ],
  ['more cells than there are', () => old('a', withNumber(hwp3.table([['a']]), 8 + 80, 65_535))],
  ['a picture larger than the file', () => old('a', withNumber(hwp3.image(), 10, 0x7fff))],
  [
    'paragraphs that go on over pages without end',
    () => {
      const one = hwp3.paragraph('a', { lines: many(60_000, () => true) });
      return hwp3.writeHwp3({ paragraphs: [one, one] });
    },
    ['TOO_LARGE'],
  ],
  ['thousands of notes', () => old(...many(10_000, (nth) => hwp3.note('footnote', nth, hwp3.paragraph('a'))))],
  [
    'a bomb',
    () => {
      const one = hwp3.paragraph('a'.repeat(60_000));
      return hwp3.writeHwp3({ paragraphs: many(100, () => one) });
    },
    ['TOO_LARGE'],
  ],
]);
