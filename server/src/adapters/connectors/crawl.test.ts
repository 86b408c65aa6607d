import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { html, startWebSite, type WebSite } from '../../../test/fakes/web-site.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { createCrawlConnector, type WebSource } from './crawl.ts';

let site: WebSite;
let folder: string;
beforeEach(async () => {
  site = await startWebSite();
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-crawl-'));
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const open = (more: Partial<WebSource> = {}, allow: readonly string[] = ['127.0.0.1']) =>
  createCrawlConnector({
    url: `${site.url}/`,
    depth: 3,
    within: null,
    usesSitemap: true,
    endings: null,
    request: createGuardedRequest({ allow }),
    pauseMs: 0,
    ...more,
  });
async function list(connector = open(), cursor: string | null = null, maxItems = 100) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor, maxItems, signal })) changes.push(change);
  const end = changes.at(-1);
  if (end?.type !== 'end') throw new Error('no end');
  return { end, changes, items: changes.flatMap((change) => (change.type === 'present' ? [change.item] : [])) };
}
const ids = async (connector = open()) => (await list(connector)).items.map(({ id }) => id);
const link = (...paths: readonly string[]) => paths.map((path) => `<a href="${path}">x</a>`).join('');
const paths = () => site.asked.map(({ path }) => path);

test('pages are found by links, once, on the same host, as deep as is asked for; what is no document is left out', async () => {
  site.pages.set(
    '/',
    html('처음', link('a', '/b?x=1#part', './a', 'https://elsewhere.example/', 'mailto:a@b.kr', 'pic.png')),
  );
  site.pages.set('/a', html('가 / 나', `${link('c', '/')}<script>document.write('<a href="/by-script">')</script>`));
  site.pages.set('/b?x=1', html('나', link('/file.do?id=1')));
  site.pages.set('/c', html('다', link('/d')));
  site.pages.set('/d', html('라', ''));
  site.pages.set('/pic.png', { body: 'x', type: 'image/png' });
  const disposition = `attachment; filename="${Buffer.from('계획.hwp').toString('latin1')}"`;
  const headers = { 'content-disposition': disposition };
  site.pages.set('/file.do?id=1', { body: 'hwp', type: 'application/octet-stream', headers });
  const { items, end } = await list(open({ depth: 2 }));
  expect(items.map(({ id, name }) => [id, name])).toEqual([
    ['/', '처음.html'],
    ['/a', '가 나.html'],
    ['/b?x=1', '나.html'],
    ['/c', '다.html'],
    ['/file.do?id=1', '계획.hwp'],
  ]);
  expect(items[2]?.metadata).toEqual({ url: `${site.url}/b?x=1` });
  expect(end.isWhole).toBe(true);
  expect(await ids(open({ endings: new Set(['hwp']) }))).toEqual(['/file.do?id=1']);
  expect(await ids(open({ within: '/a' }))).toEqual(['/', '/a']);
  expect(await ids(open({ depth: 0 }))).toEqual(['/']);
});

test('robots.txt, noindex and nofollow are kept to, and a site that can not say what it asks is left alone', async () => {
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /private', type: 'text/plain' });
  site.pages.set('/', html('a', `${link('/private/x', '/quiet', '/dead-end')}<a rel="nofollow" href="/not-me">x</a>`));
  site.pages.set('/quiet', html('b', link('/behind'), '<meta name="robots" content="noindex">'));
  site.pages.set('/behind', html('c', ''));
  site.pages.set('/dead-end', html('d', link('/beyond'), '<meta name="ROBOTS" content="index, nofollow">'));
  for (const path of ['/private/x', '/not-me', '/beyond']) site.pages.set(path, html('x', ''));
  expect(await ids()).toEqual(['/', '/dead-end', '/behind']);
  for (const path of ['/private/x', '/not-me', '/beyond']) expect(paths()).not.toContain(path);
  expect(site.asked.every(({ headers }) => headers['user-agent']?.startsWith('AI-Studio') === true)).toBe(true);
  site.pages.set('/robots.txt', { body: 'User-agent: AI-Studio\nDisallow: /', type: 'text/plain' });
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' });
  site.pages.set('/robots.txt', { body: '', status: 503 });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
});

