import { utils, write } from '@e965/xlsx';
import iconv from 'iconv-lite';
import { cell, paragraph as wordParagraph, run, writeDocx } from '../docx.ts';
import {
  columns,
  comment,
  embedded,
  equation,
  fixedBox,
  form,
  group,
  link,
  linkEnd,
  margin,
  note,
  overlaid,
  paragraph as hwpParagraph,
  picture,
  ruby,
  sectionStart,
  simpleTable,
  table,
  textBox,
  writeHwp,
  type WrittenHwp,
} from '../hwp-writer/index.ts';
import * as old from '../hwp3.ts';
import { cell as hwpxCell, list, paragraph as hwpxParagraph, text as hwpxText, writeHwpx } from '../hwpx.ts';
import { writeEpub, writeMsg } from '../mail.ts';
import { cell as odfCell, p as odfParagraph, row as odfRow, writeOdf } from '../odf.ts';
import { PdfWriter } from '../pdf.ts';
import { at, line, shape, writePptx } from '../pptx.ts';
import { koreanList, rowOf, sprm, writeDoc } from '../doc.ts';
import { letterLooks, paragraphLooks, writePpt } from '../ppt.ts';
import { number, rows, text as words, writeXlsx } from '../xlsx.ts';

/** A file that is damaged. Its name tells the text formats apart. */
export interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
}

const hwp3: old.Hwp3Form = {
  title: '옛 문서',
  styles: ['Normal', 'Heading 1'],
  paragraphs: [
    old.paragraph([old.outline(3, 0, [1]), ' 총칙'], { style: 1, lines: [true], boldAt: [40] }),
    old.paragraph([
      '글',
      old.tab,
      old.note('footnote', 1, old.paragraph([old.autoNumber(1, 1), ' 각주'])),
      old.bookmark,
    ]),
    old.paragraph([
      old.table(
        [
          ['가', '나'],
          ['다', '라'],
        ],
        [old.paragraph('표 1')],
      ),
      old.margin('header', old.paragraph('머리말')),
      old.comment(old.paragraph('설명')),
    ]),
    old.paragraph([
      old.box(2, [{ at: [0, 0, 100, 100], content: [old.paragraph('x over 2')] }]),
      old.image(old.paragraph('그림')),
      old.drawing({ at: [0, 0], children: [{ at: [0, 9], text: [old.paragraph('도형')] }] }),
      old.field(Buffer.alloc(20)),
      old.dateCode(2001, 3, 5),
    ]),
  ],
};

const hwp: WrittenHwp = {
  info: {
    numberings: [
      [
        ['^1.', 0],
        ['^2.', 8],
      ],
    ],
    bullets: ['-'],
    charShapes: [{}, { bold: true, size: 1600 }, { script: 'super', strike: true }],
    paraShapes: [{}, { head: 'outline' }, { head: 'bullet', headId: 1 }, { head: 'number', level: 1, headId: 1 }],
    fills: [true],
    tracked: true,
    objects: 1,
  },
  sections: [
    [
      hwpParagraph([sectionStart(), columns(2), '제1장 총칙'], {
        shape: 1,
        lines: [0],
        chars: [
          [0, 1],
          [3, 2],
        ],
      }),
      hwpParagraph(
        ['본문 ', link('http://example.com'), '고리', linkEnd, note('fn  ', 1, '각주'), note('en  ', 1, '미주')],
        { lines: [1600, 3200], memos: ['메모'] },
      ),
      hwpParagraph([margin('head', '머리말'), margin('foot', '꼬리말'), ruby('본말', '덧말'), overlaid('가나')]),
      hwpParagraph([
        table({
          rows: 2,
          columns: 2,
          caption: [hwpParagraph('표 1. 예산')],
          cells: [
            { row: 0, column: 0, columnSpan: 2, header: true, fill: 1, content: [hwpParagraph('항목')] },
            { row: 1, column: 0, content: [hwpParagraph([simpleTable([['안', '속']])])] },
            { row: 1, column: 1, content: [hwpParagraph(['값', note('fn  ', 2, '칸의 각주')])] },
          ],
        }),
        equation('{1 over 2} + sqrt {x ^2} sum from {i=1} to n matrix{a & b # c & d}'),
      ]),
      hwpParagraph([textBox([hwpParagraph('글상자')]), picture('그림', [hwpParagraph('그림 1')]), comment('설명')]),
      hwpParagraph([
        group([{ x: 0, y: 10, text: '묶음' }]),
        fixedBox('결재', 100),
        form('+cbt', '동의', { Caption: '동의함', Value: 1 }),
        embedded(1),
      ]),
      hwpParagraph('항목', { shape: 2, deleted: [[0, 1]] }),
      hwpParagraph('다음', { shape: 3, breakPage: true, lines: [0] }),
    ],
    [hwpParagraph([sectionStart(1, true), '둘째 구역'], { lines: [0] })],
  ],
  title: '견본',
};

