import type { OwnSample } from '@ai-studio/contract/console/samples.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from '../../support/browser.ts';
import { play, type Upstream } from '../../support/upstream.ts';
import { leaveHwpx } from './documents.ts';
import { type Dress, type Walker, button, dialog, goTo, nameOf, newcomer, visitorIn, walkerIn } from './dressed.ts';
import { visit } from './moves.ts';
import { type Studio, administrator, callConsole, callerOf } from './studio.ts';
import { said } from './words.ts';

/** What a walk goes through. */
export interface Stage {
  readonly studio: Studio;
  readonly upstream: Upstream;
  readonly dress: Dress;
  /** Told of everybody who comes. */
  enter<Who extends Person>(person: Who): Who;
}

/** Opens a mark of the last answer, whatever the name of its document. */
const source = (page: Page, { talk }: Walker['words']) =>
  page
    .getByRole('article')
    .last()
    .getByRole('button', { name: said(talk.source_of, { number: '1', name: '' }).trim() })
    .first();
const answered = (page: Page, text: RegExp | string) =>
  page.locator('article[aria-busy=false]').last().getByText(text).first().waitFor();
const field = ({ page, words }: Walker) => page.getByRole('textbox', { name: words.talk.message, exact: true });

/** The source that is open: beside the talk, or over it where there is no room. */
const beside = ({ page, dress }: Walker, name: string) =>
  page.getByRole(dress.narrow ? 'dialog' : 'complementary', { name });

/** A developer who was invited begins with a sample. */
export async function firstUse({ studio, upstream, dress, enter }: Stage): Promise<void> {
  const admin = await callerOf(studio, administrator.email);
  const email = `first-${nameOf(dress)}@example.org`;
  const { body } = await admin('POST', '/users', { email, name: '김하나', role: 'developer' });
  const walker = enter(await visitorIn(studio, dress, 'first-use'));
  const { page, words: w } = walker;
  await page.goto((body as { link: { url: string } }).link.url);
  const { body: me } = await admin('GET', '/me');
  const role = w.common.role.developer;
  await page.getByText(said(w.link.invited_by, { inviter: (me as Me).user.name, role })).waitFor();
  await page.locator('input[name=name]').fill('김하나');
  await page.locator('input[name=password]').fill(administrator.password);
  await walker.look('invitation', 'invitation');
  await button(page, w.link.join).click();
  const path = page.getByRole('region', { name: w.overview.path });
  await path.getByText(said(w.overview.steps_done, { done: '0', all: '4' })).waitFor();
  await walker.look('home');
  upstream.plays(play({ text: 'Two days, 2일 [1].' }));
  await button(page, w.overview.sample_begin).click();
  // The agent stands in its builder, ready to be asked.
  const examples = page.getByRole('log', { name: w.agentBuilder.talk }).getByRole('button');
  await examples.first().waitFor();
  await page.getByText(w.agentBuilder.run_here).waitFor();
  await walker.look('sample');
  await examples.first().click();
  await answered(page, /Two days/);
  await page.getByRole('region', { name: w.agentBuilder.citations }).getByRole('button').first().waitFor();
  await source(page, w).click();
  await dialog(page).locator('blockquote').first().waitFor();
  await walker.look('source');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'hidden' });
  await goTo(walker, w.overview.title);
  await path.getByText(said(w.overview.steps_done, { done: '3', all: '4' })).waitFor();
  await walker.look('home-again');
  // Once it is deployed everybody has it; what only an administrator takes away is told, and then all of it goes.
  const { sample } = (await callConsole(walker, 'GET', '/sample')).body as OwnSample;
  const agent = `/agents/${sample?.agent_id}`;
  const { revision } = (await callConsole(walker, 'GET', agent)).body as { revision: number };
  const submitted = await callConsole(walker, 'POST', `${agent}/submit`, { revision, note: 'Please' });
  const { review } = submitted.body as { review: { id: string; hash: string } };
  await admin('POST', `${agent}/approve`, { review_id: review.id, hash: review.hash });
  await askByCard({ studio, upstream, dress, enter });
  await button(page, w.overview.sample_remove).click();
  const confirm = dialog(page).getByRole('button', { name: w.common.remove });
  await confirm.click();
  await dialog(page).getByRole('alert').waitFor();
  await admin('POST', `${agent}/undeploy`, {});
  await confirm.click();
  await page.getByText(w.overview.sample_removed).waitFor();
  expect(((await callConsole(walker, 'GET', '/sample')).body as OwnSample).sample).toBeNull();
}

