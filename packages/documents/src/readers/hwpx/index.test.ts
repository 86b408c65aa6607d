import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { cell, hwpxParts, list, paragraph as p, text, writeHwpx, type HwpxForm } from '../../../test/hwpx.ts';
import { writeCompound } from '../../../test/hwp-writer/compound.ts';
import { writeZip } from '../../../test/zip.ts';
import type { Document } from '../../document.ts';
import { standardLimits, type ReadOptions } from '../../reader.ts';
import { sniffFormat } from '../../sniff.ts';
import { readHwpx } from './index.ts';

const options: ReadOptions = { limits: standardLimits, pages: null, onPage: () => {} };
const readForm = async (form: HwpxForm, given: Partial<ReadOptions> = {}): Promise<Document> =>
  await readHwpx(writeHwpx(form), { ...options, ...given });
const blocksOf = async (section: string, form: Partial<HwpxForm> = {}) =>
  (await readForm({ sections: [section], ...form })).blocks;

const control = (inner: string) => `<hp:ctrl>${inner}</hp:ctrl>`;
const head = (type: string, level: number, id = 0) => `<hh:heading type="${type}" idRef="${id}" level="${level}"/>`;
const shape = (id: number, inner: string) => `<hh:paraPr id="${id}">${inner}</hh:paraPr>`;
const shaped = (words: string, id: number) => p(words, `paraPrIDRef="${id}"`);
const shapes = (...all: string[]) =>
  `<hh:paraProperties>${all.map((one, at) => shape(at, one)).join('')}</hh:paraProperties>`;
const numbering = `<hh:numberings><hh:numbering id="1"><hh:paraHead level="1" start="1" numFormat="DIGIT">^1.</hh:paraHead><hh:paraHead level="2" start="1" numFormat="HANGUL_SYLLABLE">^2.</hh:paraHead><hh:paraHead level="3" start="1" numFormat="CIRCLED_DIGIT">^3</hh:paraHead></hh:numbering></hh:numberings>`;

test('headings come from the outline, with the numbers that it gives them', async () => {
  const header = numbering + shapes(head('NONE', 0), head('OUTLINE', 0), head('OUTLINE', 1));
  const section =
    shaped('개요', 1) + shaped('목적', 2) + shaped('본문이다.', 0) + shaped('범위', 2) + shaped('결론', 1);
  const blocks = await blocksOf(section, { header });
  expect(brief(blocks)).toEqual(['h1 1. 개요', 'h2 가. 목적', 'p 본문이다.', 'h2 나. 범위', 'h1 2. 결론']);
  expect(blocks[1]).toMatchObject({ marker: '가.' });
});

test('numbers and bullets make lists; a level without a paragraph of its own counts as its first', async () => {
  const bullets = '<hh:bullets><hh:bullet id="1" char="&#xF06E;"/></hh:bullets>';
  const header =
    numbering + bullets + shapes(head('NONE', 0), head('NUMBER', 2, 1), head('NUMBER', 1, 1), head('BULLET', 0, 1));
  const section =
    shaped('첫째로 이것을 한다.', 1) +
    shaped('둘째로 이것을 한다.', 1) +
    shaped('그 다음에 저것을 한다.', 2) +
    shaped('점을 찍은 것이다.', 3);
  expect(brief(await blocksOf(section, { header }))).toEqual([
    'l2 ① 첫째로 이것을 한다.',
    'l2 ② 둘째로 이것을 한다.',
    'l1 나. 그 다음에 저것을 한다.',
    'l0 ■ 점을 찍은 것이다.',
  ]);
});