const docx = writeDocx({
  styles:
    '<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/><w:basedOn w:val="b"/></w:style><w:style w:type="paragraph" w:styleId="b"><w:name w:val="Normal"/><w:rPr><w:sz w:val="20"/></w:rPr></w:style>',
  numbering:
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="ganada"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimalEnclosedCircle"/><w:lvlText w:val="%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="1"><w:startOverride w:val="3"/></w:lvlOverride></w:num>',
  footnotes: `<w:footnote w:id="1">${wordParagraph('각주')}</w:footnote>`,
  endnotes: `<w:endnote w:id="1">${wordParagraph('미주')}</w:endnote>`,
  comments: `<w:comment w:id="1" w:author="김">${wordParagraph('메모')}</w:comment>`,
  headers: { header1: wordParagraph('머리말') },
  footers: { footer1: wordParagraph('꼬리말') },
  others: { a: ['hyperlink', 'https://a.kr'] },
  body:
    wordParagraph('제목', '<w:pStyle w:val="h"/>') +
    wordParagraph('항목', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
    wordParagraph('안쪽', '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>') +
    `<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('가', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('나', '<w:vMerge w:val="restart"/>')}${cell('다')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell(`<w:tbl><w:tr>${cell('속')}</w:tr></w:tbl>${wordParagraph('')}`)}</w:tr></w:tbl>` +
    wordParagraph(
      `${run('끝', '<w:b/><w:vanish/>')}<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:endnoteReference w:id="1"/></w:r><w:r><w:commentReference w:id="1"/></w:r><w:r><w:lastRenderedPageBreak/></w:r><w:hyperlink r:id="a">${run('고리')}</w:hyperlink><w:ins>${run('넣음')}</w:ins><w:del><w:r><w:delText>뺌</w:delText></w:r></w:del>`,
    ) +
    wordParagraph(
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://b.kr"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('칸')}<w:r><w:fldChar w:fldCharType="end"/></w:r><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:rad><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:den></m:f></m:oMath>`,
    ) +
    '<w:sectPr><w:headerReference w:type="default" r:id="header1"/><w:footerReference w:type="default" r:id="footer1"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>',
});

const hwpx = writeHwpx({
  header:
    '<hh:charProperties><hh:charPr id="0" height="1000"/><hh:charPr id="1" height="1600"><hh:bold/></hh:charPr></hh:charProperties><hh:numberings><hh:numbering id="1"><hh:paraHead level="1" start="1" numFormat="HANGUL_SYLLABLE">^1.</hh:paraHead></hh:numbering></hh:numberings><hh:bullets><hh:bullet id="1" char="-"/></hh:bullets><hh:paraProperties><hh:paraPr id="0"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr><hh:paraPr id="1"/><hh:paraPr id="2"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr></hh:paraProperties><hh:styles><hh:style id="0" name="개요 1"/></hh:styles>',
  metadata: '<opf:title>견본</opf:title>',
  sections: [
    hwpxParagraph('제목', 'paraPrIDRef="0"', [0]) +
      hwpxParagraph(
        `${hwpxText('앞')}<hp:tbl rowCnt="2" colCnt="2"><hp:caption>${list(hwpxParagraph('표 1'))}</hp:caption><hp:tr>${hwpxCell('가', [0, 0], [1, 2])}</hp:tr><hp:tr>${hwpxCell('나', [1, 0])}${hwpxCell('다', [1, 1])}</hp:tr></hp:tbl>`,
        'paraPrIDRef="1"',
        [1000],
      ) +
      hwpxParagraph(
        `${hwpxText('끝')}<hp:ctrl><hp:footNote>${list(hwpxParagraph('각주'))}</hp:footNote></hp:ctrl><hp:ctrl><hp:header>${list(hwpxParagraph('머리'))}</hp:header></hp:ctrl><hp:equation><hp:script>1 over 2</hp:script></hp:equation>`,
        'paraPrIDRef="2"',
        [500],
      ) +
      hwpxParagraph(
        `<hp:rect><hp:drawText>${list(hwpxParagraph('글상자'))}</hp:drawText></hp:rect><hp:pic><hp:shapeComment>그림</hp:shapeComment></hp:pic><hp:ctrl><hp:fieldBegin id="1" type="HYPERLINK"><hp:parameters><hp:stringParam name="Path">https://a.kr</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl>${hwpxText('고리')}<hp:ctrl><hp:fieldEnd beginIDRef="1"/></hp:ctrl>`,
      ),
    hwpxParagraph('둘째 구역이다.', 'paraPrIDRef="1"', [0]),
  ],
});

const sheet = utils.aoa_to_sheet([['예산'], ['항목', '비율'], ['인건비', 0.25]]);
sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }];
const book = utils.book_new();
utils.book_append_sheet(book, sheet, '예산');
utils.book_append_sheet(book, utils.aoa_to_sheet([[46_000, '둘째', true]]), '둘째');
const xls = Buffer.from(write(book, { type: 'buffer', bookType: 'biff8' }) as Uint8Array);

