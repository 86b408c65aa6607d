import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { builderOf, edgesOf } from './built.ts';
import { holdsFocus, visit } from './moves.ts';
import { type Studio, administrator, startStudio } from './studio.ts';

// What the menus of the canvas offer, by right click and by keyboard; nodes that are copied from one agent to another.

let studio: Studio;
let person: Person;
let page: Page;
let builder: ReturnType<typeof builderOf>;

beforeAll(async () => {
  studio = await startStudio();
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
});

const node = (id: string) => builder.node(id);
const menu = (name: string | RegExp) => page.getByRole('menu', { name });
/** By keyboard. The focus goes into a menu a moment after that has opened: an Enter before would be for its first item. */
async function choose(name: string, item: string): Promise<void> {
  await holdsFocus(menu(name));
  await menu(name).getByRole('menuitem', { name: item }).press('Enter');
}
const edge = (name: string) => page.getByRole('group', { name }).or(page.getByRole('img', { name })).first();
const edges = async (id: string) => edgesOf((await builder.read(id)).draft);
const isFocused = (place: Locator) =>
  eventually(async () => expect(await place.evaluate((element) => element.matches(':focus'))).toBe(true));

/** input → model → answer, and the draft of it. */
const line = (name: string) =>
  builder.newAgent(name, {
    definition: {
      schema: 1,
      nodes: [
        { id: 'input', kind: 'input', position: { x: 0, y: 0 } },
        { id: 'model', kind: 'model', model: 'CORE-GOV', position: { x: 280, y: 0 } },
        { id: 'answer', kind: 'answer', text: '{{model.text}}', position: { x: 560, y: 0 } },
      ],
      edges: [
        { from: 'input', to: 'model' },
        { from: 'model', to: 'answer' },
      ],
    },
  });

