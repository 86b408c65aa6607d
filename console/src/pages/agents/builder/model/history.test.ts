import { expect, test } from 'vitest';
import { replaceNode, removeNodes } from './edit.ts';
import { nodeOf } from './graph.ts';
import { type EditorAction, type EditorState, editorReducer, initialEditorState } from './history.ts';
import { node, simple } from './sample.fixture.ts';

const prompt = (text: string, at: number): EditorAction => ({
  type: 'edit',
  group: 'model.prompt',
  at,
  edit: ({ definition }) => ({ definition: replaceNode(definition, node('model', 'model', { prompt: text })) }),
});
const after = (editing: EditorState, ...events: readonly EditorAction[]) => events.reduce(editorReducer, editing);
const promptOf = ({ definition }: EditorState) => {
  const model = nodeOf(definition, 'model');
  return model?.kind === 'model' ? model.prompt : null;
};

test('what is typed in one go is undone at once, and done again', () => {
  const first = initialEditorState(simple());
  const typed = after(first, prompt('a', 0), prompt('ab', 300), prompt('abc', 600), prompt('later', 9_000));
  const once = after(typed, { type: 'undo' });
  expect(promptOf(once)).toBe('abc');
  const twice = after(once, { type: 'undo' });
  expect(twice.definition).toBe(first.definition);
  expect(after(twice, { type: 'undo' })).toBe(twice);
  expect(promptOf(after(twice, { type: 'redo' }, { type: 'redo' }, { type: 'redo' }))).toBe('later');
});

test('after an undo, what is typed is a step of its own, and there is no way forth', () => {
  const typed = after(
    initialEditorState(simple()),
    prompt('a', 0),
    prompt('b', 5_000),
    { type: 'undo' },
    prompt('c', 5_100),
  );
  expect(typed.future).toEqual([]);
  expect(promptOf(after(typed, { type: 'undo' }))).toBe('a');
});

test('only what is there is chosen', () => {
  const chosen = after(initialEditorState(simple()), {
    type: 'select',
    nodes: ['model', 'search'],
    edges: ['search model '],
  });
  const gone = after(chosen, {
    type: 'edit',
    at: 0,
    edit: ({ definition }) => ({ definition: removeNodes(definition, new Set(['model'])) }),
  });
  expect([gone.nodes, gone.edges]).toEqual([['search'], []]);
});

test('an edit that changes nothing is no step', () => {
  const first = initialEditorState(simple());
  expect(after(first, { type: 'edit', at: 0, edit: ({ definition }) => ({ definition }) })).toBe(first);
});