test('blocks have the boxes that lines and tables were laid out in', async () => {
  const paper =
    '<hp:secPr><hp:pagePr landscape="WIDELY" width="59528" height="84188"><hp:margin header="4252" footer="4252" gutter="0" left="8504" right="8504" top="5668" bottom="4252"/></hp:pagePr></hp:secPr>';
  const line = (top: number) =>
    `<hp:linesegarray><hp:lineseg textpos="0" vertpos="${top}" vertsize="1000" horzpos="0" horzsize="42520" flags="393216"/></hp:linesegarray>`;
  const laid = (content: string, top: number) => p(content).replace(/<\/hp:p>$/, `${line(top)}</hp:p>`);
  const sized = (words: string, column: number, width: number) =>
    cell(words, [0, column]).replace(/<\/hp:tc>$/, `<hp:cellSz width="${width}" height="3000"/></hp:tc>`);
  const at = (inline: string) =>
    `<hp:tbl><hp:sz width="20000" height="3000"/><hp:pos treatAsChar="${inline}" vertRelTo="PAPER" horzRelTo="PAGE" vertAlign="TOP" horzAlign="RIGHT" vertOffset="70000" horzOffset="0"/><hp:tr>${sized('칸', 0, 12_000)}${sized('둘', 1, 8000)}</hp:tr></hp:tbl>`;
  const blocks = await blocksOf(laid(`${paper}${text('글')}`, 0) + laid(at('1'), 2000) + laid(at('0'), 6000));
  expect(blocks.map(({ type, box }) => ({ type, box }))).toEqual([
    { type: 'paragraph', box: { x: 85, y: 99.2, width: 425.2, height: 10 } },
    { type: 'table', box: { x: 85, y: 119.2, width: 200, height: 30 } },
    { type: 'table', box: { x: 310.2, y: 700, width: 200, height: 30 } },
  ]);
  expect(blocks.map((block) => (block.type === 'table' ? block.cells.map(({ box }) => box) : []))).toEqual([
    [],
    [
      { x: 85, y: 119.2, width: 120, height: 30 },
      { x: 205, y: 119.2, width: 80, height: 30 },
    ],
    [
      { x: 310.2, y: 700, width: 120, height: 30 },
      { x: 430.2, y: 700, width: 80, height: 30 },
    ],
  ]);
});

