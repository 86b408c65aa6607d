import type { Block } from '@ai-studio/documents';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { drawBars, drawLines, drawPie } from '@ai-studio/documents/test/charts.ts';
import { COLUMN, Column, LEFT, Prose, RIGHT } from './column.ts';

const page = null;
/** The height of a line of options. */
const PITCH = 15;

/** Pages whose layout is hard to read: columns with drawings between them, options beside each other, tables on their side. */
export interface Layout {
  readonly name: string;
  readonly blocks: readonly Block[];
  readonly bytes: Uint8Array;
}

const months = ['1월', '3월', '5월', '7월', '9월', '11월'];
const years = ['2019', '2020', '2021', '2022', '2023'];
const series = [
  { name: '수출', values: [42, 55, 38, 61, 70, 66] },
  { name: '수입', values: [35, 33, 48, 52, 49, 58] },
];

interface Draft {
  readonly pdf: PdfWriter;
  readonly truth: Block[];
}

const finished = (name: string, make: (draft: Draft) => void): Layout => {
  const draft: Draft = { pdf: new PdfWriter(), truth: [] };
  make(draft);
  return { name, blocks: draft.truth, bytes: draft.pdf.bytes() };
};

const left = { x: LEFT, width: COLUMN };
const right = { x: RIGHT, width: COLUMN };

/** Charts within the columns, a title over both, notes at the foot of each. */
const chartsInColumns = finished('charts-in-columns', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(0);
  const head = new Column(sheet, truth);
  head.heading(1, '최근 경기 동향과 전망').text(prose.paragraph(2));
  const y = head.y + 14;
  new Column(sheet, truth, { ...left, y })
    .heading(2, '1. 실물 경제')
    .text(prose.paragraph(3))
    .figure('그림 1. 월별 수출입', 150, (x, top) =>
      drawLines(sheet, { x, y: top, width: 200, height: 120 }, months, series),
    )
    .text(prose.paragraph(4))
    .note('1)', prose.sentence(), 720);
  new Column(sheet, truth, { ...right, y })
    .text(prose.paragraph(2))
    .heading(2, '2. 고용')
    .text(prose.paragraph(2))
    .figure('그림 2. 취업자 수 증감', 150, (x, top) =>
      drawBars(sheet, { x, y: top, width: 200, height: 120 }, years, [12, 31, 22, 45, 38]),
    )
    .text(prose.paragraph(3))
    .note('2)', prose.sentence(), 720);
});

/** Charts at the same height in both columns, so that their labels stand on the lines of each other. */
const chartsBesideProse = finished('charts-beside-prose', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(40);
  new Column(sheet, truth, { ...left, y: 90 })
    .text(prose.paragraph(5))
    .figure('그림 3. 항목별 비중', 140, (x, top) =>
      drawPie(sheet, { x: x + 30, y: top, width: 120, height: 120 }, [
        ['주거비', 34],
        ['식료품', 27],
        ['교통비', 21],
        ['기타', 18],
      ]),
    )
    .text(prose.paragraph(4))
    .heading(2, '3. 물가')
    .text(prose.paragraph(3));
  new Column(sheet, truth, { ...right, y: 90 })
    .text(prose.paragraph(3))
    .figure('그림 4. 근원 물가 상승률', 160, (x, top) =>
      drawLines(sheet, { x, y: top, width: 205, height: 125 }, years, [series[1]!], { grid: true }),
    )
    .text(prose.paragraph(6));
});

/** Columns above and below a chart and a table over the whole width. */
const spanning = finished('spanning-parts', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(80);
  const upperLeft = new Column(sheet, truth, { ...left, y: 90 }).text(prose.paragraph(4));
  const upperRight = new Column(sheet, truth, { ...right, y: 90 }).text(prose.paragraph(4));
  const middle = new Column(sheet, truth, { y: Math.max(upperLeft.y, upperRight.y) + 12 }).figure(
    '그림 5. 지역별 취업자',
    160,
    (x, top) =>
      drawBars(sheet, { x: x + 20, y: top, width: 420, height: 130 }, months, [30, 52, 41, 66, 58, 37], {
        values: true,
      }),
  );
  const y = middle.y + 10;
  const lowerLeft = new Column(sheet, truth, { ...left, y }).heading(2, '4. 재정').text(prose.paragraph(3));
  const lowerRight = new Column(sheet, truth, { ...right, y }).text(prose.paragraph(3));
  new Column(sheet, truth, { y: Math.max(lowerLeft.y, lowerRight.y) + 16 })
    .table(
      '표 1 주요 지표',
      [140, 110, 110, 110],
      [
        ['구분', '2021년', '2022년', '2023년'],
        ['경제 성장률', '4.3', '2.6', '1.4'],
        ['실업률', '3.7', '2.9', '2.7'],
      ],
    )
    .text(prose.paragraph(2));
});