const doc = writeDoc({
  styles: [
    { name: 'Normal', own: 0 },
    { name: '제목 1', own: 1 },
  ],
  lists: koreanList,
  paragraphs: [
    { text: '사업 개요\r', style: 1 },
    { text: '글\u0002과 \u0013 HYPERLINK "https://a.kr/" \u0014링크\u0015\r', runs: [[0, 1, sprm(0x0835, 1)]] },
    { text: '첫째\r', looks: sprm(0x460b, 1, 0) },
    { text: '가\u0007', looks: sprm(0x2416, 1) },
    { text: '나\u0007', looks: sprm(0x2416, 1) },
    { text: '\u0007', looks: [...sprm(0x2416, 1), ...sprm(0x2417, 1), ...rowOf([0, 900, 1_800])] },
  ],
  notes: [{ text: '\u0002 각주\r' }],
});

const ppt = writePpt({
  slides: [
    {
      outline: [
        { kind: 0, text: '제목' },
        {
          kind: 1,
          text: '첫째\r둘째',
          style: [...paragraphLooks(3, 0), ...paragraphLooks(3, 1), ...letterLooks(6, true)],
        },
      ],
      shapes: [
        { at: [0, 0, 500, 100], outline: 0 },
        { at: [0, 200, 500, 400], outline: 1 },
        { at: [0, 500, 400, 600], cells: [{ at: [0, 500, 200, 600], text: { kind: 4, text: '칸' } }] },
      ],
      notes: '말',
    },
  ],
});

const mailbox = Buffer.from(
  ['첫째', '둘째']
    .map((subject) => `From a@a.kr Mon Jan  5 09:00:00 2026\nFrom: a@a.kr\nSubject: ${subject}\n\n글이다.\n\n`)
    .join(''),
);

const xlsx = writeXlsx(
  [
    {
      name: '예산',
      before:
        '<sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews><cols><col min="3" max="3" hidden="1"/></cols>',
      data: rows(
        words('A1', '항목') + words('B1', '날짜') + words('C1', '비율'),
        `<c r="A2" t="s"><v>0</v></c>${number('B2', 46_347, 1)}${number('C2', 0.125, 2)}`,
        `<c r="A3" t="b"><v>1</v></c>${number('B3', 46_347.5, 3)}<c r="C3" t="e"><v>#DIV/0!</v></c>`,
      ),
      after: '<mergeCells><mergeCell ref="A5:B6"/></mergeCells>',
    },
    { name: '숨음', state: 'hidden', data: rows(words('F8', '따로')) },
  ],
  { strings: '<si><r><t>인건</t></r><r><rPr><b/></rPr><t>비_x000D_</t></r></si>' },
);

