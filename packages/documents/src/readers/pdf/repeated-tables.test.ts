import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter } from '../../../test/pdf.ts';
import type { Block } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

// Reports whose pages begin with the name of the body, of the project and of its version in boxes.

const blocksOf = async (pdf: PdfWriter) =>
  (await readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined }))
    .blocks;

const inMargins = (blocks: readonly Block[], type: 'header' | 'footer') =>
  blocks.flatMap((block) => (block.type === type ? [{ page: block.page, blocks: brief(block.blocks) }] : []));
const running = (blocks: readonly Block[]) =>
  brief(blocks.filter(({ type }) => type !== 'header' && type !== 'footer'));

const sentence = [
  '이 보고서는 회의에서 나온 말을 글로 옮기고 그 가운데 무거운 문장만을 골라 짧게 줄이는 방법을',
  '다루며 여러 해에 걸쳐 모은 회의록을 가지고 그 방법이 얼마나 잘 맞는지를 하나하나 재어 보았고',
  '그 결과를 다음 해의 사업을 세우는 데에 쓸 수 있도록 장마다 표로 만들어 붙였으며 모자란 점은',
  '끝에 따로 적었다.',
];
const said = ['바다의 물은 짜다.', '산에는 나무가 많다.', '강은 아래로 흐른다.'];
const head = (page: number) => [
  ['사업 이름', '회의록 요약'],
  ['판 1.2', `${page} / 3`],
];

describe('tables at the top or the foot of pages that say the same', () => {
  test('are a header that stands once, and a sentence goes on over them', async () => {
    const pdf = new PdfWriter();
    for (const page of [1, 2, 3]) {
      const written = pdf.page().table(57, 50, [120, 300], head(page), 24);
      if (page === 1) written.lines(57, 600, sentence.slice(0, 2));
      else written.lines(57, 140, page === 2 ? sentence.slice(2) : ['마지막 쪽의 글이다.']);
    }
    const blocks = await blocksOf(pdf);
    expect(inMargins(blocks, 'header')).toEqual([
      { page: 1, blocks: ['t p 사업 이름 | p 회의록 요약 | p 판 1.2 | p 1 / 3'] },
    ]);
    expect(running(blocks).join('\n')).not.toContain('사업 이름');
    const texts = running(blocks).map((text) => text.replaceAll(' ', ''));
    expect(texts).toEqual([`p${sentence.join('')}`, 'p마지막쪽의글이다.'].map((text) => text.replaceAll(' ', '')));
  });

  test('stay where two pages alone have them, where they say something else, and in the middle of a page', async () => {
    const two = new PdfWriter();
    for (const page of [1, 2])
      two.page().table(57, 50, [120, 300], head(page), 24).text(57, 140, `${page}쪽의 글이다.`);
    expect(inMargins(await blocksOf(two), 'header')).toEqual([]);
    const others = new PdfWriter();
    for (const name of ['가람', '나루', '다솜'])
      others
        .page()
        .table(57, 50, [120, 300], [['이름', name]], 24)
        .text(57, 140, `${name}의 글이다.`);
    expect(inMargins(await blocksOf(others), 'header')).toEqual([]);
    const below = new PdfWriter();
    for (const page of [1, 2, 3])
      below
        .page()
        .text(57, 60, said[page - 1] ?? '')
        .table(57, 90, [120, 300], head(1), 24);
    expect(inMargins(await blocksOf(below), 'header')).toEqual([]);
  });

  test('are a footer below the text', async () => {
    const pdf = new PdfWriter();
    for (const page of [1, 2, 3])
      pdf
        .page()
        .text(57, 100, said[page - 1] ?? '')
        .table(57, 770, [120, 300], [['담당 부서', '기록정보과']], 24);
    const blocks = await blocksOf(pdf);
    expect(inMargins(blocks, 'footer')).toEqual([{ page: 1, blocks: ['t p 담당 부서 | p 기록정보과'] }]);
    expect(running(blocks)).toEqual(said.map((text) => `p ${text}`));
  });
});

describe('lines that look like items', () => {
  test('`다.` ends the sentence of a full line, and is the third item behind `나.`', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .lines(57, 100, [
        '요약은 문장의 무게를 재어 무거운 것부터 고르는 일이며 이것을 잘하는 것이 이 사업의 목표이',
        '다. 무게는 낱말이 얼마나 자주 나오는지를 보고 매긴다.',
      ])
      .text(57, 200, '가. 계획을 세운다')
      .text(57, 216, '나. 예산을 나눈다')
      .text(57, 232, '다. 결과를 알린다');
    expect(brief(await blocksOf(pdf))).toEqual([
      'p 요약은 문장의 무게를 재어 무거운 것부터 고르는 일이며 이것을 잘하는 것이 이 사업의 목표이다. 무게는 낱말이 얼마나 자주 나오는지를 보고 매긴다.',
      'l0 가. 계획을 세운다',
      'l0 나. 예산을 나눈다',
      'l0 다. 결과를 알린다',
    ]);
  });

  test('round marks of Unicode begin items, and their lines that go in belong to them', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .text(57, 100, '⚫ 규칙을 따르는 방식은 가장 빠르며 우리말과 다른 말을 모두 읽을 수 있')
      .text(72, 114, '다고 한다')
      .text(57, 128, '⚪ 배워서 따르는 방식은 느리다');
    const lines = brief(await blocksOf(pdf));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^l0 ⚫ 규칙을 .*다고 한다$/);
    expect(lines[1]).toBe('l0 ⚪ 배워서 따르는 방식은 느리다');
  });
});
