import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter } from '../../../test/pdf.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

const blocksOf = async (pdf: PdfWriter) =>
  (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
    .blocks;

test('letters with a point begin items where two follow each other at one indent', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(60, 120, 'The group met twice and agreed on the following points:', { size: 10 })
    .text(72, 140, 'a. members send their notes before each meeting, so that', { size: 10 })
    .text(84, 154, 'others can read them in time', { size: 10 })
    .text(72, 168, 'b. the minutes are kept by each of them in turn', { size: 10 })
    .text(60, 200, 'p. 12 of the report tells more about the meetings.', { size: 10 });
  expect(brief(await blocksOf(pdf))).toEqual([
    'p The group met twice and agreed on the following points:',
    'l0 a. members send their notes before each meeting, so that others can read them in time',
    'l0 b. the minutes are kept by each of them in turn',
    'p p. 12 of the report tells more about the meetings.',
  ]);
});

test('a number behind the items of a list is one of them, however large it is written', async () => {
  const pdf = new PdfWriter();
  const page = pdf.page();
  page.text(60, 80, '회의에서 다음과 같이 정하고 각자 맡은 일을 나누어 하기로 하였다.', { size: 10 });
  for (let at = 1; at <= 9; at++) page.text(72, 90 + 20 * at, `${at}. 맡은 사람이 자료를 모은다.`, { size: 10 });
  page.text(68, 290, '10. 다음 모임의 날짜', { size: 12 });
  expect(brief(await blocksOf(pdf)).slice(-2)).toEqual(['l0 9. 맡은 사람이 자료를 모은다.', 'l0 10. 다음 모임의 날짜']);
});

test('a numbered heading behind a list of its own section is still one', async () => {
  const pdf = new PdfWriter();
  const page = pdf.page();
  const heads = [80, 200, 320].map((y, at) => ({ y, text: `${at + 2}. 추진 배경과 방향` }));
  for (const { y, text } of heads.slice(0, 2)) page.text(60, y, text, { size: 14 });
  for (let at = 1; at <= 3; at++) page.text(62, 210 + 20 * at, `${at}. 맡은 사람이 자료를 모은다.`, { size: 10 });
  page.text(60, 320, heads[2]!.text, { size: 14 });
  const found = brief(await blocksOf(pdf));
  expect(found.filter((line) => line.startsWith('h'))).toHaveLength(3);
});
