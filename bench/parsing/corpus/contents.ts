import type { Block, ListItem, TableCell } from '@ai-studio/documents';

/** A document of the corpus before it is written in any format: what every reader should find again. */
export interface Content {
  readonly name: string;
  readonly language: 'ko' | 'en';
  /** At the top and the foot of every page, where the format has pages. */
  readonly header: string;
  readonly footer: string;
  readonly blocks: readonly Block[];
}

const page = null;
const heading = (level: number, text: string): Block => ({ type: 'heading', level, page, spans: [{ text }] });
const paragraph = (text: string): Block => ({ type: 'paragraph', page, spans: [{ text }] });

/** A list of one level; `1.` counts, anything else is the mark itself. */
const list = (marker: string, ...texts: string[]): Block => ({
  type: 'list',
  page,
  items: texts.map((text, at): ListItem => {
    const ordered = marker === '1.';
    return { level: 0, marker: ordered ? `${at + 1}.` : marker, ordered, spans: [{ text }] };
  }),
});

/** A paragraph with a note at its end. */
const noted = (text: string, id: string, note: string): Block[] => [
  { type: 'paragraph', page, spans: [{ text }, { text: `${id})`, note: id }] },
  { type: 'footnote', kind: 'footnote', page, id, marker: `${id})`, blocks: [paragraph(note)] },
];

/** Rows of a table, cells parted by `|`; `<` goes on from the left, `^` from above. */
function table(caption: string, headerRows: number, ...lines: string[]): Block {
  const rows = lines.map((line) => line.split('|').map((text) => text.trim()));
  const columns = rows[0]?.length ?? 0;
  const reach = (row: number, column: number, mark: string): number => {
    const [down, right] = mark === '^' ? [1, 0] : [0, 1];
    let steps = 1;
    while (rows[row + down * steps]?.[column + right * steps] === mark) steps++;
    return steps;
  };
  const cells = rows.flatMap((texts, row) =>
    texts.flatMap((text, column): TableCell[] =>
      text === '<' || text === '^'
        ? []
        : [
            {
              row,
              column,
              rowSpan: reach(row, column, '^'),
              columnSpan: reach(row, column, '<'),
              ...(row < headerRows ? { header: true } : {}),
              blocks: text === '' ? [] : [paragraph(text)],
            },
          ],
    ),
  );
  return { type: 'table', page, rows: rows.length, columns, headerRows, cells, caption: [{ text: caption }] };
}

const regions = [
  '서울',
  '부산',
  '대구',
  '인천',
  '광주',
  '대전',
  '울산',
  '세종',
  '경기',
  '강원',
  '충북',
  '충남',
  '전북',
];
const sentence = [
  '주민이 스스로 계획을 세우고 예산을 배정하는 방식으로 사업을 추진하되, 시행 첫해의 성과를 살펴 이듬해 계획에 반영한다.',
  '관계 기관은 분기마다 추진 상황을 점검하고, 미흡한 과제에는 개선 방안을 마련하여 다음 달 말까지 제출하여야 한다.',
  '현장의 의견을 듣는 간담회를 열두 차례 열었으며, 그 결과 신청 서류를 일곱 가지에서 세 가지로 줄였다.',
];

/** A report as ministries write it. */
const report: Content = {
  name: 'report-ko',
  language: 'ko',
  header: '지역균형발전 시행계획',
  footer: '기획조정실',
  blocks: [
    heading(1, 'Ⅰ. 추진 배경'),
    paragraph(`지방의 인구가 해마다 줄어 생활 서비스의 격차가 커지고 있다. ${sentence[0]}`),
    ...noted(`${sentence[1]}`, '1', '지역균형발전 특별법 제7조에 따른 기관을 말한다.'),
    heading(2, '1. 현황과 문제점'),
    list('-', '청년의 수도권 이동이 5년째 늘고 있음', '읍·면의 의료 접근 시간이 도시의 두 배를 넘음'),
    table(
      '표 1 시·도별 예산 (단위: 백만 원)',
      2,
      '구분 | 2025년 | < | 2026년 | < ',
      '^ | 국비 | 지방비 | 국비 | 지방비',
      ...regions.map(
        (region, at) => `${region} | ${1200 + at * 37} | ${410 + at * 11} | ${1310 + at * 41} | ${455 + at * 13}`,
      ),
      '합계 | 18,486 | < | 20,228 | <',
    ),
    heading(2, '2. 그간의 성과'),
    paragraph(`${sentence[2]} ${sentence[0]}`),
    heading(1, 'Ⅱ. 추진 과제'),
    heading(2, '1. 생활 기반 확충'),
    paragraph(sentence[1] ?? ''),
    table(
      '표 2 과제별 추진 일정',
      1,
      '과제 | 세부 내용 | 담당 | 시기',
      '생활 기반 | 작은 도서관 12곳 설치 | 문화과 | 3월',
      '^ | 순환 버스 노선 신설 | 교통과 | 5월',
      '^ | 공공 의료 상담소 운영 | 보건소 | 9월',
      '일자리 | 지역 기업 연계 채용 | 경제과 | 6월',
      '^ | 창업 공간 임차료 지원 | < | 7월',
    ),
    heading(2, '2. 재정 지원'),
    list(
      '1.',
      '지방소멸대응기금을 우선 배정한다',
      '성과가 낮은 사업은 이듬해 예산을 줄인다',
      '집행 결과를 누리집에 공개한다',
    ),
    heading(1, 'Ⅲ. 향후 계획'),
    paragraph(`${sentence[2]}`),
  ],
};

