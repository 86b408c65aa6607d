import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { Person } from '../../server/test/support/browser.ts';
import { callConsole } from '../../server/test/e2e/console/studio.ts';

/** Gives a collection many small files at once, as a person does. Returns what to say of it. */
export async function measureUploads(person: Person, files: number): Promise<string> {
  const { body } = await callConsole(person, 'POST', '/collections', { collection_name: `Notes ${Date.now()}` });
  const { collection_id: id } = body as ConsoleCollection;
  const { page } = person;
  await page.goto(`/console/collections/${id}`);
  const notes = Array.from({ length: files }, (_, at) => ({
    name: `note ${at + 1}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(`# Note ${at + 1}\n\n${`Room ${at + 1} is on floor ${at % 7}, 방 ${at + 1}. `.repeat(20)}\n`),
  }));
  const input = page.getByTestId('collection-files');
  const from = performance.now();
  await input.setInputFiles(notes);
  await page.getByText(`All ${files}`, { exact: true }).waitFor({ timeout: 600_000 });
  const sent = (performance.now() - from) / 1_000;
  await page.getByText(`Ready ${files}`, { exact: true }).waitFor({ timeout: 600_000 });
  const ready = (performance.now() - from) / 1_000;
  return (
    `${files} small files: there after ${sent.toFixed(1)} s (${(files / sent).toFixed(0)} a second), ` +
    `ready to be found after ${ready.toFixed(1)} s (${(files / ready).toFixed(0)} a second)`
  );
}
