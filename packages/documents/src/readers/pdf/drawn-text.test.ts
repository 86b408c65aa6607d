import { describe, expect, test } from 'vitest';
import { PdfWriter } from '../../../test/pdf.ts';
import { drawnLetters } from '../../../test/scan/index.ts';
import { type OcrOptions, standardLimits } from '../../reader.ts';
import { blockText } from '../../render/text.ts';
import { drawnTextOf } from './drawn-text.ts';
import { readPdf } from './index.ts';

const SLOW_MS = 90_000;

const read = async (pdf: PdfWriter, mode: OcrOptions['mode']) => {
  const document = await readPdf(Uint8Array.from(pdf.bytes()), {
    limits: standardLimits,
    pages: null,
    ocr: { mode, languages: ['kor', 'eng'] },
    onPage: () => undefined,
  });
  return { ...document, text: document.blocks.map(blockText) };
};

/** A page of words, some of which are shapes: a title, the number before another one, and a cell. */
function mixedPage(): PdfWriter {
  const pdf = new PdfWriter();
  const page = pdf.page();
  const draw = (x: number, y: number, text: string, size: number) =>
    page.content.push(drawnLetters(x, page.height - y, text, size));
  draw(60, 100, '개인정보의 수집과 이용 동의서', 16);
  page.text(60, 140, '아래의 내용을 읽고 동의 여부를 정해야 한다.');
  page.table(
    60,
    170,
    [120, 200],
    [
      ['구분', '내용'],
      ['목적', ''],
    ],
  );
  draw(188, 210, '신청 자격의 검토와 지원 대상의 선정', 10);
  page.text(60, 300, '동의하지 않으면 지원을 받지 못한다.');
  return pdf;
}

describe('text that is drawn as shapes', () => {
  test(
    'is recognised where it stands, beside the text of the file',
    async () => {
      const { blocks, text, warnings, pages } = await read(mixedPage(), 'auto');
      expect(warnings).toEqual([]);
      expect(pages[0]).not.toHaveProperty('recognised');
      expect(text.map((one) => one.replaceAll(/[\s|]+/g, ' ').trim())).toEqual([
        '개인정보의 수집과 이용 동의서',
        '아래의 내용을 읽고 동의 여부를 정해야 한다.',
        '구분 내용 목적 신청 자격의 검토와 지원 대상의 선정',
        '동의하지 않으면 지원을 받지 못한다.',
      ]);
      expect(blocks[0]).toMatchObject({ type: 'heading', confidence: expect.any(Number) as number });
      expect(blocks[1]).not.toHaveProperty('confidence');
    },
    SLOW_MS,
  );

  test('is told of where it is not recognised', async () => {
    const { text, warnings } = await read(mixedPage(), 'off');
    expect(text).toHaveLength(3);
    expect(warnings).toEqual([
      {
        code: 'text_not_read',
        message:
          'Some text of page 1 is drawn as shapes and was not read: recognition of text in pictures is turned off.',
        page: 1,
      },
    ]);
  });

  test('is not looked for where the letters stand as well, nor in bars, rows of dots and drawings', () => {
    const shape = (x: number, y: number, width: number, height: number, plain = false) => ({
      x0: x,
      y0: y,
      x1: x + width,
      y1: y + height,
      plain,
    });
    const letters = Array.from({ length: 12 }, (_, at) =>
      shape(50 + at * 10, 100 + (at % 3), 6 + (at % 4), 9 - (at % 3)),
    );
    expect(drawnTextOf(letters, [])).toMatchObject({ letters: 12, places: [{ x0: 50 }] });
    const look = {
      size: 10,
      bold: false,
      italic: false,
      fixed: false,
      signs: false,
      colour: 0,
      invisible: false,
      quarter: 0,
      mark: -1,
    };
    const glyphs = letters.map((rect) => ({ ...rect, text: '가', base: 108, look, hidden: false, apart: false }));
    expect(drawnTextOf(letters, glyphs)).toBeNull();
    const bars = letters.map((one) => ({ ...one, plain: true }));
    expect(drawnTextOf(bars, [])).toBeNull();
    const dots = Array.from({ length: 40 }, (_, at) => shape(50 + at * 6, 100, 5, 5));
    expect(drawnTextOf(dots, [])).toBeNull();
    const strewn = Array.from({ length: 60 }, (_, at) => shape((at * 97) % 400, (at * 61) % 700, 8, 9));
    expect(drawnTextOf([...letters, ...strewn], [])).toBeNull();
  });
});
