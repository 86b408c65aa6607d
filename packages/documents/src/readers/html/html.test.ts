import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { type Block, type Document, textOf } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { readHtml } from './index.ts';

const read = (html: string | Uint8Array, limits = {}): Document =>
  readHtml(Uint8Array.from(typeof html === 'string' ? Buffer.from(html) : html), {
    limits: { ...standardLimits, ...limits },
    pages: null,
    onPage: () => undefined,
  }) as Document;

const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'table')
        return [textOf(block.caption ?? []), ...block.cells.map((cell) => textOfBlocks(cell.blocks))].join(' ');
      if (block.type === 'list') return block.items.map(({ spans }) => textOf(spans)).join(' ');
      if (block.type === 'image') return [block.alt ?? '', textOf(block.caption ?? [])].join(' ');
      if ('spans' in block) return textOf(block.spans);
      if ('blocks' in block) return textOfBlocks(block.blocks);
      return 'text' in block ? (block.text ?? '') : '';
    })
    .join(' ');

describe('HTML', () => {
  test('headings, lines, lists, code and pictures', () => {
    const { blocks, meta } =
      read(`<!doctype html><html lang="ko"><head><title> 쪽  제목 </title><script>x()</script></head><body>
      <nav><a href="/">처음</a> <a href="/b">다음</a></nav>
      <h1>큰 <b>제목</b></h1>머리 없는 글 <b>굵게</b><a href="https://a.kr">링크</a><br>둘째 줄
      <p>문단 &amp; <code>a  b</code> H<sub>2</sub>O</p>
      <ol start="3"><li>셋<ul><li>안쪽</li></ul></li><li>넷<p>덧붙임</p></li></ol>
      <pre>  a
   b</pre><figure><img src=x alt="그림"><figcaption>그림 1</figcaption></figure>
      <blockquote><p>인용</p></blockquote></body></html>`);
    expect(meta).toEqual({ title: '쪽 제목', language: 'ko' });
    expect(blocks.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
      'list',
      'code',
      'image',
      'paragraph',
    ]);
    expect(blocks[0]).toMatchObject({ level: 1 });
    expect(textOfBlocks(blocks.slice(0, 3))).toBe('큰 제목 머리 없는 글 굵게링크\n둘째 줄 문단 & a b H2O');
    expect(blocks[3]).toMatchObject({
      items: [
        { marker: '3.', level: 0 },
        { marker: '-', level: 1 },
        { marker: '4.', level: 0 },
        { marker: '', level: 1 },
      ],
    });
    expect(blocks[4]).toMatchObject({ text: '  a\n   b' });
    expect(blocks[5]).toMatchObject({ alt: '그림', caption: [{ text: '그림 1' }] });
    expect(blocks[6]).toMatchObject({ role: 'quote' });
    expect(textOfBlocks(blocks)).not.toMatch(/처음|x\(\)/);
  });

  test('cells that reach over rows and columns stand in their places', () => {
    const { blocks } = read(`<table><caption>표 1</caption><thead><tr><th rowspan=2>가</th><th colspan=2>나</th></tr>
      <tr><th>다</th><th>라</th></tr></thead><tr><td>1<table><tr><td>속</td><td>표</td></tr></table></td><td>2</td><td>3</td></tr></table>`);
    expect(blocks).toMatchObject([
      {
        type: 'table',
        rows: 3,
        columns: 3,
        headerRows: 2,
        caption: [{ text: '표 1' }],
        cells: [
          { row: 0, column: 0, rowSpan: 2, columnSpan: 1, header: true },
          { row: 0, column: 1, rowSpan: 1, columnSpan: 2 },
          { row: 1, column: 1 },
          { row: 1, column: 2 },
          { row: 2, column: 0, blocks: [{ type: 'paragraph' }, { type: 'table' }] },
          { row: 2, column: 1 },
          { row: 2, column: 2 },
        ],
      },
    ]);
  });

  test('a table that only lays the page out is none', () => {
    expect(read('<table role=presentation><tr><td><p>가<td>나</table>').blocks.map(({ type }) => type)).toEqual([
      'paragraph',
      'paragraph',
    ]);
  });

  test('what is hidden is marked, what is a note at the foot stands apart', () => {
    const { blocks } = read(
      '<p hidden>숨음</p><div style="display:none">이것도</div><footer role=contentinfo>주소</footer>',
    );
    expect(blocks).toMatchObject([{ hidden: true }, { hidden: true }, { type: 'footer' }]);
  });

  test.each([
    'role="tabpanel" hidden',
    'class="tab_cont" style="display:none"',
    'id="tab-panel_2" style="display:none"',
  ])('what a tab shows is read, also while another is open: %s', (given) => {
    expect(read(`<div ${given}><p>둘째 탭</p><p hidden>숨음</p></div>`).blocks.map(({ hidden }) => hidden)).toEqual([
      undefined,
      true,
    ]);
  });

  test('a page that was kept as UTF-8 and says it is in another charset is read as what it is', () => {
    expect(read('<meta charset="euc-kr"><p>가나다</p>').blocks).toMatchObject([{ spans: [{ text: '가나다' }] }]);
  });

  test('pages say their charset', () => {
    const page = '<meta charset="euc-kr"><p>똠방각하';
    expect(textOfBlocks(read(iconv.encode(page, 'cp949')).blocks)).toBe('똠방각하');
  });

  test('a page as deep as one likes is read', () => {
    for (const tag of ['div', 'b', 'ul><li', 'table><tr><td', 'blockquote', 'span']) {
      const { blocks } = read(`${`<${tag}>`.repeat(20_000)}끝`);
      expect(textOfBlocks(blocks)).toContain('끝');
    }
  });

  test('no word of any page is lost', () => {
    const tags = fc.constantFrom(
      'p',
      'div',
      'b',
      'ul',
      'li',
      'table',
      'tr',
      'td',
      'th',
      'h2',
      'dl',
      'dt',
      'dd',
      'pre',
      'a',
      'ol',
    );
    const part = fc.oneof(
      tags.map((tag) => `<${tag}>`),
      tags.map((tag) => `</${tag}>`),
      fc.integer({ min: 0, max: 999 }).map((number) => ` w${number} `),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const html = parts.join('');
        const wanted = html
          .replaceAll(/<[^>]*>/g, ' ')
          .split(/\s+/)
          .filter(Boolean)
          .toSorted();
        const found = textOfBlocks(read(html).blocks).split(/\s+/).filter(Boolean).toSorted();
        expect(found).toEqual(wanted);
      }),
    );
  });
});

