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
