import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { type SessionServer, startSessionServer } from '../../support/mcp-servers.ts';
import { cutOff, narrow, strays, wide } from './faults.ts';
import { holdsFocus, visit } from './moves.ts';
import { type Studio, administrator, addAccount, callConsole, startStudio } from './studio.ts';
import { covers } from '../../requirements.ts';

// Tool servers in the console: an MCP server and an HTTP service are added, tried, changed and deleted.

const SECRET = 'Bearer never-to-be-seen';

let mcp: SessionServer;
let service: Server;
let serviceUrl = '';
let studio: Studio;
let person: Person;
let page: Page;
/** What lies at the address of a description. */
let lying = '';

const description = `openapi: 3.0.3
info: { title: Stock, version: '1' }
paths:
  /items/{id}:
    get:
      operationId: stock_of
      summary: How many are there
      parameters:
        - { name: id, in: path, required: true, schema: { type: string }, description: Number of the item }
        - { name: exact, in: query, schema: { type: boolean } }
  /pictures:
    post:
      requestBody: { required: true, content: { image/png: {} } }
`;

beforeAll(async () => {
  mcp = await startSessionServer([
    {
      name: 'weather',
      description: 'Tells the weather of a city',
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Name of the city' },
          days: { type: 'integer', minimum: 1 },
          unit: { enum: ['C', 'F'] },
          place: { type: 'object' },
        },
        required: ['city'],
      },
      call: ({ args }) => ({ content: [{ type: 'text', text: JSON.stringify({ sunny: args }) }] }),
    },
  ]);
  service = createServer((request, response) => {
    if (request.url === '/openapi.yaml') return void response.end(lying);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: request.url }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  studio = await startStudio({ config: { probe: { enabled: false }, network: { allow: ['127.0.0.1'] } } });
  person = await studio.signedIn(administrator.email, {
    viewport: wide,
  });
  ({ page } = person);
  await callConsole(person, 'PATCH', '/me', { language: 'en' });
});
afterAll(async () => {
  await studio?.close();
  await mcp?.close();
  service?.closeAllConnections();
  service?.close();
});
beforeEach(async () => {
  await page.setViewportSize(wide);
  await visit(page, '/console/tools');
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
});

const dialog = () => page.getByRole('dialog');
const card = (name: string) => page.getByRole('region', { name });
/** The field that keys go to. */
const focused = (name: string) =>
  expect.poll(() => dialog().getByRole('textbox', { name }).and(page.locator(':focus')).count()).toBe(1);
/** Everything that keeps people out of what is shown now. */
async function expectWell(): Promise<void> {
  expect(await seriousFaults(page, null, 'state')).toEqual([]);
  expect(await strays(page, 'en')).toEqual([]);
  await page.setViewportSize(narrow);
  expect(await cutOff(page)).toEqual([]);
  await page.setViewportSize(wide);
}

test('an MCP server is added by keyboard, and its tools are shown', async () => {
  covers('agents.tools.console');
  await page.getByText('No tool server yet').waitFor();
  await expectWell();
  await page.getByRole('button', { name: 'Add tool server' }).focus();
  await page.keyboard.press('Enter');
  await dialog().waitFor();
  await focused('Name');
  await page.keyboard.type('Weather');
  await page.keyboard.press('Tab');
  await page.keyboard.type(mcp.url);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog().getByRole('textbox', { name: 'Header name' }).fill('Authorization');
  await dialog().getByLabel('Header value').fill(SECRET);
  await expectWell();
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await card('Weather').getByText('Ready').waitFor();
  await card('Weather').getByText('Tells the weather of a city').waitFor();
  await expect.poll(() => card('Weather').innerText()).toContain('Authorization');
  expect(mcp.requests.at(-1)?.headers.authorization).toBe(SECRET);
  expect(await page.content()).not.toContain('never-to-be-seen');
  await expectWell();
});

