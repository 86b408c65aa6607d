import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter, wide } from '../../../test/pdf.ts';
import type { Document } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { readPdf } from './index.ts';

const read = async (pdf: PdfWriter): Promise<Document> =>
  readPdf(Uint8Array.from(pdf.bytes()), { limits: standardLimits, pages: null, onPage: () => undefined });
const fieldsOf = ({ blocks }: Document) => blocks.flatMap(formFieldsOf);
const at = (x: number, y: number, width: number, height: number) => ({ box: { x, y, width, height } });
const box = '/FT /Btn /AP <</N <</Yes 8 0 R /Off 8 0 R>>>>';

test('fields of the file stand at their place in the text, with name, label and value', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(72, 100, '신청서를 다음과 같이 제출합니다. 빠짐없이 적어 주시기 바랍니다.')
    .text(72, 140, '성명')
    .widget(
      120,
      128,
      150,
      16,
      `/FT /Tx /T ${wide('name')} /TU ${wide('신청인 성명')} /V ${wide('홍길동')} /DA (/F1 10 Tf)`,
    )
    .text(72, 170, '지역')
    .widget(
      120,
      158,
      150,
      16,
      `/FT /Ch /Ff 131072 /T (region) /V ${wide('경기')} /Opt [${wide('서울')} ${wide('경기')}] /DA (/F1 10 Tf)`,
    )
    .text(72, 200, '비고')
    .widget(120, 188, 150, 16, '/FT /Tx /T (remarks) /DA (/F1 10 Tf)')
    .widget(72, 222, 10, 10, `${box} /T (agree) /V /Yes /AS /Yes`)
    .text(86, 231, '동의함')
    .widget(172, 222, 10, 10, `${box} /T (news) /AS /Off`)
    .text(186, 231, '소식을 받음')
    .widget(72, 252, 10, 10, `${box} /Ff 32768 /T (kind) /V /Yes /AS /Yes`)
    .text(86, 261, '개인')
    .widget(72, 300, 80, 16, '/FT /Btn /Ff 65536 /T (send)');
  const document = await read(pdf);
  const lines = brief(document.blocks).join('\n');
  expect(lines).toContain('성명 홍길동');
  expect(lines).toContain('지역 경기');
  expect(lines).toContain('☑동의함');
  expect(lines).toContain('☐소식을 받음');
  expect(fieldsOf(document)).toEqual([
    { kind: 'text', name: 'name', label: '신청인 성명', value: '홍길동', ...at(120, 128, 150, 16) },
    {
      kind: 'choice',
      name: 'region',
      label: '지역',
      value: '경기',
      options: ['서울', '경기'],
      ...at(120, 158, 150, 16),
    },
    { kind: 'text', name: 'remarks', label: '비고', value: '', ...at(120, 188, 150, 16) },
    { kind: 'checkbox', name: 'agree', label: '동의함', checked: true, ...at(72, 222, 10, 10) },
    { kind: 'checkbox', name: 'news', label: '소식을 받음', checked: false, ...at(172, 222, 10, 10) },
    { kind: 'radio', name: 'kind', label: '개인', checked: true, ...at(72, 252, 10, 10) },
  ]);
});

test('drawn boxes have their state, in the text and within cells; they are no cells of their own', async () => {
  const pdf = new PdfWriter();
  const page = pdf.page();
  page
    .text(72, 100, '다음 가운데 해당하는 것에 표시하여 주시기 바라며, 표시가 없으면 없는 것으로 봅니다.')
    .box(72, 131, 9)
    .text(84, 140, '원천기술형')
    .box(152, 131, 9, true)
    .text(164, 140, '혁신제품형')
    .table(
      72,
      200,
      [100, 150],
      [
        ['구분', '상태'],
        ['동의', ''],
        ['비고', '없음'],
      ],
    )
    .box(180, 225, 10, true);
  // Cells for the letters of a number, and a letter in a box, are no boxes to tick.
  for (const at of [0, 1, 2]) page.box(72 + at * 12, 320, 12);
  page.text(112, 330, '번호').box(72, 361, 11).text(74.5, 370, '3', { size: 10 }).text(88, 370, '쪽');
  const document = await read(pdf);
  const lines = brief(document.blocks);
  expect(lines.join('\n')).toContain('☐원천기술형');
  expect(lines.join('\n')).toContain('☑혁신제품형');
  expect(lines.find((line) => line.startsWith('t '))).toBe('t p 구분 | p 상태 | p 동의 | p ☑ | p 비고 | p 없음');
  expect(fieldsOf(document)).toEqual([
    { kind: 'checkbox', label: '원천기술형', checked: false, ...at(72, 131, 9, 9) },
    { kind: 'checkbox', label: '혁신제품형', checked: true, ...at(152, 131, 9, 9) },
    {
      kind: 'checkbox',
      checked: true,
      row: 1,
      column: 1,
      ...at(180, 225, 10, 10),
      cellBox: { x: 172, y: 220, width: 150, height: 20 },
    },
  ]);
});

test('a letter in a box ticks it; circles are radio buttons where one of them has a mark', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .box(72, 91, 10)
    .text(74, 100, 'V', { size: 9 })
    .text(86, 100, '해당')
    .circle(72, 131, 9)
    .text(84, 140, '남자')
    .circle(112, 131, 9, true)
    .text(124, 140, '여자');
  pdf.page().circle(72, 131, 9).text(84, 140, '둥근 점 뒤의 글은 목록의 한 줄이다.');
  const document = await read(pdf);
  expect(fieldsOf(document)).toEqual([
    { kind: 'checkbox', label: '해당', checked: true, ...at(72, 91, 10, 10) },
    { kind: 'radio', label: '남자', checked: false, ...at(72, 131, 9, 9) },
    { kind: 'radio', label: '여자', checked: true, ...at(112, 131, 9, 9) },
  ]);
  expect(brief(document.blocks).join('\n')).not.toContain('V');
});

test('boxes that are letters make a list with their state, and no headings', async () => {
  const pdf = new PdfWriter();
  pdf
    .page()
    .text(72, 100, '제출한 서류는 아래와 같으며 빠진 것은 다음 주까지 보완하여 다시 제출한다.')
    .text(72, 140, '☑ 사업계획서', { bold: true })
    .text(72, 160, '☐ 재무제표', { bold: true })
    .text(72, 200, '□ 남 ☑ 여', { size: 14, bold: true });
  const { blocks } = await read(pdf);
  expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
  expect(blocks).toMatchObject([
    {},
    { type: 'list', items: [{ checked: true }, { checked: false }] },
    { type: 'paragraph' },
  ]);
});
