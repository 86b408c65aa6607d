import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { type Upstream, openUpstream } from '../../support/upstream.ts';
import { builderOf, edgesOf, keepLinesOpen, still } from './built.ts';
import { cutOff, narrow, wide } from './faults.ts';
import { endless } from './filled.ts';
import { type Studio, administrator, callConsole, startStudio } from './studio.ts';

// An agent is built in a browser: by mouse, by keyboard alone, and while another saves it too; then its draft is tried.

let upstream: Upstream;
let studio: Studio;
let person: Person;
let page: Page;
let builder: ReturnType<typeof builderOf>;

beforeAll(async () => {
  upstream = await openUpstream(['local']);
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      engines: { gpu: { addresses: [upstream.url] } },
      models: { 'CORE-GOV-VLM': { engines: [{ engine: 'gpu', model: 'local' }] } },
    },
  });
  person = await studio.signedIn(
    administrator.email,
    { viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] },
    { language: 'en', theme: 'system' },
    '/console/profile',
  );
  ({ page } = person);
  builder = builderOf(person);
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});

/** A model that the built-in engine answers: agents begin with one that a language model does. */
const BUILTIN = 'CORE-GOV';

const newAgent = (name: string, more?: object) => builder.newAgent(name, more);
const read = (id: string) => builder.read(id);
const open = (id: string) => builder.open(id);
const nodes = () => builder.nodes();
const node = (id: string) => builder.node(id);
const saved = () => builder.saved();
const kind = (name: string) =>
  page.getByRole('region', { name: 'Add nodes' }).getByRole('button', { name, exact: true });
const tab = (name: string) => page.getByRole('tab', { name });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
/** Whether an element is to be seen where it stands: nothing cuts it off or lies over it. */
const isInSight = (place: Locator) =>
  place.evaluate((element) => {
    const { x, y } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint(x + 5, y + 5));
  });
