import type { Page } from 'playwright-core';
import type { Person } from '../../support/browser.ts';
import { isAllThere, moveTo, NOWHERE, pageOf } from './moves.ts';
import { callConsole } from './studio.ts';
import type { Filled } from './filled.ts';
import { keyName, themeOfBrowser, toolServerName } from './filled.ts';
import { type SpokenLanguage, type Words, said } from './words.ts';

/** A page of the console in one of its states, and how a person gets there. */
export interface Visit {
  readonly name: string;
  /** Below /console. */
  readonly path: string;
  /** What the window is called. */
  readonly title: (words: Words) => string;
  /** Who looks: nobody is signed in, a person with the role User, or (left out) the administrator. */
  readonly as?: 'guest' | 'user';
  /** Only to be seen in a narrow window. */
  readonly narrow?: boolean;
  /** Only to be opened in a wide window. */
  readonly wide?: boolean;
  /** Whether it shows a text that was written in the language of the page: in another one it is opened anew. */
  readonly written?: boolean;
  /** What to do there. */
  readonly open?: (page: Page, words: Words) => Promise<void>;
}

/** Visits that walks come through as well: what keeps people out is held here for them. */
export const walked = [
  'a collection',
  'a review',
  'a talk with an agent, and its source',
  'an agent being built',
  'an event of the audit log',
  'audit log',
  'chat',
  'chat without conversations',
  'invitation',
  'inviting',
  'new collection',
  'overview',
  'search test',
  'settings',
  'usage',
  'users',
] as const;

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

async function opensDialog(page: Page, button: string): Promise<void> {
  await press(page, button);
  await dialog(page).waitFor();
}

async function answered(page: Page, words: Words): Promise<void> {
  await page.getByRole('textbox', { name: words.playground.message }).fill('What are 지방세?');
  await page.keyboard.press('Enter');
  await page.locator('article[aria-busy=false] table').last().waitFor();
  await page.locator('article[aria-busy=true]').waitFor({ state: 'detached' });
}

/** The dialog that gets models, at one of its tabs. */
const getting = (tab: 'from_catalogue' | 'by_address' | 'from_file') => async (page: Page, words: Words) => {
  await opensDialog(page, words.modelsPage.get);
  await dialog(page).getByRole('tab', { name: words.modelsPage[tab] }).click();
};

const entry = (link: string): readonly Visit[] => [
  { name: 'login', path: '/login', as: 'guest', title: (words) => words.login.title },
  { name: 'set-up', path: '/setup#0123456789', as: 'guest', title: (words) => words.setup.title },
  { name: 'set-up without its secret', path: '/setup', as: 'guest', title: (words) => words.setup.title },
  {
    name: 'invitation',
    path: link.slice(link.indexOf('/link')),
    as: 'guest',
    title: (words) => said(words.link.invite_title, { tenant: '' }).trim().split(' ').at(-1) ?? '',
    open: (page) => page.locator('input[name=password]').waitFor(),
  },
  { name: 'link without its secret', path: '/link', as: 'guest', title: (words) => words.link.title },
];

