import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import type { ConsoleCollection, ConsoleDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cell, paragraph, text, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { leaveHwpx, reportPdf } from './documents.ts';
import { visit } from './moves.ts';
import { withDatabaseOf } from '../../support/running-database.ts';
import { type Studio, administrator, addAccount, callConsole, startStudio } from './studio.ts';

// A collection in a browser: made, filled with files and folders, searched, mended, removed; and what others see of it.

const run = promisify(execFile);

let studio: Studio;
let person: Person;
let page: Page;
let folder: string;
/** Address of the collection. */
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-collections-'));
  studio = await startStudio({ config: { probe: { enabled: false }, connectors: { folders: [folder] } } });
  person = await open(administrator.email);
  ({ page } = person);
});
afterAll(async () => {
  await studio?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody begins at the list of collections. */
const open = (email: string): Promise<Person> =>
  studio.signedIn(
    email,
    { viewport: { width: 1280, height: 900 } },
    { language: 'en', theme: 'light' },
    '/console/collections',
  );

const dialog = () => page.getByRole('dialog');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
/** Of collections, in the order of their list. */
const names = () => page.getByRole('table').getByRole('link').allInnerTexts();
const tab = (name: string) => page.getByRole('tab', { name }).click();
const hits = () => page.getByRole('region', { name: 'Search', exact: true }).getByRole('listitem');

/** Drops files on the page as a file manager does. */
async function dropFiles(files: readonly { readonly name: string; readonly content: Buffer }[]): Promise<void> {
  const given = files.map(({ name, content }) => ({ name, content: content.toString('base64') }));
  const transfer = await page.evaluateHandle((all) => {
    const data = new (
      globalThis as unknown as { DataTransfer: new () => { items: { add(file: File): void } } }
    ).DataTransfer();
    for (const { name, content } of all)
      data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name));
    return data;
  }, given);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.getByRole('region', { name: 'Add documents' }).dispatchEvent(type, { dataTransfer: transfer });
}

async function search(query: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(query);
  const answered = page.waitForResponse((response) => response.url().endsWith('/collections/search'));
  await page.keyboard.press('Enter');
  await answered;
}

