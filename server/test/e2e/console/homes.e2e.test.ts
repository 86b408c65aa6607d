import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { OwnSample } from '@ai-studio/contract/console/samples.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { cutOff, narrow, wide } from './faults.ts';
import { visit } from './moves.ts';
import { addColleague, administrator, callConsole, type Studio, startStudio } from './studio.ts';

// Where each role begins: a sample by one click for who builds, agents with questions for who asks.

let studio: Studio;
let admin: Person;
let dev: Person;
let user: Person;

beforeAll(async () => {
  studio = await startStudio({ config: { probe: { enabled: false } } });
  admin = await studio.signedIn(administrator.email);
  dev = await addColleague(studio, { email: 'dev@example.org', name: 'Dev', role: 'developer' });
  user = await addColleague(studio, { email: 'user@example.org', name: '이서연', role: 'user' });
});
afterAll(() => studio?.close());

test('a developer has a sample by one click, asks it, and sees the source', async () => {
  const { page } = dev;
  await visit(page, '/console/');
  const path = page.getByRole('region', { name: 'From documents to an agent' });
  await path.getByText('0 of 4 done').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Begin with a sample' }).click();
  await page.getByRole('button', { name: 'How many days a week may I work from home?' }).click();
  const answer = page.getByRole('article', { name: 'Answer' });
  await answer
    .getByText(/two days/i)
    .first()
    .waitFor();
  await answer
    .getByRole('button', { name: /Guide for new colleagues/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('You may work from home on two').first().waitFor();
  await page.keyboard.press('Escape');
  await visit(page, '/console/');
  await path.getByText('3 of 4 done').waitFor();
});

test('what is deployed is a card with questions, and a question is asked at once', async () => {
  const { body } = await callConsole(dev, 'GET', '/sample');
  const { sample } = body as OwnSample;
  const agent = (await callConsole(dev, 'GET', `/agents/${sample?.agent_id}`)).body as AgentDetails;
  const submitted = await callConsole(dev, 'POST', `/agents/${agent.id}/submit`, {
    revision: agent.revision,
    note: 'Please',
  });
  const { review } = submitted.body as AgentDetails;
  await visit(admin.page, '/console/');
  await admin.page.getByText('Agents that wait for your approval: 1.').waitFor();
  await callConsole(admin, 'POST', `/agents/${agent.id}/approve`, { review_id: review?.id, hash: review?.hash });

  const { page } = user;
  await page.goto('/console/');
  const cards = page.getByRole('region', { name: 'Chat with an agent' });
  await cards.getByRole('link', { name: 'Sample guide' }).waitFor();
  await page.getByText('Ask one of the agents below.').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.setViewportSize(narrow);
  expect(await cutOff(page)).toEqual([]);
  await page.setViewportSize(wide);
  await cards.getByRole('link', { name: /laptop/ }).click();
  await page
    .getByText(/within one hour/)
    .first()
    .waitFor();
  await page.waitForURL(/\/chat\/agents\/[^/]+\/\d+$/);
  // Once: a reload asks nothing anew.
  await page.reload();
  await page
    .getByText(/within one hour/)
    .first()
    .waitFor();
  expect(await page.getByRole('article').count()).toBeGreaterThan(0);
  const chats = await callConsole(user, 'GET', '/agent-chats');
  expect((chats.body as { items: unknown[] }).items).toHaveLength(1);
});

test('an administrator sees the week and what waits; the sample goes with all of it', async () => {
  await visit(admin.page, '/console/');
  const week = admin.page.getByRole('region', { name: 'Last 7 days' });
  await week.getByText('Busiest people').waitFor();
  await admin.page.getByText('Nothing waits for you.').waitFor();
  expect(await seriousFaults(admin.page)).toEqual([]);

  const { page } = admin;
  await page.setViewportSize(narrow);
  expect(await cutOff(page)).toEqual([]);
  // What is deployed only an administrator takes away: the developer is told so.
  await dev.page.goto('/console/');
  await dev.page.getByRole('button', { name: 'Remove the sample' }).click();
  await dev.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await dev.page.getByRole('dialog').getByRole('alert').waitFor();
  const { sample } = (await callConsole(dev, 'GET', '/sample')).body as OwnSample;
  await callConsole(admin, 'POST', `/agents/${sample?.agent_id}/undeploy`, {});
  await dev.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await dev.page.getByText('The sample was removed').waitFor();
  expect(((await callConsole(dev, 'GET', '/collections')).body as { total: number }).total).toBe(0);
});
