import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type PdfPage, PdfWriter } from '../../../test/pdf.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

const blocksOf = async (pdf: PdfWriter) =>
  brief(
    (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
      .blocks,
  );

const [X, TOP, WIDTH, BOTTOM] = [50, 60, 490, 780];

const boxed = (page: PdfPage, x0: number, y0: number, x1: number, y1: number) =>
  page.line(x0, y0, x1, y0).line(x0, y1, x1, y1).line(x0, y0, x0, y1).line(x1, y0, x1, y1);

const frame = (page: PdfPage) => boxed(page, X, TOP, X + WIDTH, BOTTOM);

const touching = [
  ['구분', '금액'],
  ['도로', '120'],
];

describe('a frame around a page', () => {
  test('is no table where the lines of one within touch it', async () => {
    const pdf = new PdfWriter();
    frame(pdf.page())
      .text(70, 90, '공고한 사업의 내용은 다음과 같다.')
      .table(
        90,
        120,
        [100, 120],
        [
          ['기간', '3월'],
          ['장소', '강당'],
        ],
      )
      .text(70, 300, '예산은 아래의 표와 같다.')
      .table(X, 330, [190, 300], touching)
      .text(70, 430, '신청은 누리집에서 한다.')
      .table(
        90,
        460,
        [100, 120],
        [
          ['방문', '우편'],
          ['1층', '2층'],
        ],
      )
      .text(70, 700, '그 밖의 것은 누리집에 있다.');
    expect(await blocksOf(pdf)).toEqual([
      'p 공고한 사업의 내용은 다음과 같다.',
      't p 기간 | p 3월 | p 장소 | p 강당',
      'p 예산은 아래의 표와 같다.',
      't p 구분 | p 금액 | p 도로 | p 120',
      'p 신청은 누리집에서 한다.',
      't p 방문 | p 우편 | p 1층 | p 2층',
      'p 그 밖의 것은 누리집에 있다.',
    ]);
  });

  test('is the table of a form, whose wide cells hold words', async () => {
    const pdf = new PdfWriter();
    frame(pdf.page())
      .text(70, 90, '신청하는 까닭을 적으세요.')
      .table(X, 330, [190, 300], touching)
      .text(70, 430, '적은 것은 모두 맞습니다.');
    const blocks = await blocksOf(pdf);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatch(/^t p 신청하는 .* \| p 구분 \| p 금액 \| .* \| p 적은 것은 모두 맞습니다\.$/);
  });
});

describe('a frame around words', () => {
  test('leaves them in their line', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    boxed(boxed(page, 66, 88, 98, 102), 148, 88, 171, 102)
      .text(50, 100, '1. ')
      .text(67, 100, '르포르')
      .text(99.5, 100, '와 보기의')
      .text(149.5, 100, '푸코')
      .text(172, 100, '를 비교한 것은 무엇인가?');
    expect(await blocksOf(pdf)).toEqual(['l0 1. 르포르와 보기의 푸코를 비교한 것은 무엇인가?']);
  });

  test('is that of a title where they are the number of a chapter, or the name of an annex', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    boxed(page, 48, 86, 82, 104).text(50, 100, '붙임 1').text(84, 100, '사업 신청 서식');
    page.lines(50, 140, ['사업을 신청하려는 기관은 아래의 서식을 채워서', '담당 부서에 내야 한다.']);
    expect(await blocksOf(pdf)).toEqual([
      expect.stringMatching(/^h\d? 붙임 1 사업 신청 서식$/),
      'p 사업을 신청하려는 기관은 아래의 서식을 채워서 담당 부서에 내야 한다.',
    ]);
  });

  test('at the top of pages is a part of their headers, on whichever side it stands', async () => {
    const pdf = new PdfWriter();
    for (const at of [0, 1, 2, 3]) {
      const page = pdf.page();
      const x = at % 2 === 0 ? 60 : 500;
      boxed(page, x - 4, 44, x + 40, 64).text(x, 58, '홀수형', { size: 12 });
      page.text(270, 58, '언어 이해', { size: 14 }).line(50, 72, 545, 72);
      page.lines(50, 110, [`${at + 1}쪽의 글은 여기에서 시작하여 다음 줄로 이어지고`, '여기에서 끝난다.']);
    }
    expect((await blocksOf(pdf)).filter((block) => !/^(?:header|footer)/.test(block))).toEqual(
      [1, 2, 3, 4].map((page) => `p ${page}쪽의 글은 여기에서 시작하여 다음 줄로 이어지고 여기에서 끝난다.`),
    );
  });
});
