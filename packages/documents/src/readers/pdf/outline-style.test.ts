import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter } from '../../../test/pdf.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

// Reports in the outline style of Korean public bodies (개조식): □, ㅇ, -, *, ※ one below the other, each going in.

const blocksOf = async (pdf: PdfWriter) =>
  (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
    .blocks;

test('a mark begins an item of its own, and lines that go in below it belong to it', async () => {
  const pdf = new PdfWriter();
  const page = pdf.page();
  page
    .text(57, 120, '□ 말뭉치 구축과 공개로 기술 발전의 기반 강화', { size: 16 })
    .text(64, 146, 'ㅇ 구축한 말뭉치를 공개하여 그것을 쓰는 곳이 많이 늘어나게 하고', { size: 15 })
    .text(87, 170, '그 쓰임을 해마다 조사하며 널리 알림', { size: 15 })
    .text(80, 194, '- 쓰는 곳의 의견을 듣는 자리를 마련', { size: 15 })
    .text(80, 218, '- 사례를 모아 책으로 펴냄', { size: 15 })
    .text(87, 240, '* 신문 기사, 일상 대화 등', { size: 13 })
    .text(87, 260, '** 개체명, 감성 등', { size: 13 })
    .text(64, 284, 'ㅇ 평가 대회를 열어 서른 곳이 참여', { size: 15 })
    .text(57, 320, '□ 제도의 기반 확대', { size: 16 })
    .text(64, 346, 'ㅇ 법을 고쳐 시행', { size: 15 });
  expect(brief(await blocksOf(pdf))).toEqual([
    'h1 □ 말뭉치 구축과 공개로 기술 발전의 기반 강화',
    'l0 ㅇ 구축한 말뭉치를 공개하여 그것을 쓰는 곳이 많이 늘어나게 하고 그 쓰임을 해마다 조사하며 널리 알림',
    'l1 - 쓰는 곳의 의견을 듣는 자리를 마련',
    'l1 - 사례를 모아 책으로 펴냄',
    'l2 * 신문 기사, 일상 대화 등',
    'l2 ** 개체명, 감성 등',
    'l0 ㅇ 평가 대회를 열어 서른 곳이 참여',
    'h1 □ 제도의 기반 확대',
    'l0 ㅇ 법을 고쳐 시행',
  ]);
});

test('a number and a title in boxes beside each other are one title', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .table(57, 120, [30, 200], [['1', '성 과']], 26)
    .text(57, 190, '□ 말뭉치 구축', { size: 12 })
    .text(64, 210, 'ㅇ 구축한 말뭉치를 공개하여 그것을 쓰는 곳이 늘어나게 함')
    .table(57, 260, [60, 200], [['구분', '내용']], 26);
  const blocks = brief(await blocksOf(pdf));
  expect(blocks[0]).toBe('h1 1 성 과');
  expect(blocks.at(-1)).toBe('t p 구분 | p 내용');
});

test('a label in a box is of the title in the box beside it', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .table(57, 120, [50], [['참고 1']], 26)
    .table(112, 120, [300], [['해외직접투자 세부 통계']], 26)
    .text(57, 190, '다음은 지난 분기의 통계이며 자세한 것은 뒤에 나온다.');
  expect(brief(await blocksOf(pdf))[0]).toBe('h1 참고 1 해외직접투자 세부 통계');
});

test('a line of smaller letters within an item goes on with it', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(64, 120, `ㅇ ${'가'.repeat(30)}`, { size: 15 })
    .text(87, 144, '나'.repeat(33), { size: 13.5 })
    .text(87, 168, '끝까지 확충', { size: 15 });
  const blocks = brief(await blocksOf(pdf));
  expect(blocks).toHaveLength(1);
});