test('site maps are followed, packed and nested; one that can not be read makes the listing no whole one', async () => {
  const map = (...pages: readonly string[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.map((page) => `<url><loc> ${page} </loc></url>`).join('')}</urlset>`;
  site.pages.set('/robots.txt', {
    body: `Sitemap: ${site.url}/maps.xml\nSitemap: https://elsewhere.example/m.xml`,
    type: 'text/plain',
  });
  const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${site.url}/one.xml.gz</loc></sitemap></sitemapindex>`;
  site.pages.set('/maps.xml', { body: index, type: 'application/xml' });
  site.pages.set('/one.xml.gz', {
    body: gzipSync(map(`${site.url}/hidden?a=1&amp;b=2`, 'https://elsewhere.example/x')),
    type: 'application/gzip',
  });
  site.pages.set('/', html('a', ''));
  site.pages.set('/hidden?a=1&b=2', html('b', ''));
  expect(await ids()).toEqual(['/', '/hidden?a=1&b=2']);
  expect(await ids(open({ usesSitemap: false }))).toEqual(['/']);
  site.pages.set('/one.xml.gz', { body: '<urlset>&broken;' });
  expect((await list()).end.isWhole).toBe(false);
});

test('what did not change is not sent again, and its links are followed; another time on a page is no other page', async () => {
  site.pages.set('/', html('a', link('/b', '/c.pdf')));
  site.pages.set('/b', html('b', link('/d')));
  site.pages.set('/c.pdf', { body: 'pdf', type: 'application/pdf' });
  site.pages.set('/d', html('d', ''));
  const first = await list();
  site.asked.splice(0);
  const second = await list(open(), first.end.cursor);
  expect(second.items.map(({ id, version }) => [id, version])).toEqual(
    first.items.map(({ id, version }) => [id, version]),
  );
  expect(site.asked.filter(({ status }) => status === 200)).toEqual([]);
  expect(paths()).toContain('/d');
  site.pages.set('/b', html('b', link('/d'), '<meta name="csrf" content="other"><script>var at = 2</script>'));
  expect((await list(open(), second.end.cursor)).items.map(({ version }) => version)).toEqual(
    first.items.map(({ version }) => version),
  );
  expect((await list(open(), 'no cursor of ours')).items.length).toBe(4);
});

test('a page that fails keeps what is behind it; one that went takes it along; one that moved has its new place', async () => {
  site.pages.set('/', html('a', link('/b', '/old')));
  site.pages.set('/b', html('b', link('/c')));
  site.pages.set('/c', html('c', ''));
  site.pages.set('/old', { body: '', status: 301, headers: { location: '/new' } });
  site.pages.set('/new', html('new', ''));
  expect(await ids()).toEqual(['/', '/b', '/c', '/new']);
  site.pages.set('/b', { body: '', status: 500 });
  const { changes, end } = await list();
  expect(changes).toContainEqual({
    type: 'unreadable',
    id: '/b',
    name: '/b',
    problem: expect.objectContaining({ reason: 'server_answered', values: { status: 500 } }) as unknown,
  });
  expect(end.isWhole).toBe(false);
  site.pages.delete('/b');
  const gone = await list();
  expect([gone.items.map(({ id }) => id), gone.end.isWhole]).toEqual([['/', '/new'], true]);
});

const removed = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'removed' ? [change.id] : []));

test('pages that are gone, hidden or forbidden by now are told of one by one while another page fails', async () => {
  site.pages.set('/', html('a', link('/flaky', '/quiet', '/private', '/broken', '/never')));
  for (const path of ['/flaky', '/quiet', '/private']) site.pages.set(path, html(path, 'x'));
  site.pages.set('/broken', html('b', link('/behind')));
  site.pages.set('/behind', html('c', 'x'));
  const first = await list();
  expect([first.end.isWhole, removed(first.changes)]).toEqual([true, []]);
  site.pages.set('/flaky', { body: '', status: 410 });
  site.pages.set('/quiet', html('b', '', '<meta name="robots" content="noindex">'));
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /private', type: 'text/plain' });
  for (const broken of [
    { body: '', status: 500 },
    { body: 'x'.repeat(8 * 1024 * 1024 + 1), type: 'text/html' },
  ]) {
    site.pages.set('/broken', broken);
    const { changes, end, items } = await list(open(), first.end.cursor);
    expect(removed(changes).toSorted()).toEqual(['/flaky', '/never', '/private', '/quiet']);
    expect(end).toMatchObject({ isWhole: false, cut: { code: broken.status === 500 ? 'unavailable' : 'too_large' } });
    // What the broken page led to when it was read last is looked at.
    expect(items.map(({ id }) => id)).toEqual(['/', '/behind']);
  }
});

test('what is known of pages is kept while others fail, also of those that were not met', async () => {
  site.pages.set('/', html('a', link('/broken', '/b')));
  site.pages.set('/b', html('b', link('/c')));
  site.pages.set('/c', html('c', ''));
  site.pages.set('/broken', html('d', ''));
  const first = await list();
  site.pages.set('/broken', { body: '', status: 500 });
  const second = await list(open(), first.end.cursor);
  site.pages.set('/', html('a', link('/broken')));
  const third = await list(open(), second.end.cursor);
  site.pages.set('/', html('a', link('/broken', '/b')));
  site.pages.set('/broken', html('d', ''));
  site.asked.splice(0);
  const fourth = await list(open(), third.end.cursor);
  expect(fourth.end.isWhole).toBe(true);
  // The first page alone is another; that which failed says that it is what it was.
  expect(site.asked.filter(({ status }) => status === 200).map(({ path }) => path)).toEqual(['/']);
  expect(open().namesAll).toBe(true);
});

test('a page that names another one as the one to be taken is left for that one; where that is not there one of its copies is taken', async () => {
  const canonical = (to: string) => `<link rel="canonical" href="${to}">`;
  site.pages.set('/', html('a', link('/canon?p=1', '/canon?p=2', '/lost?p=1', '/lost?p=2', '/away')));
  for (const at of [1, 2]) {
    site.pages.set(`/canon?p=${at}`, html('b', link(`/from-${at}`), canonical(`${site.url}/canon#top`)));
    site.pages.set(`/lost?p=${at}`, html('c', '', canonical('/lost')));
    site.pages.set(`/from-${at}`, html('d', '', canonical(`/from-${at}`)));
  }
  site.pages.set('/canon', { body: '', status: 301, headers: { location: '/canon/' } });
  site.pages.set('/canon/', html('b', '', canonical('/canon')));
  site.pages.set('/away', html('e', '', canonical('https://elsewhere.example/')));
  const first = await list();
  const taken = ['/', '/away', '/canon?p=1', '/from-1', '/from-2', '/lost?p=1'];
  expect(first.items.map(({ id }) => id).toSorted()).toEqual(taken);
  // The one to be taken names no other: none of its copies is.
  site.pages.set('/canon/', html('b', ''));
  const second = await list(open(), first.end.cursor);
  const ids = second.items.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(taken.map((id) => (id === '/canon?p=1' ? '/canon/' : id)).toSorted());
});

