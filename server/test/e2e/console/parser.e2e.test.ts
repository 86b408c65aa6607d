import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cell, paragraph, text, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import type { Person } from '../../support/browser.ts';
import { readDocument, reportPdf } from './documents.ts';
import { visit } from './moves.ts';
import { speak } from './visits.ts';
import { type Studio, administrator, addColleague, callConsole, startStudio } from './studio.ts';

// Documents that are dropped, looked at, taken away as Markdown, and removed.

const run = promisify(execFile);

let studio: Studio;
let person: Person;
let page: Page;
let folder: string;
/** A document with two pages, for what changes nothing of it. */
let report: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-parser-'));
  studio = await startStudio({ config: { probe: { enabled: false } } });
  person = await studio.signedIn(administrator.email, {
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  ({ page } = person);
  await callConsole(person, 'PATCH', '/me', { language: 'en' });
  ({ id: report } = await readDocument(person, 'Report.pdf', reportPdf()));
});
afterAll(async () => {
  await studio?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await visit(page, '/console/parser');
  await page.getByRole('heading', { level: 1, name: 'Document parser' }).waitFor();
});

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
const box = (name: string | RegExp) =>
  page.getByRole('group', { name: 'Places of blocks' }).getByRole('button', { name });
const entry = (name: string | RegExp) =>
  page.getByRole('tabpanel', { name: 'Blocks' }).locator('[data-block]').and(page.getByRole('group', { name }));

const hwpx = () => {
  const cells = `<hp:tr>${cell(text('구분'), [0, 0], [1, 2])}</hp:tr><hp:tr>${cell(text('가'), [1, 0])}${cell(text('나'), [1, 1])}</hp:tr>`;
  const table = `<hp:tbl rowCnt="2" colCnt="2"><hp:pos treatAsChar="1"/>${cells}</hp:tbl>`;
  return writeHwpx({ sections: [paragraph(`${text('앞')}${table}`)] });
};

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
    await page.getByRole('region', { name: 'Upload documents' }).dispatchEvent(type, { dataTransfer: transfer });
}