test('drawings say the words that stand in them, and letters how they are written, not how they are spoken', () => {
  const { blocks } = read(
    '<html><p><ruby>漢字<rp>(</rp><rt>한자</rt><rp>)</rp></ruby>를 읽는다.</p><svg><path d="M0 0"/></svg><svg><title>no</title><g><text x="1">매출 <tspan>2026</tspan></text></g><text>100억</text></svg></html>',
  );
  expect(blocks).toMatchObject([
    { type: 'paragraph', spans: [{ text: '漢字를 읽는다.' }] },
    { type: 'image', text: '매출 2026\n100억' },
  ]);
});

describe('formulas', () => {
  const spansOf = (body: string) => {
    const [block] = read(body).blocks;
    return block !== undefined && 'spans' in block ? block.spans : [];
  };
  const index = '<msub><mi>x</mi><mn>0</mn></msub>';

  test('are LaTeX: as the author wrote it, or as it is shown', () => {
    expect(spansOf(`<p>값 <math>${index}</math> 이다.</p>`)).toEqual([
      { text: '값 ' },
      { text: 'x_{0}', math: true },
      { text: ' 이다.' },
    ]);
    const written = '<annotation encoding="application/x-tex">\\pi</annotation>';
    expect(spansOf(`<p><math><semantics>${index}${written}</semantics></math></p>`)).toMatchObject([
      { text: String.raw`\pi` },
    ]);
  });

  test('are there once where a picture shows them too', () => {
    const picture = '<img alt="x_0" aria-hidden="true">';
    expect(
      spansOf(`<p>값 <span><span style="display: none"><math>${index}</math></span>${picture}</span> 이다.</p>`),
    ).toMatchObject([{ text: '값 ' }, { text: 'x_{0}', math: true }, { text: ' 이다.' }]);
  });

  test('may have a prefix', () => {
    const space = 'xmlns:m="http://www.w3.org/1998/Math/MathML"';
    expect(
      spansOf(
        `<p ${space}>값 <m:math><m:mspace width="1em"/><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math></p>`,
      ),
    ).toMatchObject([{ text: '값 ' }, { text: String.raw`\frac{a}{b}`, math: true }]);
  });

  test('that are deeper than any formula are text', () => {
    const deep = `<p><math>${'<mrow>'.repeat(5_000)}<mi>x</mi>${'</mrow>'.repeat(5_000)}</math></p>`;
    expect(spansOf(deep)).toEqual([{ text: 'x' }]);
  });
});