const work = ({ conversationId, conversationTitle }: Filled): readonly Visit[] => [
  { name: 'overview', path: '/', title: (words) => words.overview.title },
  { name: 'chat', path: '/chat', title: (words) => words.chat.title },
  { name: 'chat without conversations', path: '/chat', as: 'user', title: (words) => words.chat.title },
  {
    name: 'conversation',
    path: `/chat/${conversationId}`,
    title: (words) => words.chat.title,
    open: (page) => page.locator('article table').waitFor(),
  },
  {
    name: 'conversation being renamed',
    path: `/chat`,
    wide: true,
    title: (words) => words.chat.title,
    async open(page, words) {
      await page.getByRole('button', { name: said(words.chat.more, { title: conversationTitle }) }).click();
      await page.getByRole('menuitem', { name: words.common.rename }).click();
      await dialog(page).waitFor();
    },
  },
  {
    name: 'settings of a conversation',
    path: '/chat',
    title: (words) => words.chat.title,
    open: (page, words) => opensDialog(page, words.chat.settings),
  },
  { name: 'prompts', path: '/prompts', title: (words) => words.prompts.title },
  {
    name: 'new prompt',
    path: '/prompts',
    title: (words) => words.prompts.title,
    open: (page, words) => opensDialog(page, words.promptsPage.new),
  },
  { name: 'playground', path: '/playground', title: (words) => words.playground.title },
  { name: 'playground with an answer', path: '/playground', title: (words) => words.playground.title, open: answered },
  {
    name: 'playground with two models',
    path: '/playground',
    title: (words) => words.playground.title,
    async open(page, words) {
      await press(page, words.playground.compare);
      await answered(page, words);
    },
  },
  {
    name: 'settings of the playground',
    path: '/playground',
    title: (words) => words.playground.title,
    open: (page, words) => opensDialog(page, words.playground.settings),
  },
  {
    name: 'code of the playground',
    path: '/playground',
    title: (words) => words.playground.title,
    async open(page, words) {
      await opensDialog(page, words.playground.view_code);
      await dialog(page).getByRole('tab', { name: 'Python' }).click();
    },
  },
];

const speech: readonly Visit[] = [
  {
    name: 'speech to text, without a model',
    path: '/speech',
    title: (words) => words.speech.title,
    open: (page, words) => page.getByText(words.speech.none.title).waitFor(),
  },
  {
    name: 'text to speech',
    path: '/speech',
    title: (words) => words.speech.title,
    async open(page, words) {
      await page.getByRole('tab', { name: words.speech.tabs.say }).click();
      await page.getByLabel(words.speech.say.text).waitFor();
    },
  },
];

const parser = ({ documents }: Filled): readonly Visit[] => {
  const title = (words: Words) => words.parser.title;
  const there = (page: Page) => page.locator('img[data-state=there]').waitFor();
  return [
    { name: 'document parser', path: '/parser', title, open: (page) => page.locator('tbody tr').first().waitFor() },
    {
      name: 'a document to be removed',
      path: '/parser',
      title,
      open: (page, words) => opensDialog(page, said(words.parser.remove, { name: 'Report.pdf' })),
    },
    { name: 'a document', path: `/parser/${documents.pages}`, title, open: there },
    { name: 'preview of a document', path: `/parser/${documents.pages}?tab=preview`, title, open: there },
    {
      name: 'Markdown of a document',
      wide: true,
      path: `/parser/${documents.pages}?tab=markdown&page=2`,
      title,
      open: (page) => page.getByText('# 2. Outlook').waitFor(),
    },
    {
      name: 'code of a document',
      path: `/parser/${documents.pages}`,
      title,
      async open(page, words) {
        await press(page, words.parser.actions);
        await page.getByRole('menuitem', { name: words.parser.view_code }).click();
        await dialog(page).waitFor();
      },
    },
    {
      name: 'rows of a document',
      path: `/parser/${documents.rows}`,
      title,
      open: (page) => page.getByText('Item 99').first().waitFor(),
    },
    { name: 'a document that was not read', path: `/parser/${documents.broken}`, title },
    {
      name: 'what was read, on a phone',
      path: `/parser/${documents.pages}`,
      narrow: true,
      title,
      open: (page, words) => page.getByText(words.parser.views, { exact: true }).first().click(),
    },
  ];
};

