import { readFile } from 'node:fs/promises';
import { ConversationFolders, ConversationPage } from '@ai-studio/contract/console/conversations.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { withDatabaseOf } from '../../support/running-database.ts';
import { openUpstream, play, type Upstream } from '../../support/upstream.ts';
import { cutOff, narrow } from './faults.ts';
import { endless } from './filled.ts';
import { visit } from './moves.ts';
import { type Studio, addAccount, callConsole, startStudio } from './studio.ts';

// A chat as people use it: files and pictures, prompts, versions of questions and answers, formulas and diagrams, and a service that
// goes away. Sources beside the talk, and collections by #, are in the journeys.

let upstream: Upstream;
let studio: Studio;
let user: Person;
let page: Page;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

beforeAll(async () => {
  upstream = await openUpstream(['reader', 'seer']);
  const engines = [{ engine: 'gpu' }];
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      default_model: 'reader',
      engines: { gpu: { addresses: [upstream.url] } },
      models: { reader: { kind: 'chat', engines }, seer: { kind: 'chat', images: true, engines } },
    },
  });
  await addAccount(studio, { email: 'user@example.org', name: 'User', role: 'developer' });
  await addAccount(studio, { email: 'reader@example.org', name: 'Reader', role: 'user' });
  user = await open('user@example.org', '/console/chat');
  ({ page } = user);
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});

/** Somebody begins at a page of the console. */
const open = (email: string, start: string): Promise<Person> =>
  studio.signedIn(email, {}, { language: 'en', theme: 'light' }, start);
/** Leaves the page and comes back: what it shows then is what was kept. */
const comeBack = () => visit(page, new URL(page.url()).pathname);

const field = () => page.getByRole('textbox', { name: 'Message', exact: true });
const answer = () => page.getByRole('article', { name: 'Answer' }).last();
const send = async (text: string) => {
  await field().fill(text);
  await page.keyboard.press('Enter');
};
const answered = (text: string) => page.locator('article[aria-busy=false]').last().getByText(text).waitFor();
const model = () => page.getByRole('combobox', { name: 'Who answers' });

describe('files', () => {
  test('a picture is for models that see, which the card says before it is sent', async () => {
    await page.getByTestId('chat-files').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PNG });
    await page.getByText('reader cannot see pictures.').waitFor();
    await field().fill('What is this?');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await model().click();
    await page.getByRole('option', { name: 'seer' }).click();
    upstream.plays(play({ text: 'A white dot.' }));
    await field().press('Enter');
    await answered('A white dot.');
    await page.getByRole('img', { name: 'Picture: dot.png' }).waitFor();
  });

  test('one that cannot be read says why, and keeps the message from being sent without it', async () => {
    await visit(page, '/console/chat');
    await page
      .getByTestId('chat-files')
      .setInputFiles({ name: 'a.md', mimeType: 'text/plain', buffer: Buffer.from(' ') });
    await page.getByRole('list', { name: 'Goes along with the message' }).locator('[data-faulty=true]').waitFor();
    await field().fill('Read it');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Take out a.md' }).click();
    expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
    await field().fill('');
  });
});