describe('by right click', () => {
  let id: string;

  test('a node is duplicated, renamed, followed by another, and removed', async () => {
    id = await line('By right click');
    await builder.open(id);
    await node('model').click({ button: 'right' });
    await menu('Actions for Model').getByRole('menuitem', { name: 'Duplicate' }).click();
    await node('model_2').waitFor();
    await node('model_2').click({ button: 'right' });
    await menu('Actions for Model').getByRole('menuitem', { name: 'Delete' }).click();
    await node('model_2').waitFor({ state: 'detached' });
    await node('model').click({ button: 'right' });
    await menu('Actions for Model').getByRole('menuitem', { name: 'Rename' }).click();
    await isFocused(page.getByRole('textbox', { name: 'Name', exact: true }));
    await page.keyboard.type('Writer');
    await node('model').click({ button: 'right' });
    await menu('Actions for Writer').getByRole('menuitem', { name: 'Add a node after it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a node' });
    await dialog.getByRole('button', { name: /^Mask personal data/ }).click();
    await node('mask').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await builder.saved();
    await eventually(async () => expect(await edges(id)).toEqual(['input>model', 'mask>answer', 'model>mask']));
    expect((await builder.read(id)).draft.nodes.find((one) => one.id === 'model')?.name).toBe('Writer');
  });

  test('a node is added where the canvas was pointed at, and all are chosen', async () => {
    const box = await page.getByRole('region', { name: 'Canvas' }).boundingBox();
    if (box === null) throw new Error('The canvas is nowhere');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 220, { button: 'right' });
    await menu('Actions for Canvas').getByRole('menuitem', { name: 'Add a node here' }).click();
    await isFocused(page.getByRole('dialog', { name: 'Add a node' }).getByRole('textbox', { name: 'Find a node' }));
    await page.keyboard.type('tool');
    await page.keyboard.press('Enter');
    await node('tool').waitFor();
    await isFocused(node('tool'));
    await page.mouse.click(box.x + box.width / 2, box.y + 60, { button: 'right' });
    await menu('Actions for Canvas').getByRole('menuitem', { name: 'Select all' }).click();
    await page.getByRole('heading', { name: '5 nodes selected' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });
});

test('by keyboard alone: the menus of a node, an edge and the canvas, and the focus where it was', async () => {
  const id = await line('By keyboard');
  await builder.open(id);
  await node('model').focus();
  await page.keyboard.press('Shift+F10');
  await holdsFocus(menu('Actions for Model'));
  await page.keyboard.press('Escape');
  await menu('Actions for Model').waitFor({ state: 'hidden' });
  await isFocused(node('model'));
  await page.keyboard.press('ContextMenu');
  await choose('Actions for Model', 'Connect to');
  await page.getByRole('dialog', { name: 'Connect Model' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await isFocused(node('model'));
  await edge('From Model to Answer').focus();
  await page.keyboard.press('Shift+F10');
  await choose('Actions for From Model to Answer', 'Insert a node');
  await isFocused(page.getByRole('dialog', { name: 'Insert a node' }).getByRole('textbox', { name: 'Find a node' }));
  await page.keyboard.type('condition');
  await page.keyboard.press('Enter');
  await node('condition').waitFor();
  await isFocused(node('condition'));
  await builder.saved();
  await eventually(async () =>
    expect(await edges(id)).toEqual(['condition:yes>answer', 'input>model', 'model>condition']),
  );
  // F2 goes to the name, and the list has the same menu.
  await page.keyboard.press('F2');
  await isFocused(page.getByRole('textbox', { name: 'Name', exact: true }));
  await page.getByRole('radiogroup', { name: 'Nodes' }).getByText('List').click();
  await page
    .getByRole('region', { name: 'List' })
    .getByRole('button', { name: /^Condition/ })
    .focus();
  await page.keyboard.press('Shift+F10');
  await choose('Actions for Condition', 'Delete');
  await node('condition').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Arrange' }).focus();
  await page.keyboard.press('Shift+F10');
  await choose('Actions for Canvas', 'Undo');
  await node('condition').waitFor();
});

test('nodes are copied with what is between them, and pasted into another agent', async () => {
  const from = await line('Copied from');
  await builder.open(from);
  await node('model').click();
  await node('answer').click({ modifiers: ['Control'] });
  await page.getByRole('heading', { name: '2 nodes selected' }).waitFor();
  await node('answer').click({ button: 'right' });
  await menu('2 nodes selected').getByRole('menuitem', { name: 'Copy' }).click();
  const to = await builder.newAgent('Pasted into');
  await builder.open(to);
  const box = await page.getByRole('region', { name: 'Canvas' }).boundingBox();
  if (box === null) throw new Error('The canvas is nowhere');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 260, { button: 'right' });
  await menu('Actions for Canvas').getByRole('menuitem', { name: 'Paste' }).click();
  await node('model').waitFor();
  await node('answer').waitFor();
  await builder.saved();
  await eventually(async () => expect(await edges(to)).toEqual(['model>answer']));
  // Once more by keys: beside the first, under names of their own.
  await page.keyboard.press('Control+v');
  await node('model_2').waitFor();
  await builder.saved();
  await eventually(async () => expect(await edges(to)).toEqual(['model>answer', 'model_2>answer_2']));
  const { draft } = await builder.read(to);
  expect(draft.nodes.find((one) => one.id === 'answer_2')).toMatchObject({ text: '{{model_2.text}}' });
  expect(new Set(draft.nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(draft.nodes.length);
});

test('where nothing was copied, the menu says so', async () => {
  await page.evaluate(`navigator.clipboard.writeText('just words')`);
  const id = await line('Nothing to paste');
  // A page keeps what was copied in it: this one is another.
  await page.goto(`/console/agents/${id}/build`);
  await builder.nodes().first().waitFor();
  const box = await page.getByRole('region', { name: 'Canvas' }).boundingBox();
  if (box === null) throw new Error('The canvas is nowhere');
  await page.mouse.click(box.x + box.width / 2, box.y + 60, { button: 'right' });
  await menu('Actions for Canvas').getByRole('menuitem', { name: 'Paste' }).click();
  await page.getByText('There are no nodes on the clipboard.').waitFor();
  await expect.poll(() => builder.nodes().count()).toBe(3);
});

test('a run that failed says where, why and what to do, and is opened again later', async () => {
  const id = await builder.newAgent('Fails', {
    definition: {
      schema: 1,
      nodes: [
        { id: 'input', kind: 'input', position: { x: 0, y: 0 } },
        {
          id: 'sum',
          kind: 'tool',
          name: 'Adds up',
          tool: { kind: 'calculator' },
          arguments: { expression: '{{input.text}}' },
          position: { x: 280, y: 0 },
        },
        { id: 'answer', kind: 'answer', text: 'It is {{sum.text}}.', position: { x: 560, y: 0 } },
      ],
      edges: [
        { from: 'input', to: 'sum' },
        { from: 'sum', to: 'answer' },
      ],
    },
  });
  await builder.open(id);
  await page.getByRole('button', { name: 'Try it' }).click();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('no sum');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert').filter({ hasText: '“Adds up” failed' });
  await alert.getByText('Look at what went in').waitFor();
  await node('sum').locator('[data-run=failed]').first().waitFor();
  await message.fill('2 + 3');
  await page.keyboard.press('Enter');
  await page.getByText('It is 5.').waitFor();
  await node('sum').locator('[data-run=done]').first().waitFor();
  // Of an earlier message the canvas shows what its nodes did when it is asked for.
  await page.getByRole('button', { name: 'Show what the nodes did' }).click();
  await node('sum').locator('[data-run=failed]').first().waitFor();
  await alert.getByRole('button', { name: 'Open its settings' }).click();
  await page.getByRole('heading', { level: 2, name: 'Adds up' }).waitFor();
  // Later: from the list in the builder, and from the page of the agent.
  await builder.open(id);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Trials before' }).click();
  await page.getByRole('menuitem', { name: /^no sum/ }).click();
  await page.getByText('It is 5.').waitFor();
  await node('sum').locator('[data-run=done]').first().waitFor();
  await visit(page, `/console/agents/${id}?tab=sessions`);
  await page.getByRole('link', { name: 'no sum' }).click();
  await page.getByRole('link', { name: 'Show on the canvas' }).click();
  await page.getByText('It is 5.').waitFor();
  await node('answer').locator('[data-run=done]').first().waitFor();
  // It goes on where it was left.
  await message.fill('4 * 4');
  await page.keyboard.press('Enter');
  await page.getByText('It is 16.').waitFor();
  await expect.poll(() => page.getByText('It is 5.').count()).toBe(1);
  expect(await seriousFaults(page)).toEqual([]);
});

test('the page complained of nothing', () => {
  expect(person.complaints).toEqual([]);
  expect(person.foreign).toEqual([]);
});
