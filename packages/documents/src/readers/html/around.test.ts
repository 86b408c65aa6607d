import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import type { Document } from '../../document.ts';
import { readHtml, readHtmlText } from './index.ts';

const options = { limits: standardLimits, pages: null, onPage: () => undefined };
const read = (body: string): Document => readHtml(Buffer.from(`<body>${body}</body>`), options) as Document;
/** What Markdown has of a page, without empty lines. */
const textOf = (body: string): readonly string[] =>
  renderMarkdown(read(body).blocks)
    .split('\n')
    .filter((line) => line !== '');

const sentence = (at: number) =>
  `지원 사업의 신청은 ${at}월에 시작하며 자세한 내용은 아래의 공고문에서 확인할 수 있다.`;
const sentences = Array.from({ length: 6 }, (_, at) => sentence(at + 1));
const prose = sentences.map((one) => `<p>${one}</p>`).join('');
const links = (...names: string[]) => names.map((name) => `<li><a href="/${name}">${name}</a></li>`).join('');

test('parts that a page calls its menus, sides and ends are no part of its text, and are not lost', () => {
  const { blocks } = read(
    `<header><a href="/">기관</a> <a href="/en">English</a> <a href="/map">누리집 지도</a></header>
     <div role="search">찾기</div><h1>공고</h1>${prose}<aside>함께 본 공고</aside><footer>주소 서울</footer>`,
  );
  expect(brief(blocks)).toEqual([
    'header p 기관 English 누리집 지도',
    'footer p 찾기',
    'h1 공고',
    ...sentences.map((one) => `p ${one}`),
    'footer p 함께 본 공고',
    'footer p 주소 서울',
  ]);
  expect(renderMarkdown(blocks)).not.toContain('함께 본');
  expect(renderMarkdown(blocks, { margins: true })).toContain('함께 본 공고');
});

test.each([
  ['of a site of Korea', 'id="gnb"'],
  ['beside the text', 'class="lnb-wrap"'],
  ['in two words', 'id="quickMenu"'],
  ['in words that are one', 'class="family_site"'],
  ['of WordPress', 'class="widget widget_recent_entries"'],
  ['that says where one is', 'class="a site-breadcrumbs"'],
  ['of readers', 'id="comments"'],
  ['about cookies', 'class="cookie-notice"'],
])('so are those that their authors name: %s', (_, named) => {
  expect(textOf(`<div ${named}><p>둘레</p></div><h1>공고</h1>${prose}`)).toEqual(['# 공고', ...sentences]);
});

test('the links past its menus, and its name at the top, are no part of a page', () => {
  const skip = ['본문 바로가기', '주메뉴바로가기'].map((name) => `<a href="#a">${name}</a>`).join('');
  const head = `<div id="header"><h1 class="logo"><a href="/"><img alt="기관"></a></h1><ul id="gnb">${links('소개', '정책')}</ul></div>`;
  const page = `${skip}${head}<h1>공고</h1>${prose}<p>${sentence(7)}<a href="/a">바로 가기</a></p>`;
  expect(textOf(page)).toEqual(['# 공고', ...sentences, expect.stringContaining('바로 가기')]);
  expect(textOf(`<header>${head}<a>로그인</a></header><main><h2>공고</h2>${prose}</main>`)).toEqual([
    '## 공고',
    ...sentences,
  ]);
});

test('a widget may be anything', () => {
  expect(textOf(`<h1>공고</h1>${prose}<div class="elementor-widget"><p>글이다.</p></div>`)).toHaveLength(8);
});

test('and lists that lead elsewhere', () => {
  const menu = `<ul>${links('소개', '정책', '자료실')}</ul>`;
  expect(textOf(`<div>${menu}</div><h1>공고</h1>${prose}`)).toEqual(['# 공고', ...sentences]);
  // Among sentences it is a part of them.
  expect(textOf(`<h1>공고</h1>${prose}${menu}`)).toHaveLength(10);
  // Two links, or sentences with some, are text.
  expect(textOf(`<h1>공고</h1>${prose}<div><ul>${links('붙임 1', '붙임 2')}</ul></div>`)).toHaveLength(9);
  const linked = `<p>${sentence(7)} <a>하나</a>, <a>둘</a>, <a>셋</a></p>`;
  expect(textOf(`<h1>공고</h1>${prose}${linked}`)).toHaveLength(8);
});

test('where a page names its main part, the title before it and what leads in belong to it, and what stands beside it does not', () => {
  const page = `<div><p>날씨 맑음</p></div><div><h1>공고</h1><div>부제는 이렇다.</div></div><main>${prose}</main><div><p>많이 본 글이다.</p></div>`;
  expect(textOf(page)).toEqual(['# 공고', '부제는 이렇다.', ...sentences]);
  expect(textOf(page.replaceAll('main>', 'article>'))).toEqual(['# 공고', '부제는 이렇다.', ...sentences]);
});

