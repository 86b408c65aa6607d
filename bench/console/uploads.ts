import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { Page } from 'playwright-core';
import type { Person } from '../../server/test/support/browser.ts';
import { sleep } from '../gateway/children.ts';
import { callConsole } from '../../server/test/e2e/console/studio.ts';

const textOf = (at: number) =>
  `# Note ${at + 1}\n\n${`Room ${at + 1} is on floor ${at % 7}, 방 ${at + 1}. `.repeat(20)}\n`;

async function untilAll(page: Page, files: number): Promise<void> {
  await page.getByText(`Ready ${files}`, { exact: true }).waitFor({ timeout: 600_000 });
}

/** The same texts by one call of the bulk interface, into a collection of the key. Returns seconds until all of them are ready. */
async function sendBulk(base: string, key: string, files: number): Promise<number> {
  const call = async (path: string, type: string, body?: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const method = body === undefined ? 'GET' : 'POST';
    const reply = await fetch(`${base}/v1/rag42/collections${path}`, { method, headers, body: body ?? null });
    const text = await reply.text();
    if (!reply.ok) throw new Error(text);
    return text;
  };
  const made = await call('', 'application/json', JSON.stringify({ collection_name: `Bulk ${Date.now()}` }));
  const { result } = JSON.parse(made) as { result: { collection_id: string } };
  const documents = `/${result.collection_id}/documents`;
  const lines = Array.from({ length: files }, (_, at) =>
    JSON.stringify({ text: textOf(at), external_id: `note ${at + 1}` }),
  );
  const from = performance.now();
  await call(`${documents}/bulk`, 'application/x-ndjson', lines.join('\n'));
  const ready = async () => {
    const listed = await call(`${documents}?size=1&state=ready`, 'application/json');
    return (JSON.parse(listed) as { result: { total: number } }).result.total;
  };
  while ((await ready()) < files) await sleep(50);
  return (performance.now() - from) / 1_000;
}

/** Gives a collection many small files at once, as a person does, and another one the same by the bulk interface. Returns what to say of it. */
export async function measureUploads(person: Person, base: string, key: string, files: number): Promise<string> {
  const { page } = person;
  // What is loaded with the first documents is not counted.
  await sendBulk(base, key, 20);
  const bulk = await sendBulk(base, key, files);
  const { body } = await callConsole(person, 'POST', '/collections', { collection_name: `Notes ${Date.now()}` });
  await page.goto(`/console/collections/${(body as ConsoleCollection).collection_id}`);
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