const collections = ({ collected: { id, pages, text } }: Filled): readonly Visit[] => {
  const title = (words: Words) => words.collections.title;
  const path = `/collections/${id}`;
  const found = async (page: Page, words: Words) => {
    await page.getByRole('textbox', { name: words.collectionsPage.search.query }).fill('days of leave');
    await page.keyboard.press('Enter');
    await page.locator('mark').first().waitFor();
  };
  const rows = (page: Page) => page.locator('tbody tr').first().waitFor();
  return [
    { name: 'collections', path: '/collections', title, open: rows },
    { name: 'collections of a user', path: '/collections', as: 'user', title, open: rows },
    {
      name: 'new collection',
      path: '/collections',
      title,
      async open(page, words) {
        await opensDialog(page, words.collectionsPage.new);
        await press(page, words.collectionsPage.more);
        await dialog(page).getByText(words.collectionsPage.search_defaults).waitFor();
      },
    },
    { name: 'a collection', path, title, open: rows },
    {
      name: 'what can be done with a document',
      path,
      title,
      async open(page, words) {
        await press(page, said(words.collectionsPage.actions_of, { name: 'leave.md' }));
        await page.getByRole('menuitem', { name: words.common.remove }).waitFor();
      },
    },
    { name: 'search test', path: `${path}?tab=search`, title, open: found },
    { name: 'search of a user', path, as: 'user', title, open: found },
    {
      name: 'search test of two settings, with a filter',
      path: `${path}?tab=search`,
      title,
      async open(page, words) {
        await press(page, words.collectionsPage.search.compare);
        await press(page, words.collectionsPage.search.add_filter);
        await found(page, words);
      },
    },
    {
      name: 'code of a search',
      path: `${path}?tab=search`,
      title,
      open: (page, words) => opensDialog(page, words.collectionsPage.search.view_code),
    },
    { name: 'evaluation', path: `${path}?tab=evaluation`, title, open: rows },
    { name: 'extraction', path: `${path}?tab=extraction`, title },
    {
      name: 'a connection to be made',
      path: `${path}?tab=connections`,
      title,
      open: (page, words) => opensDialog(page, words.connections.add),
    },
    {
      name: 'a setting to be evaluated',
      path: `${path}?tab=evaluation`,
      title,
      open: (page, words) => opensDialog(page, words.collectionsPage.evaluation.setting_add),
    },
    {
      name: 'questions to be imported',
      path: `${path}?tab=evaluation`,
      title,
      open: (page, words) => opensDialog(page, words.collectionsPage.evaluation.import),
    },
    {
      name: 'questions to be proposed',
      path: `${path}?tab=evaluation`,
      title,
      open: (page, words) => opensDialog(page, words.collectionsPage.evaluation.propose),
    },
    {
      name: 'settings of a collection',
      path: `${path}?tab=settings`,
      title,
      open: (page, words) => page.getByRole('button', { name: words.collectionsPage.settings.remove }).waitFor(),
    },
    {
      name: 'a document of a collection',
      wide: true,
      path: `${path}/documents/${pages}`,
      title,
      open: (page) => page.locator('li').getByText('Sales have risen').waitFor(),
    },
    {
      name: 'a chunk to be edited',
      path: `${path}/documents/${text}`,
      title,
      open: (page, words) => opensDialog(page, said(words.collectionsPage.document.edit_chunk, { number: '1' })),
    },
  ];
};