async function middle(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error(`${place.toString()} is nowhere`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
/** Shows the whole graph, and waits until it has come to rest. */
async function showAll(): Promise<void> {
  await page.getByRole('button', { name: 'Show all' }).click();
  await still(page);
}
async function drag(from: Locator, to: { x: number; y: number }): Promise<void> {
  const start = await middle(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
const source = (id: string, branch?: string) =>
  node(id).locator(
    branch === undefined ? '.react-flow__handle.source' : `.react-flow__handle.source[data-handleid="${branch}"]`,
  );
const target = (id: string) => node(id).locator('.react-flow__handle.target');

describe('by mouse', () => {
  let id: string;

  test('nodes are dragged from the palette, and edges from node to node', async () => {
    id = await newAgent('By mouse');
    await open(id);
    const canvas = page.getByRole('region', { name: 'Canvas' });
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The canvas is nowhere');
    await kind('Model').dragTo(canvas, { targetPosition: { x: box.width * 0.55, y: 120 } });
    await node('model').waitFor();
    await kind('Answer').dragTo(canvas, { targetPosition: { x: box.width * 0.55, y: 320 } });
    await node('answer').waitFor();
    await page.getByRole('button', { name: 'Arrange' }).click();
    await showAll();
    await eventually(async () => {
      await drag(source('input'), await middle(target('model')));
      await page.locator('.react-flow__edge').first().waitFor({ timeout: 1_000 });
    });
    await drag(source('model'), await middle(target('answer')));
    await eventually(async () => expect(await page.locator('.react-flow__edge').count()).toBe(2));
    await saved();
    expect(edgesOf((await read(id)).draft)).toEqual(['input>model', 'model>answer']);
  });

  test('fields take results of nodes before, from a list that opens at two braces', async () => {
    await node('answer').click();
    await page.getByRole('heading', { level: 2, name: 'Answer' }).waitFor();
    const text = field('Answer');
    await text.pressSequentially('So: {{mod');
    await page.getByRole('option', { name: 'model.text' }).waitFor();
    await text.press('Enter');
    await expect.poll(() => text.inputValue()).toBe('So: {{model.text}}');
    await node('model').click();
    await page.getByRole('button', { name: 'System prompt: insert a result' }).click();
    await page.getByRole('menuitem', { name: 'input.data' }).click();
    await expect.poll(() => field('System prompt').inputValue()).toBe('{{input.data}}');
    await field('System prompt').fill('Be kind.');
    // Its input lies behind what is chosen.
    await page.getByRole('combobox', { name: 'Files to look at' }).press('ArrowDown');
    await page.getByRole('option', { name: 'input.files' }).click();
    await saved();
    await node('answer').click();
    await page.getByRole('heading', { level: 2, name: 'Answer' }).waitFor();
    const addPart = async (name: string) => {
      await page.getByRole('button', { name: 'Add data or a file' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await addPart('Data');
    await page.getByRole('group', { name: '1. Data' }).getByRole('combobox', { name: 'Result' }).fill('model.calls');
    await addPart('Files of a node');
    // A list that is open stays when its button is pushed out of sight.
    const add = page.getByRole('button', { name: 'Add data or a file' });
    await add.click();
    await add.evaluate((button) => {
      for (let above = button.parentElement; above !== null; above = above.parentElement) above.scrollTop = 0;
    });
    await expect.poll(() => isInSight(add)).toBe(false);
    await page.getByRole('menuitem', { name: 'Written file' }).click();
    const written = page.getByRole('group', { name: '3. Written file' });
    await written.getByRole('textbox', { name: 'Name of the file', exact: true }).fill('report.md');
    await written.getByRole('textbox', { name: 'Content', exact: true }).fill('# {{model.text}}');
    await page.getByRole('button', { name: 'Remove part 2' }).click();
    await saved();
    await node('model').click();
    const { draft } = await read(id);
    expect(draft.nodes.find((one) => one.id === 'answer')).toMatchObject({
      text: 'So: {{model.text}}',
      parts: [
        { kind: 'data', value: 'model.calls', name: '' },
        { kind: 'document', name: 'report.md', content: '# {{model.text}}' },
      ],
    });
    expect(draft.nodes.find((one) => one.id === 'model')).toMatchObject({ system: 'Be kind.', files: ['input.files'] });
  });

  test('a problem is told on the node, in the list and at the field, and goes when it is mended', async () => {
    await field('Prompt').fill('{{answer.text}} and {{nowhere.text}}');
    await tab('Problems').click();
    const problems = page.getByRole('tabpanel', { name: 'Problems' });
    await problems
      .getByText(/nowhere/)
      .first()
      .waitFor();
    await eventually(async () => expect(await node('model').getAttribute('aria-label')).toContain('problem'));
    await problems.getByRole('button').first().click();
    await page.locator('textarea[aria-invalid=true]').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Ask for approval' }).isDisabled()).toBe(true);
    await field('Prompt').fill('{{input.text}}');
    await page.getByRole('button', { name: 'No problems' }).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'Ask for approval' }).isDisabled()).toBe(false),
    );
  });

  test('what was done is undone and done again, step by step, and is there after the page was loaded anew', async () => {
    const before = (await read(id)).draft;
    await node('model').click();
    await field('ID').fill('writer');
    await field('ID').press('Enter');
    await node('writer').waitFor();
    await kind('Condition').click();
    await node('condition').waitFor();
    await eventually(async () => expect(await page.locator('.react-flow__edge').count()).toBe(3));
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await node('condition').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await node('model').waitFor();
    await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
    await node('writer').waitFor();
    await saved();
    const { draft } = await read(id);
    expect(draft.nodes.find((one) => one.id === 'answer')).toMatchObject({ text: 'So: {{writer.text}}' });
    await page.reload();
    await node('writer').waitFor();
    await expect.poll(() => nodes().count()).toBe(before.nodes.length);
    expect(edgesOf(draft)).toEqual(['input>writer', 'writer>answer']);
  });

  test('nodes are copied with what is between them, moved into a loop, and removed', async () => {
    await node('writer').click();
    await node('answer').click({ modifiers: ['Control'] });
    await page.getByRole('heading', { name: '2 nodes selected' }).waitFor();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await node('writer_2').waitFor();
    await node('answer_2').waitFor();
    await page.keyboard.press('Delete');
    await node('writer_2').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node('writer_2').waitFor();
    await page.keyboard.press('Control+z');
    await node('writer_2').waitFor({ state: 'detached' });
    await node('writer').click();
    await kind('Loop').click();
    await node('repeat').waitFor();
    await kind('Model').click();
    await node('model').waitFor();
    await saved();
    const { draft } = await read(id);
    expect(draft.nodes.find((one) => one.id === 'model')).toMatchObject({ parent: 'repeat' });
    expect(edgesOf(draft)).toEqual(['input>writer', 'repeat>answer', 'writer>repeat']);
    const parentOf = async (name: string) =>
      (await read(id)).draft.nodes.find((one) => one.id === name)?.parent ?? null;
    await showAll();
    const below = await middle(node('repeat'));
    await drag(node('model'), { ...below, y: below.y + 260 });
    await expect.poll(() => parentOf('model')).toBeNull();
    await showAll();
    await drag(node('model'), await middle(node('repeat')));
    await expect.poll(() => parentOf('model')).toBe('repeat');
    const tools = kind('Tool');
    const { x, y } = await middle(node('repeat'));
    const canvas = await page.getByRole('region', { name: 'Canvas' }).boundingBox();
    await tools.dragTo(page.getByRole('region', { name: 'Canvas' }), {
      targetPosition: { x: x - (canvas?.x ?? 0), y: y - (canvas?.y ?? 0) },
    });
    await node('tool').waitFor();
    await saved();
    expect((await read(id)).draft.nodes.find((one) => one.id === 'tool')).toMatchObject({ parent: 'repeat' });
  });
});

describe('by keyboard alone', () => {
  let id: string;

  /** Presses Tab until the focus is there. */
  async function reach(place: Locator, key = 'Tab'): Promise<void> {
    await place.first().waitFor({ state: 'attached' });
    for (let left = 120; left > 0; left -= 1) {
      if (await place.first().evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} never came to ${place.toString()}`);
  }
  const press = async (place: Locator, key = 'Enter') => {
    await reach(place);
    await page.keyboard.press(key);
  };

  test('nodes are inserted, connected, named and filled in', async () => {
    id = await newAgent('By keyboard');
    await open(id);
    await reach(page.getByRole('textbox', { name: 'Find a node' }));
    await page.keyboard.type('condition');
    await page.keyboard.press('Enter');
    await node('condition').waitFor();
    await page.getByText('Condition was inserted after Start').waitFor({ state: 'attached' });
    await page.keyboard.type('answer');
    await page.keyboard.press('Enter');
    await node('answer').waitFor();
    // The list is the canvas without looking at it.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    const list = page.getByRole('region', { name: 'List' });
    await press(list.getByRole('button', { name: /^Condition/ }));
    await reach(page.locator('[data-region=palette] input[type=radio]:checked'), 'Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await reach(page.getByRole('textbox', { name: 'Find a node' }));
    await page.keyboard.type('model');
    await page.keyboard.press('Enter');
    await node('model').waitFor();
    await page.keyboard.press('F6');
    await page.locator('.react-flow__node:focus').waitFor();
    await page.keyboard.press('F6');
    await page.locator('[data-region=side] :focus').waitFor();
    await press(page.getByRole('button', { name: 'Connect to…' }).last());
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first().waitFor();
    await page.locator('[role=dialog] input:focus').waitFor();
    await page.keyboard.type('answer');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press(dialog.getByRole('button', { name: 'Connect', exact: true }));
    await dialog.waitFor({ state: 'hidden' });
    await saved();
    expect(edgesOf((await read(id)).draft)).toEqual([
      'condition:else>model',
      'condition:yes>answer',
      'input>condition',
      'model>answer',
    ]);
  });

  test('keys move nodes, remove them, and take it back', async () => {
    await node('model').focus();
    await page.keyboard.press('Enter');
    const before = (await read(id)).draft.nodes.find((one) => one.id === 'model')?.position.y ?? 0;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(async () => {
      await saved();
      expect((await read(id)).draft.nodes.find((one) => one.id === 'model')?.position.y).toBeGreaterThan(before);
    });
    await page.keyboard.press('Delete');
    await node('model').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node('model').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await node('model').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node('model').waitFor();
    await saved();
    expect(edgesOf((await read(id)).draft)).toContain('model>answer');
  });

  test('an Enter that ends a Korean syllable inserts nothing', async () => {
    const find = page.getByRole('textbox', { name: 'Find a node' });
    await find.fill('모');
    await find.fill('model');
    const before = await nodes().count();
    await find.focus();
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }))`);
    await expect.poll(() => nodes().count()).toBe(before);
    await find.fill('');
  });
});

describe('a trial of the draft', () => {
  test('nodes light up, the answer streams, and a node tells what it did', async () => {
    const { body } = await callConsole(person, 'POST', '/agents', {
      name: 'Tried',
      template: 'plain_assistant',
      model: BUILTIN,
    });
    const { id } = body as AgentDetails;
    await open(id);
    await page.getByRole('button', { name: 'Try it' }).click();
    const runs = /\/runs$/;
    await page.route(runs, (route) => route.abort());
    await field('Message').fill('Hello');
    await page.keyboard.press('Enter');
    // What the service has not got stays where it was written, also for who comes back.
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    await page.unroute(runs);
    await open(id);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(() => field('Message').inputValue()).toBe('Hello');
    await field('Message').press('Enter');
    await eventually(async () =>
      expect(await page.locator('.react-flow__node [data-run=done]').count()).toBe(await nodes().count()),
    );
    const answer = page.getByRole('article', { name: 'Answer of the agent' });
    await expect.poll(async () => ((await answer.textContent()) ?? '').length).toBeGreaterThan(3);
    await nodes().nth(1).click();
    await page.getByText('Inputs', { exact: true }).waitFor();
    await page.getByText('Outputs', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'What the nodes did' }).textContent()).toContain('Hello');
  });

  test('a graph that asks back goes on with the answer', async () => {
    const id = await newAgent('Asks', {
      definition: {
        schema: 1,
        nodes: [
          { id: 'input', kind: 'input', position: { x: 0, y: 0 } },
          { id: 'ask', kind: 'ask', question: 'Which year?', position: { x: 300, y: 0 } },
          { id: 'answer', kind: 'answer', text: 'You said {{ask.text}}.', position: { x: 600, y: 0 } },
        ],
        edges: [
          { from: 'input', to: 'ask' },
          { from: 'ask', to: 'answer' },
        ],
      },
    });
    await open(id);
    await keepLinesOpen(page);
    await page.getByRole('button', { name: 'Try it' }).click();
    await field('Message').fill('Leave');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Answer of the agent' }).getByText('Which year?').waitFor();
    await page.getByPlaceholder('Answer the question').fill('2026');
    await page.keyboard.press('Enter');
    await page.getByText('You said 2026.').waitFor();
    await eventually(async () => expect(await page.locator('.react-flow__node [data-run=done]').count()).toBe(3));
  });
});