const articles = [
  [
    '제1조(목적)',
    '이 규정은 정보화 사업의 추진에 필요한 사항을 정하여 예산을 알뜰하게 쓰고 품질을 높이는 것을 목적으로 한다.',
  ],
  [
    '제2조(정의)',
    '이 규정에서 “사업”이란 정보시스템을 기획·구축·운영하는 활동을 말하며, “부서”란 그 사업을 맡은 과를 말한다.',
  ],
  [
    '제3조(적용 범위)',
    '다른 법령에 특별한 규정이 있는 경우를 제외하고는 본부와 소속 기관의 모든 사업에 이 규정을 적용한다.',
  ],
  ['제4조(계획의 수립)', '부서의 장은 해마다 10월 말까지 이듬해의 사업 계획을 세워 정보화책임관에게 제출하여야 한다.'],
  ['제5조(심의)', '정보화책임관은 제출된 계획이 중복되는지, 표준에 맞는지를 심의하고 그 결과를 30일 안에 알려야 한다.'],
  ['제6조(보고)', '부서의 장은 사업을 마친 날부터 20일 안에 결과를 보고하고, 관련 자료를 5년간 보존하여야 한다.'],
] as const;

/** Rules with chapters and articles. */
const regulation: Content = {
  name: 'regulation-ko',
  language: 'ko',
  header: '정보화 사업 관리 규정',
  footer: '정보화담당관',
  blocks: [
    heading(1, '제1장 총칙'),
    ...articles.slice(0, 3).flatMap(([title, text]) => [heading(2, title), paragraph(text)]),
    heading(1, '제2장 사업의 관리'),
    ...articles.slice(3).flatMap(([title, text]) => [heading(2, title), paragraph(text)]),
    table(
      '표 1 심의 기준',
      1,
      '구분 | 기준 | 배점',
      '필요성 | 업무 개선 효과가 분명한가 | 40',
      '중복성 | 이미 있는 시스템으로 할 수 없는가 | 30',
      '표준 | 행정 표준에 맞는가 | 30',
    ),
  ],
};

const lines = [
  'The pump station supplies four districts and is inspected every spring before the season of high demand begins.',
  'Readings are taken at ten-minute intervals; values outside the range are repeated once and then reported to the operator.',
  'Vibration rose slowly through the second quarter, which agrees with the wear that was found on the lower bearing.',
];

/** A technical report with numbered sections. */
const technical: Content = {
  name: 'report-en',
  language: 'en',
  header: 'Pump Station Inspection',
  footer: 'Department of Works',
  blocks: [
    heading(1, '1. Introduction'),
    paragraph(`${lines[0]} ${lines[1]}`),
    ...noted(lines[2] ?? '', '1', 'Bearing number 6310, replaced twice since the station was opened.'),
    heading(2, '1.1 Scope'),
    list('•', 'Pumps and motors', 'Valves and pipework up to the first junction', 'Control cabinet'),
    heading(1, '2. Measurements'),
    paragraph(`${lines[2]} ${lines[0]}`),
    table(
      'Table 1 Vibration by pump (mm/s)',
      1,
      'Pump | January | April | July | Limit',
      'A | 1.2 | 1.4 | 2.9 | 2.8',
      'B | 0.9 | 1.0 | 1.1 | 2.8',
      'C | 1.7 | 1.6 | 1.8 | 2.8',
      'D | 2.0 | 2.4 | 2.6 | 4.5',
    ),
    paragraph(lines[1] ?? ''),
    heading(1, '3. Conclusions'),
    list('1.', 'Pump A needs a new bearing before the summer', 'The limit of pump D should be reviewed'),
    paragraph(`${lines[0]}`),
  ],
};

/** Contents of the corpus; each is written in every format that can hold it. */
export const contents: readonly Content[] = [report, regulation, technical];