describe('a PDF file that is dropped', () => {
  test('opens by itself when it came alone, its page beside what was read of it', async () => {
    await dropFiles([{ name: 'Report.pdf', content: reportPdf() }]);
    await page.waitForURL(/\/console\/parser\/[0-9a-f]{32}/);
    await page.getByRole('heading', { level: 1, name: 'Report.pdf' }).waitFor();
    const picture = page.getByRole('img', { name: 'Picture of page 1' });
    await picture.waitFor();
    await page.locator('img[data-state=there]').waitFor();
    await expect.poll(() => box(/./).count()).toBe(3);
    // The box of the heading lies where the heading is on the page: at the upper left.
    const [sheet, heading] = await Promise.all([picture.boundingBox(), box(/^Heading: 1\. Results/).boundingBox()]);
    expect(((heading?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(72 / 595, 1);
    expect(((heading?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo(65 / 842, 1);
  });

  test('marks a block on one side when it is looked at on the other, by pointer and by keys', async () => {
    await visit(page, `/console/parser/${report}`);
    await box(/^Heading/).waitFor();
    const looked = (one: ReturnType<typeof box>) => one.getAttribute('data-highlighted');
    await entry(/^Table/).hover();
    expect(await looked(box(/^Table/))).toBe('true');
    await box(/^Text/).hover();
    expect([await looked(entry(/^Text/)), await looked(entry(/^Table/))]).toEqual(['true', 'false']);
    await page.mouse.move(0, 0);
    await entry(/^Heading/).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await looked(box(/^Table/))).toBe('true');
    await box(/^Heading/).focus();
    await page.keyboard.press('End');
    expect(await looked(entry(/^Table/))).toBe('true');
  });

  test('is gone through page by page, and each page has an address', async () => {
    await visit(page, `/console/parser/${report}`);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('img', { name: 'Picture of page 2' }).waitFor();
    await page.waitForURL(/page=2/);
    await page.getByRole('tab', { name: 'Markdown' }).click();
    await page.getByText('# 2. Outlook').waitFor();
    await page.reload();
    await page.getByText('# 2. Outlook').waitFor();
    await page.getByRole('textbox', { name: 'Page number' }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('# 1. Results of the year').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText('"all_pages"').waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('columnheader', { name: 'Quarter' }).waitFor();
  });

  test('is copied as Markdown and saved as JSON, whole', async () => {
    await visit(page, `/console/parser/${report}`);
    await page.getByRole('button', { name: 'Copy Markdown' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await clipboard();
    expect(copied).toContain('# 1. Results of the year');
    expect(copied).toContain('# 2. Outlook');
    expect(copied).toContain('| First | 1,200 |');
    await page.getByRole('button', { name: 'Download' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'JSON' }).click();
    expect((await saved).suggestedFilename()).toBe('Report.json');
  });

  test('is read by the programs that are shown, as they stand', async () => {
    const { id } = await readDocument(person, "it's.pdf", reportPdf());
    await visit(page, `/console/parser/${id}`);
    await writeFile(join(folder, "it's.pdf"), reportPdf());
    await writeFile(join(folder, 'requests.py'), requestsStandIn);
    const program = async (kind: string) => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'View code' }).click();
      await page.getByRole('dialog').getByRole('tab', { name: kind }).click();
      await page.getByRole('dialog').getByRole('tabpanel').getByRole('button').first().click();
      const code = await clipboard();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      return code;
    };
    const options = { cwd: folder, env: { ...process.env, AI_STUDIO_KEY: studio.service.key } };
    const said = await run('sh', ['-c', await program('curl')], options);
    expect(JSON.parse(said.stdout)).toMatchObject({ result: { format: 'pdf' }, usage: { pages: 2 } });
    await writeFile(join(folder, 'program.mjs'), await program('JavaScript'));
    expect((await run(process.execPath, ['program.mjs'], options)).stdout).toContain('# 2. Outlook');
    await writeFile(join(folder, 'program.py'), await program('Python'));
    expect((await run('python3', ['program.py'], options)).stdout).toContain('# 2. Outlook');
  });
});

test('several files stand in the list: a table of HWPX keeps its wide cells, a broken file says what to do', async () => {
  await dropFiles([
    { name: 'table.hwpx', content: hwpx() },
    { name: 'broken.pdf', content: Buffer.from('%PDF-1.7 broken') },
  ]);
  await row('table.hwpx').getByText('Read', { exact: true }).waitFor();
  await row('broken.pdf').getByText('The document is damaged').waitFor();
  await page.getByRole('link', { name: 'broken.pdf' }).click();
  await page.getByRole('heading', { name: 'The document is damaged' }).waitFor();
  await page.getByText('See whether its own program opens it').waitFor();
  await page.getByRole('link', { name: 'Documents', exact: true }).click();
  await page.getByRole('link', { name: 'table.hwpx' }).click();
  const wide = page.getByRole('cell', { name: '구분' }).or(page.getByRole('columnheader', { name: '구분' }));
  await expect.poll(() => wide.first().getAttribute('colspan')).toBe('2');
});

test('what a file says is text and nothing else', async () => {
  const html = '<p>Hello <img src=x onerror="document.title=1"><a href="javascript:document.title=2">press</a></p>';
  const { id } = await readDocument(person, 'page.html', html);
  await visit(page, `/console/parser/${id}`);
  await page.getByRole('region', { name: 'Page', exact: true }).getByText('press').waitFor();
  expect(await page.locator('#main img, #main a[href^="javascript"]').count()).toBe(0);
  const markdown = await readDocument(person, 'page.md', 'Some <script>document.title=3</script> text');
  await visit(page, `/console/parser/${markdown.id}`);
  await page.getByRole('region', { name: 'Page', exact: true }).getByText('Some').waitFor();
  expect(await page.title()).toContain('AI Studio');
});

test('a file is removed after a question, and its address says so', async () => {
  const { id } = await readDocument(person, 'gone.txt', 'Some text');
  await page.reload();
  await page.getByRole('button', { name: 'Delete gone.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row('gone.txt').waitFor({ state: 'detached' });
  await visit(page, `/console/parser/${id}`);
  await page.getByRole('heading', { level: 1, name: 'There is no such document' }).waitFor();
});

test('a file that is too large is refused before it is sent', async () => {
  await page.evaluate(`fetch('/console/api/parser').then(r => r.json()).then(r => window.most = r.max_bytes)`);
  const input = page.getByTestId('parser-file');
  await input.evaluate((element) => {
    const { most } = globalThis as unknown as { most: number };
    const file = new File(['x'], 'large.txt');
    Object.defineProperty(file, 'size', { value: most + 1 });
    Object.defineProperty(element, 'files', { value: [file] });
    element.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await row('large.txt')
    .getByText(/^Files larger than .* are not read/)
    .waitFor();
  await page.getByRole('button', { name: 'Dismiss the message of large.txt' }).click();
  await row('large.txt').waitFor({ state: 'detached' });
});

test('a colleague has no use for the address', async () => {
  const { id } = await readDocument(person, 'mine.txt', 'Some text');
  const dev = { email: 'dev@example.org', name: 'Dev', role: 'developer' } as const;
  const colleague = await addColleague(studio, dev, `/console/parser/${id}`);
  await colleague.page.getByRole('heading', { level: 1, name: 'There is no such document' }).waitFor();
  await colleague.close();
});

test('all of it is there in Korean', async () => {
  await speak(page, 'ko');
  try {
    await visit(page, `/console/parser/${report}`);
    await page
      .getByRole('group', { name: '블록 자리' })
      .getByRole('button', { name: /^소제목: 1\. Results/ })
      .waitFor();
    await page.getByRole('tab', { name: '미리보기' }).waitFor();
    const broken = await readDocument(person, 'broken.pdf', '%PDF-1.7 broken');
    await visit(page, `/console/parser/${broken.id}`);
    await page.getByRole('heading', { name: '손상된 문서입니다' }).waitFor();
  } finally {
    await speak(page, 'en');
  }
});

test('nothing was asked of another host, and nothing complained but about what is not there', () => {
  expect(person.foreign).toEqual([]);
  expect(person.complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

/** Stands for Python's package, which a machine may not have: sends the form that it is given. */
const requestsStandIn = `
import json, urllib.request
class _Reply:
    def __init__(self, answer):
        self.answer = answer
    def raise_for_status(self):
        pass
    def json(self):
        return json.loads(self.answer)
def post(url, *, headers, files, data, timeout):
    line, parts = b"xBOUNDARYx", []
    for name, value in data.items():
        parts.append(b'--' + line + b'\\r\\nContent-Disposition: form-data; name="' + name.encode() + b'"\\r\\n\\r\\n' + value.encode())
    for name, file in files.items():
        parts.append(b'--' + line + b'\\r\\nContent-Disposition: form-data; name="' + name.encode() + b'"; filename="x"\\r\\n\\r\\n' + file.read())
    body = b'\\r\\n'.join(parts) + b'\\r\\n--' + line + b'--\\r\\n'
    request = urllib.request.Request(url, body, {**headers, "Content-Type": "multipart/form-data; boundary=" + line.decode()})
    return _Reply(urllib.request.urlopen(request, timeout=timeout).read())
`;
