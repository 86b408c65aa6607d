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

const frame = (page: PdfPage) =>
  page
    .line(X, TOP, X + WIDTH, TOP)
    .line(X, BOTTOM, X + WIDTH, BOTTOM)
    .line(X, TOP, X, BOTTOM)
    .line(X + WIDTH, TOP, X + WIDTH, BOTTOM);

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