const agents = ({ agented: { id, slug, reviewId, trial, talk } }: Filled): readonly Visit[] => {
  const title = (words: Words) => words.agents.title;
  const chat = (words: Words) => words.chat.title;
  const reviews = (words: Words) => words.reviews.title;
  const path = `/agents/${id}`;
  const rows = (page: Page) => page.locator('tbody tr').first().waitFor();
  const answer = (page: Page) => page.locator('article[aria-busy=false]').first().waitFor();
  return [
    { name: 'agents', path: '/agents', title, open: rows },
    {
      name: 'new agent',
      path: '/agents',
      title,
      async open(page, words) {
        await opensDialog(page, words.agents.new);
        await dialog(page).getByText(words.agents.templates.multi_step).click();
      },
    },
    {
      name: 'an agent to be imported',
      path: '/agents',
      title,
      open: (page, words) => opensDialog(page, words.agents.import),
    },
    {
      name: 'tools',
      path: '/tools',
      title: (words) => words.tools.title,
      open: (page) => page.getByRole('region', { name: toolServerName }).waitFor(),
    },
    {
      name: 'new tool server',
      path: '/tools',
      title: (words) => words.tools.title,
      open: (page, words) => opensDialog(page, words.toolsPage.add),
    },
    {
      name: 'new tool server of an HTTP service',
      path: '/tools',
      title: (words) => words.tools.title,
      async open(page, words) {
        await opensDialog(page, words.toolsPage.add);
        await dialog(page).getByText(words.toolsPage.kinds.http).click();
        await press(page, words.toolsPage.add_header);
      },
    },
    { name: 'an agent', path, title, open: (page) => page.locator('ol li').first().waitFor() },
    {
      name: 'an agent to be archived',
      path,
      title,
      async open(page, words) {
        await press(page, words.agents.acts.more);
        await page.getByRole('menuitem', { name: words.agents.acts.archive }).click();
        await dialog(page).waitFor();
      },
    },
    {
      name: 'versions of an agent',
      path: `${path}?tab=versions`,
      title,
      open: (page) => page.getByText('Ask about leave and pensions.').first().waitFor(),
    },
    { name: 'sessions of an agent', path: `${path}?tab=sessions`, title, open: rows },
    { name: 'a session of an agent', path: `${path}?tab=sessions&session=${trial}`, title, open: answer },
    {
      name: 'a trace',
      path: `${path}?tab=sessions&session=${trial}`,
      title,
      async open(page, words) {
        await opensDialog(page, words.agents.sessions.trace_of);
        await dialog(page)
          .getByRole('button', { name: /Search the rules/ })
          .click();
        await dialog(page).getByText(words.agents.trace.outputs).filter({ visible: true }).waitFor();
      },
    },
    { name: 'how an agent is called', path: `${path}?tab=call`, title },
    {
      name: 'use of an agent',
      path: `${path}?tab=usage`,
      title,
      open: (page) => page.locator('.u-over').first().waitFor(),
    },
    {
      name: 'an agent being built',
      path: `${path}/build`,
      title,
      open: (page) => page.locator('.react-flow__node').first().waitFor({ state: 'attached' }),
    },
    {
      name: 'a node of an agent',
      path: `${path}/build`,
      wide: true,
      title,
      async open(page) {
        await page.locator('.react-flow__node[data-id=write]').click();
        await page.locator('[data-region=side] textarea').first().waitFor();
      },
    },
    { name: 'reviews', path: '/agent-reviews', title: reviews, open: rows },
    {
      name: 'a review',
      path: `/agent-reviews/${reviewId}`,
      title: reviews,
      open: (page) => page.getByText('Ask about leave and pensions.').first().waitFor(),
    },
    {
      name: 'a version to be rejected',
      path: `/agent-reviews/${reviewId}`,
      title: reviews,
      open: (page, words) => opensDialog(page, words.reviews.reject),
    },
    {
      name: 'an agent to talk with',
      path: `/chat/agents/${slug}`,
      as: 'user',
      title: chat,
      open: (page) => page.getByText('Ask about leave.').waitFor(),
    },
    {
      name: 'a talk with an agent, and its source',
      path: `/chat/agents/${slug}/${talk}`,
      as: 'user',
      wide: true,
      title: chat,
      async open(page, words) {
        await page.getByRole('group', { name: words.talk.sources }).getByRole('button').first().click();
        await dialog(page).locator('blockquote').waitFor();
      },
    },
  ];
};

const phone: readonly Visit[] = [
  {
    name: 'menu of a phone',
    path: '/',
    narrow: true,
    title: (words) => words.overview.title,
    async open(page, words) {
      await press(page, words.shell.open_menu);
      await page.getByRole('button', { name: words.shell.close_menu }).waitFor();
    },
  },
  {
    name: 'conversations on a phone',
    path: '/chat',
    narrow: true,
    title: (words) => words.chat.title,
    open: (page, words) => opensDialog(page, words.chat.all),
  },
];