const pptxTable = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/></p:nvGraphicFramePr>${at(0, 0).replaceAll('a:xfrm', 'p:xfrm')}<a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc gridSpan="2"><a:txBody>${line('가')}</a:txBody></a:tc><a:tc hMerge="1"><a:txBody>${line('')}</a:txBody></a:tc></a:tr><a:tr><a:tc rowSpan="1"><a:txBody>${line('나')}</a:txBody></a:tc><a:tc><a:txBody>${line('다')}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
const pptx = writePptx([
  {
    shapes:
      shape(line('업무'), { ph: '<p:ph type="title"/>' }) +
      shape(line('하나') + line('안쪽', '<a:pPr lvl="1"><a:buAutoNum type="arabicParenR" startAt="3"/></a:pPr>'), {
        ph: '<p:ph type="body" idx="1"/>',
        place: at(10, 100),
      }) +
      `<p:grpSp><p:grpSpPr>${at(0, 0)}</p:grpSpPr>${shape(line('묶음', '', '<a:rPr b="1"><a:hlinkClick r:id="a"/></a:rPr>'), { place: at(0, 900) })}</p:grpSp>` +
      pptxTable,
    notes: '말할 것',
  },
  { shapes: shape(line('숨음')), hidden: true },
]);

function pdf(): Buffer {
  const writer = new PdfWriter({ Title: '견본' });
  writer
    .page()
    .text(72, 90, '연구 보고서', { size: 20 })
    .text(72, 140, '제1장 총칙', { size: 14 })
    .lines(72, 170, [
      '이 규정은 연구에 필요한 사항을 정하여 그 절차를 밝히는 데 쓰인다고 하였으',
      '며 모두 이를 따른다.',
    ])
    .table(
      72,
      240,
      [120, 120, 120],
      [
        ['항목', '값', '비고'],
        ['가', '1', '나'],
        ['다', '2', '라'],
      ],
    )
    .link(72, 400, 100, 20, 'https://a.kr')
    .text(72, 412, '고리')
    .image(72, 450, 100, 100)
    .text(200, 500, '숨음', { mode: 3 })
    .text(300, 600, '기울어짐', { angle: 30 });
  writer.page({ rotate: 90 }).lines(72, 90, ['둘째 쪽', '끝']).fill(10, 10, 50, 20, [1, 0, 0]);
  writer.bookmark('총칙', 1).bookmark('둘째', 2);
  return writer.bytes();
}

const html = `<!doctype html><html lang="ko"><head><title>쪽</title></head><body><nav><a href="/">처음</a></nav><h1>큰 <b>제목</b></h1>글<br>둘째 줄<p hidden>숨음 &amp; <code>a</code></p><ol start="3"><li>셋<ul><li>안쪽</li></ul></li></ol><dl><dt>말</dt><dd>뜻</dd></dl><pre>  a\n b</pre><figure><img src=x alt="그림"><figcaption>그림 1</figcaption></figure><table><caption>표</caption><thead><tr><th rowspan=2>가<th colspan=2>나<tr><th>다<th>라<tbody><tr><td>1<table><tr><td>속</table><td>2<td>3</table><footer role=contentinfo>주소</footer></body></html>`;
const markdown = `---\ntitle: 견본\n---\n# 제목\n\n글 **굵게** _기울여_ [고리](https://a.kr "t") \`a\` ~~뺌~~[^1] <b>x</b> &amp; ![그림](x.png)\n\n1. 하나\n   - 안쪽\n     - [ ] 할 일\n2. 둘\n\n> 인용\n> > 깊이\n\n| 가 | 나 |\n|---|:-:|\n| 1 | 2 |\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n[^1]: 각주\n    이어짐\n\n<!-- 안 보임 -->\n\n제목\n====\n`;
const csv = '이름,값,"비,고"\n가,1,"여러\n줄 ""따옴"""\n나,2,\n';
const plain =
  '제1장 총칙\n\n제1조(목적) 이 규정은 목적을 정한다.\n가. 하나\n나. 둘\n\n목 차\nⅠ. 배경 ········ 3\n\n□ 현황\n○ 인구가 줄고 있음\n';