test('a document that comes with the message is read, and the question answered from it', async () => {
  const made = await callConsole(person, 'POST', '/agents', {
    name: 'Reads',
    template: 'document_processing',
    model: BUILTIN,
  });
  await open((made.body as AgentDetails).id);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.locator('[data-region=side] input[type=file]').setInputFiles({
    name: 'leave.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Leave\n\nThere are 15 days of leave a year.\n'),
  });
  await page.getByRole('list', { name: 'Attached files' }).getByText('leave.md').waitFor();
  await field('Message').fill('How many days of leave are there?');
  const send = page.getByRole('button', { name: 'Send' });
  await eventually(async () => expect(await send.isEnabled()).toBe(true));
  await send.click();
  await page.getByRole('article', { name: 'Answer of the agent' }).getByText('15 days').waitFor();
  await page
    .getByRole('button', { name: /^Read documents/ })
    .filter({ hasText: 'Done' })
    .click();
  await page.getByText('leave.md').last().waitFor();
});

test('a run under way shows what runs, and ends when it is told to', async () => {
  upstream.plays(endless);
  const model = { id: 'model', kind: 'model', model: 'CORE-GOV-VLM', position: { x: 300, y: 0 } };
  const id = await newAgent('On and on', {
    definition: {
      schema: 1,
      nodes: [
        { id: 'input', kind: 'input', position: { x: 0, y: 0 } },
        model,
        { id: 'answer', kind: 'answer', text: '{{model.text}}', position: { x: 600, y: 0 } },
      ],
      edges: [
        { from: 'input', to: 'model' },
        { from: 'model', to: 'answer' },
      ],
    },
  });
  await open(id);
  await page.getByRole('button', { name: 'Try it' }).click();
  await field('Message').fill('Tell me all');
  await page.keyboard.press('Enter');
  await node('model').locator('[data-run=running]').waitFor();
  await page.getByRole('article', { name: 'Answer of the agent' }).getByText('and on and on').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('article', { name: 'Answer of the agent' }).getByText('Stopped.').waitFor();
  await node('model').locator('[data-run=canceled]').waitFor();
  expect(await node('answer').locator('[data-run=done]').count()).toBe(0);
});

