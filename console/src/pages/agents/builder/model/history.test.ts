import { expect, test } from 'vitest';
import { withNode, withoutNodes } from './edit.ts';
import { nodeOf } from './graph.ts';
import { type EditEvent, type Editing, editingAfter, editingOf } from './history.ts';
import { node, simple } from './sample.fixture.ts';

const prompt = (text: string, at: number): EditEvent => ({
  type: 'edit',
  what: 'model.prompt',
  at,
  edit: ({ definition }) => ({ definition: withNode(definition, node('model', 'model', { prompt: text })) }),
});
const after = (editing: Editing, ...events: readonly EditEvent[]) => events.reduce(editingAfter, editing);
const promptOf = ({ definition }: Editing) => {
  const model = nodeOf(definition, 'model');
  return model?.kind === 'model' ? model.prompt : null;
};

test('what is typed in one go is undone at once, and done again', () => {
  const first = editingOf(simple());
  const typed = after(first, prompt('a', 0), prompt('ab', 300), prompt('abc', 600), prompt('later', 9_000));
  const once = after(typed, { type: 'undo' });
  expect(promptOf(once)).toBe('abc');
  const twice = after(once, { type: 'undo' });
  expect(twice.definition).toBe(first.definition);
  expect(after(twice, { type: 'undo' })).toBe(twice);
  expect(promptOf(after(twice, { type: 'redo' }, { type: 'redo' }, { type: 'redo' }))).toBe('later');
});

test('after an undo, what is typed is a step of its own, and there is no way forth', () => {
  const typed = after(editingOf(simple()), prompt('a', 0), prompt('b', 5_000), { type: 'undo' }, prompt('c', 5_100));
  expect(typed.future).toEqual([]);
  expect(promptOf(after(typed, { type: 'undo' }))).toBe('a');
});

test('only what is there is chosen', () => {
  const chosen = after(editingOf(simple()), { type: 'select', nodes: ['model', 'search'], edges: ['search model '] });
  const gone = after(chosen, {
    type: 'edit',
    at: 0,
    edit: ({ definition }) => ({ definition: withoutNodes(definition, new Set(['model'])) }),
  });
  expect([gone.nodes, gone.edges]).toEqual([['search'], []]);
});

test('an edit that changes nothing is no step', () => {
  const first = editingOf(simple());
  expect(after(first, { type: 'edit', at: 0, edit: ({ definition }) => ({ definition }) })).toBe(first);
});
