import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { covers } from '../../requirements.ts';
import { collect } from './collected.ts';
import { visit } from './moves.ts';
import { type Studio, administrator, addAccount, callConsole, startStudio } from './studio.ts';

// An agent in a browser, by three people: built from a template, tried, submitted, rejected, submitted again, approved, talked
// with, called by a program, rolled back, put away.

const run = promisify(execFile);

let studio: Studio;
let admin: Person;
let dev: Person;
let user: Person;
let folder: string;
/** Address of the agent's page, and its ID for callers. */
let address: string;
let slug: string;
/** What it searches. */
let collection: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-agents-'));
  studio = await startStudio({ config: { probe: { enabled: false } } });
  await addAccount(studio, { email: 'dev@example.org', name: 'Dev', role: 'developer' });
  await addAccount(studio, { email: 'user@example.org', name: 'User', role: 'user' });
  admin = await open(administrator.email, '/console/agent-reviews');
  dev = await open('dev@example.org', '/console/agents');
  user = await open('user@example.org', '/console/profile');
  ({ id: collection } = await collect(dev));
});
afterAll(async () => {
  await studio?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody begins at a page of the console. */
const open = (email: string, start: string): Promise<Person> =>
  studio.signedIn(email, { viewport: { width: 1280, height: 900 } }, { language: 'en', theme: 'light' }, start);

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

/** Takes a picture of a page where one is wanted. */
async function shoot(page: Page, name: string): Promise<void> {
  const shots = process.env['STUDIO_TEST_SHOTS'];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Looks at a page in a state that the walk through all pages does not come to: by a picture, and by what keeps people out. */
async function look(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  expect(await seriousFaults(page), name).toEqual([]);
}

const readAgent = async (): Promise<AgentDetails> =>
  (await callConsole(dev, 'GET', `/agents/${address.split('/').at(-1) ?? ''}`)).body as AgentDetails;

/** Decides without the page about what waits for approval. */
async function decide(how: 'approve' | 'reject', { id, review }: AgentDetails): Promise<void> {
  const bound = { review_id: review?.id, hash: review?.hash };
  const sent = how === 'reject' ? { ...bound, reason: 'It waited.' } : bound;
  const { status, body } = await callConsole(admin, 'POST', `/agents/${id}/${how}`, sent);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Asks for approval of the draft without the page. */
async function ask({ id, revision }: AgentDetails): Promise<AgentDetails> {
  const { status, body } = await callConsole(dev, 'POST', `/agents/${id}/submit`, { revision });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as AgentDetails;
}

// What the steps before a step should have left: one that failed takes no other with it.

async function isNotPending(): Promise<void> {
  const agent = await readAgent();
  if (agent.review?.state === 'pending') await decide('reject', agent);
}

async function isDeployed(): Promise<void> {
  const agent = await readAgent();
  if (agent.deployed_version === null)
    await decide('approve', agent.review?.state === 'pending' ? agent : await ask(agent));
}

/** Leads to the reviews by the menu. The overview names agents too: it is gone once the heading is there. */
/** Loads the list: what was asked for behind the page is there at once, not when it asks again. */
async function toReviews(page: Page): Promise<void> {
  await page.goto('/console/agent-reviews');
  await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(text);
  await field.press('Enter');
}
const answer = (page: Page) => page.locator('article[aria-busy=false]').last();

async function submit(page: Page, note: string): Promise<void> {
  await button(page, 'Ask for approval').click();
  await dialog(page).getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog(page).getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('Approval was asked for').waitFor();
  await dialog(page).waitFor({ state: 'detached' });
}

describe('an agent', () => {
  test('that is archived is found where no other is', async () => {
    const made = await callConsole(dev, 'POST', '/agents', { name: 'Put away', description: '' });
    const { id } = made.body as { id: string };
    await callConsole(dev, 'POST', `/agents/${id}/archive`, {});
    const { page } = dev;
    await page.reload();
    await page.getByRole('link', { name: 'Show archived agents' }).click();
    await page.getByRole('link', { name: 'Put away' }).waitFor();
    await visit(page, '/console/agents');
  });

  test('is built from a template by a developer', async () => {
    const { page } = dev;
    await page.getByText('No agents yet').waitFor();
    await look(page, 'agents-none');
    // How it is made on the page is one of the journeys.
    const made = await callConsole(dev, 'POST', '/agents', {
      name: 'House rules',
      description: 'Answers about leave',
      template: 'knowledge_answer',
      collections: [collection],
    });
    const { id, slug: given } = made.body as AgentDetails;
    slug = given;
    address = `/console/agents/${id}`;
    await visit(page, address);
    await page.getByText('There are no problems.').waitFor();
    await look(page, 'agent-draft');
    // Its ID is there to be copied.
    await button(page, 'Copy ID of House rules').waitFor();
  });

  test('is submitted, and rejected with a reason that the developer sees', async () => {
    covers('agents.console.review');
    await submit(dev.page, 'Please look');
    await dev.page.getByText('Pending review').waitFor();
    await shoot(dev.page, 'agent-pending');
    // The page of the agent would see what is decided, and put the note of it away.
    await visit(dev.page, '/console/agents');

    const { page } = admin;
    await page.goto('/console/');
    await page.getByText('Agents that wait for your approval: 1.').waitFor();
    await page.getByLabel('Waiting: 1').waitFor();
    await toReviews(page);
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor();
    await shoot(page, 'reviews');
    await page.getByRole('link', { name: 'House rules', exact: true }).click();
    await page.getByText('Nothing of this agent is deployed yet').waitFor();

    // The version is tried as it was submitted.
    await say(page, 'How many days of leave are there a year?');
    await answer(page).getByText(/leave/i).first().waitFor();
    await button(page, 'Reject').click();
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Say how many days at most.');
    await dialog(page).getByRole('button', { name: 'Reject' }).click();
    await page.getByText('This request has been decided already.').waitFor();

    await dev.page.goto('/console/');
    await dev.page.getByText('Say how many days at most.').waitFor();
    await dev.page.getByText(/version 1 was rejected by/).waitFor();
    await look(dev.page, 'overview-rejected');
    await dev.page.getByRole('link', { name: 'House rules', exact: true }).click();
    await dev.page.getByText('Version 1 was rejected.').waitFor();
    await look(dev.page, 'agent-rejected');
  });

  test('is submitted again and approved by another person', async () => {
    covers('agents.console.review');
    const { page } = dev;
    await isNotPending();
    const { id, draft, revision } = await readAgent();
    const nodes = draft.nodes.map((node) =>
      node.kind === 'input' ? { ...node, greeting: 'Ask about **leave**.', examples: ['Who writes the note?'] } : node,
    );
    const saved = await callConsole(dev, 'PATCH', `/agents/${id}`, { draft: { ...draft, nodes }, revision });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    // What the page knows is bound to the revision that it was read at.
    const read = page.waitForResponse((response) => response.url().endsWith(`/console/api/agents/${id}`));
    await visit(page, address);
    await read;
    await submit(page, 'With a greeting');

    await toReviews(admin.page);
    const row = admin.page.getByRole('row').filter({ hasText: 'With a greeting' });
    await row.getByRole('link', { name: 'House rules', exact: true }).click();
    await button(admin.page, 'Approve and deploy').click();
    await dialog(admin.page).getByRole('button', { name: 'Approve and deploy' }).click();
    // The dialog goes when the page has read what came of it, not before.
    await dialog(admin.page).waitFor({ state: 'detached' });
    expect(await admin.page.getByText('This request has been decided already.').count()).toBe(1);
    // Their page asks every few seconds.
    await page.getByText('Version 2 is deployed.').waitFor();
    await shoot(page, 'agent-deployed');
  });

  test('is talked with by a user, who opens the page that it cites', async () => {
    covers('agents.console.chat');
    const { page } = user;
    await isDeployed();
    await visit(page, '/console/chat');
    await page.getByRole('link', { name: /House rules/ }).click();
    await page.getByText('Ask about leave.').waitFor();
    await button(page, 'Who writes the note?').click();
    await page.waitForURL(/\/chat\/agents\/[^/]+\/\d+$/);
    await answer(page)
      .getByText(/doctor/i)
      .first()
      .waitFor();
    const source = page.getByRole('group', { name: 'Sources' }).getByRole('button').first();
    await source.waitFor();
    await shoot(page, 'chat-agent-answer');
    await answer(page)
      .getByRole('button', { name: /^Source \d+: leave\.md/ })
      .first()
      .click();
    await dialog(page).getByRole('region', { name: 'Page 1' }).getByRole('table').waitFor();
    await dialog(page).getByText('A doctor writes the note.').first().waitFor();
    // The page of the collection is not theirs: nothing leads there.
    expect(await dialog(page).getByRole('link').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    // It is the person's alone, and goes with one press. That it is kept stands in agent-chat.e2e.
    await say(page, 'How many days of leave?');
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    const place = new URL(page.url()).pathname;
    await visit(dev.page, place);
    await dev.page.getByText('Conversation not found').waitFor();

    // What they think of one answer is for those who build: that one alone, and it becomes a question for evaluations.
    await page.getByRole('article').first().getByRole('button', { name: 'This did not help' }).click();
    const form = page.getByRole('dialog').filter({ hasText: 'What was wrong with it?' });
    await form.getByText('Something is missing').click();
    await form.getByRole('textbox').fill('Which doctor?');
    await look(page, 'chat-agent-rated');
    await form.getByRole('button', { name: 'Send reasons' }).click();
    await page.getByText('Thank you for telling us').waitFor();
    await visit(dev.page, address);
    await dev.page.getByRole('link', { name: 'See answers that did not help' }).click();
    await dev.page.getByRole('link', { name: 'Who writes the note?' }).first().click();
    await dev.page.getByText('Which doctor?').waitFor();
    expect(await dev.page.getByText('How many days of leave?').count()).toBe(0);
    await look(dev.page, 'agent-rated');
    await button(dev.page, 'Make an evaluation question').click();
    await dev.page.getByRole('link', { name: 'See evaluation questions' }).click();
    await dev.page.getByRole('tab', { name: 'Evaluation', selected: true }).waitFor();
    await dev.page.getByText('Who writes the note?').waitFor();
    await page.getByRole('button', { name: /: more$/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.waitForURL(/\/chat\/agents\/[^/]+$/);
    await page.getByText('No conversations yet.').waitFor();
  });

  test('is called by the programs that its page shows', async () => {
    covers('agents.console.code');
    const { page } = dev;
    await isDeployed();
    const { body } = await callConsole(dev, 'POST', '/keys', {
      name: 'Program',
      scopes: ['agents'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    });
    const { value } = body as IssuedApiKey;
    await visit(page, `${address}?tab=call`);
    await page.getByText(`/api/v1/external/agents/${slug}/a2a`).first().waitFor();
    await shoot(page, 'agent-call');
    const program = async (name: string) => {
      await tab(page, name);
      return (await page.getByRole('tabpanel', { name }).locator('code').textContent()) ?? '';
    };
    await symlink(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
    const options = { cwd: folder, env: { PATH: process.env['PATH'], AI_STUDIO_KEY: value } };
    const said = await run('sh', ['-c', await program('curl')], options);
    expect(said.stdout).toContain('"final":true');
    await writeFile(join(folder, 'program.py'), await program('Python'));
    expect((await run('python3', ['program.py'], options)).stdout).toMatch(/doctor/i);
    await writeFile(join(folder, 'program.mjs'), await program('JavaScript'));
    expect((await run(process.execPath, ['program.mjs'], options)).stdout).toMatch(/doctor/i);

    // The sessions of the key, and what its runs did.
    await visit(page, `${address}?tab=sessions`);
    await page.getByRole('link', { name: 'Who writes the note?' }).first().waitFor();
    await shoot(page, 'agent-sessions');
    await page.getByRole('link', { name: 'Who writes the note?' }).first().click();
    await answer(page)
      .getByText(/doctor/i)
      .first()
      .waitFor();
    await shoot(page, 'agent-session');
    await button(page, 'Show trace').click();
    await dialog(page)
      .getByRole('button', { name: /search/ })
      .click();
    await dialog(page).getByText('leave.md').first().waitFor();
    await shoot(page, 'agent-trace');
    await visit(page, `${address}?tab=usage`);
    await page.getByText('Runs', { exact: true }).first().waitFor();
    await shoot(page, 'agent-usage');
  });

  test('shows what differs between versions, and is rolled back', async () => {
    covers('agents.console.versions');
    const { page } = admin;
    await isDeployed();
    // A third version, approved.
    const { id, draft, revision } = await readAgent();
    const nodes = draft.nodes.map((node) => (node.kind === 'input' ? { ...node, greeting: 'Third greeting' } : node));
    const changed = await callConsole(dev, 'PATCH', `/agents/${id}`, { draft: { ...draft, nodes }, revision });
    await decide('approve', await ask(changed.body as AgentDetails));
    await visit(page, `${address}?tab=versions`);
    await page.getByRole('combobox', { name: 'Before' }).click();
    await page.getByRole('option', { name: 'Version 1' }).click();
    await page.getByText('Third greeting').first().waitFor();
    await shoot(page, 'agent-versions');
    // What was rejected was never approved: it cannot be deployed, only looked at again.
    await button(page, 'Version 1: more').click();
    expect(await page.getByRole('menuitem', { name: /Roll back/ }).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export version 1' }).click();
    const file = join(folder, 'exported.json');
    await (await download).saveAs(file);
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('definition.nodes');

    // Back to the second.
    await button(page, 'Version 2: more').click();
    await page.getByRole('menuitem', { name: 'Roll back to version 2' }).click();
    await dialog(page).getByRole('button', { name: 'Roll back to version 2' }).click();
    await page.getByText('Version 2 was deployed').waitFor();
    const deployed = await callConsole(user, 'GET', `/deployed-agents/${slug}`);
    expect(deployed.body).toMatchObject({ greeting: 'Ask about **leave**.' });
  });

  test('is not approved by the one who submitted it, and what was looked at is what is approved', async () => {
    covers('agents.console.review');
    // A second administrator, so that the first is not alone.
    await addAccount(studio, { email: 'second@example.org', name: 'Second', role: 'administrator' });
    const made = await callConsole(admin, 'POST', '/agents', { name: 'Own', template: 'plain_assistant' });
    const own = made.body as AgentDetails;
    await callConsole(admin, 'POST', `/agents/${own.id}/submit`, { revision: own.revision });
    const { page } = admin;
    await toReviews(page);
    await page.getByRole('link', { name: 'Own', exact: true }).click();
    await page.getByText('Another administrator must approve').waitFor();
    expect(await button(page, 'Approve and deploy').isDisabled()).toBe(true);
    await look(page, 'review-own');

    // Withdrawn while somebody looks at it.
    const of = await callConsole(dev, 'POST', '/agents', { name: 'Stale', template: 'plain_assistant' });
    const stale = of.body as AgentDetails;
    await callConsole(dev, 'POST', `/agents/${stale.id}/submit`, { revision: stale.revision });
    await toReviews(page);
    await page.getByRole('link', { name: 'Stale' }).click();
    await button(page, 'Approve and deploy').click();
    // The page asks every few seconds; what it hears would take the dialog away.
    await dialog(page).waitFor();
    const held: Route[] = [];
    await page.route('**/console/api/agent-reviews*', (route) => void held.push(route));
    await callConsole(dev, 'POST', `/agents/${stale.id}/withdraw`, {});
    await dialog(page).getByRole('button', { name: 'Approve and deploy' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await look(page, 'review-stale');
    await page.unroute('**/console/api/agent-reviews*');
    for (const route of held) await route.continue();
    await page.getByText('This request has been decided already. Withdrawn').waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await button(page, 'Approve and deploy').count()).toBe(0);
  });

  test('is undeployed by an administrator alone: developers are not offered it, and callers find nothing then', async () => {
    await isDeployed();
    const deployed = (await readAgent()).deployed_version;
    await visit(dev.page, address);
    await button(dev.page, 'More').click();
    await dev.page.getByRole('menuitem', { name: 'Export' }).waitFor();
    const offered = await dev.page.getByRole('menuitem').allTextContents();
    expect(offered.filter((one) => /deploy|archive/i.test(one))).toEqual([]);
    await dev.page.keyboard.press('Escape');

    const { page } = admin;
    const called = async () => (await callConsole(user, 'GET', `/deployed-agents/${slug}`)).status;
    expect(await called()).toBe(200);
    await visit(page, address);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Undeploy' }).click();
    await dialog(page).getByText('Runs that have begun go on to their end.').waitFor();
    await dialog(page).getByRole('button', { name: 'Undeploy' }).click();
    await page.getByText('The agent was undeployed').waitFor();
    expect(await called()).toBe(404);

    // And back, from its versions.
    await visit(page, `${address}?tab=versions`);
    await button(page, `Version ${deployed}: more`).click();
    await page.getByRole('menuitem', { name: `Deploy version ${deployed}` }).click();
    await dialog(page)
      .getByRole('button', { name: `Deploy version ${deployed}` })
      .click();
    await page.getByText(`Version ${deployed} was deployed`).waitFor();
    expect(await called()).toBe(200);
  });

  test('is imported from its file, archived, and taken out of the archive again', async () => {
    const { page } = dev;
    await visit(page, '/console/agents');
    await button(page, 'Import a file').click();
    await writeFile(join(folder, 'wrong.json'), '{"a":1}');
    await dialog(page).locator('input[type=file]').setInputFiles(join(folder, 'wrong.json'));
    await dialog(page).getByText('This is not the file of an agent.').waitFor();
    const exported = JSON.parse(await readFile(join(folder, 'exported.json'), 'utf8')) as { definition: object };
    const odd = { ...exported, definition: { ...exported.definition, comment: 'x' } };
    await writeFile(join(folder, 'odd.json'), JSON.stringify(odd));
    await dialog(page).locator('input[type=file]').setInputFiles(join(folder, 'odd.json'));
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Imported');
    await dialog(page).getByRole('button', { name: 'Import a file' }).click();
    await dialog(page).getByText('The definition has fields that are not known here: comment').waitFor();
    await look(page, 'import-unknown-fields');
    await dialog(page).getByRole('button', { name: 'Import without them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imported' }).waitFor();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await dialog(page).getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Archived', { exact: true }).waitFor();
    const listed = page.waitForResponse((response) => response.url().includes('/console/api/agents?'));
    await visit(page, '/console/agents');
    await listed;
    await page.getByRole('link', { name: 'House rules' }).waitFor();
    await shoot(page, 'agents');
    expect(await page.getByRole('link', { name: 'Imported' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await page.getByRole('link', { name: 'Imported' }).click();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Take out of the archive' }).click();
    await dialog(page).getByRole('button', { name: 'Take out of the archive' }).click();
    await page.getByText('Draft', { exact: true }).waitFor();
    await dialog(page).waitFor({ state: 'hidden' });
    // From the list: what nobody calls is put away with a way back.
    await visit(page, '/console/agents?q=imported');
    await page.getByRole('checkbox', { name: 'Select Imported' }).check();
    await button(page, 'Archive').click();
    await page.getByRole('link', { name: 'Imported' }).waitFor({ state: 'detached' });
    await button(page, 'Undo').click();
    await page.getByRole('link', { name: 'Imported' }).waitFor();
  });

  test('no page asked anything of another host, and none complained', () => {
    for (const { foreign, complaints } of [admin, dev, user]) {
      expect(foreign).toEqual([]);
      // A refusal that was meant to be.
      expect(complaints.filter((one) => !/status of 40[049]/.test(one))).toEqual([]);
    }
  });
});
