import { utimesSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRerankModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { covers } from '../../requirements.ts';
import { makeCollection, searchIn, uploadReady } from '../../support/retrieval.ts';
import { temporaryFolder } from '../../support/service.ts';
import { visit } from './moves.ts';
import { type Studio, administrator, callConsole, startStudio } from './studio.ts';

// The test of searches with a reranker that runs on this machine: a model file that the service serves itself.

let dataFolder: string;
let studio: Studio;
let page: Page;
let id: string;

const texts = {
  'short.md': 'holiday plans',
  'asked.md': 'holiday holiday holiday plans of the summer',
  'answer.md': 'leave leave leave, and a holiday',
};

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  await mkdir(join(dataFolder, 'models'), { recursive: true });
  const file = writeRerankModel(join(dataFolder, 'models', 'ranker.gguf'), {
    relevant: 'leave',
    words: ['holiday', 'plans', 'summer'],
  });
  // Files that are still being written are not taken.
  utimesSync(file, new Date(0), new Date(0));
  studio = await startStudio({ dataFolder, config: { probe: { enabled: false } } });
  ({ collection_id: id } = await makeCollection(studio.service, { name: 'Leave', visibility: 'tenant' }));
  for (const [name, text] of Object.entries(texts)) await uploadReady(studio.service, id, name, text);
  const person = await studio.signedIn(administrator.email, {
    viewport: { width: 1280, height: 900 },
  });
  ({ page } = person);
  await callConsole(person, 'PATCH', '/me', { language: 'en' });
});
afterAll(async () => {
  await studio?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const hits = () => page.getByRole('region', { name: 'Search', exact: true }).getByRole('listitem');

async function search(): Promise<readonly string[]> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/collections/search'));
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await answered;
  await hits().first().waitFor();
  return hits().allTextContents();
}

test('a reranker of this machine puts passages in another order, and its scores are shown', async () => {
  covers('retrieval.search.rerank');
  await visit(page, `/console/collections/${id}?tab=search`);
  await page.getByRole('textbox', { name: 'Question' }).fill('holiday plans');
  const before = await search();
  expect(before[0]).not.toContain('answer.md');
  expect(before.join()).not.toContain('Rerank');
  await page.getByRole('switch', { name: 'Rerank' }).check();
  const after = await search();
  expect(after).toHaveLength(3);
  expect(after[0]).toContain('answer.md');
  for (const hit of after) expect(hit).toMatch(/Rerank/);
  // The same for programs, with the tokens that it took.
  const { result, usage } = await searchIn(studio.service, id, 'holiday plans', {
    rerank: { model: 'ranker', top_n: 2 },
  });
  expect(result.hits).toHaveLength(2);
  expect(result.hits[0]).toMatchObject({ document_name: 'answer.md' });
  expect(result.hits[0]?.scores.rerank).toBeGreaterThan(0.5);
  expect(usage.rerank_tokens).toBeGreaterThan(3);
});

test('an evaluation compares searches with and without it', async () => {
  await visit(page, `/console/collections/${id}?tab=evaluation`);
  await page.getByRole('textbox', { name: 'Question' }).fill('holiday plans');
  await page
    .getByRole('combobox', { name: 'Expected documents' })
    .or(page.getByRole('textbox', { name: 'Expected documents' }))
    .fill('answer.md');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add question' }).click();
  await page.getByRole('row').filter({ hasText: 'holiday plans' }).waitFor();
  await page.getByRole('checkbox', { name: 'Hybrid with rerank' }).check();
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  const run = page.getByRole('listitem').filter({ hasText: '1 question' });
  await run.getByText('Done', { exact: true }).waitFor();
  const recall = async (name: string) =>
    (await run.getByRole('row').filter({ hasText: name }).first().getByRole('cell').allTextContents())[0];
  expect(await recall('Hybrid with rerank')).toBe('1.000');
  expect(await recall('Keyword')).toBe('0.000');
});