describe('tables', () => {
  const row = (...cells: string[]) => `<hp:tr>${cells.join('')}</hp:tr>`;
  const table = (inner: string) => `<hp:tbl rowCnt="2" colCnt="2"><hp:pos treatAsChar="1"/>${inner}</hp:tbl>`;

  test('have merged cells, rows that are headings, captions, notes and tables within', async () => {
    const note = control(`<hp:footNote>${list(p('각주'))}</hp:footNote>`);
    const inner = table(row(cell('안', [0, 0]), cell('쪽', [0, 1])));
    const section = p(
      `${text('앞')}${table(
        `<hp:caption>${list(p('표 1. 예산'))}</hp:caption>` +
          row(cell('구분', [0, 0], [1, 2], 'header="1"')) +
          row(cell('가', [1, 0], [2, 1]), cell(p(`${text('1')}${note}`), [1, 1])) +
          row(cell(p(inner), [2, 1])),
      )}${text('뒤')}`,
    );
    const blocks = await blocksOf(section);
    expect(brief(blocks)).toEqual(['p 앞', 't p 구분 | p 가 | p 11) / footnote 1) p 각주 | t p 안 | p 쪽', 'p 뒤']);
    expect(blocks[1]).toMatchObject({
      rows: 3,
      columns: 2,
      headerRows: 1,
      caption: [{ text: '표 1. 예산' }],
      cells: [
        { row: 0, column: 0, rowSpan: 1, columnSpan: 2, header: true },
        { row: 1, column: 0, rowSpan: 2, columnSpan: 1 },
        { row: 1, column: 1 },
        { row: 2, column: 1 },
      ],
    });
  });

  test('whose cells have no sound places are given as text', async () => {
    const document = await readForm({
      sections: [p(table(row(cell('가', [0, 0]), cell('나', [0, 0]), cell('다', [4_000_000_000, 0]))))],
    });
    expect(brief(document.blocks)).toEqual(['p 가', 'p 나', 'p 다']);
    expect(document.warnings.map(({ code }) => code)).toEqual(['table_damaged']);
  });

  test('of one cell that is a title are a heading', async () => {
    const blocks = await blocksOf(p(table(row(cell('2026년 업무계획', [0, 0])))) + p('본문은 길게 이어지는 문장이다.'));
    expect(brief(blocks)).toEqual(['h1 2026년 업무계획', 'p 본문은 길게 이어지는 문장이다.']);
  });

  test('too deep within each other are refused or left out', async () => {
    const deep = (times: number): string => (times === 0 ? p('속') : p(table(row(cell(deep(times - 1), [0, 0])))));
    await expect(blocksOf(deep(200))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const limits = { ...standardLimits, depth: 10 };
    const document = await readForm({ sections: [p('겉') + deep(11)] }, { limits });
    expect(document.warnings.map(({ code }) => code)).toEqual(['nested_too_deep']);
  });
});

describe('text', () => {
  test('has its looks, its signs and its links', async () => {
    const letters = (id: number, inner: string, attributes = '') =>
      `<hh:charPr id="${id}" height="1000" ${attributes}>${inner}</hh:charPr>`;
    const header = `<hh:charProperties>${letters(0, '<hh:strikeout shape="3D"/>')}${letters(1, '<hh:bold/><hh:supscript/>')}${letters(2, '<hh:strikeout shape="SOLID"/>')}</hh:charProperties>`;
    const parameter = '<hp:stringParam name="Path">https://example.com</hp:stringParam>';
    const link = `<hp:fieldBegin type="HYPERLINK"><hp:parameters>${parameter}</hp:parameters></hp:fieldBegin>`;
    const section = `<hp:p><hp:run charPrIDRef="0"><hp:t>가<hp:tab/>나<hp:lineBreak/>다<hp:nbSpace/>라</hp:t></hp:run><hp:run charPrIDRef="1"><hp:t>2</hp:t></hp:run><hp:run charPrIDRef="2"><hp:t>옛</hp:t></hp:run><hp:run charPrIDRef="0">${control(link)}<hp:t>여기</hp:t></hp:run></hp:p><hp:p><hp:run charPrIDRef="0"><hp:t>도</hp:t>${control('<hp:fieldEnd/>')}<hp:t>끝</hp:t></hp:run></hp:p>`;
    expect(await blocksOf(section, { header })).toMatchObject([
      {
        spans: [
          { text: '가\t나\n다\u00a0라' },
          { text: '2', bold: true, script: 'super' },
          { text: '옛', strike: true },
          { text: '여기', link: 'https://example.com' },
        ],
      },
      { spans: [{ text: '도', link: 'https://example.com' }, { text: '끝' }] },
    ]);
  });

  test('that was deleted is gone', async () => {
    const section = p(
      '<hp:t>앞<hp:deleteBegin Id="1"/>옛<hp:deleteEnd Id="1"/><hp:insertBegin Id="2"/>새<hp:insertEnd Id="2"/></hp:t>',
    );
    expect(brief(await blocksOf(section))).toEqual(['p 앞새']);
  });

  test('that is white on white is marked as hidden', async () => {
    const header =
      '<hh:charProperties><hh:charPr id="0" height="1000" textColor="#FFFFFF" shadeColor="none"/></hh:charProperties>';
    expect(await blocksOf(p('안 보임'), { header })).toMatchObject([{ hidden: true }]);
  });

  test('has formulas, words over words and forms', async () => {
    const section =
      p(`<hp:equation><hp:script>{a} over {b}</hp:script></hp:equation>`) +
      p(`${text('값 ')}<hp:dutmal><hp:mainText>大韓</hp:mainText><hp:subText>대한</hp:subText></hp:dutmal>`);
    const blocks = await blocksOf(section);
    expect(blocks[0]).toMatchObject({ type: 'equation' });
    expect(brief(blocks)[0]).toMatch(/\\frac/);
    expect(brief(blocks)[1]).toBe('p 값 大韓(대한)');
  });
});

describe('what stands beside the text', () => {
  test('notes have their number, comments none', async () => {
    const number = control(
      '<hp:autoNum num="3" numType="ENDNOTE"><hp:autoNumFormat type="ROMAN_SMALL" suffixChar=")"/></hp:autoNum>',
    );
    const section = p(
      `${text('글')}${control(`<hp:footNote>${list(p('각주'))}</hp:footNote>`)}${control(`<hp:endNote>${list(p(`${number}${text(' 미주')}`))}</hp:endNote>`)}${control(`<hp:hiddenComment>${list(p('숨은 설명'))}</hp:hiddenComment>`)}${control(`<hp:fieldBegin type="MEMO">${list(p('메모'))}</hp:fieldBegin>`)}${text('끝')}${control('<hp:fieldEnd/>')}`,
    );
    const blocks = await blocksOf(section);
    expect(brief(blocks)).toEqual([
      'p 글1)iii)끝',
      'comment  p 숨은 설명',
      'comment  p 메모',
      'footnote 1) p 각주',
      'endnote iii) p 미주',
    ]);
    expect(blocks.map(({ hidden }) => hidden ?? false)).toEqual([false, true, false, false, false]);
  });

  test('heads and feet are given once, without the numbers of pages', async () => {
    const page = control('<hp:autoNum num="1" numType="PAGE"/>');
    const margin = (name: string) => control(`<hp:${name}>${list(p(`${text('회사')}${page}`))}</hp:${name}>`);
    const section = p(`${margin('header')}${margin('footer')}${text('하나')}`);
    expect(brief(await blocksOf(section, { sections: [section, section] }))).toEqual([
      'header p 회사',
      'footer p 회사',
      'p 하나',
      'p 하나',
    ]);
  });

  test('master pages are heads', async () => {
    const master = `<masterPage xmlns="http://www.hancom.co.kr/hwpml/2011/master-page" id="m1">${list(p('바탕'))}</masterPage>`;
    const section = p(`<hp:secPr><hp:masterPage idRef="m1"/></hp:secPr>${text('글')}`);
    const blocks = await blocksOf(section, { others: { 'Contents/masterpage0.xml': master } });
    expect(brief(blocks)).toEqual(['header p 바탕', 'p 글']);
  });

  test('boxes and groups are read from top to bottom, pictures with their words', async () => {
    const box = (words: string, y: number) =>
      `<hp:rect><hp:offset x="0" y="${y}"/><hp:curSz height="10"/><hp:drawText>${list(p(words))}</hp:drawText></hp:rect>`;
    const group = `<hp:container>${box('아래', 500)}${box('위', 0)}</hp:container>`;
    const picture = `<hp:pic><hp:caption>${list(p('그림 1. 강'))}</hp:caption><hp:shapeComment>그림입니다.\n한강</hp:shapeComment></hp:pic>`;
    const blocks = await blocksOf(p(group) + p(picture));
    expect(brief(blocks)).toEqual(['p 위', 'p 아래', 'i 한강']);
    expect(blocks[2]).toMatchObject({ caption: [{ text: '그림 1. 강' }] });
  });

  test('charts have their words', async () => {
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>금액</c:v></c:tx><c:val><c:v>3</c:v></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const section = p(
      '<hp:switch><hp:case><hp:chart chartIDRef="Chart/chart1.xml"/></hp:case><hp:default><hp:ole/></hp:default></hp:switch>',
    );
    const blocks = await blocksOf(section, { others: { 'Chart/chart1.xml': chart } });
    expect(blocks).toMatchObject([{ type: 'image', text: '금액 — 3' }]);
  });
});

test('charts that are embedded as objects have their words', async () => {
  const chart = '<c:chart><a:t>매출</a:t><c:v>3</c:v></c:chart>';
  const ole = Buffer.concat([Buffer.alloc(4), writeCompound({ OOXMLChartContents: Buffer.from(chart) })]);
  const content =
    '<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:manifest><opf:item id="ole1" href="BinData/ole1.ole"/></opf:manifest></opf:package>';
  const parts = hwpxParts({ sections: [p('<hp:ole binaryItemIDRef="ole1"/>')], withoutPackage: true });
  const bytes = writeZip([...parts, ['Contents/content.hpf', content], ['BinData/ole1.ole', ole]]);
  expect((await readHwpx(bytes, options)).blocks).toMatchObject([{ type: 'image', text: '매출 3' }]);
});

test('pages are told by the places of lines, section by section', async () => {
  const paper =
    '<hp:secPr outlineShapeIDRef="1"><hp:pagePr landscape="WIDELY" width="59500" height="84200"/></hp:secPr>';
  const first =
    p(`${paper}${text('하나')}`, '', [0]) +
    p('이어짐', '', [60_000, 0]) +
    p('둘', '', [2000]) +
    p('셋', 'pageBreak="1"', [0]);
  const told: number[] = [];
  const document = await readForm(
    { sections: [first, p(text('넷'), '', [0])] },
    { pages: new Set([1, 3, 4]), onPage: (done) => told.push(done) },
  );
  expect(document.blocks.map((block) => [brief([block])[0], block.page])).toEqual([
    ['p 하나', 1],
    ['p 이어짐', 1],
    ['p 셋', 3],
    ['p 넷', 4],
  ]);
  expect(document.pages[0]).toEqual({ number: 1, width: 595, height: 842 });
  expect(told).toEqual([1, 2, 3, 4]);
});

test('places of lines that were only filled in tell no pages', async () => {
  const limits = { ...standardLimits, pages: 3 };
  const document = await readForm({ sections: [p('채워 넣은 문단이다.', '', [0]).repeat(9)] }, { limits });
  expect(document.pages).toEqual([]);
  expect(document.blocks.map(({ page }) => page)).toEqual(Array.from({ length: 9 }, () => null));
});

test('what stands on the page above the line is read before it', async () => {
  const box = (top: number, words: string) =>
    `<hp:rect><hp:pos treatAsChar="0" vertRelTo="PAGE" vertAlign="TOP" vertOffset="${top}"/><hp:drawText>${list(p(words))}</hp:drawText></hp:rect>`;
  const section = p(`${text('글')}${box(9000, '아래')}${box(100, '위')}`, '', [5000]);
  expect(brief(await blocksOf(section))).toEqual(['p 위', 'p 글', 'p 아래']);
});

test('without them pages are not known', async () => {
  const document = await readForm({ sections: [p('글')] });
  expect(document.pages).toEqual([]);
  expect(document.blocks[0]?.page).toBeNull();
});

test('sections come in the order of the package, or of their numbers where it has none', async () => {
  const sections = Array.from({ length: 11 }, (_, at) => p(`${at}번째 문단이다.`));
  const turned = await readForm({ sections: sections.slice(0, 2), order: [1, 0] });
  expect(brief(turned.blocks)).toEqual(['p 1번째 문단이다.', 'p 0번째 문단이다.']);
  const bare = await readForm({ sections, withoutPackage: true });
  expect(brief(bare.blocks)).toEqual(sections.map((_, at) => `p ${at}번째 문단이다.`));
});

test('what is told about the document is read', async () => {
  const meta = (name: string, value: string) => `<opf:meta name="${name}" content="text">${value}</opf:meta>`;
  const metadata = `<opf:title>제목</opf:title><opf:language>ko</opf:language>${meta('creator', '김')}${meta('CreatedDate', '2026-01-02T03:04:05Z')}`;
  const document = await readForm({ sections: [p('글')], metadata });
  expect(document.meta).toEqual({ title: '제목', author: '김', language: 'ko', created: '2026-01-02T03:04:05.000Z' });
});

test('a document with a password is refused as that', async () => {
  const manifest =
    '<odf:manifest xmlns:odf="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><odf:file-entry odf:full-path="Contents/section0.xml"><odf:encryption-data/></odf:file-entry></odf:manifest>';
  await expect(blocksOf(p('글'), { others: { 'META-INF/manifest.xml': manifest } })).rejects.toMatchObject({
    code: 'ENCRYPTED',
  });
});

describe('what other programs write', () => {
  test('tables and runs that stand in no paragraph, and cells without a list', async () => {
    const row = (...texts: string[]) => `<hp:tr>${texts.map((one) => `<hp:tc>${p(one)}</hp:tc>`).join('')}</hp:tr>`;
    const blocks = await blocksOf(
      `${p('앞')}<hp:tbl>${row('과제명', '영상 진단')}${row('기간', '2024')}</hp:tbl><hp:run>${text('뒤')}</hp:run>`,
    );
    expect(brief(blocks)).toEqual(['p 앞', 't p 과제명 | p 영상 진단 | p 기간 | p 2024', 'p 뒤']);
  });

  test('one namespace for all parts, with the usual prefixes or none', async () => {
    const single = 'http://www.hancom.co.kr/hwpml/2016/HwpMl';
    const prefixed = `<hs:sec xmlns:hs="${single}" xmlns:hp="${single}">${p('접두사가 있다')}</hs:sec>`;
    const bare = `<sec xmlns="${single}"><p><run><t>접두사가 없다</t></run></p></sec>`;
    for (const [section, words] of [
      [prefixed, '접두사가 있다'],
      [bare, '접두사가 없다'],
    ] as const) {
      const bytes = writeZip([
        ['mimetype', 'application/hwp+zip', { stored: true }],
        ['Contents/section0.xml', section],
      ]);
      const { blocks, warnings } = await readHwpx(bytes, options);
      expect(brief(blocks)).toEqual([`p ${words}`]);
      expect(warnings.map(({ code }) => code)).toEqual(['styles_missing']);
    }
  });

  test('names of parts as Windows writes them', async () => {
    const parts = hwpxParts({ sections: [p('역사선 경로')] });
    const bytes = writeZip(parts.map(([name, ...rest]) => [name.replaceAll('/', '\\'), ...rest] as const));
    expect(sniffFormat(bytes)).toBe('hwpx');
    expect(brief((await readHwpx(bytes, options)).blocks)).toEqual(['p 역사선 경로']);
  });

  test('line ends between words are line breaks, those around them are not', async () => {
    const blocks = await blocksOf(p(text('\n      - 대상: 환자\r\n  - 기간: 1년\n    ')));
    expect(brief(blocks)).toEqual(['p - 대상: 환자\n- 기간: 1년']);
  });
});

test('letters that stand where nothing is read are warned about, with their share', async () => {
  const lost = `<hp:unknown><hp:p><hp:run>${text('가나다라마 바사아자차 카타파하'.repeat(4))}</hp:run></hp:p></hp:unknown>`;
  const read = await readForm({ sections: [p('읽히는 글이다.'.repeat(20)) + lost] });
  expect(read.warnings).toMatchObject([
    { code: 'text_not_read', message: expect.stringMatching(/About 29 %/) as string },
  ]);
  expect((await readForm({ sections: [lost] })).warnings).toMatchObject([{ code: 'text_not_read' }]);
  const deleted = `<hp:t>지운 글 <hp:deleteBegin/>${'삭제된 글이다. '.repeat(10)}<hp:deleteEnd/></hp:t>`;
  expect((await readForm({ sections: [p(deleted)] })).warnings).toEqual([]);
});

test('shapes that connecting lines hold together are a list of who stands below whom, in a group and beside each other', async () => {
  const words = (said: string) => `<hp:drawText>${list(p(said))}</hp:drawText>`;
  const place = (x: number, y: number) =>
    `<hp:sz width="9000" height="3000"/><hp:pos treatAsChar="0" vertRelTo="PAPER" horzRelTo="PAPER" vertAlign="TOP" horzAlign="LEFT" vertOffset="${y}" horzOffset="${x}"/>`;
  const free = (id: number, said: string, x: number, y: number) =>
    `<hp:rect instid="${id}">${words(said)}${place(x, y)}</hp:rect>`;
  const grouped = (id: number, said: string, x: number, y: number) =>
    `<hp:rect instid="${id}"><hp:offset x="${x}" y="${y}"/><hp:curSz width="9000" height="3000"/>${words(said)}</hp:rect>`;
  const tie = (from: number, to: number) =>
    `<hp:connectLine><hp:startPt x="0" y="0" subjectIDRef="${from}" subjectIdx="2"/><hp:endPt x="0" y="0" subjectIDRef="${to}" subjectIdx="0"/></hp:connectLine>`;
  const chart = (box: typeof free) =>
    box(11, '국장', 9000, 1000) +
    box(12, '과장', 1000, 8000) +
    box(13, '팀장', 18_000, 8000) +
    tie(11, 12) +
    tie(13, 11);
  for (const shapes of [chart(free), `<hp:container instid="1">${chart(grouped)}</hp:container>`])
    expect(brief(await blocksOf(p(shapes))).slice(3)).toEqual(['l0 - 국장', 'l1 - 과장', 'l1 - 팀장']);
});