test('a link that sends on to elsewhere, or in circles, is told of, and makes the listing no other one', async () => {
  const to = (location: string) => ({ body: '', status: 302, headers: { location } });
  site.pages.set('/', html('a', link('/away', '/round', '/self', '/fine')));
  site.pages.set('/away', to('https://u:p@elsewhere.example/x?token=1'));
  site.pages.set('/round', to('/and'));
  site.pages.set('/and', to('/round'));
  site.pages.set('/self', to('/self'));
  site.pages.set('/fine', to('/'));
  const { changes, end } = await list();
  expect(end.isWhole).toBe(true);
  expect(changes.filter(({ type }) => type === 'unreadable')).toMatchObject([
    {
      id: null,
      name: '/away',
      problem: { reason: 'leads_away', values: { address: 'https://elsewhere.example/x' } },
    },
    { name: '/self', problem: { reason: 'redirects_endlessly' } },
    { name: '/and', problem: { reason: 'redirects_endlessly' } },
  ]);
});

test('pages and files that a server packs unasked are unpacked, as far as they may be long', async () => {
  const packed = (body: string | Buffer, type: string, coding = 'gzip') => ({
    body: coding === 'br' ? brotliCompressSync(body) : coding === 'gzip' ? gzipSync(body) : Buffer.from(body),
    type,
    headers: { 'content-encoding': coding },
  });
  site.pages.set(
    '/',
    packed(html('처음', link('/b.txt', '/c.txt', '/bomb', '/bad', '/odd.txt')).body as string, 'text/html'),
  );
  site.pages.set('/b.txt', packed('가나다', 'text/plain', 'br'));
  site.pages.set('/c.txt', packed('x'.repeat(5_000), 'text/plain'));
  site.pages.set('/bomb', packed(Buffer.alloc(9 * 1024 * 1024, 'x'), 'text/html'));
  site.pages.set('/bad', { ...packed('', 'text/html'), body: 'no gzip' });
  // Of a coding that nobody knows.
  site.pages.set('/odd.txt', packed('odd', 'text/plain', 'x-own'));
  const { changes, items } = await list();
  expect(items.map(({ name }) => name)).toEqual(['처음.html', 'b.txt', 'c.txt', 'odd.txt']);
  expect(changes.filter(({ type }) => type === 'unreadable')).toMatchObject([
    { name: '/bomb', problem: { reason: 'larger_than' } },
    { name: '/bad', problem: { reason: 'answer_odd' } },
  ]);
  const fetched = (id: string, path: string) => open().fetch(id, { path: join(folder, path), maxBytes: 100, signal });
  await fetched('/b.txt', 'b');
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('가나다');
  await expect(fetched('/c.txt', 'c')).rejects.toMatchObject({ reason: 'larger_than' });
});

