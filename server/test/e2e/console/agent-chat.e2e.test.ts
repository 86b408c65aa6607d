import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { type Service, startService } from '../../support/service.ts';
import { play, type Upstream, openUpstream } from '../../support/upstream.ts';
import { covers } from '../../requirements.ts';
import { keepLinesOpen } from './built.ts';
import { endless } from './filled.ts';
import { isAllThere, moveTo, visit } from './moves.ts';
import {
  type ConsoleCaller,
  type Studio,
  addAccount,
  administrator,
  callConsole,
  callerOf,
  startStudio,
} from './studio.ts';

// What a talk with a deployed agent does beside a question and its answer: it streams, is left and found again, is stopped,
// asks back, takes files, and ends with its agent.

let upstream: Upstream;
let studio: Studio;
/** The administrator, who needs no page. */
let admin: ConsoleCaller;
let user: Person;
let page: Page;
/** Agents that a list shows: they are deployed before anybody reads it. */
let listed: { readonly talker: AgentDetails; readonly reader: AgentDetails; readonly asking: AgentDetails };
let config: Readonly<Record<string, unknown>>;
/** The service after it was killed. */
let again: Service | null = null;

const input = { kind: 'input', id: 'input' };
const line = (...ids: string[]) => ids.slice(1).map((to, at) => ({ from: ids[at], to }));
const talker = {
  schema: 1,
  nodes: [
    input,
    { kind: 'model', id: 'write', model: 'talker' },
    { kind: 'answer', id: 'answer', text: '{{write.text}}' },
  ],
  edges: line('input', 'write', 'answer'),
};
const reading = { ...talker, nodes: [{ ...input, files: true }, ...talker.nodes.slice(1)] };
const asking = {
  schema: 1,
  nodes: [
    input,
    { kind: 'ask', id: 'ask', question: 'For **how many** people?' },
    { kind: 'answer', id: 'answer', text: '{{input.text}} for {{ask.text}}' },
  ],
  edges: line('input', 'ask', 'answer'),
};

async function must(path: string, sent: object): Promise<AgentDetails> {
  const { status, body } = await admin('POST', path, sent);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body as AgentDetails;
}

async function deployed(name: string, what: object): Promise<AgentDetails> {
  const { id, revision } = await must('/agents', { name, ...what });
  const { review } = await must(`/agents/${id}/submit`, { revision });
  return must(`/agents/${id}/approve`, { review_id: review?.id, hash: review?.hash });
}

beforeAll(async () => {
  upstream = await openUpstream(['talker']);
  upstream.plays(endless);
  config = {
    probe: { enabled: false },
    engines: { gpu: { addresses: [upstream.url] } },
    models: { talker: { kind: 'chat', engines: [{ engine: 'gpu' }] } },
  };
  studio = await startStudio({ config });
  admin = await callerOf(studio, administrator.email);
  listed = {
    talker: await deployed('Talker', { definition: talker }),
    reader: await deployed('민원 도우미', { definition: reading }),
    asking: await deployed('Listed', { definition: asking }),
  };
  await addAccount(studio, { email: 'user@example.org', name: 'User', role: 'user' });
  user = await studio.signedIn('user@example.org', {}, { language: 'en', theme: 'light' }, '/console/profile');
  ({ page } = user);
});
afterAll(async () => {
  await again?.close();
  await studio?.close();
  await upstream?.close();
});