test('several articles of a size are the text together', () => {
  const article = `<article>${prose}</article>`;
  expect(textOf(`<div>${article}${article}</div>`)).toHaveLength(12);
});

test('what holds much of the text is text, whatever it is called', () => {
  expect(textOf(`<div class="comments">${prose}</div>`)).toEqual(sentences);
  expect(textOf(`<aside>${prose}</aside>`)).toEqual(sentences);
  expect(textOf(`<form>${prose}</form>`)).toEqual(sentences);
});

test('a page of links alone is read whole', () => {
  const names = Array.from({ length: 30 }, (_, at) => `게시판 ${at}`);
  expect(textOf(`<ul>${links(...names)}</ul>`)).toHaveLength(30);
});

test('HTML of mails and books is all text', () => {
  const body = `<aside>곁의 글</aside>${prose}`;
  const { blocks } = readHtmlText(Buffer.from(body), options) as Document;
  expect(renderMarkdown(blocks)).toContain('곁의 글');
});

test('what stands there for those without scripts is read as what it is', () => {
  expect(textOf('<p>앞</p><noscript><p>글</p><img src="a.png" alt="그림"></noscript>')).toEqual(['앞', '글', '그림']);
});

test('items without a word are none', () => {
  expect(textOf('<ul><li><img src="a.png"></li><li>글</li><li><ul><li>안</li></ul></li></ul>')).toEqual([
    '- 글',
    expect.stringContaining('-'),
    '    - 안',
  ]);
});

test('a page may be as deep as it likes', () => {
  const deep = `${'<div>'.repeat(20_000)}글${'</div>'.repeat(20_000)}`;
  expect(textOf(`<nav>x</nav>${prose}${deep}`)).toEqual([...sentences, '글']);
});

test('what people act with says nothing of a page; a question that a button opens is text', () => {
  const page = `<h1>공고</h1><select><option>한국어</option><option>English</option></select><div><button>글자 크기 변경하기</button></div>${prose}
    <h2><button>제출 서류</button></h2><div><button aria-expanded="false">신청 방법</button></div><div><button>어디에서 신청하나요?</button></div>`;
  expect(textOf(page)).toEqual(['# 공고', ...sentences, '## 제출 서류', '신청 방법', '어디에서 신청하나요?']);
  const kept = textOf(
    `<header><h1>공고</h1></header><div><p>입력 2026. 1. 2.</p><button>글자 크기</button></div><main>${prose}</main>`,
  );
  expect(kept).toEqual(['# 공고', '입력 2026. 1. 2.', ...sentences]);
});

test('a page has one title: parts with titles of their own are told by their names', () => {
  const page = `<h1>공고</h1>${prose}<div class="popular"><h1>많이 본 공고</h1><p>둘레</p></div>`;
  expect(textOf(page)).toEqual(['# 공고', ...sentences]);
});

test('the title that the name of a page begins with stays, whatever its level and wherever it stands', () => {
  const body = `<div id="menu"><h2>누리집</h2></div><div><h2>지원 사업 공고</h2></div><article>${prose}</article>`;
  const named = (name: string) => `<title>${name}</title><body>${body}`;
  const markdown = (name: string) => renderMarkdown((readHtml(Buffer.from(named(name)), options) as Document).blocks);
  expect(markdown('지원 사업 공고 : 기관')).toMatch(/^## 지원 사업 공고\n/);
  expect(markdown('기관')).not.toContain('공고\n');
});

test('text that stands between line ends alone, as on older pages, is what a page is about', () => {
  const menus = `<ul>${sentences.map((_, at) => `<li>메뉴 ${at} <a href="/${at}">들어가서 더 읽어 보기</a></li>`).join('')}</ul>`;
  const page = `<div id="header">${menus.repeat(3)}</div><div id="view">${sentences.join('<br>')}</div><div id="footer"><p>서울특별시 중구</p></div>`;
  expect(textOf(page).join(' ')).toContain(sentence(6));
  expect(textOf(page).join(' ')).not.toContain('중구');
});

test('articles that are small one by one are the text together', () => {
  const posts = [prose, ...sentences.slice(1).map((one) => `<p>${one}</p>`)].map((one) => `<article>${one}</article>`);
  expect(textOf(`<main>${posts.join('')}</main>`)).toEqual([...sentences, ...sentences.slice(1)]);
});

test.each(['<div><button>x</button>', '<article>', '<h1><div>', '<div><select><option>x</select>'])(
  'a page that nests %s without end is read',
  (one) => {
    const page = `<title>지원 사업 공고</title><body>${one.repeat(20_000)}지원 사업 공고`;
    expect(JSON.stringify(readHtml(Buffer.from(page), options))).toContain('공고');
  },
);