test('places that the guard closes are not asked for, also by way of redirects', async () => {
  await expect(list(open({}, []))).rejects.toMatchObject({ code: 'unavailable' });
  const other = await startWebSite();
  try {
    other.pages.set('/x', html('secret', ''));
    for (const location of [
      `${other.url}/x`,
      'http://169.254.169.254/latest/',
      'file:///etc/passwd',
      'http://[::1]/',
    ]) {
      site.pages.set('/', html('a', link('/away')));
      site.pages.set('/away', { body: '', status: 302, headers: { location } });
      expect(await ids()).toEqual(['/']);
      const path = join(folder, 'x');
      await expect(open().fetch('/away', { path, maxBytes: 100, signal })).rejects.toMatchObject({
        code: 'unavailable',
      });
      site.pages.set('/', { body: '', status: 302, headers: { location } });
      await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(other.asked).toEqual([]);
    for (const id of ['//elsewhere.example/x', '@elsewhere.example/', `${other.url}/x`])
      await expect(open().fetch(id, { path: join(folder, 'y'), maxBytes: 9, signal })).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(other.asked).toEqual([]);
  } finally {
    await other.close();
  }
});

test('pages in the charset of old Korean sites have their titles; what is fetched is what was sent', async () => {
  // 한글 in EUC-KR.
  const body = Buffer.concat([Buffer.from('<title>'), Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]), Buffer.from('</title>x')]);
  site.pages.set('/', { body, type: 'text/html; charset=euc-kr' });
  const connector = open();
  for await (const change of connector.list({ cursor: null, maxItems: 9, signal }))
    if (change.type === 'present') {
      expect(change.item.name).toBe('한글.html');
      const path = join(folder, 'page');
      await connector.fetch('/', { path, maxBytes: 100, signal });
      expect(readFileSync(path)).toEqual(body);
    }
  // The page that was just listed was not asked for twice.
  expect(paths().filter((path) => path === '/').length).toBe(1);
});