/** One column with charts beside each other. */
const pairOfCharts = finished('pair-of-charts', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(120);
  const column = new Column(sheet, truth).heading(1, '금융 시장 점검').text(prose.paragraph(3));
  drawBars(sheet, { x: RIGHT, y: column.y, width: 200, height: 120 }, years, [12, 31, 22, 45, 38], { across: true });
  column
    .figure('그림 6. 예금과 대출', 150, (x, y) =>
      drawLines(sheet, { x, y, width: 200, height: 120 }, months, series, { grid: true }),
    )
    .text(prose.paragraph(3))
    .heading(2, '가. 전망')
    .text(prose.paragraph(3));
});

/** Text that runs beside a chart, on the lines of its labels. */
const besideText = finished('chart-beside-text', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(240);
  const upper = new Column(sheet, truth).text(prose.paragraph(4));
  const beside = new Column(sheet, truth, { y: upper.y, width: 280 }).text(prose.paragraph(8));
  drawLines(sheet, { x: LEFT + 292, y: upper.y - 6, width: 190, height: 130 }, years, series, { grid: true });
  drawBars(sheet, { x: LEFT + 292, y: upper.y + 140, width: 190, height: 110 }, months, [30, 52, 41, 66, 58, 37]);
  new Column(sheet, truth, { y: Math.max(beside.y, upper.y + 270) }).text(prose.paragraph(4));
});

const questions = [
  ['다음 중 예산의 원칙이 아닌 것은?', ['공개성의 원칙', '완전성의 원칙', '비밀성의 원칙', '통일성의 원칙']],
  [
    '재정 수입에 속하는 것을 고르면?',
    ['조세 수입과 부담금', '가계의 소비 지출', '기업의 설비 투자', '민간의 저축과 대출'],
  ],
  ['국채를 발행하는 기관은 어디인가?', ['기획재정부 장관', '한국은행 총재', '금융위원회 위원', '국회 사무총장']],
  [
    '지방세가 아닌 것은 무엇인가?',
    ['취득세와 등록면허세', '부가가치세와 소득세', '재산세와 자동차세', '주민세와 담배소비세'],
  ],
] as const;

/** An examination in two columns, with options by rows on the left and by columns on the right. */
const options = finished('options', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(160);
  let number = 0;
  for (const [at, place] of [left, right].entries()) {
    let y = 100;
    for (const [question, answers] of questions) {
      number++;
      const column = new Column(sheet, truth, { ...place, y }).text(`${number}. ${question}`).text(prose.paragraph(1));
      const lines = answers.map((answer, index) => `${'①②③④'[index]} ${number}번 ${answer}`);
      for (const [index, line] of lines.entries()) {
        const [row, side] = at === 0 ? [index >> 1, index & 1] : [index & 1, index >> 1];
        sheet.text(place.x + 6 + side * 112, column.y + row * PITCH, line, { size: 7.8 });
        truth.push({ type: 'paragraph', page, spans: [{ text: line }] });
      }
      y = column.y + 2 * PITCH + 24;
    }
  }
});

/** A table that stands on its side on a page that does not. */
const turnedTable = finished('turned-table', ({ pdf, truth }) => {
  const sheet = pdf.page();
  const prose = new Prose(200);
  const column = new Column(sheet, truth).heading(2, '5. 연도별 예산').text(prose.paragraph(6));
  const rows = [
    // PDFium leaves out turned letters of fonts that are not in the file where a text has no others.
    ['사업 A', '2022년', '2023년', '2024년'],
    ['도로 1호', '120', '135', '150'],
    ['하천 2호', '80', '75', '90'],
    ['공원 3호', '45', '60', '52'],
  ];
  const [x, y, width, height] = [140, column.y + 20, 26, 70];
  for (let row = 0; row <= rows.length; row++) sheet.line(x + row * width, y, x + row * width, y + 4 * height);
  for (let at = 0; at <= 4; at++) sheet.line(x, y + at * height, x + rows.length * width, y + at * height);
  for (const [row, texts] of rows.entries())
    for (const [at, text] of texts.entries())
      sheet.text(x + row * width + 17, y + (4 - at) * height - 6, text, { size: 9, angle: 90 });
  truth.push({
    type: 'table',
    page,
    rows: 4,
    columns: 4,
    headerRows: 1,
    cells: rows.flatMap((texts, row) =>
      texts.map((text, at) => ({
        row,
        column: at,
        rowSpan: 1,
        columnSpan: 1,
        blocks: [{ type: 'paragraph', page, spans: [{ text }] } as const],
      })),
    ),
  });
  column.y = y + 4 * height + 30;
  column.text(prose.paragraph(2));
});

export const layouts: readonly Layout[] = [
  chartsInColumns,
  chartsBesideProse,
  spanning,
  pairOfCharts,
  besideText,
  options,
  turnedTable,
];
