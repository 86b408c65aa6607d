import { isLong } from '../../../../server/test/support/long.ts';
import { at, line, shape, writePptx } from '../pptx.ts';
import { rows, text, writeXlsx, type SheetForm } from '../xlsx.ts';
import { large, many, times, tryAll } from './attempt.ts';

const sheet = (data: string, more: Partial<SheetForm> = {}) => writeXlsx([{ name: '가', data, ...more }]);
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
const stairs = (steps: number) =>
  times(
    steps,
    (nth) =>
      `<row r="${nth + 1}"><c r="${columnName(nth)}${nth + 1}"><v>1</v></c><c r="${columnName(nth + 1)}${nth + 1}"><v>1</v></c></row>`,
  );
tryAll('a.xlsx', [
  [
    'three million cells that are only declared',
    () => sheet(rows(text('A1', 'a')), { before: '<dimension ref="A1:ALL1000"/>' }),
  ],
  [
    'all cells that there are, declared and merged',
    () =>
      sheet(rows(text('A1', 'a'), text('XFD1048576', 'b')), {
        before: '<dimension ref="A1:XFD1048576"/>',
        after: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      }),
  ],
  [
    'more cells than may be',
    () =>
      sheet(
        times(
          isLong ? 1_000 : 300,
          (row) =>
            `<row>${times(isLong ? 3_000 : 1_000, (column) => `<c><v>${(row * column * 7_919) % 99_991}</v></c>`)}</row>`,
        ),
      ),
    ['TOO_LARGE'],
  ],
  ['a row of a million cells', () => sheet(`<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`), ['TOO_LARGE']],
  ['stairs over a sheet', () => sheet(stairs(large(16_000)))],
  [
    'parts of a sheet beyond number',
    () =>
      sheet(
        times(
          large(50_000),
          (nth) =>
            `<row r="${nth * 2 + 1}"><c r="A${nth * 2 + 1}"><v>1</v></c><c r="C${nth * 2 + 1}"><v>1</v></c></row>`,
        ),
      ),
  ],
  [
    'fifty thousand merged places',
    () =>
      sheet(rows(text('A1', 'a')), {
        after: `<mergeCells>${times(50_000, (nth) => `<mergeCell ref="A${nth * 2 + 1}:XFD${nth * 2 + 2}"/>`)}</mergeCells>`,
      }),
  ],
  [
    'two cells in one place, and one that a merged place covers',
    () =>
      sheet(rows(text('A1', 'a') + text('A1', 'b') + text('B1', 'c'), text('A2', 'd') + text('B2', 'e')), {
        after: '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A1:B2"/></mergeCells>',
      }),
  ],
  [
    'hidden columns without end',
    () =>
      sheet(rows(text('A1', 'a')), {
        before: `<cols>${'<col min="1" max="1000000000" hidden="1"/>'.repeat(1_000)}</cols>`,
      }),
  ],
  [
    'hundreds of sheets',
    () => writeXlsx(many(large(3_000), (nth) => ({ name: `${nth}`, data: rows(text('A1', 'a')) }))),
  ],
  [
    'a text that all cells show',
    () =>
      writeXlsx([{ name: '가', data: `<row>${'<c t="s"><v>0</v></c>'.repeat(10_000)}</row>` }], {
        strings: `<si><t>${'가나다라'.repeat(8_000)}</t></si>`,
      }),
    ['TOO_LARGE'],
  ],
]);

const graphic = (content: string) =>
  `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
const wideCell = '<a:tc gridSpan="1000000000" rowSpan="65534"><a:txBody><a:p/></a:txBody></a:tc>';
tryAll('a.pptx', [
  [
    'shapes beyond number',
    () =>
      writePptx([
        { shapes: times(large(20_000), (nth) => shape(line(`${nth}`), { place: at(nth % 700, (nth * 7) % 500) })) },
      ]),
  ],
  ['shapes in one place', () => writePptx([{ shapes: shape(line('a'), { place: at(0, 0) }).repeat(large(20_000)) }])],
  ['lines beyond number', () => writePptx([{ shapes: shape(line('a').repeat(large(150_000))) }])],
  [
    'groups within groups',
    () => writePptx([{ shapes: '<p:grpSp>'.repeat(200) + shape(line('a')) }]),
    ['read', 'TOO_LARGE'],
  ],
  ['elements without end', () => writePptx([{ shapes: '<p:grpSp>'.repeat(50_000) }]), ['CORRUPTED', 'TOO_LARGE']],
  [
    'spans without end',
    () => writePptx([{ shapes: graphic(`<a:tbl>${`<a:tr>${wideCell.repeat(10)}</a:tr>`.repeat(30)}</a:tbl>`) }]),
    ['read', 'TOO_LARGE'],
  ],
  ['a table of nothing', () => writePptx([{ shapes: graphic('<a:tbl/>') + shape(line('a')) }])],
  ['hundreds of slides', () => writePptx(many(large(2_000), () => ({ shapes: shape(line('a')) })))],
]);
