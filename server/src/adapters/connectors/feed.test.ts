import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { html, startWebSite, type WebSite } from '../../../test/fakes/web-site.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceItem } from '../../ports/connector.ts';
import { createFeedConnector } from './feed.ts';
import { readFeed } from './feed-entries.ts';

let site: WebSite;
let folder: string;
beforeEach(async () => {
  site = await startWebSite();
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-feed-'));
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const open = (takesPages: boolean) =>
  createFeedConnector({ url: `${site.url}/feed`, takesPages, request: createGuardedRequest({ allow: ['127.0.0.1'] }) });
async function list(connector = open(true)) {
  const items: SourceItem[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) {
    if (change.type === 'present') items.push(change.item);
    if (change.type === 'end') expect(change.isWhole).toBe(false);
  }
  return items;
}
const give = (body: string | Uint8Array, type = 'application/xml') => void site.pages.set('/feed', { body, type });

test('RSS 2.0, RSS 1.0 and Atom are read', async () => {
  const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>소식</title><link>https://x.kr</link>
    <item><title> 공지 &amp; 안내 </title><link>https://x.kr/1</link><guid isPermaLink="false">n1</guid><pubDate>Tue, 05 May 2026 05:05:05 GMT</pubDate><description>짧게</description><content:encoded><![CDATA[<p>길게</p>]]></content:encoded></item>
    <item><description>글만</description><link>https://x.kr/2</link></item></channel></rss>`;
  expect(await readFeed(Buffer.from(rss))).toEqual([
    {
      id: 'n1',
      title: '공지 & 안내',
      link: 'https://x.kr/1',
      changed: 'Tue, 05 May 2026 05:05:05 GMT',
      content: '<p>길게</p>',
    },
    { id: 'https://x.kr/2', title: '', link: 'https://x.kr/2', changed: '', content: '글만' },
  ]);
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>c</title></channel><item rdf:about="y"><title>하나</title><link>https://x.kr/3</link><dc:date>2026-01-01</dc:date></item></rdf:RDF>`;
  expect(await readFeed(Buffer.from(rdf))).toMatchObject([
    { id: 'https://x.kr/3', title: '하나', changed: '2026-01-01' },
  ]);
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><id>feed</id><entry><id>urn:1</id><title>둘</title><link rel="self" href="https://x.kr/self"/><link href="/4"/><published>2026-01-01T00:00:00Z</published><updated>2026-02-02T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &lt; <b>b</b></p></div></content></entry></feed>`;
  expect(await readFeed(Buffer.from(atom))).toEqual([
    { id: 'urn:1', title: '둘', link: '/4', changed: '2026-02-02T00:00:00Z', content: '<p>a &lt; <b>b</b></p>' },
  ]);
  for (const text of ['', '<html><body/></html>', '<rss><channel>', 'no feed', '<rss><!DOCTYPE x>&y;</rss>'])
    await expect(readFeed(Buffer.from(text))).rejects.toMatchObject({ code: 'unavailable' });
});

test('entries are pages of what the feed says, or what they lead to', async () => {
  give(
    '<rss><channel><item><title>알림/1</title><link>/notice</link><guid>1</guid><description>&lt;p&gt;본문&lt;/p&gt;</description></item><item><title>표</title><link>/표.csv</link></item></channel></rss>',
  );
  site.pages.set('/notice', html('원문', '<p>원문입니다</p>'));
  const texts = open(false);
  const [first] = await list(texts);
  expect(first).toMatchObject({ id: '1', name: '알림 1.html', metadata: { url: `${site.url}/notice` } });
  const path = join(folder, 'a');
  await texts.fetch('1', { path, maxBytes: 1_000, signal });
  expect(readFileSync(path, 'utf8')).toContain('<h1>알림/1</h1>\n<p>본문</p>\n<p><a href="/notice">');
  const pages = open(true);
  expect((await list(pages)).map(({ name }) => name)).toEqual(['알림 1.html', '표.csv']);
  await pages.fetch('1', { path: join(folder, 'b'), maxBytes: 1_000, signal });
  expect(readFileSync(join(folder, 'b'), 'utf8')).toContain('원문입니다');
});

test('a feed in the charset of old Korean sites is read, and one that says something else of an entry has another version of it', async () => {
  const feed = (day: string) =>
    Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="euc-kr"?><rss><channel><item><guid>1</guid><title>'),
      Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]),
      Buffer.from(`</title><pubDate>${day}</pubDate></item></channel></rss>`),
    ]);
  give(feed('1'), 'text/xml');
  const [before] = await list();
  expect(before?.name).toBe('한글.html');
  expect(await list()).toEqual([before]);
  give(feed('2'), 'text/xml');
  expect((await list())[0]?.version).not.toBe(before?.version);
});

test('places that the guard closes are not asked for, though entries lead to them', async () => {
  give(
    '<rss><channel><item><guid>1</guid><link>http://169.254.169.254/latest</link></item><item><guid>2</guid><link>file:///etc/passwd</link></item></channel></rss>',
  );
  const connector = open(true);
  await list(connector);
  for (const id of ['1', '2'])
    await expect(connector.fetch(id, { path: join(folder, id), maxBytes: 9, signal })).rejects.toMatchObject({
      code: 'unavailable',
    });
});

test('links of Atom are relative to what xml:base says, titles that are markup are their text', async () => {
  const entry = (attributes: string, link: string, title: string) =>
    `<entry ${attributes}><id>${link}</id><link href="${link}"/>${title}</entry>`;
  const feed = (base: string) =>
    Buffer.from(
      `<feed xmlns="http://www.w3.org/2005/Atom"${base}>${[
        entry('', 'a', '<title type="html">아톰 &lt;b&gt;둘&lt;/b&gt; &amp;amp; &lt;script&gt;</title>'),
        entry(
          'xml:base="news/"',
          'b',
          '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x <i>y</i></div></title>',
        ),
        entry('xml:base="https://y.kr/z/"', '../c', '<title>1 &lt; 2</title>'),
      ].join('')}</feed>`,
    );
  expect(await readFeed(feed(' xml:base="https://x.kr/blog/"'))).toMatchObject([
    { title: '아톰 둘 &', link: 'https://x.kr/blog/a' },
    { title: 'x y', link: 'https://x.kr/blog/news/b' },
    { title: '1 < 2', link: 'https://y.kr/c' },
  ]);
  const rss = '<rss><channel xml:base="https://x.kr/d/"><item><link>e</link></item></channel></rss>';
  expect(await readFeed(Buffer.from(rss))).toMatchObject([{ link: 'https://x.kr/d/e' }]);
  give(feed(' xml:base="/blog/"'));
  expect((await list()).map(({ name, metadata }) => [name, metadata['url']])).toEqual([
    ['아톰 둘 &.html', `${site.url}/blog/a`],
    ['x y.html', `${site.url}/blog/news/b`],
    ['1 < 2.html', 'https://y.kr/c'],
  ]);
});

test('of entries with one id the newest is kept, wherever it stands', async () => {
  const item = (title: string, day: string) =>
    `<item><guid>1</guid><title>${title}</title>${day === '' ? '' : `<pubDate>${day} May 2026 05:05:05 GMT</pubDate>`}</item>`;
  const nameOf = async (...items: readonly string[]) => {
    give(`<rss><channel>${items.join('')}</channel></rss>`);
    return (await list()).map(({ name }) => name);
  };
  expect(await nameOf(item('old', '05'), item('new', '06'), item('older', '04'))).toEqual(['new.html']);
  expect(await nameOf(item('first', ''), item('second', ''))).toEqual(['first.html']);
});

test('an entry that leads nowhere is no failure of the feed', async () => {
  const links = ['mailto:a@x.kr', 'http://elsewhere.example/', 'http://127.0.0.1:9/', '/broken', '/fine'];
  give(`<rss><channel>${links.map((link) => `<item><link>${link}</link></item>`).join('')}</channel></rss>`);
  site.pages.set('/broken', { body: '', status: 500 });
  site.pages.set('/fine', html('a', 'x'));
  const connector = open(true);
  expect(await list(connector)).toHaveLength(5);
  const fetched = (id: string) => connector.fetch(id, { path: join(folder, 'x'), maxBytes: 1_000, signal });
  for (const id of links.slice(0, -1)) await expect(fetched(id)).rejects.toMatchObject({ code: 'unavailable' });
  await fetched('/fine');
  expect([connector.liesElsewhere, open(false).liesElsewhere]).toEqual([true, false]);
});
