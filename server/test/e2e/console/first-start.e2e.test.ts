import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type TestBrowser, openBrowser } from '../../support/browser.ts';
import { type Service, startService } from '../../support/service.ts';

// From the first start to the first answer, as a person does it: by the pages alone.

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

let service: Service;
let browser: TestBrowser;
let person: Person;
let folder: string;
/** The value of the key that the page has shown. */
let key = '';

beforeAll(async () => {
  service = await startService({ initKey: null, makesDatabase: true });
  browser = await openBrowser(service.base);
  person = await browser.person();
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-code-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

const dialog = () => person.page.getByRole('dialog');

test('the printed link makes the first administrator, once', async () => {
  const { page } = person;
  const link = /http\S+\/console\/setup#\S+/.exec(service.output())?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('Organisation').fill('행정 연구원');
  await page.getByLabel('Your name').fill('김하나');
  await page.getByLabel('Email').fill('hana@example.org');
  await page.getByLabel('Password', { exact: false }).first().fill('아주 긴 비밀번호 하나');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await expect.poll(() => page.getByRole('navigation', { name: 'Main menu' }).textContent()).toContain('Tenants');
  const again = await browser.person();
  await again.page.goto(link);
  await again.page.getByLabel('Organisation').fill('x');
  await again.page.getByLabel('Your name').fill('x');
  await again.page.getByLabel('Email').fill('x@example.org');
  await again.page.getByLabel('Password', { exact: false }).first().fill('xxxxxxxxxxxxxx');
  await again.page.getByRole('button', { name: 'Begin' }).click();
  await again.page.getByRole('alert').waitFor();
  await again.close();
});

test('a new key is shown once, with all of its value, and works', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'API key management' }).click();
  await page.getByRole('button', { name: 'New API key' }).first().click();
  await dialog().getByLabel('Name').fill('첫 프로그램');
  await dialog().getByRole('button', { name: 'Create key' }).click();
  key = (await dialog().getByTestId('key-value').textContent())?.trim() ?? '';
  expect(key).toMatch(/^aist_[0-9A-Za-z]{49}$/);
  await dialog().getByRole('button', { name: 'Copy key' }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
  await dialog().getByRole('button', { name: 'I have kept it' }).click();
  const row = page.getByRole('row').filter({ hasText: '첫 프로그램' });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain(`${key.slice(0, 9)}…${key.slice(-4)}`);
  await page.reload();
  await row.waitFor();
  expect(await page.content()).not.toContain(key);
  const models = await fetch(`${service.base}/v1/models`, { headers: { Authorization: `Bearer ${key}` } });
  expect(models.status).toBe(200);
});

test('the playground streams an answer with its thoughts apart, and its figures', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'Playground' }).click();
  // Once, before anything is asked of an AI.
  await page.getByRole('button', { name: 'I have read this' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('12 × 12?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Answer of CORE-GOV-THINK' });
  await answer.getByText('12 × 12 = 144').waitFor();
  await answer.getByText(/tokens out/).waitFor();
  await answer.getByRole('button', { name: 'Thoughts' }).click();
  await expect.poll(() => answer.getByRole('button', { name: 'Thoughts' }).getAttribute('aria-expanded')).toBe('true');
});

/** The program that the page shows, as a person would copy it. */
async function programOf(kind: string): Promise<string> {
  const { page } = person;
  await page.getByRole('button', { name: 'View code' }).click();
  await dialog().getByRole('tab', { name: kind }).click();
  await dialog().getByRole('tabpanel').getByRole('button').first().click();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  return text;
}

const environment = () => ({ ...process.env, AI_STUDIO_KEY: key });

test('the code for curl runs as it stands', async () => {
  const { stdout } = await run('sh', ['-c', await programOf('curl')], { env: environment() });
  const deltas = stdout.matchAll(/"content":"([^"]*)"/g);
  expect([...deltas].map(([, text]) => text).join('')).toBe('12 × 12 = 144');
  expect(stdout).toContain('data: [DONE]');
});

test('the code for JavaScript runs as it stands', async () => {
  const file = join(folder, 'program.mjs');
  await writeFile(file, await programOf('JavaScript'));
  const { stdout } = await run(process.execPath, [file], { env: environment(), cwd: folder });
  expect(stdout).toBe('12 × 12 = 144\n');
});

/** Stands for Python's package, which is not in the package registry of this project: makes the call that it is told. */
const openaiStandIn = `
import json, urllib.request
class _Object:
    def __init__(self, data):
        for key, value in data.items():
            setattr(self, key, [_Object(one) for one in value] if isinstance(value, list) else _Object(value) if isinstance(value, dict) else value)
    def __getattr__(self, name):
        return None
class _Completions:
    def __init__(self, base, key):
        self.base, self.key = base, key
    def create(self, *, extra_body=None, **body):
        request = urllib.request.Request(self.base + "/chat/completions", json.dumps({**body, **(extra_body or {})}).encode(), {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"})
        for line in urllib.request.urlopen(request):
            if line.startswith(b"data: {"):
                yield _Object(json.loads(line[6:]))
class OpenAI:
    def __init__(self, *, base_url, api_key):
        self.chat = _Object({})
        self.chat.completions = _Completions(base_url, api_key)
`;

test('the code for Python runs as it stands', async () => {
  await writeFile(join(folder, 'openai.py'), openaiStandIn);
  await writeFile(join(folder, 'program.py'), await programOf('Python'));
  const { stdout } = await run('python3', [join(folder, 'program.py')], { env: environment(), cwd: folder });
  expect(stdout).toBe('12 × 12 = 144\n');
});

test('a conversation is kept, searched, renamed, exported and deleted', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.waitForURL(/\/console\/chat$/);
  await page.getByRole('heading', { name: /^How can I help/ }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Seven times six is 7 * 6?');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/chat\/[0-9a-f]{32}$/);
  await page.getByRole('article').getByText('= 42').waitFor();
  await page.reload();
  await page.getByRole('article').getByText('= 42').waitFor();
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('searchbox').fill('nothing has this');
  await list.getByText('Nothing found.').waitFor();
  await list.getByRole('searchbox').fill('times six');
  await list.getByRole('link', { name: /Seven times six/ }).waitFor();
  await list.getByRole('button', { name: /: more$/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.md$/);
  await list.getByRole('button', { name: /: more$/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog().getByLabel('Name').fill('곱셈');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: '곱셈' }).waitFor();
  await list.getByRole('searchbox').fill('');
  await list.getByRole('button', { name: '곱셈: more' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.waitForURL(/\/console\/chat$/);
  await list.getByText('No conversations yet.').waitFor();
});

test('a deleted key is refused at once', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'API key management' }).click();
  await page.getByRole('button', { name: 'Delete key 첫 프로그램' }).click();
  await dialog().getByRole('button', { name: 'Delete key' }).click();
  await dialog().waitFor({ state: 'hidden' });
  const models = await fetch(`${service.base}/v1/models`, { headers: { Authorization: `Bearer ${key}` } });
  expect(models.status).toBe(401);
});

test('everything stands in the audit log and in the usage', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'Audit log' }).click();
  const table = page.getByRole('table', { name: 'Audit log' });
  for (const act of ['Set-up', 'API key created', 'API key deleted']) await table.getByText(act).first().waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('tab', { name: 'API key' }).click();
  await page.getByRole('table').getByText('첫 프로그램').waitFor();
});

test('no page asked anything of another host, and none complained', () => {
  expect(person.foreign).toEqual([]);
  expect(person.complaints).toEqual([]);
});
