import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { cell, paragraph as p, run, writeDocx, type DocxForm } from '../../../test/docx.ts';
import type { Document } from '../../document.ts';
import { packDocument } from '../../pack.ts';
import { standardLimits, type ReadOptions } from '../../reader.ts';
import { readDocument } from '../index.ts';
import { readDocx } from './index.ts';

const options: ReadOptions = { limits: standardLimits, pages: null, onPage: () => {} };
const readForm = async (form: DocxForm, given: Partial<ReadOptions> = {}): Promise<Document> =>
  await readDocx(writeDocx(form), { ...options, ...given });
const blocksOf = async (body: string, form: Partial<DocxForm> = {}) => (await readForm({ body, ...form })).blocks;

const style = (id: string, name: string, inner = '', based = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${based === '' ? '' : `<w:basedOn w:val="${based}"/>`}${inner}</w:style>`;
const styled = (id: string, text: string) => p(text, `<w:pStyle w:val="${id}"/>`);
const numbered = (text: string, list: number, level = 0) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const level = (at: number, format: string, text: string, inner = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${inner}<w:lvlText w:val="${text}"/></w:lvl>`;
const list = (id: number, levels: string, overrides = '') =>
  `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum><w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/>${overrides}</w:num>`;

describe('headings', () => {
  test('come from outline levels, which styles inherit', async () => {
    const styles =
      style('Heading1', 'heading 1') +
      style('a', 'Report part', '', 'Heading1') +
      style('b', 'Other', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>') +
      style('t', 'Title');
    const body =
      styled('t', '보고서') +
      styled('a', '개요') +
      styled('b', '세부') +
      p('1. 본문') +
      p('x', '<w:outlineLvl w:val="4"/>');
    expect(brief(await blocksOf(body, { styles }))).toEqual([
      'title 보고서',
      'h1 개요',
      'h3 세부',
      'p 1. 본문',
      'h5 x',
    ]);
  });

  test('are found by Korean numbers where the file gives none', async () => {
    const body = p('제1장 총칙') + p('제1조(목적) 이 규정은 다음을 정한다.') + p('제2장 위원회');
    expect(brief(await blocksOf(body))).toEqual([
      'h1 제1장 총칙',
      'p 제1조(목적) 이 규정은 다음을 정한다.',
      'h1 제2장 위원회',
    ]);
  });

  test('bear the number that the list gives them', async () => {
    const styles = style('h', 'heading 1', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>');
    const numbering = list(1, level(0, 'decimal', '제%1장'));
    const [first, second] = await blocksOf(styled('h', '총칙') + styled('h', '보칙'), { styles, numbering });
    expect(first).toMatchObject({ type: 'heading', level: 1, marker: '제1장' });
    expect(brief(second === undefined ? [] : [second])).toEqual(['h1 제2장 보칙']);
  });

  test('are neither the title nor the entries of contents that were typed', async () => {
    const large = '<w:sz w:val="48"/>';
    const body =
      p(run('사업 추진 계획', large)) +
      p('목  차') +
      p('제1장 총칙') +
      p('제2장 보칙') +
      p('제1장 총칙') +
      p('본문'.repeat(30)) +
      p('제2장 보칙') +
      p('글'.repeat(30));
    const styles = '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="20"/></w:rPr></w:rPrDefault></w:docDefaults>';
    expect(brief(await blocksOf(body, { styles })).map((line) => line.slice(0, 16))).toEqual([
      'title 사업 추진 계획',
      'p 목  차',
      'contents 제1장 총칙',
      'contents 제2장 보칙',
      'h1 제1장 총칙',
      'p 본문본문본문본문본문본문본문',
      'h1 제2장 보칙',
      'p 글글글글글글글글글글글글글글',
    ]);
  });

  test('are not the entries of a table of contents', async () => {
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const contents = `${field('begin')}<w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r>${field('separate')}`;
    const styles = style('h', 'heading 1') + style('toc1', 'toc 1');
    const body = p(contents + run('개요')) + styled('toc1', '결론') + p(field('end')) + styled('h', '개요');
    expect(brief(await blocksOf(body, { styles }))).toEqual(['contents 개요', 'contents 결론', 'h1 개요']);
  });
});

describe('lists', () => {
  test('are numbered in Korean ways, level by level', async () => {
    const numbering = list(
      1,
      level(0, 'ganada', '%1.') +
        level(1, 'decimal', '%2)') +
        level(2, 'decimalEnclosedCircle', '%3') +
        level(3, 'chosung', '%4'),
    );
    const body =
      numbered('목적', 1) + numbered('하나', 1, 1) + numbered('둘', 1, 1) + numbered('셋', 1, 2) + numbered('넷', 1, 3);
    const all = styled('h', '규정') + body + numbered('범위', 1) + numbered('다시', 1, 1);
    expect(brief(await blocksOf(all, { numbering, styles: style('h', 'heading 1') }))).toEqual([
      'h1 규정',
      'l0 가. 목적',
      'l1 1) 하나',
      'l1 2) 둘',
      'l2 ① 셋',
      'l3 ㄱ 넷',
      'l0 나. 범위',
      'l1 1) 다시',
    ]);
  });

  test('show the numbers above, as digits where they are legal, and begin anew only where told', async () => {
    const numbering = list(
      1,
      level(0, 'upperRoman', '%1.') +
        level(1, 'decimal', '%1.%2', '<w:isLgl/>') +
        level(2, 'lowerLetter', '%3)', '<w:lvlRestart w:val="0"/>'),
    );
    const body = styled('h', '규정') + [0, 1, 2, 1, 2, 0, 1].map((at) => numbered('x', 1, at)).join('');
    expect(brief(await blocksOf(body, { numbering, styles: style('h', 'heading 1') }))).toEqual([
      'h1 규정',
      'l0 I. x',
      'l1 1.1 x',
      'l2 a) x',
      'l1 1.2 x',
      'l2 b) x',
      'l0 II. x',
      'l1 2.1 x',
    ]);
  });

  test('of one kind count on, over empty ones too; one with a number of its own begins with it', async () => {
    const numbering =
      list(1, level(0, 'decimal', '%1.')) +
      '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>';
    const body = numbered('a', 1) + numbered('', 1) + numbered('b', 2) + numbered('c', 3) + numbered('d', 3);
    expect(brief(await blocksOf(body, { numbering }))).toEqual(['l0 1. a', 'l0 3. b', 'l0 5. c', 'l0 6. d']);
  });

  test('counts on in a copy of a definition, and not in one that shares a part of its identifiers', async () => {
    const one = level(0, 'decimal', '%1.');
    const same = '<w:nsid w:val="59167A6F"/><w:tmpl w:val="A6DAA8C0"/>';
    const numbering =
      list(1, same + one) + list(2, same + one) + list(3, `<w:nsid w:val="59167A6F"/>${one}`) + list(4, one);
    const body = [1, 2, 1, 3, 4].map((id) => numbered('a', id)).join('');
    expect(brief(await blocksOf(body, { numbering }))).toEqual(['l0 1. a', 'l0 2. a', 'l0 3. a', 'l0 1. a', 'l0 1. a']);
  });

  test('have bullets of symbol fonts as Unicode has them', async () => {
    const font = '<w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr>';
    const numbering = list(1, level(0, 'bullet', '\uF0A7', font) + level(1, 'bullet', '-'));
    expect(brief(await blocksOf(numbered('a', 1) + numbered('b', 1, 1), { numbering }))).toEqual(['l0 ▪ a', 'l1 - b']);
  });
});

describe('tables', () => {
  const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
  const table = (rows: string) => `<w:tbl>${rows}</w:tbl>`;

  test('have merged cells, rows that are headings, and captions', async () => {
    const body =
      styledCaption('표 1. 예산') +
      table(
        row(cell('구분', '<w:gridSpan w:val="2"/>') + cell('비고'), '<w:tblHeader/>') +
          row(cell('가', '<w:vMerge w:val="restart"/>') + cell('1') + cell('2')) +
          row(cell('', '<w:vMerge/>') + cell('3') + cell('4')),
      );
    const [block] = await blocksOf(body, { styles: style('c', 'caption') });
    expect(block).toMatchObject({
      type: 'table',
      rows: 3,
      columns: 3,
      headerRows: 1,
      caption: [{ text: '표 1. 예산' }],
    });
    if (block?.type !== 'table') throw new Error('no table');
    expect(
      block.cells.map(({ row, column, rowSpan, columnSpan, header = false }) => [
        row,
        column,
        rowSpan,
        columnSpan,
        header,
      ]),
    ).toEqual([
      [0, 0, 1, 2, true],
      [0, 2, 1, 1, true],
      [1, 0, 2, 1, false],
      [1, 1, 1, 1, false],
      [1, 2, 1, 1, false],
      [2, 1, 1, 1, false],
      [2, 2, 1, 1, false],
    ]);
  });
  const styledCaption = (text: string) => styled('c', text);

  test('stand in cells, and rows that begin later keep their columns', async () => {
    const inner = table(row(cell('안')));
    const [block] = await blocksOf(
      table(row(cell('밖') + cell(inner + p(''))) + row(cell('늦게'), '<w:gridBefore w:val="1"/>')),
    );
    if (block?.type !== 'table') throw new Error('no table');
    expect(brief([block])).toEqual(['t p 밖 | t p 안 | p 늦게']);
    expect(block.cells.at(-1)).toMatchObject({ row: 1, column: 1 });
  });

  test('have a first row that is a heading where their style makes it look so', async () => {
    const styles =
      '<w:style w:type="table" w:styleId="s"><w:name w:val="s"/><w:tblStylePr w:type="firstRow"/></w:style>';
    const rows = row(cell('가') + cell('나')) + row(cell('1') + cell('2'));
    const look = (used: string) => `<w:tblPr><w:tblStyle w:val="s"/><w:tblLook w:val="${used}"/></w:tblPr>`;
    const blocks = await blocksOf(table(look('0420') + rows) + p('글') + table(look('0400') + rows), { styles });
    expect(blocks).toMatchObject([{ headerRows: 1 }, {}, { headerRows: 0 }]);
  });

  test('of one cell that is a title are a heading', async () => {
    const blocks = await blocksOf(table(row(cell('2026년 업무계획'))) + p('본문은 길게 이어지는 문장이다.'));
    expect(brief(blocks)).toEqual(['h1 2026년 업무계획', 'p 본문은 길게 이어지는 문장이다.']);
  });

  test('too deep within each other, or of too many cells, are refused', async () => {
    const deep = `${'<w:tbl><w:tr><w:tc>'.repeat(500)}${p('x')}${'</w:tc></w:tr></w:tbl>'.repeat(500)}`;
    await expect(blocksOf(deep)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const wide = table(row(cell('a').repeat(30)).repeat(10));
    await expect(readForm({ body: wide }, { limits: { ...standardLimits, cells: 100 } })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });
});

describe('runs', () => {
  test('have their looks, links, breaks and signs', async () => {
    const body = p(
      run('굵게', '<w:b/>') +
        run(' 보통 ') +
        run('2', '<w:vertAlign w:val="superscript"/>') +
        `<w:hyperlink r:id="link1">${run('여기')}</w:hyperlink><w:hyperlink w:anchor="place">${run('저기')}</w:hyperlink>` +
        '<w:r><w:tab/><w:br/><w:noBreakHyphen/><w:sym w:font="Symbol" w:char="F0B7"/></w:r>',
    );
    const [block] = await blocksOf(body, { others: { link1: ['hyperlink', 'https://example.com/'] } });
    expect(block).toMatchObject({
      spans: [
        { text: '굵게', bold: true },
        { text: ' 보통 ' },
        { text: '2', script: 'super' },
        { text: '여기', link: 'https://example.com/' },
        { text: '저기', link: '#place' },
        { text: '\t\n-•' },
      ],
    });
  });

  test('of fields show what they came to, with the address of links', async () => {
    const field = (instruction: string, shown: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const box = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const [block] = await blocksOf(p(field(' HYPERLINK "https://a.example" ', 'a') + field(' PAGE ', '7') + box));
    expect(block).toMatchObject({ spans: [{ text: 'a', link: 'https://a.example' }, { text: '7' }, { text: '☑' }] });
  });

  test('that were deleted are gone, and those that were put in are there', async () => {
    const body =
      p(`${run('앞 ')}<w:del><w:r><w:delText>옛</w:delText></w:r></w:del><w:ins>${run('새')}</w:ins>`) +
      p(run('이어'), '<w:rPr><w:del/></w:rPr>') +
      p(run('짐'));
    expect(brief(await blocksOf(body))).toEqual(['p 앞 새', 'p 이어짐']);
  });

  test('that are not shown are marked as hidden', async () => {
    const body = p(run('보임') + run('숨음', '<w:vanish/>')) + p(run('하양', '<w:color w:val="FFFFFF"/>'));
    expect((await blocksOf(body)).map((block) => [brief([block])[0], block.hidden ?? false])).toEqual([
      ['p 보임', false],
      ['p 숨음', true],
      ['p 하양', true],
    ]);
  });

  test('in content controls, smart tags and simple fields are read once', async () => {
    const body = `<w:sdt><w:sdtContent>${p(`<w:smartTag>${run('가')}</w:smartTag><w:sdt><w:sdtContent>${run('나')}</w:sdtContent></w:sdt><w:fldSimple w:instr="DATE">${run('다')}</w:fldSimple>`)}</w:sdtContent></w:sdt>`;
    expect(brief(await blocksOf(body))).toEqual(['p 가나다']);
  });

  test('of programs are code', async () => {
    const mono = '<w:rFonts w:ascii="Consolas"/>';
    const body = p(run('if (x) {', mono)) + p(run('}', mono)) + p(run('쓰는 ') + run('printf', mono));
    const blocks = await blocksOf(body);
    expect(brief(blocks)).toEqual(['c if (x) {\n}', 'p 쓰는 printf']);
    expect(blocks[1]).toMatchObject({ spans: [{ text: '쓰는 ' }, { text: 'printf', code: true }] });
  });
});

describe('what stands beside the text', () => {
  test('notes follow the paragraph that refers to them, in cells too', async () => {
    const note = (name: string, id: number, text: string, more = '') =>
      `<w:${name} w:id="${id}" ${more}>${p(text)}</w:${name}>`;
    const form = {
      footnotes:
        note('footnote', 0, '선', 'w:type="separator"') + note('footnote', 2, '각주') + note('footnote', 3, '둘째'),
      endnotes: note('endnote', 2, '미주'),
      comments: note('comment', 5, '의견', 'w:author="김"'),
    };
    const body =
      p(`${run('글')}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="5"/></w:r>`) +
      `<w:tbl><w:tr>${cell(p(`${run('칸')}<w:r><w:footnoteReference w:id="3"/><w:endnoteReference w:id="2"/></w:r>`))}${cell('b')}</w:tr></w:tbl>`;
    const blocks = await blocksOf(body, form);
    expect(brief(blocks)).toEqual([
      'p 글1',
      'footnote 1 p 각주',
      'comment  p 의견',
      't p 칸2i / footnote 2 p 둘째 / endnote i p 미주 | p b',
    ]);
    expect(blocks[0]).toMatchObject({ spans: [{}, { text: '1', note: 'footnote-2' }, { note: 'comment-5' }] });
    expect(blocks[2]).toMatchObject({ author: '김', id: 'comment-5' });
  });

  test('a note that refers to itself ends', async () => {
    const reference = '<w:r><w:footnoteReference w:id="1"/></w:r>';
    const document = await readForm({
      body: p(run('글') + reference),
      footnotes: `<w:footnote w:id="1">${p(run('안') + reference)}</w:footnote>`,
    });
    expect(document.warnings.map(({ code }) => code)).toEqual(['too_deep']);
  });

  test('heads and feet are given once, and numbers of pages not at all', async () => {
    const section = (head: string, foot: string) =>
      `<w:sectPr><w:headerReference w:type="default" r:id="${head}"/><w:footerReference w:type="default" r:id="${foot}"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`;
    const body = p('하나') + p('', section('h1', 'f1')) + p('둘') + section('h2', 'f1');
    const form = { headers: { h1: p('회사'), h2: p('회사') }, footers: { f1: p('3') } };
    expect(brief(await blocksOf(body, form))).toEqual(['header p 회사', 'p 하나', 'p 둘']);
  });

  test('boxes are read once, after their paragraph', async () => {
    const box = (name: string) => `<${name}><w:txbxContent>${p('상자')}</w:txbxContent></${name}>`;
    const body = p(
      `${run('글')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp>${box('wps:txbx')}</wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict>${box('v:textbox')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    );
    expect(brief(await blocksOf(body))).toEqual(['p 글', 'p 상자']);
  });

  test('pictures and charts have their words and their caption', async () => {
    const drawing = (inner: string, alt: string) =>
      `<w:r><w:drawing><wp:inline><wp:docPr descr="${alt}"/>${inner}</wp:inline></w:drawing></w:r>`;
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><a:t>매출</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>금액</c:v></c:tx><c:cat><c:v>2025</c:v><c:v>2026</c:v></c:cat><c:val><c:v>3</c:v><c:v>4</c:v></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const blocks = await blocksOf(
      p(drawing('<pic:pic><a:blip/></pic:pic>', '강')) + p('그림 1. 한강') + p(drawing('<c:chart r:id="chart1"/>', '')),
      { others: { chart1: ['chart', chart] } },
    );
    expect(blocks).toMatchObject([
      { type: 'image', alt: '강', caption: [{ text: '그림 1. 한강' }] },
      { type: 'image', text: '매출\n금액 — 2025: 3, 2026: 4' },
    ]);
  });

  test('notes are numbered as the settings say', async () => {
    const settings =
      '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnotePr><w:numFmt w:val="decimalEnclosedCircle"/></w:footnotePr></w:settings>';
    const blocks = await blocksOf(p(`${run('글')}<w:r><w:footnoteReference w:id="1"/></w:r>`), {
      footnotes: `<w:footnote w:id="1">${p('각주')}</w:footnote>`,
      others: { settings: ['settings', settings] },
    });
    expect(brief(blocks)).toEqual(['p 글①', 'footnote ① p 각주']);
  });

  test('newer drawings that are not read have their older form', async () => {
    const picture = (alt: string) =>
      `<w:drawing><wp:inline><wp:docPr descr="${alt}"/><pic:pic><a:blip/></pic:pic></wp:inline></w:drawing>`;
    const drawing = `<mc:AlternateContent><mc:Choice Requires="cx1">${picture('새')}</mc:Choice><mc:Fallback>${picture('옛')}</mc:Fallback></mc:AlternateContent>`;
    expect(brief(await blocksOf(p(`<w:r>${drawing}</w:r>`)))).toEqual(['i 옛']);
  });

  test('a page that a program has put in stands in the text; what is not there is told', async () => {
    const page = '<html><body><h1>붙인 글</h1><p>첫 문단.</p></body></html>';
    const body = `${p('앞')}<w:altChunk r:id="page"/>${p('뒤')}<w:altChunk/><w:altChunk r:id="gone"/>`;
    const others = { page: ['aFChunk', page], gone: ['aFChunk', 'MZ is a program'] } as const;
    const document = await readDocument(writeDocx({ body, others }), 'a.docx', options);
    expect(brief(document.blocks)).toEqual(['p 앞', 'h1 붙인 글', 'p 첫 문단.', 'p 뒤']);
    expect(document.warnings).toMatchObject([
      { code: 'part_ignored', message: expect.stringContaining('gone.xml') as string },
      { code: 'part_ignored' },
    ]);
  });
});

test('pages are told by the breaks that Word remembers and those of the author, each once', async () => {
  const seen = '<w:r><w:lastRenderedPageBreak/></w:r>';
  const body =
    p('하나') +
    p(`${seen}${run('둘')}`) +
    p(`${run('또')}<w:r><w:br w:type="page"/></w:r>`) +
    p(`${seen}${run('셋')}`) +
    p('넷', '<w:pageBreakBefore/>');
  const told: number[] = [];
  const document = await readForm(
    { body: `${body}<w:sectPr><w:pgSz w:w="11900" w:h="16840"/></w:sectPr>` },
    { pages: new Set([2, 4]), onPage: (done) => told.push(done) },
  );
  expect(document.blocks.map((block) => [brief([block])[0], block.page])).toEqual([
    ['p 둘', 2],
    ['p 또', 2],
    ['p 넷', 4],
  ]);
  expect(document.pages).toMatchObject([2, 4].map((number) => ({ number, width: 595, height: 842 })));
  expect(told).toEqual([1, 2, 3, 4]);
});

test('without those of Word the breaks of the author are counted: breaks, sections, paragraphs that begin a page', async () => {
  const section = (type: string) => `<w:p><w:pPr><w:sectPr><w:type w:val="${type}"/></w:sectPr></w:pPr></w:p>`;
  const body =
    p('하나', '<w:pageBreakBefore/>') +
    `<w:p><w:pPr><w:sectPr/></w:pPr>${run('하나 끝')}</w:p>` +
    p('둘', '<w:pageBreakBefore/>') +
    section('nextPage') +
    p('아직 둘') +
    section('continuous') +
    `<w:tbl><w:tr>${cell('셋')}${cell('3')}${cell('칸')}${cell('값')}</w:tr></w:tbl>` +
    p(`${run('셋')}<w:r><w:br w:type="page"/></w:r>`) +
    p('넷') +
    '<w:sectPr><w:sectPrChange><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:sectPrChange></w:sectPr>';
  const document = await readForm({ body });
  expect(document.blocks.map((block) => [brief([block])[0], block.page])).toEqual([
    ['p 하나', 1],
    ['p 하나 끝', 1],
    ['p 둘', 2],
    ['p 아직 둘', 2],
    ['t p 셋 | p 3 | p 칸 | p 값', 3],
    ['p 셋', 3],
    ['p 넷', 4],
  ]);
  expect(document.pages).toHaveLength(4);
  expect(document.warnings.map(({ code }) => code)).toEqual(['pages_by_breaks']);
  const app = (pages: number) =>
    `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>${pages}</Pages><Characters>20</Characters></Properties>`;
  expect(await readForm({ body, app: app(4) })).toMatchObject({ warnings: [], pages: [{}, {}, {}, { number: 4 }] });
  const many = { body: body + p('긴 글. '.repeat(4_000)) };
  for (const [form, pageCount] of [
    [{ body, app: app(872) }, 872],
    [{ body, app: app(10 ** 9) }, standardLimits.pages],
    // As many as its letters fill.
    [many, 6],
  ] as const) {
    const longer = await readForm(form);
    expect(longer).toMatchObject({ warnings: [], pages: [], pageCount });
    expect(packDocument(longer).pages).toBe(pageCount);
    expect(longer.blocks.every(({ page }) => page === null)).toBe(true);
  }
});

test('without them pages are not known', async () => {
  const document = await readForm({ body: p('글') });
  expect(document.pages).toEqual([]);
  expect(document.blocks[0]?.page).toBeNull();
});

test('strict files and other prefixes are read alike, with what is told about them', async () => {
  const { docxParts } = await import('../../../test/docx.ts');
  const { writeZip } = await import('../../../test/zip.ts');
  const core =
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>제목</dc:title><dc:creator>김</dc:creator><dc:language>ko-KR</dc:language><dcterms:created>2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>';
  const parts = docxParts({ body: p('글'), core }).map(
    ([name, content]) =>
      [
        name,
        content
          .toString()
          .replaceAll(
            'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
            'http://purl.oclc.org/ooxml/wordprocessingml/main',
          )
          .replaceAll(/(<\/?|xmlns:)w(?=[:=])/g, '$1word'),
      ] as const,
  );
  const document = await readDocx(writeZip(parts), options);
  expect(brief(document.blocks)).toEqual(['p 글']);
  expect(document.meta).toEqual({
    title: '제목',
    author: '김',
    language: 'ko-KR',
    created: '2026-01-02T03:04:05.000Z',
  });
});

test('formulas are LaTeX, alone or in the line', async () => {
  const formula =
    '<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>';
  const blocks = await blocksOf(p(`<m:oMathPara>${formula}</m:oMathPara>`) + p(`${run('값 ')}${formula}`));
  expect(brief(blocks)).toEqual(['e \\frac{a}{b}', 'p 값 \\frac{a}{b}']);
  expect(blocks[1]).toMatchObject({ spans: [{ text: '값 ' }, { text: '\\frac{a}{b}', math: true }] });
});

describe('who stands below whom', () => {
  const drawing = (inner: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1"/><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

  test('in a group of shapes that connectors hold together', async () => {
    const box = (id: number, words: string, x: number, y: number) =>
      `<wps:wsp><wps:cNvPr id="${id}" name="b"/><wps:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="40"/></a:xfrm></wps:spPr><wps:txbx><w:txbxContent>${p(words)}</w:txbxContent></wps:txbx></wps:wsp>`;
    const tie = (from: number, to: number) =>
      `<wps:wsp><wps:cNvCnPr><a:stCxn id="${from}" idx="2"/><a:endCxn id="${to}" idx="0"/></wps:cNvCnPr></wps:wsp>`;
    const group = [box(1, '국장', 100, 0), box(2, '과장', 0, 80), box(3, '팀장', 200, 80), tie(1, 2), tie(1, 3)];
    const wpg = 'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"';
    expect(brief(await blocksOf(p(drawing(`<wpg:wgp ${wpg}>${group.join('')}</wpg:wgp>`))))).toEqual([
      'p 국장',
      'p 과장',
      'p 팀장',
      'l0 - 국장',
      'l1 - 과장',
      'l1 - 팀장',
    ]);
  });

  test('in a diagram with levels; one without has its words alone', async () => {
    const point = (id: string, words: string, type = '') =>
      `<dgm:pt modelId="${id}"${type}><dgm:t><a:p><a:r><a:t>${words}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const tie = (from: string, to: string, order: number, type = '') =>
      `<dgm:cxn modelId="c${from}${to}" srcId="${from}" destId="${to}" srcOrd="${order}"${type}/>`;
    const points = [
      point('0', '', ' type="doc"'),
      point('1', '국장'),
      point('2', '과장'),
      point('3', '팀장'),
      point('4', '', ' type="parTrans"'),
    ].join('');
    const part = (ties: string) =>
      `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${points}</dgm:ptLst><dgm:cxnLst>${ties}</dgm:cxnLst></dgm:dataModel>`;
    const shown = (name: string) =>
      drawing(
        `<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="${name}" r:lo="x"/>`,
      );
    const others = {
      tree: [
        'diagramData',
        part(tie('0', '1', 0) + tie('1', '3', 1) + tie('1', '2', 0) + tie('2', '1', 0, ' type="presOf"')),
      ],
      row: ['diagramData', part(tie('0', '1', 0) + tie('0', '2', 1) + tie('0', '3', 2))],
    } as const;
    expect(brief(await blocksOf(p(shown('tree')) + p(shown('row')), { others }))).toEqual([
      'i ',
      'l0 - 국장',
      'l1 - 과장',
      'l1 - 팀장',
      'i ',
    ]);
  });
});