const keys: readonly Visit[] = [
  { name: 'keys', path: '/keys', title: (words) => words.keys.title },
  {
    name: 'new key',
    path: '/keys',
    title: (words) => words.keys.title,
    async open(page, words) {
      await opensDialog(page, words.keysPage.new);
      await press(page, words.keysPage.more);
      await dialog(page).getByRole('checkbox').last().waitFor();
    },
  },
  {
    name: 'a key that was made',
    path: '/keys',
    title: (words) => words.keys.title,
    async open(page, words) {
      await opensDialog(page, words.keysPage.new);
      await dialog(page).getByRole('textbox').first().fill('a');
      await press(page, words.keysPage.issue);
      await page.getByTestId('key-value').waitFor();
    },
  },
  {
    name: 'a key to be deleted',
    path: '/keys',
    title: (words) => words.keys.title,
    open: (page, words) => opensDialog(page, said(words.keysPage.remove_key, { name: keyName })),
  },
];

const manage: readonly Visit[] = [
  { name: 'models that are served', path: '/models#served', title: (words) => words.models.title },
  {
    name: 'a model to be bound',
    path: '/models#served',
    title: (words) => words.models.title,
    open: (page, words) => opensDialog(page, words.modelsPage.bind),
  },
  {
    name: 'models of this machine',
    path: '/models#local',
    title: (words) => words.models.title,
    open: (page) => page.getByText('korean-7b-q4').first().waitFor(),
  },
  ...(['from_catalogue', 'by_address', 'from_file'] as const).map((tab) => ({
    name: `getting a model: ${tab}`,
    path: '/models#local',
    title: (words: Words) => words.models.title,
    open: getting(tab),
  })),
  { name: 'model servers', path: '/models#servers', title: (words) => words.models.title },
  {
    name: 'a server to be connected',
    path: '/models#servers',
    title: (words) => words.models.title,
    open: (page, words) => opensDialog(page, words.modelsPage.connect),
  },
  { name: 'users', path: '/users', title: (words) => words.users.title },
  {
    name: 'inviting',
    path: '/users',
    title: (words) => words.users.title,
    open: (page, words) => opensDialog(page, words.users.invite),
  },
  {
    name: 'what can be done with a user',
    path: '/users',
    title: (words) => words.users.title,
    open: (page, words) => press(page, said(words.users.more, { name: '이사용' })),
  },
  { name: 'private hosts', path: '/network', title: (words) => words.network.title },
  {
    name: 'batches',
    path: '/batches',
    title: (words) => words.batches.title,
    open: (page, words) => page.getByText(words.batchList.statuses.failed, { exact: true }).waitFor(),
  },
  {
    name: 'usage',
    path: '/usage',
    title: (words) => words.usage.title,
    open: (page) => page.locator('canvas').nth(3).waitFor(),
  },
  {
    name: 'usage as tables',
    path: '/usage',
    title: (words) => words.usage.title,
    async open(page, words) {
      for (let left = 4; left > 0; left -= 1) await press(page, words.parts.chart_as_table);
      await page.getByRole('tab', { name: words.usage.by.status }).click();
    },
  },
  {
    name: 'personal values in a text',
    written: true,
    path: '/privacy',
    title: (words) => words.privacy.title,
    async open(page, words) {
      await press(page, words.privacy.try.use_example);
      await press(page, words.privacy.try.run);
      await page.locator('mark').first().waitFor();
    },
  },
  {
    name: 'policy of personal values',
    path: '/privacy',
    title: (words) => words.privacy.title,
    async open(page, words) {
      await page.getByRole('tab', { name: words.privacy.tabs.policy }).click();
      await page.getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'nothing found of personal values',
    path: '/privacy',
    title: (words) => words.privacy.title,
    async open(page, words) {
      await page.getByRole('tab', { name: words.privacy.tabs.found }).click();
      await page.getByText(words.privacy.found.none).waitFor();
    },
  },
  { name: 'audit log', path: '/audit', title: (words) => words.audit.title },
  {
    name: 'an event of the audit log',
    path: '/audit',
    title: (words) => words.audit.title,
    async open(page) {
      await page.locator('tbody tr').first().click();
      await dialog(page).waitFor();
    },
  },
  { name: 'settings', path: '/settings', title: (words) => words.settings.title },
  { name: 'tenants', path: '/tenants', title: (words) => words.tenants.title },
  {
    name: 'new tenant',
    path: '/tenants',
    title: (words) => words.tenants.title,
    open: (page, words) => opensDialog(page, words.tenants.new),
  },
];

const own: readonly Visit[] = [
  {
    name: 'profile',
    path: '/profile',
    title: (words) => words.profile.title,
    open: (page, words) => page.getByText(words.profilePage.sessions.current).waitFor(),
  },
  {
    name: 'an authenticator app to be set up',
    path: '/profile',
    title: (words) => words.profile.title,
    open: (page, words) => opensDialog(page, words.profilePage.totp.set_up),
  },
  {
    name: 'account menu',
    path: '/tenants',
    wide: true,
    title: (words) => words.tenants.title,
    async open(page, words) {
      await page.getByRole('button', { name: words.shell.account }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'commands',
    path: '/tenants',
    title: (words) => words.tenants.title,
    async open(page, words) {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(words.shell.commands_hint).waitFor();
    },
  },
  { name: 'no page', path: '/nowhere', title: (words) => words.shell.not_found },
  { name: 'a page that is not allowed', path: '/audit', as: 'user', title: (words) => words.shell.not_allowed },
];

/** Every page, and what opens on it. */
export async function visitsOf(filled: Filled): Promise<readonly Visit[]> {
  const { body } = await callConsole(filled.admin, 'POST', '/users', {
    email: 'guest@example.org',
    name: '손님',
    role: 'user',
  });
  const { link } = body as { link: { url: string } };
  return apart([
    ...entry(link.url),
    ...work(filled),
    ...speech,
    ...parser(filled),
    ...collections(filled),
    ...agents(filled),
    ...phone,
    ...keys,
    ...manage,
    ...own,
  ]);
}

/** Deals the visits of each page among those of the others, so that few follow one of the same page, which would keep its state. */
function apart(visits: readonly Visit[]): readonly Visit[] {
  const pages = [...Map.groupBy(visits, ({ path }) => pageOf(path)).values()];
  const rounds = Math.max(...pages.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => pages.flatMap((page) => page.slice(round, round + 1))).flat();
}

/** Those who look at pages. */
export interface Visitors {
  readonly all: readonly Person[];
  of(visit: Visit): Person;
}

/** Those who look: two who are signed in, and somebody who is not. Their theme is that of the browser, their language the one that it has kept. */
export async function visitorsOf({ studio, admin, user }: Filled): Promise<Visitors> {
  const guest = await studio.browser.person(themeOfBrowser(studio));
  const visitors = { admin, user, guest };
  return { all: Object.values(visitors), of: ({ as }) => visitors[as ?? 'admin'] };
}

export const languageOf = async (page: Page): Promise<SpokenLanguage> =>
  (await page.locator('html').getAttribute('lang')) === 'ko' ? 'ko' : 'en';

/** Has a page speak a language, as when it is chosen in another tab: what is open stays so. */
export async function speak(page: Page, language: SpokenLanguage): Promise<void> {
  await page.evaluate(`{
    localStorage.setItem('studio.language', '${language}');
    dispatchEvent(new StorageEvent('storage', { key: 'studio.language', newValue: '${language}' }));
  }`);
  await page.locator(`html[lang=${language}]`).waitFor();
  await isAllThere(page);
}

/** Opens a page in a state of it, and waits until all of it is there. The console is loaded only where none is open. */
export async function look(page: Page, visit: Visit, words: Words): Promise<void> {
  if (!page.url().includes('/console')) {
    await page.goto(`/console${visit.path}`);
    await page.locator('h1').waitFor();
  } else {
    // What lies over a page is of it, or of the frame.
    await page.keyboard.press('Escape');
    const here = new URL(page.url()).pathname.replace(/^\/console/, '');
    if (pageOf(here) === pageOf(visit.path)) await moveTo(page, NOWHERE);
    await moveTo(page, visit.path);
  }
  await visit.open?.(page, words);
  await isAllThere(page);
}