describe('prompts', () => {
  test('one is made once, and taken by / with the keyboard alone, its value asked for', async () => {
    await visit(page, '/console/prompts');
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Minutes');
    await page.getByRole('textbox', { name: 'Text' }).fill('Summarise the minutes of {{department}}.');
    await page.getByRole('status', { name: 'Asked for' }).getByText('department').waitFor();
    await page.getByText('Everybody in the organisation').click();
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Minutes' });
    await row.getByText('Shared').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await row.getByRole('link', { name: 'Minutes: use in a chat' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fill in' });
    await dialog.getByRole('textbox', { name: 'department' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await field().fill('Please: ');
    await field().focus();
    await page.keyboard.press('End');
    await page.keyboard.type('/minu');
    const option = page.getByRole('option', { name: 'Minutes' });
    await option.waitFor();
    expect(await field().getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'department' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.type('Finance');
    await dialog.getByText('Summarise the minutes of Finance.').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field().inputValue()).toBe('Please: Summarise the minutes of Finance.');
    await expect.poll(() => field().evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await field().fill('');
  });

  test('another text is another version, and the earlier one comes back', async () => {
    await visit(page, '/console/prompts');
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Minutes: more' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Edit');
    await page.getByRole('textbox', { name: 'Text' }).fill('Other words.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Version 2').waitFor();
    await act('Versions');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go back to this version' }).click();
    await page.getByRole('dialog').getByText('Version 3').waitFor();
    await page.keyboard.press('Escape');
    await act('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No prompts yet').waitFor();
  });
});

describe('how it is answered', () => {
  test('a system prompt and parameters stand in the card, hold for the conversation, and are taken out', async () => {
    await visit(page, '/console/chat');
    await page.getByRole('button', { name: 'Settings of this conversation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
    // Sign by sign, as people write: what is half written stays.
    await dialog.getByRole('textbox', { name: 'Temperature' }).pressSequentially('0.2');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const chip = page
      .getByRole('list', { name: 'Goes along with the message' })
      .getByText('system prompt · temperature 0.2');
    await chip.waitFor();
    await comeBack();
    await chip.waitFor();
    upstream.reset();
    upstream.plays(play({ text: 'Brief.' }));
    await send('What?');
    await answered('Brief.');
    // The next one asks what could be asked on.
    expect(upstream.calls[0]?.json).toMatchObject({
      temperature: 0.2,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
    await chip.waitFor();
    await page.getByRole('button', { name: 'Take out system prompt' }).click();
    await chip.waitFor({ state: 'detached' });
  });

  test('several models answer side by side, each stopped by itself, until one goes on', async () => {
    await visit(page, '/console/chat');
    await page.getByRole('button', { name: 'Ask several models at once' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'seer' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('seer answers too').waitFor();
    upstream.plays((call) => (call.json.model === 'seer' ? endless(call) : play({ text: 'Of the reader.' })(call)));
    await send('Which one?');
    const column = (model: string) => page.getByRole('region', { name: model });
    await column('reader').getByText('Of the reader.').waitFor();
    await column('seer').getByText('and on').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await column('seer').getByRole('button', { name: 'seer: stop' }).click();
    await column('seer').getByText('Stopped.').waitFor();
    await page.setViewportSize(narrow);
    expect(await cutOff(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    // They are there again after a reload.
    await page.reload();
    await page.getByRole('button', { name: 'Continue with this one: reader' }).click();
    await answered('Of the reader.');
    await answer().getByText('1/2').waitFor();
    expect(await page.getByText('seer answers too').count()).toBe(0);
    expect(await model().inputValue()).toBe('reader');
  });
});

describe('folders', () => {
  test('hold conversations, which stay when they are deleted', async () => {
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Which one?: more' }).click();
    await page.getByRole('menuitem', { name: 'Move to a folder' }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name of the folder' }).fill('Budget');
    await page.keyboard.press('Enter');
    const folder = list.getByRole('button', { name: 'Budget', exact: true });
    await folder.waitFor();
    await expect.poll(() => list.getByRole('link', { name: 'Which one?' }).count()).toBeLessThan(2);
    if ((await folder.getAttribute('aria-expanded')) === 'false') await folder.click();
    await list.getByRole('link', { name: 'Which one?' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    // The list is read again once the folder is gone, with what came meanwhile.
    for (const title of ['One', 'Two', 'Three']) {
      const { body } = await callConsole(user, 'POST', '/conversations', { model: 'reader' });
      await callConsole(user, 'PATCH', `/conversations/${(body as { id: string }).id}`, { title });
    }
    await list.getByRole('button', { name: 'Folder Budget: more' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await folder.waitFor({ state: 'detached' });
    await list.getByRole('link', { name: 'Which one?' }).waitFor();
  });
});

describe('several conversations', () => {
  const list = () => page.getByRole('navigation', { name: 'Conversations' });
  const box = (name: string) => list().getByRole('checkbox', { name, exact: true });
  const act = (name: string) => list().getByRole('toolbar').getByRole('button', { name, exact: true });
  const starts = () => list().getByRole('button', { name: 'Select several' });
  const titles = async (query: string) => {
    const { body } = await callConsole(user, 'GET', `/conversations?${query}`);
    return ConversationPage.parse(body).items.map(({ title }) => title);
  };

  test('are chosen by keyboard and pinned, and with Shift and moved into a folder', async () => {
    await list().getByRole('link', { name: 'Three' }).waitFor();
    await starts().press('Enter');
    await box('Three').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await list().getByText('2 selected').waitFor();
    expect(await box('Two').isChecked()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await act('Pin').press('Enter');
    await starts().and(page.locator(':focus')).waitFor();
    await expect.poll(() => titles('pinned=true')).toEqual(['Three', 'Two']);

    await list().getByRole('button', { name: 'One: more' }).click();
    await page.getByRole('menuitem', { name: 'Select several' }).click();
    expect(await box('One').isChecked()).toBe(true);
    await box('Three').click({ modifiers: ['Shift'] });
    await list().getByText('3 selected').waitFor();
    await act('Move to a folder').click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name of the folder' }).fill('Numbers');
    await page.keyboard.press('Enter');
    await list().getByRole('button', { name: 'Numbers', exact: true }).waitFor();
    const folders = await callConsole(user, 'GET', '/conversation-folders');
    const [folder] = ConversationFolders.parse(folders.body).items;
    await expect.poll(async () => (await titles(`folder=${folder?.id}`)).toSorted()).toEqual(['One', 'Three', 'Two']);
  });

  test('are saved as files of one ZIP, and deleted, which can be taken back', async () => {
    await list().getByRole('searchbox', { name: 'Search conversations' }).fill('T');
    await starts().click();
    for (const name of ['Two', 'Three']) await box(name).check();
    await act('Export').click();
    const saving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('2 conversations.zip');
    const zip = await readFile(await download.path(), 'latin1');
    expect(zip.startsWith('PK')).toBe(true);
    for (const name of ['Two.md', 'Three.md']) expect(zip).toContain(name);

    await act('Delete').click();
    await page.getByText('2 conversations were deleted').waitFor();
    await box('Two')
      .or(list().getByRole('link', { name: 'Two' }))
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await list().getByRole('link', { name: 'Two' }).first().waitFor();
    expect(await titles('text=Two')).toEqual(['Two']);
    await starts().click();
    await box('Two').press('Control+a');
    for (const each of await list().locator('input[data-conversation]').all())
      expect(await each.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await box('Two').count()).toBe(0);
    await starts().click();
    for (const name of ['Two', 'Three']) await box(name).check();
    await act('Delete').click();
    // Whoever leaves the page has it done.
    await page.reload();
    await expect.poll(() => titles('text=T')).not.toContain('Two');
    expect(await titles('text=One')).toContain('One');
  });
});

describe('versions', () => {
  test('another answer, of another model too, and other words stand beside those before', async () => {
    await visit(page, '/console/chat');
    upstream.plays(play({ text: 'The first answer' }));
    await send('A question');
    await answered('The first answer');
    upstream.plays(play({ text: 'The second answer' }));
    await answer().getByRole('button', { name: 'Answer again' }).click();
    await page.getByRole('menuitem', { name: 'seer' }).click();
    await answered('The second answer');
    await answer().getByText('2/2').waitFor();
    await answer().getByText('seer').first().waitFor();
    await answer().getByRole('button', { name: 'Previous version' }).click();
    await answered('The first answer');
    upstream.plays(play({ text: 'The third answer' }));
    await page.getByRole('button', { name: 'Change the question' }).click();
    await page.getByRole('textbox', { name: 'Change the question' }).fill('Another question');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await answered('The third answer');
    await page.getByText('Another question', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Previous version' }).first().click();
    await answered('The second answer');
    // What was chosen is shown again.
    await comeBack();
    await answered('The second answer');
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('an answer that was stopped goes on', async () => {
    upstream.plays(endless);
    await send('Go on for ever');
    await page.locator('article[aria-busy=true]').getByText('and on').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('Stopped.').waitFor();
    upstream.plays(play({ text: 'and to the end.' }));
    await answer().getByRole('button', { name: 'Continue writing' }).click();
    await answered('and to the end.');
  });
});

describe('an answer', () => {
  const text = [
    'Inline $x^2$ and \\(y_1\\), for $5 or $7.',
    '',
    '\\[ \\frac{a}{b} \\]',
    '',
    '```mermaid',
    'flowchart LR',
    '  A[Paper] --> B[Archive]',
    '```',
  ].join('\n');

  test('shows formulas and diagrams, each drawn without breaking the policy of the page', async () => {
    await visit(page, '/console/chat');
    upstream.plays(play({ text }));
    await send('Show me');
    await answer().locator('.katex').nth(2).waitFor();
    expect(await answer().locator('.katex-display').count()).toBe(1);
    await answer().getByText('for $5 or $7.').waitFor();
    const frame = answer().locator('iframe[title=Diagram]');
    await frame.scrollIntoViewIfNeeded();
    await answer().locator('iframe[data-state=drawn]').waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
    await frame.contentFrame().getByText('Archive').waitFor();
    // What stands in the frame reaches neither the session nor the page.
    const inFrame = page.frames().find((one) => one.url().endsWith('/console/diagram.html'));
    const reach = await inFrame?.evaluate(`(async () => {
      const call = await fetch('/console/api/me').then(({ status }) => status, () => 'refused');
      let around = 'refused';
      try {
        around = String(parent.document.title);
      } catch {}
      return [origin, call, around];
    })()`);
    expect(reach).toEqual(['null', 'refused', 'refused']);
    await answer().getByRole('button', { name: 'Show source' }).click();
    await answer().locator('code', { hasText: 'flowchart LR' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(user.complaints.filter((one) => !one.includes('/api/me') && !/40[49]|422/.test(one))).toEqual([]);
  });

  test('is copied as it is drawn, plain, and as Markdown', async () => {
    await user.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    upstream.plays(play({ text: '**Bold** [law](https://law.example)' }));
    await send('Bold?');
    await answered('Bold');
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await answer().getByRole('button', { name: 'Copy answer' }).click();
    await expect.poll(copied).toBe('Bold law (https://law.example)');
    const drawn = await page.evaluate<string>(`navigator.clipboard.read()
      .then(([item]) => item.getType('text/html')).then((html) => html.text())`);
    expect(drawn).toContain('<strong>Bold</strong> <a href="https://law.example');
    expect(drawn).not.toMatch(/class=|<button/);
    await answer().getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toBe('**Bold** [law](https://law.example)');
  });

  test('is rated, shared and followed by questions', async () => {
    upstream.plays(play({ text: 'Yes.\nTITLE: About leave\nQ: Who decides?\nQ: And when?' }));
    await visit(page, '/console/chat');
    await send('May I go?');
    const next = page.getByRole('list', { name: 'What you could ask next' });
    await next.getByRole('button', { name: 'Who decides?' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'About leave' }).waitFor();
    await answer().getByText('Generated by AI').waitFor();
    const thumb = answer().getByRole('button', { name: 'This helped' });
    await thumb.click();
    const reason = page.getByRole('dialog', { name: 'Rating' }).getByRole('checkbox');
    await expect.poll(() => reason.first().evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.getByRole('dialog').getByText('Clear sources').click();
    expect(await seriousFaults(page)).toEqual([]);
    // What could not be sent stays, to be sent once more.
    await page.route('**/feedback', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Send reasons' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Clear sources' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Send reasons' }).click();
    await page.getByRole('dialog', { name: 'Rating' }).waitFor({ state: 'detached' });
    await expect.poll(() => thumb.getAttribute('aria-pressed')).toBe('true');
    await comeBack();
    await expect.poll(() => thumb.getAttribute('aria-pressed')).toBe('true');
    await thumb.click();
    await expect.poll(() => thumb.getAttribute('aria-pressed')).toBe('false');

    await page.getByRole('button', { name: 'Share conversation' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = (await page.getByTestId('share-link').textContent()) ?? '';
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await next.getByRole('button', { name: 'And when?' }).click();
    await page.getByText('And when?', { exact: true }).first().waitFor();
    await answered('Yes.');
    const colleague = await open('reader@example.org', link);
    const { page: read } = colleague;
    await read.getByText(/User shared this conversation/).waitFor();
    await read.getByText('Generated by AI').waitFor();
    expect(await read.getByText('And when?', { exact: true }).count()).toBe(0);
    expect(await seriousFaults(read)).toEqual([]);
    await visit(page, '/console/shared');
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('You share no conversation').waitFor();
    await read.reload();
    await read.getByText('This conversation is not shared any more').waitFor();
    expect(await seriousFaults(read)).toEqual([]);
    await colleague.close();
    await page.goBack();
  });

  test('is from an AI, which people are told once before they begin', async () => {
    await withDatabaseOf(studio.service, (db) => db.query.deleteFrom('ai_notices').execute());
    // A page that somebody comes back to asks who they are.
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    const notice = page.getByRole('dialog', { name: 'Before you talk to an AI' });
    await notice.getByText(/You talk to an AI, not to a person/).waitFor();
    await page.keyboard.press('Escape');
    expect(await seriousFaults(page)).toEqual([]);
    await notice.getByRole('button', { name: 'I have read this' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await field().waitFor();
    expect(await notice.count()).toBe(0);
  });

  test('on a phone all of it fits', async () => {
    await page.setViewportSize(narrow);
    await field().waitFor();
    expect(await cutOff(page)).toEqual([]);
    expect(await seriousFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});

describe('without the service', () => {
  test('a banner says so, a page that is not loaded yet stands in the console, and all comes back by itself', async () => {
    await visit(page, '/console/chat');
    await field().fill('Written while it was away');
    await user.context.setOffline(true);
    await page.getByRole('status').getByText('The service cannot be reached.').waitFor();
    await page.getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('alert').waitFor();
    expect(page.url()).toContain('/console/collections');
    await page.getByRole('navigation').first().waitFor();
    await user.context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    expect(await page.getByText('The service cannot be reached.').count()).toBe(0);
    await visit(page, '/console/chat');
    await expect.poll(() => field().inputValue()).toBe('Written while it was away');
  });

  test('a console that is not drawn yet says so, and opens once it can', async () => {
    const other = await studio.browser.person();
    await other.page.route('**/assets/**', (route) => route.abort());
    await other.page.goto('/console/login');
    await other.page.getByText('The service cannot be reached, so the console did not open.').waitFor();
    await other.page.unroute('**/assets/**');
    await other.page.locator('input[name=email]').waitFor();
    await other.close();
  });
});