test('what was just written is saved when the page is left, and the person is asked where that fails', async () => {
  const id = await newAgent('Left');
  await open(id);
  await kind('Answer').click();
  await page.getByRole('link', { name: 'Back to the agent' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/agents/${id}`));
  expect((await read(id)).draft.nodes).toHaveLength(2);
  await open(id);
  const address = `**/console/api/agents/${id}`;
  await page.route(address, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()));
  await kind('Model').click();
  await page.getByRole('link', { name: 'Back to the agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await node('model').waitFor();
  await page.getByText('Not saved: ').waitFor();
  await page.unroute(address);
  // It is tried again by itself.
  await saved();
  expect((await read(id)).draft.nodes).toHaveLength(3);
});

test('when another saves the draft too, a person chooses whose it is', async () => {
  const id = await newAgent('Two people');
  await open(id);
  const { draft, revision } = await read(id);
  const theirs = { ...draft, limits: { seconds: 77, tokens: 1_000 } };
  expect((await callConsole(person, 'PATCH', `/agents/${id}`, { draft: theirs, revision })).status).toBe(200);
  await kind('Answer').click();
  const alert = page.getByRole('alert').filter({ hasText: 'This draft was saved elsewhere' });
  await alert.waitFor();
  await alert.getByRole('button', { name: 'Load the other one' }).click();
  await alert.waitFor({ state: 'hidden' });
  await node('answer').waitFor({ state: 'detached' });
  await saved();
  expect((await read(id)).draft.limits.seconds).toBe(77);
  // What was here before can still be had.
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  await node('answer').waitFor();
  await saved();
  const again = await read(id);
  expect(
    (await callConsole(person, 'PATCH', `/agents/${id}`, { draft: theirs, revision: again.revision })).status,
  ).toBe(200);
  await kind('Model').click();
  await alert.waitFor();
  await alert.getByRole('button', { name: 'Save mine' }).click();
  await alert.waitFor({ state: 'hidden' });
  await saved();
  expect((await read(id)).draft.nodes.map((one) => one.kind).toSorted()).toEqual(['answer', 'input', 'model']);
});

test('every part of the page is well: light and dark, wide and narrow', async () => {
  const { body } = await callConsole(person, 'POST', '/agents', { name: 'Looked at', template: 'multi_step' });
  await open((body as AgentDetails).id);
  await page.emulateMedia({ colorScheme: 'light' });
  const faults: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [place, name] of [
      ['Settings', 'settings'],
      ['Run', 'run'],
      ['Problems', 'problems'],
    ] as const) {
      await tab(place).click();
      await nodes().nth(1).click();
      // In the dark it is only the colours that are others.
      const rules = scheme === 'dark' ? ['color-contrast'] : null;
      faults.push(...(await seriousFaults(page, rules)).map((fault) => `${scheme} ${name}: ${fault}`));
    }
  }
  await page.setViewportSize(narrow);
  for (const view of ['Nodes', 'Settings and run']) {
    await page.getByRole('radiogroup', { name: 'View' }).getByText(view, { exact: true }).click();
    faults.push(...(await cutOff(page)).map((fault) => `narrow ${view}: ${fault}`));
  }
  await page.setViewportSize(wide);
  expect(faults).toEqual([]);
});

test('the page complained of nothing and asked nothing of another host', () => {
  // A save on an old revision is refused, as it is to be; another was cut off by the test.
  expect(person.complaints.filter((line) => !/409|ERR_FAILED/.test(line))).toEqual([]);
  expect(person.foreign).toEqual([]);
});
