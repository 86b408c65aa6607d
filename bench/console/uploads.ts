import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { Page } from 'playwright-core';
import type { Person } from '../../server/test/support/browser.ts';
import { callConsole } from '../../server/test/e2e/console/studio.ts';

const textOf = (at: number) =>
  `# Note ${at + 1}\n\n${`Room ${at + 1} is on floor ${at % 7}, 방 ${at + 1}. `.repeat(20)}\n`;

async function makeCollection(person: Person, what: string): Promise<string> {
  const made = await callConsole(person, 'POST', '/collections', { collection_name: `${what} ${Date.now()}` });
  return (made.body as ConsoleCollection).collection_id;
}

async function untilAll(page: Page, files: number): Promise<void> {
  await page.getByText(`Ready ${files}`, { exact: true }).waitFor({ timeout: 600_000 });
}

/** The same texts by one call of the bulk interface. Returns seconds until the page of the collection shows all of them ready. */
async function sendBulk({ page, ...person }: Person, base: string, key: string, files: number): Promise<number> {
  const id = await makeCollection({ page, ...person }, 'Bulk');
  await page.goto(`/console/collections/${id}`);
  await page.getByTestId('collection-files').waitFor({ state: 'attached' });
  const from = performance.now();
  const reply = await fetch(`${base}/v1/rag42/collections/${id}/documents/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: Array.from({ length: files }, (_, at) =>
      JSON.stringify({ text: textOf(at), external_id: `note ${at + 1}` }),
    ).join('\n'),
  });
  const lines = (await reply.text()).trim().split('\n');
  if (!reply.ok || lines.some((line) => !line.includes('"queued"'))) throw new Error(lines[0]);
  await page.reload();
  await untilAll(page, files);
  return (performance.now() - from) / 1_000;
}

/** Gives a collection many small files at once, as a person does, and another one the same by the bulk interface. Returns what to say of it. */
export async function measureUploads(person: Person, base: string, key: string, files: number): Promise<string> {
  const { page } = person;
  // What is loaded with the first documents is not counted.
  await sendBulk(person, base, key, 20);
  const bulk = await sendBulk(person, base, key, files);
  await page.goto(`/console/collections/${await makeCollection(person, 'Notes')}`);
  const notes = Array.from({ length: files }, (_, at) => ({
    name: `note ${at + 1}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(textOf(at)),
  }));
  const input = page.getByTestId('collection-files');
  const from = performance.now();
  await input.setInputFiles(notes);
  await page.getByText(`All ${files}`, { exact: true }).waitFor({ timeout: 600_000 });
  const sent = (performance.now() - from) / 1_000;
  await untilAll(page, files);
  const ready = (performance.now() - from) / 1_000;
  return (
    `${files} small files: there after ${sent.toFixed(1)} s (${(files / sent).toFixed(0)} a second), ` +
    `ready to be found after ${ready.toFixed(1)} s (${(files / ready).toFixed(0)} a second); by the bulk interface ready after ` +
    `${bulk.toFixed(1)} s (${(files / bulk).toFixed(0)} a second)`
  );
}