describe('a collection', () => {
  test('is made with a name alone', async () => {
    await page.getByText('No collections yet').waitFor();
    await page.getByRole('button', { name: 'New collection' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('인사 규정');
    await dialog().getByText('Shared', { exact: true }).click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: '인사 규정' }).waitFor();
    await page.getByText('No documents yet').waitFor();
    address = new URL(page.url()).pathname;
  });

  test('takes files that are dropped and a whole folder, and says of each how far it is', async () => {
    await dropFiles([
      { name: 'report.pdf', content: reportPdf() },
      { name: '경조사.hwpx', content: leaveHwpx() },
      { name: 'empty.md', content: Buffer.from(' \n') },
      { name: 'program.bin', content: Buffer.alloc(600, 0xfe) },
    ]);
    const uploads = page.getByRole('region', { name: 'Uploading files' });
    await uploads.getByText('1 file could not be uploaded').waitFor();
    await uploads.getByText(/This format is not read/).waitFor();
    await uploads.getByRole('button', { name: 'Dismiss program.bin' }).click();
    const given = join(folder, 'rules', 'inner');
    await mkdir(given, { recursive: true });
    await writeFile(join(folder, 'rules', 'leave.md'), '# 연차\n\n연차 휴가는 1년에 15일입니다.\n');
    await writeFile(join(given, 'sick.txt'), 'Sick leave needs a note of a doctor.');
    await writeFile(join(given, '.DS_Store'), 'x');
    await page.getByTestId('collection-folder').setInputFiles(join(folder, 'rules'));
    await row('sick.txt').getByText('rules/inner').waitFor();
    await page.getByText('All 5', { exact: true }).waitFor();
    await page.getByText('Ready 4', { exact: true }).waitFor();
    await row('empty.md')
      .getByText(/No text was found/)
      .filter({ visible: true })
      .waitFor();
    await page.getByText('Failed 1', { exact: true }).click();
    await row('report.pdf').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByText(/^All 5/).click();
    await page.getByRole('textbox', { name: 'Find by document name' }).fill('leave');
    await row('report.pdf').waitFor({ state: 'detached' });
    await row('leave.md').waitFor();
  });

  test('lets a document be removed from the list, and taken back', async () => {
    await visit(page, address);
    const remove = async () => {
      await row('empty.md').getByRole('button', { name: 'Actions for empty.md' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await row('empty.md').waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('empty.md').waitFor();
    await remove();
    // Whoever leaves means it.
    await page.reload();
    await page.getByText('All 4', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(address);
  });

  test('finds passages, says why, and compares two settings', async () => {
    await visit(page, `${address}?tab=search`);
    await search('연차 휴가는 며칠인가요?');
    await hits().first().getByText('leave.md').waitFor();
    await expect.poll(() => hits().first().locator('mark').allTextContents()).toContain('휴가');
    expect(
      await hits()
        .first()
        .getByText(/^Keyword \d/)
        .count(),
    ).toBe(1);
    await page.getByRole('button', { name: 'Compare two settings' }).click();
    // The question that was asked is answered by both at once, and the other is another mode: without a model words alone are compared.
    const second = page.getByRole('region', { name: 'Settings B' }).last();
    await second.getByText(/Hybrid, no model/).waitFor();
    await expect.poll(() => second.getByRole('listitem').first().textContent()).toContain('leave.md');
    await page.getByRole('button', { name: 'Stop comparing' }).click();
  });

  test('is filtered by a form and by JSON, whose mistakes are told', async () => {
    await visit(page, `${address}?tab=search`);
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page
      .getByRole('combobox', { name: 'Field' })
      .or(page.getByRole('textbox', { name: 'Field' }))
      .fill('document_name');
    await page.getByRole('textbox', { name: 'Value' }).fill('report.pdf');
    await search('휴가 sales');
    await hits().first().getByText('report.pdf').waitFor();
    expect(await hits().filter({ hasText: 'leave.md' }).count()).toBe(0);
    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByRole('textbox', { name: 'Filters' });
    expect(JSON.parse(await json.inputValue())).toEqual({ document_name: { $eq: 'report.pdf' } });
    await json.fill('{"colour": 1}');
    await search('sales');
    await page.getByText(/Check the filter at colour/).waitFor();
    await json.fill('{"colour"');
    await expect.poll(() => page.getByRole('button', { name: 'Search', exact: true }).isDisabled()).toBe(true);
  });

  test('leads from a passage to others like it, and shows the chunks that other settings would make', async () => {
    await visit(page, `${address}?tab=search`);
    await search('연차 휴가');
    const group = hits().first().getByRole('group', { name: 'More like this' });
    await hits().first().getByRole('button', { name: 'More like this' }).click();
    await group
      .getByText(/\d\.\d{3}$|No other document/)
      .first()
      .waitFor();
    await tab('Settings');
    await page.getByLabel('Chunk size (tokens)').fill('160');
    await page.getByRole('button', { name: 'Preview chunks' }).click();
    await dialog().getByText('A text', { exact: true }).click();
    await dialog()
      .getByLabel('Text (Markdown)')
      .fill(`# One\n\n${'Walruses sleep on the ice. '.repeat(90)}\n\n# Two\n\nSeals swim.`);
    await dialog().getByRole('button', { name: 'Show chunks' }).click();
    await dialog()
      .getByRole('status')
      .filter({ hasText: /^\d+ chunks of \d+ to \d+ tokens/ })
      .waitFor();
    const items = dialog().getByRole('listitem');
    expect(await items.count()).toBeGreaterThan(2);
    expect(await items.last().innerText()).toContain('Seals swim.');
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('gives programs that make the same search', async () => {
    const { body } = await callConsole(person, 'POST', '/keys', {
      name: 'program',
      scopes: ['retrieval'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    });
    const { value } = body as IssuedApiKey;
    await visit(page, `${address}?tab=search`);
    await search('연차 휴가');
    await page.getByRole('button', { name: 'View code' }).click();
    const program = async (name: string) => {
      await dialog().getByRole('tab', { name }).click();
      return (await dialog().getByRole('tabpanel', { name }).locator('code').textContent()) ?? '';
    };
    const options = { cwd: folder, env: { PATH: process.env['PATH'], AI_STUDIO_KEY: value } };
    const said = await run('sh', ['-c', await program('curl')], options);
    expect(JSON.parse(said.stdout)).toHaveProperty('result.hits.0.document_name', 'leave.md');
    await writeFile(join(folder, 'program.mjs'), await program('JavaScript'));
    expect((await run(process.execPath, ['program.mjs'], options)).stdout).toContain('leave.md');
    await writeFile(join(folder, 'program.py'), await program('Python'));
    expect((await run('python3', ['program.py'], options)).stdout).toContain('leave.md');
  });
});

describe('an evaluation', () => {
  test('takes questions that are typed and imported, and tells of lines that are wrong', async () => {
    await visit(page, `${address}?tab=evaluation`);
    await page.getByText('No questions yet').waitFor();
    await page.getByRole('textbox', { name: 'Question' }).fill('연차는 며칠인가요?');
    await page
      .getByRole('combobox', { name: 'Expected documents' })
      .or(page.getByRole('textbox', { name: 'Expected documents' }))
      .fill('leave.md');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('row').filter({ hasText: '연차는 며칠인가요?' }).getByText('leave.md').waitFor();
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const csv = 'question,documents\n"Who writes the note, a doctor?",sick.txt\nNothing,none.pdf\n,leave.md\n';
    await page
      .getByTestId('questions-file')
      .setInputFiles({ name: 'q.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await dialog().getByText('2 lines could not be added').waitFor();
    await dialog().getByText('Line 3: The collection has no document “none.pdf”.').waitFor();
    await dialog().getByText('Line 4: The question is empty.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'Who writes the note, a doctor?' }).waitFor();
  });

  test('gives figures of each setting, question by question, and as a file', async () => {
    await page.getByRole('button', { name: 'Add setting' }).click();
    await dialog().getByRole('textbox', { name: 'Name of the setting' }).fill('Keyword');
    await dialog().getByText('Another setting has this name.').waitFor();
    await dialog().getByRole('textbox', { name: 'Name of the setting' }).fill('Of my own');
    await dialog().getByText('Hybrid', { exact: true }).click();
    await dialog().getByText('RRF').click();
    await dialog().getByRole('textbox', { name: 'Results' }).fill('3');
    await dialog().getByRole('button', { name: 'More settings' }).click();
    await dialog().getByRole('switch', { name: 'Give what stands around a chunk' }).check();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Of my own' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    const run = page.getByRole('listitem').filter({ hasText: '2 questions' });
    await run.getByText('Done', { exact: true }).waitFor();
    const words = run.getByRole('row', { name: /^Keyword/ });
    await expect.poll(() => words.getByRole('cell').allTextContents()).toEqual(['1.000', '1.000', '1.000', '1.000']);
    const own = run.getByRole('row').filter({ hasText: 'Of my own' });
    await expect
      .poll(() => own.getByRole('rowheader').textContent())
      .toContain('Ranks (RRF) · Results 3 · passages of 1,024 tokens');
    await expect.poll(() => own.getByRole('cell').count()).toBe(4);
    await run.getByRole('button', { name: 'Question by question' }).click();
    await run.getByRole('row').filter({ hasText: '연차는 며칠인가요?' }).waitFor();
    const saved = page.waitForEvent('download');
    await run.getByRole('button', { name: 'Results as CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFFquestion,expected,setting,ranks,recall_at_1,recall_at_5,recall_at_10,ndcg_at_10');
    expect(lines.filter((line) => line.startsWith('연차는 며칠인가요?,leave.md,Keyword,1,1,1,1,1'))).toHaveLength(1);
  });

  test('has a model propose questions, of which people choose', async () => {
    await page.getByRole('button', { name: 'Propose with a model' }).click();
    await dialog().getByRole('textbox', { name: 'Questions' }).fill('2');
    await dialog().getByLabel('From these documents').first().click();
    await page.getByRole('option', { name: 'leave.md' }).click();
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog().getByRole('checkbox').first().waitFor();
    await dialog().getByRole('listitem').first().getByText('leave.md').waitFor();
    await dialog()
      .getByRole('button', { name: /^Add [12]$/ })
      .click();
    await page
      .getByText(/^[12] questions? added$/)
      .last()
      .waitFor();
  });
});

describe('an extraction', () => {
  test('looks for fields in all documents, and gives a table that leads to their pages, and a file', async () => {
    await visit(page, `${address}?tab=extraction`);
    await page.getByText('Nothing was extracted yet').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('결혼');
    await page.getByRole('button', { name: 'Add field' }).click();
    const second = page.getByRole('group', { name: 'Field 2' });
    await second.getByRole('textbox', { name: 'Name', exact: true }).fill('First');
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    const run = page.getByRole('listitem').filter({ hasText: '4 of 4 documents' });
    await run.getByText('Done', { exact: true }).waitFor();
    const found = run.getByRole('row', { name: /^경조사.hwpx/ });
    await found.getByRole('cell').first().getByText('닷새').waitFor();
    await found.getByRole('cell').first().getByText('90%').waitFor();
    const saved = page.waitForEvent('download');
    await run.getByRole('link', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFFdocument_id,document_name,error,결혼,First');
    expect(lines.filter((line) => line.includes(',경조사.hwpx,,닷새,'))).toHaveLength(1);
    expect(await seriousFaults(page)).toEqual([]);
    await run
      .getByRole('row', { name: /^report.pdf/ })
      .getByRole('link', { name: 'Page 1' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'report.pdf' }).waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('1');
    await visit(page, `${address}?tab=extraction`);
    await page.getByText('JSON schema', { exact: true }).click();
    await page.getByRole('textbox', { name: 'JSON schema' }).fill('{"type":"array"}');
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    await page.getByText(/Check the schema/).waitFor();
    await run.getByRole('button', { name: 'Delete extraction' }).click();
    await dialog().getByText('What was found is deleted.').waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing was extracted yet').waitFor();
  });
});

describe('a connection', () => {
  test('is made and tried, synced and followed, and deleted with its documents', async () => {
    const place = join(folder, 'archive');
    await mkdir(place);
    await writeFile(join(place, 'badge.md'), '# 출입증\n\n출입증은 총무과에서 받습니다.\n');
    await visit(page, `${address}?tab=connections`);
    await page.getByText('No connections yet').waitFor();
    await page.getByRole('button', { name: 'Add connection' }).click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('문서고');
    await dialog().getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'SharePoint' }).click();
    await dialog().getByRole('textbox', { name: 'Directory (tenant)' }).fill('example.kr');
    await dialog().getByRole('textbox', { name: 'Application (client) ID' }).fill('c');
    await dialog().getByRole('textbox', { name: 'Site address' }).fill('https://example.sharepoint.com/sites/hr');
    // Its files may have readers of their own: somebody says for whom they are here.
    const begin = dialog().getByRole('button', { name: 'Add and test' });
    expect(await begin.isDisabled()).toBe(true);
    await dialog().getByRole('radio', { name: 'Only those who may read them at the source' }).check();
    await dialog().getByRole('textbox', { name: 'People of groups' }).waitFor();
    expect(await begin.isEnabled()).toBe(true);
    expect(await seriousFaults(page)).toEqual([]);
    await dialog().getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Folder' }).click();
    await dialog().getByRole('textbox', { name: 'Folder' }).fill('/etc');
    await dialog().getByRole('button', { name: 'Add and test' }).click();
    await dialog().getByText('It lies below none of the folders that the configuration allows.').waitFor();
    await dialog().getByRole('textbox', { name: 'Folder' }).fill(place);
    await dialog().getByRole('button', { name: 'Add and test' }).click();
    const card = page.getByRole('listitem', { name: '문서고' });
    await card.getByRole('row', { name: 'badge.md would be added' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Sync now' }).click();
    await card.getByRole('row', { name: 'badge.md added' }).waitFor();
    await rm(join(place, 'badge.md'));
    await card.getByRole('button', { name: 'Sync now' }).click();
    // A place that is empty all at once may only be away.
    await card.getByRole('row', { name: 'badge.md left' }).waitFor();
    await card.getByRole('button', { name: 'Remove all that is gone' }).click();
    await card.getByRole('row', { name: 'badge.md removed' }).waitFor();
    await card.getByRole('button', { name: 'Actions for 문서고' }).click();
    await page.getByRole('menuitem', { name: 'Delete connection' }).click();
    await dialog().getByText('The documents are deleted as well').click();
    await dialog().getByRole('button', { name: 'Delete connection' }).click();
    await page.getByText('No connections yet').waitFor();
  });
});

describe('a document', () => {
  test('stands beside its chunks; a hit leads to its chunk, which is mended and found at once', async () => {
    await visit(page, `${address}?tab=search`);
    await search('연차 휴가');
    await hits().first().getByRole('link', { name: 'Show in document' }).click();
    await page.getByRole('heading', { level: 1, name: 'leave.md' }).waitFor();
    const original = page.getByRole('region', { name: 'Original' });
    await original.getByText('연차 휴가는 1년에 15일입니다.').waitFor();
    await page.locator('li[data-highlighted=true]').waitFor();
    await page.getByRole('button', { name: 'Edit chunk 1' }).click();
    await dialog().getByRole('textbox', { name: 'Content' }).fill('안식월은 10년마다 한 달입니다.');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Searches find it now.').waitFor();
    await page.getByText('안식월은 10년마다 한 달입니다.').waitFor();
    await visit(page, `${address}?tab=search`);
    await search('안식월');
    await hits().first().getByText('leave.md').waitFor();
    await expect.poll(() => hits().first().textContent()).toContain('안식월은');
  });

  test('shows tables of a chunk as tables, and runs nothing of them', async () => {
    const html =
      '<table><caption>경조사</caption><thead><tr><th colspan="2">휴가</th></tr></thead><tbody>' +
      '<tr><td rowspan="2">결혼</td><td onclick="alert(1)">닷새<img src=x onerror="alert(1)"></td></tr><tr><td>하루</td></tr></tbody></table>';
    await hits().first().getByRole('link', { name: 'Show in document' }).click();
    await page.getByRole('button', { name: 'Add chunk' }).click();
    await dialog().getByRole('textbox', { name: 'Content' }).fill(`표는 다음과 같다.\n${html}`);
    await dialog().getByRole('button', { name: 'Save' }).click();
    const table = page.getByRole('table', { name: '경조사' });
    await table.getByRole('columnheader', { name: '휴가' }).waitFor();
    await expect.poll(() => table.getByRole('cell').allTextContents()).toEqual(['결혼', '닷새', '하루']);
    expect(await table.locator('img, [onclick]').count()).toBe(0);
  });

  test('finds them drawn as well, with the words that were found marked in their cells', async () => {
    await visit(page, `${address}?tab=search`);
    await search('결혼');
    const hit = hits().filter({ hasText: '표는 다음과 같다' }).first();
    await hit.getByRole('cell', { name: '결혼' }).locator('mark').waitFor();
    expect(await hit.textContent()).not.toMatch(/<\/?t|\*\*|^#/);
  });

  test('draws the tables of a page that has no picture', async () => {
    const merged = `<hp:tr>${cell(text('휴가'), [0, 0], [2, 1])}</hp:tr><hp:tr>${cell(text('결혼'), [1, 0])}${cell(text('닷새'), [1, 1])}</hp:tr>`;
    const table = `<hp:tbl rowCnt="2" colCnt="2"><hp:pos treatAsChar="1"/>${merged}</hp:tbl>`;
    const content = writeHwpx({ sections: [paragraph(text('* 휴가표')) + paragraph(table)] });
    await visit(page, address);
    await dropFiles([{ name: '휴가표.hwpx', content }]);
    await row('휴가표.hwpx').getByText('Ready').filter({ visible: true }).waitFor();
    await row('휴가표.hwpx').getByRole('link').click();
    const original = page.getByRole('region', { name: 'Original' });
    await original.getByRole('cell', { name: '닷새' }).waitFor();
    expect(await original.textContent()).not.toMatch(/<\/?t|\\\*/);
    const chunks = page.getByRole('region', { name: 'Chunks' }).first();
    await chunks.getByRole('cell', { name: '닷새' }).waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('All 4', { exact: true }).waitFor();
  });

  test('shows its pages as they look, with the chunks of each', async () => {
    await visit(page, address);
    await row('report.pdf').getByRole('link').click();
    await page.getByRole('img', { name: 'Picture of page 1' }).waitFor();
    await page.locator('img[data-state=there]').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('img', { name: 'Picture of page 2' }).waitFor();
    await page.getByRole('switch', { name: 'Only chunks of page 2' }).check();
    await page.getByText('Sales have risen').waitFor({ state: 'detached' });
    await page.getByText('It goes on.').waitFor();
  });

  test('says who reads it, where its source says so', async () => {
    const [collection, document] = new URL(page.url()).pathname
      .split('/')
      .filter((part) => /^[0-9a-f]{32}$/.test(part));
    await withDatabaseOf(studio.service, async (db) => {
      await db.query
        .updateTable('collections')
        .set({ has_restricted: true })
        .where('id', '=', collection ?? '')
        .execute();
      await db.query
        .updateTable('documents')
        .set({ readers: [`user:${administrator.email}`, 'user:none@example.org', 'group:x/1'] })
        .where('id', '=', document ?? '')
        .execute();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Readers: 3' }).click();
    await dialog().getByRole('row', { name: 'none@example.org' }).getByText('nobody here is known').waitFor();
    await dialog().getByText('nobody reads by it').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('gets another name and metadata, and goes with all that is found of it', async () => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Name and metadata' }).click();
    await dialog().getByRole('textbox', { name: 'Document name' }).fill('annual.pdf');
    await dialog().getByRole('textbox', { name: 'Metadata (JSON)' }).fill('{"year": 2026');
    await expect.poll(() => dialog().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog().getByRole('textbox', { name: 'Metadata (JSON)' }).fill('{"year": 2026}');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'annual.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('All 3', { exact: true }).waitFor();
    await tab('Search test');
    await search('sales have risen');
    expect(await hits().filter({ hasText: 'annual.pdf' }).count()).toBe(0);
  });
});

test('a user of the tenant searches it and sees nothing else of it', async () => {
  await addAccount(studio, { email: 'user@example.org', name: 'User', role: 'user' });
  const user = await open('user@example.org');
  await user.page.getByRole('link', { name: '인사 규정' }).click();
  await user.page.getByRole('textbox', { name: 'Question' }).fill('안식월');
  await user.page.keyboard.press('Enter');
  await user.page.getByText('안식월은').first().waitFor();
  expect(await user.page.getByRole('tab').count()).toBe(0);
  expect(await user.page.getByRole('link', { name: 'Show in document' }).count()).toBe(0);
  const id = address.split('/').at(-1) ?? '';
  expect((await callConsole(user, 'GET', `/collections/${id}/documents`)).status).toBe(403);
  expect(user.complaints).toEqual([]);
  await user.close();
});

test('a collection is removed by its name, with all in it', async () => {
  const id = address.split('/').at(-1) ?? '';
  const before = (await callConsole(person, 'GET', `/collections/${id}/documents`)).body as ConsoleDocuments;
  expect(before.total).toBe(3);
  await visit(page, `${address}?tab=settings`);
  await page.getByRole('button', { name: 'Delete collection' }).click();
  const confirm = dialog().getByRole('button', { name: 'Delete' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog().getByRole('textbox').fill('인사 규정');
  // The list is read again once it is gone, with what came meanwhile.
  for (const collection_name of ['Bees', 'Ants'])
    await callConsole(person, 'POST', '/collections', { collection_name });
  await confirm.click();
  await expect.poll(names).toEqual(['Ants', 'Bees']);
  expect((await callConsole(person, 'GET', `/collections/${id}`)).status).toBe(404);
  expect(person.foreign).toEqual([]);
});

test('many collections are ordered in the address, shared and removed at once', async () => {
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(names).toEqual(['Bees', 'Ants']);
  expect(page.url()).toContain('sort=-name');
  await page.reload();
  await expect.poll(names).toEqual(['Bees', 'Ants']);
  await page.getByRole('searchbox', { name: 'Find in Collections' }).fill('ant');
  await expect.poll(names).toEqual(['Ants']);
  await page.getByRole('searchbox', { name: 'Find in Collections' }).fill('');
  await expect.poll(names).toEqual(['Bees', 'Ants']);
  await page.getByRole('checkbox', { name: 'Select Ants' }).check();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all 2' }).check();
  await page.getByRole('button', { name: 'Visibility' }).click();
  await page.getByRole('menuitem', { name: 'Shared' }).click();
  await page.getByText('2 collections are shared now').waitFor();
  const listed = async () => (await callConsole(person, 'GET', '/collections')).body as { items: ConsoleCollection[] };
  expect((await listed()).items.map(({ visibility }) => visibility)).toEqual(['tenant', 'tenant']);
  await page.getByRole('checkbox', { name: 'Select Ants' }).check();
  await page.getByRole('checkbox', { name: 'Select Bees' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  expect(await seriousFaults(page)).toEqual([]);
  await dialog().getByRole('textbox').fill('Delete');
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No collections yet').waitFor();
  expect((await listed()).items).toEqual([]);
});

test('tens of small files go up by a few calls, and each comes ready or says what is wrong with it', async () => {
  const { body } = await callConsole(person, 'POST', '/collections', { collection_name: 'Notes' });
  const { collection_id: id } = body as ConsoleCollection;
  await visit(page, `/console/collections/${id}`);
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.includes('/documents')) sent.push(pathname.split('/').at(-1) ?? '');
  });
  const notes = Array.from({ length: 64 }, (_, at) => ({
    name: `note ${at + 1}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(`# Note ${at + 1}\n\nRoom ${at + 1} is on floor ${at % 7}.\n`),
  }));
  const program = { name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(600, 0xfe) };
  await page.getByTestId('collection-files').setInputFiles([...notes, program]);
  const uploads = page.getByRole('region', { name: 'Uploading files' });
  await uploads.getByText('1 file could not be uploaded').waitFor();
  await page.getByText('All 64', { exact: true }).waitFor();
  await page.getByText('Ready 64', { exact: true }).waitFor();
  // Which of them are there already is asked first.
  expect(sent).toEqual(['known', 'batch', 'batch']);
  await tab('Search test');
  await search('room 64');
  await hits().first().getByText('note 64.md').waitFor();
  expect(person.foreign).toEqual([]);
});