test('links and site maps without an end are followed for as many pages as a listing asks for, and it is no whole one', async () => {
  const first = html('a', link(...Array.from({ length: 1_000 }, (_, at) => `/none/${at}`)));
  let asked = 0;
  // Asked in place of a server, as it is hundreds of times.
  const request: WebSource['request'] = (url) => {
    asked++;
    return Promise.resolve({
      status: new URL(url).pathname === '/' ? 200 : 404,
      headers: new Map([['content-type', 'text/html']]),
      body: Readable.from([Buffer.from(first.body)]),
      close: () => Promise.resolve(),
    });
  };
  const { end, changes, items } = await list(open({ usesSitemap: false, request }), null, 10);
  expect(items.map(({ id }) => id)).toEqual(['/']);
  expect(end.isWhole).toBe(false);
  expect(changes.find(({ type }) => type === 'unreadable')).toMatchObject({
    problem: { reason: 'over_limit', values: { limit: 10 } },
  });
  // robots.txt, and the pages that may be asked for to find ten documents.
  expect(asked).toBe(541);

  const many = Array.from({ length: 60 }, (_, at) => `<sitemap><loc>${site.url}/map-${at}.xml</loc></sitemap>`);
  site.pages.set('/', html('a', ''));
  site.pages.set('/sitemap.xml', { body: `<sitemapindex>${many.join('')}</sitemapindex>`, type: 'application/xml' });
  for (let at = 0; at < 60; at++)
    site.pages.set(`/map-${at}.xml`, {
      body: `<urlset><url><loc>${site.url}/page-${at}</loc></url></urlset>`,
      type: 'application/xml',
    });
  expect((await list(open(), null, 10)).end.isWhole).toBe(false);
  expect(paths().filter((path) => path.startsWith('/map-'))).toHaveLength(49);
});

test('our own guide as a site: each page that others link to is found once, by links and by the site map, with its title', async () => {
  const guide = join(import.meta.dirname, '../../../../docs/guide');
  const names = readdirSync(guide).filter((name) => name.endsWith('.md'));
  for (const name of names) {
    const text = readFileSync(join(guide, name), 'utf8');
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
    site.pages.set(`/guide/${name}`, html(title, text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')));
  }
  const own = (list: readonly string[]) => list.filter((id) => id.startsWith('/guide/')).toSorted();
  const all = names.map((name) => `/guide/${name}`).toSorted();
  site.pages.set('/', html('Guide', link('/guide/collections.md')));
  const linked = await list(open({ depth: 10 }));
  expect(new Set(linked.items.map(({ id }) => id)).size).toBe(linked.items.length);
  expect(linked.items.find(({ id }) => id === '/guide/collections.md')?.name).toBe('Collections in the console.html');
  expect(own(linked.items.map(({ id }) => id)).length).toBeGreaterThan(1);
  expect(all).toEqual(expect.arrayContaining(own(linked.items.map(({ id }) => id))));
  const map = all.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('');
  site.pages.set('/sitemap.xml', { body: `<urlset>${map}</urlset>`, type: 'application/xml' });
  expect(own(await ids(open({ depth: 1 })))).toEqual(all);
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /guide/mcp.md', type: 'text/plain' });
  expect(own(await ids(open({ depth: 10 })))).toEqual(all.filter((path) => path !== '/guide/mcp.md'));
});
