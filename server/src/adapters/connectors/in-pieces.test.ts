import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFeed } from './feed-entries.ts';
import { PIECE_LENGTH, piecesOf } from './in-pieces.ts';
import { parseMultistatus } from './multistatus.ts';
import { readListing } from './s3-listing.ts';
import { readSitemap } from './sitemap.ts';
import { readPage } from './web-page.ts';

const url = new URL('https://x.example.kr/');
const COUNT = 6_000;
const many = (make: (at: number) => string) => Array.from({ length: COUNT }, (_, at) => make(at)).join('');
const xml = {
  multistatus: `<multistatus xmlns="DAV:">${many((at) => `<response><href>/문서/${at}</href></response>`)}</multistatus>`,
  listing: `<ListBucketResult>${many((at) => `<Contents><Key>문서${at}</Key></Contents>`)}</ListBucketResult>`,
  feed: `<rss><channel>${many((at) => `<item><guid>글${at}</guid></item>`)}</channel></rss>`,
  sitemap: `<urlset>${many((at) => `<url><loc>https://x.example.kr/${at}</loc></url>`)}</urlset>`,
};
const pageOf = (body: string) => readPage(Buffer.from(`<title>목록</title>${body}`), 'text/html', url);

/** What work comes to, and how often others had their turn meanwhile. */
async function turnsOf<T>(work: Promise<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await nextTurn();
  })();
  const value = await work.finally(() => void (isDone = true));
  await counting;
  return { value, turns };
}

test.each<[string, string, () => Promise<readonly unknown[]>]>([
  ['a folder of WebDAV', xml.multistatus, () => parseMultistatus(Buffer.from(xml.multistatus))],
  ['a bucket', xml.listing, async () => (await readListing(Buffer.from(xml.listing))).objects],
  ['a feed', xml.feed, () => readFeed(Buffer.from(xml.feed))],
  ['a site map', xml.sitemap, async () => (await readSitemap(Buffer.from(xml.sitemap))).pages],
  ['a packed site map', xml.sitemap, async () => (await readSitemap(gzipSync(xml.sitemap))).pages],
  ...[many((at) => `https://x.example.kr/문서/${at}\n`)].map(
    (list): [string, string, () => Promise<readonly unknown[]>] => [
      'a list of addresses',
      list,
      async () => (await readSitemap(Buffer.from(list))).pages,
    ],
  ),
])('%s is read whole, and others have their turn with each piece', async (_, text, read) => {
  const { value, turns } = await turnsOf(read());
  expect(value).toHaveLength(COUNT);
  expect(new Set(value.map((one) => JSON.stringify(one))).size).toBe(COUNT);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / PIECE_LENGTH));
});

test('a page is read whole, and others have their turn with each piece', async () => {
  const body = many((at) => `<a href="/문서/${at}">문서 ${at}</a>`);
  const { value, turns } = await turnsOf(pageOf(body));
  expect([value.title, value.links.length]).toEqual(['목록', 5_000]);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(body.length / PIECE_LENGTH));
});

test.each([
  ['elements without an end', '<div>'.repeat(200_000)],
  ['one tag with very many attributes', `<div ${many((at) => `a${at} `)}>`],
  ['formatting that is nested wrong', '<b><p><i><table>'.repeat(50_000)],
])('%s are read as well: no tree is made of a page', async (_, body) => {
  expect(await pageOf(`${body}<a href="/last">`)).toMatchObject({
    title: '목록',
    links: expect.arrayContaining(['https://x.example.kr/last']) as string[],
  });
});

test('text that nobody sees is no text, and what is written in it leads nowhere', async () => {
  const { hash } = await pageOf('<p>본문</p>');
  for (const unseen of [
    '<script>if (a < b) document.write("<a href=/x>x</a>")</script>',
    '<style>a::after { content: "<a href=/x>" }</style>',
    '<template><a href="/x">x</a></template>',
    '<svg><a href="/x"><text>x</text></a></svg>',
    '<noscript><a href="/x">x</a></noscript>',
    '<!-- <a href="/x">x</a> -->',
  ])
    expect(await pageOf(`${unseen}<p>본문</p>`)).toMatchObject({ hash, links: [] });
  expect((await pageOf('<svg><path d="">\n<p>본문</p><a href="/y"></a>')).links).toEqual(['https://x.example.kr/y']);
  expect((await pageOf('<p>다른 본문</p>')).hash).not.toBe(hash);
});

test.each([
  ['<multistatus xmlns="DAV:">' + '<a>'.repeat(1_000), 'nested too deep'],
  [`<multistatus xmlns="DAV:"><a ${many((at) => `a${at}="" `)}/></multistatus>`, 'too many attributes'],
])('XML that is written to take long is refused', async (text) => {
  await expect(parseMultistatus(text)).rejects.toMatchObject({ code: 'unavailable' });
});

test('letters keep together where pieces part them, in all character sets', async () => {
  const text = '가나다라마바사😀'.repeat(20_000);
  const joined = async (given: string | Uint8Array, label?: string) => {
    let all = '';
    for await (const piece of piecesOf(given, label)) all += piece;
    return all;
  };
  expect(await joined(Buffer.from(`\uFEFF${text}`))).toBe(text);
  expect(await joined(Buffer.from(text, 'utf16le'), 'utf-16le')).toBe(text);
  expect(await joined(`\uFEFF${text}`)).toBe(text);
  expect(await joined(Buffer.from([...Array<number>(70_001).fill(0x61), 0xb0, 0xa1]), 'cp949')).toMatch(/a가$/);
  expect(await joined(Buffer.from('가'), 'no-such-set')).toBe('가');
});