const texts = (name: string, text: string): Seed[] => [
  { name, bytes: Buffer.from(text) },
  { name, bytes: iconv.encode(text, 'utf-16le', { addBOM: true }) },
  { name, bytes: iconv.encode(text, 'cp949') },
];

/** Small files of every format, in which all is found that their readers know. */
const odt = writeOdf({
  kind: 'text',
  styles:
    '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>',
  body: `<text:h text:outline-level="1">제목</text:h><text:list text:style-name="L1"><text:list-item>${odfParagraph('가<text:span text:style-name="T1">나</text:span>')}</text:list-item></text:list><table:table>${odfRow(odfCell('가', 'table:number-columns-spanned="2"') + odfCell('나'))}</table:table>${odfParagraph('글<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>각주</text:p></text:note-body></text:note><draw:frame><draw:text-box><text:p>상자</text:p></draw:text-box></draw:frame>')}`,
});
const ods = writeOdf({
  kind: 'spreadsheet',
  body: `<table:table table:name="표">${odfRow(odfCell('값', 'table:number-columns-repeated="3"'), 'table:number-rows-repeated="4"')}</table:table>`,
});
const odp = writeOdf({
  kind: 'presentation',
  body: `<draw:page draw:name="1"><draw:frame presentation:class="title"><draw:text-box>${odfParagraph('제목')}</draw:text-box></draw:frame></draw:page>`,
});
const eml = Buffer.from(
  'From: a@a.example\r\nTo: b@b.example\r\nSubject: =?utf-8?B?7KCc66qp?=\r\nDate: Mon, 1 Jan 2024 00:00:00 +0900\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>본문</p>\r\n--x\r\nContent-Type: text/csv; name=a.csv\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiCjEsMgo=\r\n--x--\r\n',
);

const rtf =
  "{\\rtf1\\ansi\\ansicpg949{\\fonttbl{\\f0\\fcharset129 Batang;}}\\f0\\pard\\outlinelevel0 \\'bb\\'e7\\'be\\'f7\\par\\pard \\u44544?{\\footnote note\\par}\\par\\trowd\\intbl A\\cell B\\cell\\row\\pard {\\b last}\\par}";

export const ownSeeds = (): readonly Seed[] => [
  { name: 'a.pdf', bytes: pdf() },
  { name: 'a.docx', bytes: docx },
  { name: 'a.hwp', bytes: writeHwp(hwp) },
  { name: 'a.hwp', bytes: writeHwp({ ...hwp, compressed: false }) },
  { name: 'a.hwp', bytes: writeHwp({ ...hwp, distributed: true }) },
  { name: 'a.hwp', bytes: old.writeHwp3(hwp3) },
  { name: 'a.hwp', bytes: old.writeHwp3({ ...hwp3, compressed: false }) },
  { name: 'a.hwpx', bytes: hwpx },
  { name: 'a.xlsx', bytes: xlsx },
  { name: 'a.xls', bytes: xls },
  { name: 'a.doc', bytes: doc },
  { name: 'a.ppt', bytes: ppt },
  { name: 'a.mbox', bytes: mailbox },
  { name: 'a.pptx', bytes: pptx },
  { name: 'a.odt', bytes: odt },
  { name: 'a.ods', bytes: ods },
  { name: 'a.odp', bytes: odp },
  { name: 'a.epub', bytes: writeEpub({ 'a.xhtml': '<h1>첫째 장</h1><p>글이다.</p>' }) },
  { name: 'a.eml', bytes: eml },
  { name: 'a.msg', bytes: writeMsg({ subject: '제목', body: '본문이다.', files: { 'a.txt': Buffer.from('붙임') } }) },
  { name: 'a.rtf', bytes: Buffer.from(rtf, 'latin1') },
  ...texts('a.html', html),
  ...texts('a.md', markdown),
  ...texts('a.csv', csv),
  ...texts('a.txt', plain),
];