const open = async ({ slug, name }: AgentDetails) => {
  await visit(page, `/console/chat/agents/${slug}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
};
const say = async (text: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
};
const answer = () => page.getByRole('article', { name: 'Answer' }).last();

describe('a talk with an agent', () => {
  test('streams, goes on while nobody looks, and is stopped', async () => {
    covers('agents.console.chat');
    await open(listed.talker);
    await say('Go on');
    await page.waitForURL(/\/\d+$/);
    await answer().getByText('and on and on and on').waitFor();
    // Another page, and back: the answer goes on where it is.
    const talk = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'New conversation' }).first().click();
    await page.waitForURL(/\/chat$/);
    await page.getByRole('link', { name: 'Talker', exact: true }).waitFor();
    await page.goBack();
    await answer().getByText('and on and on and on').waitFor();
    const before = (await answer().textContent())?.length ?? 0;
    await expect.poll(async () => (await answer().textContent())?.length ?? 0).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('Stopped.').waitFor();
    const said = await page.locator('article[aria-busy=false]').textContent();
    expect(said).toContain('and on and on');
    await visit(page, talk);
    await answer().getByText('Stopped.').waitFor();
    await expect.poll(() => answer().textContent()).toContain('and on and on');
    expect(await seriousFaults(page)).toEqual([]);
    // There is a conversation with a model as well once the list is read again.
    const made = await callConsole(user, 'POST', '/conversations', { model: 'talker' });
    await callConsole(user, 'PATCH', `/conversations/${(made.body as { id: string }).id}`, { title: 'With a model' });
    // A talk that still goes on ends when it is deleted.
    await say('Go on again');
    await page.locator('article[aria-busy=true]').getByText('and on').waitFor();
    await page.getByRole('button', { name: 'Go on: more' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Go on Talker' }).waitFor({ state: 'detached' });
  });

  test('stands in one list with conversations, and what is written goes along to whoever is chosen to answer', async () => {
    await open(listed.asking);
    await say('A lamp');
    await page.getByText('It needs to know more').waitFor();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('link', { name: 'A lamp Listed' }).waitFor();
    await list.getByRole('link', { name: 'With a model' }).click();
    const who = page.getByRole('combobox', { name: 'Who answers' });
    await expect.poll(() => who.inputValue()).toBe('talker');
    // Found by the name of its agent, too.
    const search = list.getByRole('searchbox', { name: 'Search conversations' });
    await search.fill('listed');
    await list.getByRole('link', { name: 'With a model' }).waitFor({ state: 'detached' });
    // What is searched stays on the way to the agent and back.
    await list.getByRole('link', { name: 'A lamp Listed' }).click();
    await page.waitForURL(/\/chat\/agents\//);
    await page.getByText('It needs to know more').waitFor();
    expect(await search.inputValue()).toBe('listed');
    await page.goBack();
    await expect.poll(() => who.inputValue()).toBe('talker');
    expect(await search.inputValue()).toBe('listed');
    await list.getByRole('button', { name: 'Select several' }).click();
    await list.getByRole('checkbox', { name: 'A lamp' }).check();
    expect(await seriousFaults(page)).toEqual([]);
    await list.getByRole('toolbar').getByRole('button', { name: 'Pin' }).click();
    await page.getByText('1 conversation was pinned').waitFor();
    // Both kinds are saved together, and moved into one folder.
    await search.fill('');
    await list.getByRole('listitem').filter({ hasText: 'Pinned' }).waitFor();
    await list.getByRole('button', { name: 'Select several' }).click();
    for (const name of ['A lamp', 'With a model']) await list.getByRole('checkbox', { name }).check();
    const saving = page.waitForEvent('download');
    await list.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
    const zip = readFileSync(await (await saving).path(), 'latin1');
    expect(zip.startsWith('PK')).toBe(true);
    for (const name of ['A lamp.md', 'With a model.md']) expect(zip).toContain(name);
    await list.getByRole('button', { name: 'Move to a folder' }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Lamps');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Lamps', exact: true }).click();
    await list.getByRole('link', { name: 'With a model' }).waitFor();
    // One alone has the same menu.
    await list.getByRole('button', { name: 'A lamp: more' }).click();
    await page.getByRole('menuitem', { name: 'Unpin' }).click();
    await list
      .getByRole('listitem')
      .filter({ hasText: 'Lamps' })
      .getByRole('link', { name: 'A lamp Listed' })
      .waitFor();
    await list.getByRole('button', { name: 'A lamp: more' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('A torch');
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'A torch Listed' }).waitFor();
    // What was said is found, whatever its title.
    await search.fill('LAMP');
    await list.getByRole('link', { name: 'A torch Listed A lamp' }).waitFor();
    await list.getByRole('button', { name: 'Select several' }).click();
    await list.getByRole('checkbox', { name: 'A torch' }).check();
    await list.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing found.').waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: '“A torch” was deleted' })
      .getByRole('button', { name: 'Undo' })
      .click();
    // A notice below the pointer would stay, over who answers.
    await page.mouse.move(640, 300);
    await list.getByRole('link', { name: 'A torch Listed' }).waitFor();

    // Words and files, from a model to an agent.
    await page.getByRole('textbox', { name: 'Message' }).fill('How long is it?');
    await page
      .getByTestId('chat-files')
      .setInputFiles({ name: 'rules.txt', mimeType: 'text/plain', buffer: Buffer.from('Rule 1') });
    await page.getByText('rules.txt').waitFor();
    await who.click();
    await page.getByRole('group', { name: 'Agents' }).getByRole('option', { name: 'Listed' }).waitFor();
    await who.fill('도움');
    await page.getByRole('option', { name: 'Listed' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/chat/agents/${listed.reader.slug}$`));
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('How long is it?');
    await page.getByRole('list', { name: 'Attached files' }).getByText('rules.txt').waitFor();
    await expect.poll(() => who.inputValue()).toBe('민원 도우미');
    // And back.
    await who.click();
    await page.getByRole('group', { name: 'Models' }).getByRole('option', { name: 'talker' }).click();
    await page.waitForURL(/\/chat$/);
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('How long is it?');
    await page.getByText('rules.txt').waitFor();
    await expect.poll(() => who.inputValue()).toBe('talker');
  });

  test('asks back, and is answered as soon as the question is there', async () => {
    await open(await deployed('Counter', { definition: asking }));
    await keepLinesOpen(page);
    await say('A chair');
    await page.getByPlaceholder('Write your answer.').fill('two');
    await page.keyboard.press('Enter');
    await answer().getByText('A chair for two').waitFor();
  });

  test('asks back, goes on with the reply, and tells all of it again', async () => {
    await open(await deployed('Planner', { definition: asking }));
    await say('A table');
    await page.getByText('It needs to know more').waitFor();
    await page.getByText('how many', { exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    // Also to who comes back.
    await visit(page, new URL(page.url()).pathname);
    await page.getByText('It needs to know more').waitFor();
    await page.getByPlaceholder('Write your answer.').fill('seven');
    await page.keyboard.press('Enter');
    await answer().getByText('A table for seven').waitFor();
    await page.reload();
    await answer().getByText('A table for seven').waitFor();
    await answer().getByText('how many', { exact: true }).waitFor();
    await answer().getByText('seven', { exact: true }).waitFor();
  });

  test('shows tables, and files that can be saved', async () => {
    covers('a2a.parts', 'agents.console.chat');
    const schema = { type: 'object', properties: { rows: { type: 'array', items: { type: 'object' } } } };
    const definition = {
      schema: 1,
      nodes: [
        input,
        { kind: 'model', id: 'write', model: 'talker', schema },
        {
          kind: 'answer',
          id: 'answer',
          text: 'Our stock',
          parts: [
            { kind: 'data', value: 'write.json.rows', name: 'Stock' },
            { kind: 'document', name: '재고.csv', content: '{{write.json.rows}}' },
          ],
        },
      ],
      edges: line('input', 'write', 'answer'),
    };
    upstream.plays(play({ text: '{"rows":[{"item":"Pen","count":3},{"item":"Ink","count":0}]}' }));
    try {
      await open(await deployed('Stock', { definition }));
      await say('What is there?');
      const table = answer().getByRole('table', { name: 'Stock' });
      await table.getByRole('cell', { name: 'Pen' }).waitFor();
      expect(await table.getByRole('columnheader').allTextContents()).toEqual(['item', 'count']);
      expect(await table.getByRole('cell').allTextContents()).toEqual(['Pen', '3', 'Ink', '0']);
      expect(await seriousFaults(page)).toEqual([]);
      // Also of a talk that is opened again.
      await visit(page, new URL(page.url()).pathname);
      await answer().getByRole('cell', { name: 'Ink' }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        answer().getByRole('link', { name: 'Save 재고.csv' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('재고.csv');
      expect(readFileSync(await download.path(), 'utf8')).toBe('\uFEFFitem,count\r\nPen,3\r\nInk,0\r\n');
    } finally {
      upstream.plays(endless);
    }
  });

  test('takes files where its agent does', async () => {
    const agent = await deployed('Reader', { template: 'document_processing', model: 'CORE-GOV' });
    await open(agent);
    const list = page.getByRole('list', { name: 'Attached files' });
    const note = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
    // A message waits for its files; one whose file does not arrive stays where it was written.
    const uploads = new Set<() => void>();
    await page.route('**/files?*', async (route) => {
      await new Promise<void>((resolve) => uploads.add(resolve));
      await route.abort();
    });
    await page.locator('input[type=file]').setInputFiles(note('lost.txt'));
    await list.getByText('lost.txt').waitFor();
    await say('What was lost?');
    await page.getByText('Sent as soon as the files are uploaded.').waitFor();
    for (const go of uploads) go();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('What was lost?');
    expect(await page.getByRole('article').count()).toBe(0);
    await page.unroute('**/files?*');

    const arrived = new Promise<void>((resolve) => uploads.add(resolve));
    await page.route('**/files?*', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles([
      { name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Note\n\nThe office opens at 9:00.\n') },
      { name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('Something else') },
    ]);
    await list.getByText('note.md').waitFor();
    await page.getByRole('button', { name: 'Remove other.txt' }).click();
    await list.getByText('other.txt').waitFor({ state: 'detached' });
    await say('When does the office open?');
    await page.getByText('Sent as soon as the files are uploaded.').waitFor();
    for (const go of uploads) go();
    await answer().getByText(/9:00/).first().waitFor();
    await page.getByText(/note\.md · /).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    // An agent that takes none offers none.
    await open(await deployed('Deaf', { definition: asking }));
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });

  test('can be read, but not gone on with, once its agent is not deployed any more', async () => {
    const agent = await deployed('Short', { definition: asking });
    await open(agent);
    await say('A chair');
    await page.getByText('It needs to know more').waitFor();
    await must(`/agents/${agent.id}/undeploy`, {});
    await page.reload();
    await page.getByText('This agent is not deployed at the moment').waitFor();
    await page.getByText('A chair', { exact: true }).last().waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    await visit(page, `/console/chat/agents/${agent.slug}`);
    await page.getByText('Agent not found').waitFor();
  });

  test('goes on by itself when the service was killed while it answered, and started again', async () => {
    await open(await deployed('Survivor', { definition: talker }));
    // The talk gets an address of its own with its first message: a page that is still being opened there can't be read.
    const followed = page.waitForResponse((response) => response.url().endsWith('/events'));
    await say('Go on');
    await followed;
    await page.waitForURL(/\/\d+$/);
    await isAllThere(page);
    await answer().getByText('and on and on and on').waitFor();
    await studio.service.kill();
    await page.getByRole('alert').first().waitFor();
    const { port, dataFolder } = studio.service;
    again = await startService({ config, port, dataFolder });
    const before = (await answer().textContent())?.length ?? 0;
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    const length = async () => (await answer().textContent())?.length ?? 0;
    await expect.poll(length).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer().getByText('Stopped.').waitFor();
    // Nothing twice, nothing lost.
    const said = (await page.locator('article[aria-busy=false] p').first().textContent()) ?? '';
    expect(said.trim()).toMatch(/^(?:and on ?)+(?:and)?(?: o)?$/);
  });

  test('that could not be read while the service was away is read once it is back', async () => {
    const agent = await deployed('Later', { definition: asking });
    // To a page it is the same whether nothing listens or nothing is let through.
    await page.route('**/console/api/**', (route) => route.abort());
    const opened = moveTo(page, `/chat/agents/${agent.slug}`);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/console/api/**');
    await opened;
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  test('a page that could not be loaded while nobody could be reached is loaded once that ends', async () => {
    await visit(page, '/console/chat');
    await isAllThere(page);
    await user.context.setOffline(true);
    const opened = moveTo(page, '/collections');
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    // A reload without the service would leave the browser's error page, which nothing leads away from.
    await retry.click();
    await retry.click();
    await user.context.setOffline(false);
    await opened;
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
  });
});