test('a tool is tried by keyboard', async () => {
  await page.getByRole('button', { name: 'Try weather' }).focus();
  await page.keyboard.press('Enter');
  await focused('city');
  await page.keyboard.type('Seoul');
  await dialog().getByRole('textbox', { name: 'days' }).fill('soon');
  await page.keyboard.press('Enter');
  await dialog().getByText('The tool failed').waitFor();
  await dialog().getByText('days must be integer').waitFor();
  await dialog().getByRole('textbox', { name: 'days' }).fill('3');
  await dialog().getByRole('textbox', { name: 'place' }).fill('{"x": 1}');
  await dialog().getByRole('button', { name: 'Call' }).click();
  await dialog().getByText('Answered in').waitFor();
  expect(JSON.parse(await dialog().getByLabel('Result').innerText())).toEqual({
    sunny: { city: 'Seoul', days: 3, place: { x: 1 } },
  });
  await expectWell();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

test('an HTTP service is added by its document; what is wrong with it is told', async () => {
  await page.getByRole('button', { name: 'Add tool server' }).click();
  await dialog().getByText('HTTP service (OpenAPI)').click();
  await dialog().getByText('Paste or file').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Stock');
  await dialog().getByRole('textbox', { name: 'OpenAPI document' }).fill('swagger: "2.0"');
  await dialog().getByRole('button', { name: 'Add tool server' }).click();
  await dialog().getByText('It is of Swagger 2').waitFor();
  await expectWell();
  const choosing = page.waitForEvent('filechooser');
  await dialog().getByRole('button', { name: 'Choose file' }).click();
  await (
    await choosing
  ).setFiles({ name: 'stock.yaml', mimeType: 'application/yaml', buffer: Buffer.from(description) });
  await dialog().getByRole('button', { name: 'Add tool server' }).click();
  await dialog().getByText('The document names no server').waitFor();
  await dialog().getByRole('textbox', { name: 'Address' }).fill(serviceUrl);
  await dialog().getByRole('button', { name: 'Add tool server' }).click();
  await dialog().waitFor({ state: 'detached' });
  await card('Stock').getByText('POST /pictures').waitFor();
  await page.getByRole('button', { name: 'Try stock_of' }).click();
  await dialog().getByRole('textbox', { name: 'id' }).fill('a/b');
  await dialog().getByRole('button', { name: 'Call' }).click();
  await dialog().getByText('Answered in').waitFor();
  expect(JSON.parse(await dialog().getByLabel('Result').innerText())).toEqual({ url: '/v1/items/a%2Fb' });
});

const act = async (name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test('the document of a service is fetched, and again: what is new is shown before it replaces anything', async () => {
  covers('agents.tools.description-url', 'agents.tools.description-again');
  const url = new URL('/openapi.yaml', serviceUrl).href;
  const summary = 'How many are there';
  lying = '<html>Swagger UI</html>';
  await page.getByRole('button', { name: 'Add tool server' }).click();
  await dialog().getByText('HTTP service (OpenAPI)').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Fetched');
  await dialog().getByRole('textbox', { name: 'Address of the OpenAPI document' }).fill(url);
  await dialog().getByRole('button', { name: 'Add tool server' }).click();
  await dialog().getByText('It is a page for people').waitFor();
  await expectWell();
  lying = description;
  await dialog().getByRole('button', { name: 'Add tool server' }).click();
  await dialog().waitFor({ state: 'detached' });
  await card('Fetched').getByText(url).waitFor();
  await act('Fetched', 'Fetch the document again');
  await dialog().getByText('Nothing has changed').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await dialog().waitFor({ state: 'detached' });
  lying = description
    .replace(summary, 'Counts items')
    .replace('  /pictures:', '  /news: { get: { operationId: news } }\n  /pictures:');
  // By keyboard.
  await page.getByRole('button', { name: 'Actions for Fetched' }).focus();
  await page.keyboard.press('Enter');
  await holdsFocus(page.getByRole('menu'));
  await page.getByRole('menuitem', { name: 'Fetch the document again' }).focus();
  await page.keyboard.press('Enter');
  const changes = dialog().getByRole('list', { name: 'What changes' });
  await changes.getByText('GET /news').waitFor();
  await expect.poll(() => changes.getByRole('listitem').count()).toBe(2);
  await expect.poll(() => changes.innerText()).toMatch(/Changed\s+stock_of/);
  await expectWell();
  expect(await card('Fetched').getByText('Counts items').count()).toBe(0);
  // Somebody changes it meanwhile: what was not shown is not taken in.
  lying = description.replace(summary, 'Counts them all');
  await dialog().getByRole('button', { name: 'Replace the tools' }).click();
  await dialog().getByText('has changed again since you looked').waitFor();
  await dialog().getByRole('button', { name: 'Look again' }).click();
  await expect.poll(() => changes.getByRole('listitem').count()).toBe(1);
  await dialog().getByRole('button', { name: 'Replace the tools' }).focus();
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await card('Fetched').getByText('Counts them all').waitFor();
  await act('Fetched', 'Delete');
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('a server is changed, looked at again, and told of when it is gone', async () => {
  await act('Weather', 'Edit');
  await dialog().getByText('Kept headers: Authorization').waitFor();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Sky');
  await dialog().getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/mcp');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('The kept headers are not sent to another server').waitFor();
  await dialog().getByRole('button', { name: 'Enter headers anew' }).click();
  await dialog().getByRole('button', { name: 'Remove header 1' }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  await card('Sky').getByText('Not connected').waitFor();
  await card('Sky').getByText('cannot be reached, or is not allowed').waitFor();
  await expectWell();
  await act('Sky', 'Edit');
  await dialog().getByRole('textbox', { name: 'Address' }).fill(mcp.url);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await card('Sky').getByText('Ready').waitFor();
  await act('Sky', 'Check again');
  await page.getByText('the list of tools was read anew').waitFor();
});

test('developers see and try tools, and change no server', async () => {
  const email = 'dev@example.org';
  await addAccount(studio, { email, name: 'Dana', role: 'developer' });
  const developer = await studio.signedIn(email, {}, { language: 'ko', theme: 'system' }, '/console/tools');
  await developer.page.getByRole('heading', { level: 1, name: '도구' }).waitFor();
  await developer.page.getByRole('button', { name: 'weather 시험' }).waitFor();
  expect(await developer.page.getByRole('button', { name: '도구 서버 추가' }).count()).toBe(0);
  expect(await strays(developer.page, 'ko')).toEqual([]);
  await developer.page.getByRole('button', { name: 'weather 시험' }).click();
  await developer.page.getByRole('dialog').getByText('Name of the city').waitFor();
  expect(await strays(developer.page, 'ko')).toEqual([]);
  await developer.page.keyboard.press('Escape');
  await developer.page.getByRole('dialog').waitFor({ state: 'detached' });
  await developer.page.getByRole('button', { name: 'Sky 작업' }).click();
  await expect.poll(() => developer.page.getByRole('menuitem').allInnerTexts()).toEqual(['다시 확인']);
});

test('a server that agents use is deleted with a warning only', async () => {
  const servers = (await callConsole(person, 'GET', '/agent-servers')).body as {
    items: { id: string; name: string }[];
  };
  const id = servers.items.find(({ name }) => name === 'Sky')?.id ?? '';
  const made = await callConsole(person, 'POST', '/agents', { name: 'Forecaster', template: 'plain_assistant' });
  const agent = made.body as { id: string; revision: number; draft: { nodes: object[] } };
  const node = { id: 'ask', kind: 'tool', tool: { kind: 'server', server: id, tools: ['weather'] }, arguments: {} };
  const draft = { ...agent.draft, nodes: [...agent.draft.nodes, node] };
  await callConsole(person, 'PATCH', `/agents/${agent.id}`, { draft, revision: agent.revision });
  await page.reload();
  await card('Sky').getByRole('link', { name: 'Forecaster' }).waitFor();
  await act('Sky', 'Delete');
  await dialog().getByText('Agents that use it: Forecaster').waitFor();
  await expectWell();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await act('Sky', 'Delete');
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await card('Sky').count()).toBe(0);
  expect(person.complaints.filter((complaint) => !/ 4(00|09) /.test(complaint))).toEqual([]);
  expect(person.foreign).toEqual([]);
});