/** A user asks a question that stands on the card of an agent. */
async function askByCard({ studio, dress, enter }: Stage): Promise<void> {
  const user = enter(await newcomer(studio, dress, 'first-use-card', 'user'));
  const { page, words: w } = user;
  const questions = page
    .getByRole('region', { name: w.chat.agents })
    .getByRole('list')
    .getByRole('list')
    .getByRole('link');
  await questions.first().waitFor();
  await user.look('home', 'chat without conversations');
  await questions.first().click();
  await answered(page, /Two days/);
  await page.waitForURL(/\/chat\/agents\/[^/]+\/\d+$/);
  // Once: a reload asks nothing anew.
  await page.reload();
  await answered(page, /Two days/);
  const chats = await callConsole(user, 'GET', '/agent-chats');
  expect((chats.body as { items: unknown[] }).items).toHaveLength(1);
}

function holidays(): Buffer {
  const writer = new PdfWriter();
  writer.page().text(72, 72, 'Holidays', { size: 20, bold: true }).text(72, 110, 'There are fifteen days.');
  return Buffer.from(writer.bytes());
}

/** Drops a file on the page, as a file manager does. */
async function drop(place: ReturnType<typeof field>, name: string, content: Buffer): Promise<void> {
  const dropped = await place.page().evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(atob(${JSON.stringify(content.toString('base64'))}), (sign) => sign.codePointAt(0));
    transfer.items.add(new File([content], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await place.dispatchEvent('drop', { dataTransfer: dropped });
}

const rightOf = async (place: Locator) => place.boundingBox().then((box) => (box === null ? 0 : box.x + box.width));

/** Somebody who has every tool of the card asks about a file. */
export async function chatWithFile({ studio, upstream, dress, enter }: Stage): Promise<void> {
  const walker = enter(await newcomer(studio, dress, 'chat', 'developer'));
  const { page, words: w } = walker;
  await goTo(walker, w.chat.title);
  await field(walker).waitFor();
  await walker.look('new-chat', 'chat');
  await drop(field(walker), 'rules.pdf', holidays());
  const chips = page.getByRole('list', { name: w.chat.goes_along });
  await chips.getByText('rules.pdf').waitFor();
  // What goes along outlives a reload, as the words do.
  await chips.getByText(/\d ?kB/).waitFor();
  await field(walker).fill('How many days are there?');
  await walker.look('file');
  await page.reload();
  await chips.getByText('rules.pdf').waitFor();
  expect(await field(walker).inputValue()).toBe('How many days are there?');
  upstream.plays(play({ text: 'Fifteen days [1].' }));
  // At the end of the line of tools, on a phone, too.
  expect(await rightOf(button(page, w.parts.send))).toBeGreaterThan((await rightOf(field(walker))) - 20);
  await button(page, w.parts.send).click();
  await answered(page, 'Fifteen days');
  await page.getByRole('list', { name: w.chat.files_of_message }).getByText('rules.pdf').waitFor();
  expect(await chips.count()).toBe(0);
  await walker.look('answer');
  const mark = source(page, w);
  await mark.click();
  const panel = beside(walker, said(w.talk.source_of, { number: '1', name: 'rules.pdf' }));
  await panel.getByText('There are fifteen days.').waitFor();
  await panel.locator('img[data-state=there]').waitFor();
  await walker.look('source');
  // At a desk the talk stays as it is, to be read and answered.
  if (!dress.narrow) await answered(page, 'Fifteen days');
  expect(await panel.getByRole('link').count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => mark.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
}

/** A developer makes a collection, looks into it, and asks about it in a chat. */
export async function know({ studio, upstream, dress, enter }: Stage): Promise<void> {
  const walker = enter(await newcomer(studio, dress, 'knowledge', 'developer'));
  const { page, words: w } = walker;
  await goTo(walker, w.collections.title);
  await button(page, w.collectionsPage.new).first().click();
  const name = `휴가 규정 ${nameOf(dress)}`;
  const naming = dialog(page).getByRole('textbox', { name: w.collectionsPage.name });
  await naming.and(page.locator(':focus')).waitFor();
  await naming.fill(name);
  await walker.look('new-collection', 'new collection');
  await dialog(page).getByRole('button', { name: w.common.create }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByTestId('collection-files').setInputFiles([
    { name: 'leave.hwpx', mimeType: 'application/octet-stream', buffer: leaveHwpx() },
    { name: 'sick.md', mimeType: 'text/markdown', buffer: Buffer.from('# 병가\n\n병가는 의사의 진단서를 냅니다.\n') },
  ]);
  await page
    .getByText(said(w.collectionsPage.group_of, { group: w.collectionsPage.groups.ready, shown: '2' }), { exact: true })
    .waitFor();
  await walker.look('documents', 'a collection');
  await page.getByRole('tab', { name: w.collectionsPage.tabs.search }).click();
  await page.getByRole('textbox', { name: w.collectionsPage.search.query }).fill('결혼 휴가');
  await page.keyboard.press('Enter');
  await page.locator('mark').first().waitFor();
  await walker.look('search', 'search test');
  const chosen = button(page, said(w.chat.take_out, { name }));
  await page.getByRole('link', { name: w.collectionsPage.ask }).click();
  await chosen.click();
  await chosen.waitFor({ state: 'detached' });
  await field(walker).focus();
  await page.keyboard.type('결혼하면 며칠을 쉬나요? #휴가 ');
  const option = page.getByRole('option', { name });
  await option.waitFor();
  // As a Korean keyboard writes it: a consonant belongs to a syllable until the next vowel takes it along.
  const keys = await page.context().newCDPSession(page);
  for (const text of ['ㄱ', '규', '귲', '규저', '규정']) {
    await keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    expect(await field(walker).inputValue()).toContain(`#휴가 ${text}`);
    await option.waitFor();
  }
  await keys.send('Input.insertText', { text: '규정' });
  await keys.detach();
  expect(await field(walker).getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
  await walker.look('choice');
  await page.keyboard.press('Enter');
  expect(await field(walker).inputValue()).toBe('결혼하면 며칠을 쉬나요? ');
  upstream.plays(play({ text: '닷새를 쉽니다 [1].' }));
  await button(page, w.parts.send).click();
  await answered(page, '닷새');
  await page.getByRole('group', { name: w.talk.sources }).getByText('leave.hwpx').first().waitFor();
  await source(page, w).click();
  await beside(walker, said(w.talk.source_of, { number: '1', name: 'leave.hwpx' }))
    .getByRole('table')
    .first()
    .waitFor();
  await walker.look('source');
  await page.keyboard.press('Escape');
  // It stays with the conversation, until it is taken out.
  await page.reload();
  await chosen.click();
  await chosen.waitFor({ state: 'detached' });
  // A move begins the conversation anew, too.
  await visit(page, new URL(page.url()).pathname);
  await answered(page, '닷새');
  expect(await chosen.count()).toBe(0);
}

/** A developer builds an agent, an administrator deploys it, and a user asks it. */
export async function build({ studio, upstream, dress, enter }: Stage): Promise<void> {
  const walker = enter(await newcomer(studio, dress, 'agent', 'developer'));
  const { page, words: w } = walker;
  const name = `휴가 도우미 ${nameOf(dress)}`;
  const made = await callConsole(walker, 'POST', '/collections', { collection_name: name, visibility: 'tenant' });
  const { collection_id: id } = made.body as { collection_id: string };
  await walker.context.request.post(`/console/api/collections/${id}/documents?name=leave.md&size=60`, {
    headers: { Origin: new URL(page.url()).origin, 'Content-Type': 'application/octet-stream' },
    data: Buffer.from('Leave is fifteen days a year. A doctor writes the note.     '),
  });
  await goTo(walker, w.agents.title);
  await button(page, w.agents.new).first().click();
  await dialog(page).getByRole('radio', { name: w.agents.templates.knowledge_answer }).click();
  await dialog(page).getByRole('textbox', { name: w.agents.name }).fill(name);
  const create = dialog(page).getByRole('button', { name: w.common.create });
  expect(await create.isDisabled()).toBe(true);
  await dialog(page).getByRole('combobox', { name: w.agents.collections }).click();
  await page.getByRole('option', { name }).click();
  // What is chosen from does not lie over what comes next.
  await create.click({ trial: true });
  await page.keyboard.press('Escape');
  await walker.look('new-agent');
  await create.click();
  await page.waitForURL(/\/build$/);
  await walker.look('builder', 'an agent being built');
  upstream.plays(play({ text: 'Fifteen days [1].' }));
  await button(page, w.agentBuilder.try_it).click();
  await field(walker).fill('How many days of leave are there?');
  await button(page, w.parts.send).click();
  await answered(page, 'Fifteen days');
  await walker.look('trial');
  await button(page, w.agentBuilder.submit).first().click();
  await dialog(page).getByRole('textbox', { name: w.agents.acts.submit_note }).fill('Please look');
  await dialog(page).getByRole('button', { name: w.agents.acts.submit }).click();
  await page.getByText(w.agents.acts.submitted).waitFor();

  const admin = enter(await walkerIn(studio, dress, 'agent-review', administrator.email));
  await admin.page.getByText(said(w.overview.reviews_wait, { count: '1' })).waitFor();
  await admin.look('home', 'overview');
  await admin.page.getByRole('link', { name: w.overview.to_reviews }).first().click();
  await admin.page.getByRole('link', { name, exact: true }).click();
  await button(admin.page, w.reviews.approve).first().waitFor();
  await admin.look('review', 'a review');
  await button(admin.page, w.reviews.approve).first().click();
  await dialog(admin.page).getByRole('button', { name: w.reviews.approve }).click();
  await dialog(admin.page).waitFor({ state: 'hidden' });

  const user = enter(await newcomer(studio, dress, 'agent-use', 'user'));
  const cards = user.page.getByRole('region', { name: w.chat.agents });
  await cards.getByRole('link', { name }).first().waitFor();
  await user.look('home', 'chat without conversations');
  await cards.getByRole('link', { name }).first().click();
  // The page of the chat has such a field too.
  await user.page.getByRole('heading', { level: 1, name }).waitFor();
  await field(user).fill('How many days of leave are there?');
  await button(user.page, w.parts.send).click();
  await user.page.waitForURL(/\/chat\/agents\/[^/]+\/\d+$/);
  await answered(user.page, 'Fifteen days');
  await source(user.page, w).click();
  await dialog(user.page).getByText('fifteen days a year').first().waitFor();
  await user.look('source', 'a talk with an agent, and its source');
}

/** An administrator invites somebody, gives them another role, and finds it in the log. */
export async function administer({ studio, dress, enter }: Stage): Promise<void> {
  const walker = enter(await walkerIn(studio, dress, 'administration', administrator.email));
  const { page, words: w } = walker;
  await page.getByRole('region', { name: w.overview.week }).getByText(w.overview.busiest_user).waitFor();
  await walker.look('home', 'overview');
  await goTo(walker, w.users.title);
  await button(page, w.users.invite).first().click();
  const email = `clerk-${nameOf(dress)}@example.org`;
  await dialog(page).getByRole('textbox', { name: w.users.email }).fill(email);
  await dialog(page).getByRole('textbox', { name: w.users.name }).fill('손님');
  await walker.look('invite', 'inviting');
  await dialog(page).getByRole('button', { name: w.users.invite }).click();
  await dialog(page).getByText(w.users.invite_link_hint).waitFor();
  await walker.look('link');
  await dialog(page).getByRole('button', { name: w.parts.handed_over }).click();
  await dialog(page).waitFor({ state: 'hidden' });
  await page.getByRole('row').filter({ hasText: email }).getByRole('combobox').click();
  await page.getByRole('option', { name: w.common.role.developer, exact: true }).click();
  await page.getByText(w.users.changed, { exact: true }).waitFor();
  await walker.look('users', 'users');
  await goTo(walker, w.usage.title);
  await page.getByRole('heading', { level: 1, name: w.usage.title }).waitFor();
  await walker.look('usage', 'usage');
  await goTo(walker, w.audit.title);
  await page.locator('tbody tr').first().waitFor();
  await walker.look('audit', 'audit log');
  if (dress.narrow) await button(page, w.parts.table_filters).click();
  await page.locator(`input[aria-label="${w.auditPage.action}"]`).click();
  await page.getByRole('option', { name: w.auditPage.actions.user_role_changed, exact: true }).click();
  if (dress.narrow) await button(page, said(w.parts.table_filters_set, { count: '1' })).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: w.auditPage.actions.user_invited })
    .first()
    .waitFor({ state: 'detached' });
  await page.locator('tbody tr').first().click();
  await dialog(page).getByText(email).waitFor();
  await dialog(page).getByText(w.common.role.developer).waitFor();
  await walker.look('audit-entry', 'an event of the audit log');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'hidden' });
  await goTo(walker, w.settings.title);
  await page.getByRole('heading', { level: 1, name: w.settings.title }).waitFor();
  await walker.look('settings', 'settings');
}
