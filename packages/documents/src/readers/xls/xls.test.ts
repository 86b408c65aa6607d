import { type WorkBook, utils, write } from '@e965/xlsx';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { attempt } from '../../../test/damage.ts';
import { run, writeDocx } from '../../../test/docx.ts';
import { writeCompound } from '../../../test/hwp-writer/index.ts';
import { type ReadOptions, standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';
import { readXls } from './index.ts';
import { lookThrough, readRecordsOf } from './records.ts';

const options = { limits: standardLimits, pages: null, onPage: () => undefined };
const read = (bytes: Uint8Array, more: Partial<ReadOptions> = {}) =>
  readDocument(bytes, 'a.xls', { ...options, ...more });

const bytesOf = (book: WorkBook, bookType: 'biff8' | 'biff5' = 'biff8') =>
  Buffer.from(write(book, { type: 'buffer', bookType }) as Uint8Array);

/** A workbook of two sheets, the second of which is hidden. */
function budget(): WorkBook {
  const sheet = utils.aoa_to_sheet([
    ['2026년 예산'],
    ['항목', '금액', '비율', '날짜'],
    ['인건비', 1200.5, 0.25, 46_000],
    ['계', 1],
  ]);
  sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 3 } }];
  Object.assign(sheet['C3'] ?? {}, { z: '0.0%' });
  Object.assign(sheet['D3'] ?? {}, { z: 'yyyy-mm-dd' });
  Object.assign(sheet['A3'] ?? {}, { l: { Target: 'https://a.kr/' } });
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, '예산');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['숨은 글', '둘째']]), '숨김');
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  return book;
}

describe('XLS', () => {
  test('has sheets with what their cells show, as XLSX has', async () => {
    const { format, pages, blocks, warnings } = await read(bytesOf(budget()));
    expect({ format, warnings }).toEqual({ format: 'xls', warnings: [] });
    expect(pages).toEqual([
      { number: 1, name: '예산' },
      { number: 2, name: '숨김', hidden: true },
    ]);
    expect(brief(blocks)).toEqual([
      'h1 예산',
      't p 항목 | p 금액 | p 비율 | p 날짜 | p 인건비 | p 1200.5 | p 25% | p 2025-12-09 | p 계 | p 1',
      'h1 숨김',
      't p 숨은 글 | p 둘째',
    ]);
    expect(blocks[1]).toMatchObject({ caption: [{ text: '2026년 예산' }], headerRows: 1, page: 1 });
    expect(blocks[3]).toMatchObject({ hidden: true, page: 2 });
  });

  test('of Excel 95 is in the code page of its country', async () => {
    const record = (type: number, ...parts: Uint8Array[]) => {
      const content = Buffer.concat(parts);
      return Buffer.concat([words(type, content.length), content]);
    };
    const words = (...values: number[]) => Buffer.from(Uint16Array.of(...values).buffer);
    const [name, said] = [iconv.encode('예산', 'cp949'), iconv.encode('똠방각하의 인건비', 'cp949')];
    const globals = (at: number) => [
      record(0x0809, words(0x0500, 0x0005, 0, 0)),
      record(0x0042, words(949)),
      record(0x0085, words(at, 0, 0), Buffer.of(name.length), name),
      record(0x000a),
    ];
    const before = Buffer.concat(globals(0)).length;
    const sheet = [
      record(0x0809, words(0x0500, 0x0010, 0, 0)),
      record(0x0204, words(0, 0, 0, said.length), said),
      record(0x000a),
    ];
    const { blocks } = await read(writeCompound({ Book: Buffer.concat([...globals(before), ...sheet]) }));
    expect(brief(blocks)).toEqual(['h1 예산', 'p 똠방각하의 인건비']);
  });

  test('pages that are asked for come alone, of Excel 95 too', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['a', 'b']]), 'one');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['e', 'f']]), 'two');
    const { blocks } = await read(bytesOf(book, 'biff5'), { pages: new Set([2]) });
    expect(brief(blocks)).toEqual(['h1 two', 't p e | p f']);
  });

  test('an office program that is there is asked instead, but not for what lies in other files', async () => {
    await expect(read(bytesOf(budget()), { hasOffice: true })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      savedAs: 'xlsx',
    });
    const body = `<w:p>${run('글')}</w:p><w:p><w:r><w:object><o:OLEObject r:id="a.xls"/></w:object></w:r></w:p>`;
    const within = await read(writeDocx({ body, embeddings: { 'a.xls': bytesOf(budget()) } }), { hasOffice: true });
    // The sheet that is open, without its name.
    expect(brief(within.blocks)[1]).toMatch(/^t p 항목 \| p 금액/u);
    expect(within.blocks).toHaveLength(2);
  });

  test('without a workbook, or of a file that is none, is damaged', async () => {
    for (const Workbook of [Buffer.alloc(0), Buffer.from('no records at all')])
      await expect(read(writeCompound({ Workbook }))).rejects.toMatchObject({ code: 'CORRUPTED' });
  });

  test('that is cut or changed anywhere is read as far as it goes, or refused', async () => {
    const whole = bytesOf(budget());
    const results = new Set<string>();
    for (let at = 0; at < whole.length; at += 97) {
      results.add(await attempt(readXls, 'xls', whole.subarray(0, at)));
      const changed = Buffer.from(whole);
      changed.fill(at % 256, at, at + 3);
      results.add(await attempt(readXls, 'xls', changed));
    }
    expect(results).toEqual(new Set(['read', 'refused']));
  });

  test('formulas are left out, and what goes on with them; what they come to stays', () => {
    const record = (type: number, ...values: number[]) =>
      Buffer.from(Uint16Array.of(type, values.length * 2, ...values).buffer);
    const formula = (...rest: number[]) => record(0x0006, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, ...rest);
    const [name, goesOn, text] = [record(0x0018, 1), record(0x003c, 2), record(0x0207, 3)];
    const bare = readRecordsOf(
      Buffer.concat([name, goesOn, formula(4, 5, 6), goesOn, text, goesOn, formula(), goesOn]),
    );
    const none = (one: Buffer) => Buffer.concat([record(0x0fff).subarray(0, 2), one.subarray(2)]);
    expect(Buffer.from(bare)).toEqual(
      Buffer.concat([
        none(name),
        none(goesOn),
        formula(0, 5, 6),
        none(goesOn),
        text,
        goesOn,
        none(formula()),
        none(goesOn),
      ]),
    );
  });

  test('charts and text boxes are told, comments are not', () => {
    const record = (type: number, ...values: number[]) =>
      Buffer.from(Uint16Array.of(type, values.length * 2, ...values).buffer);
    const text = record(0x01b6, 0, 0, 0, 0, 0, 7);
    const records = [
      record(0x0809, 0x0600, 0x0005),
      record(0x003d, 0, 0, 0, 0, 0, 2),
      record(0x0809, 0x0600, 0x0020),
      text,
      text,
      record(0x01b6, 0, 0, 0, 0, 0, 0),
      record(0x001c, 1, 1, 0),
    ];
    expect(lookThrough(Buffer.concat(records))).toEqual({ charts: 1, texts: 1, open: 2 });
    expect(lookThrough(Buffer.concat(records).subarray(0, -3))).toMatchObject({ charts: 1 });
  });
});
