import { expect, test } from 'vitest';
import { fragmentOf, pasteFragment } from './fragment.ts';
import { nodeOf } from './graph.ts';
import { definitionOf, edgesOf, node, simple } from './sample.fixture.ts';

test('a copy has ids of its own, and its texts name the copies', () => {
  const definition = simple();
  const copy = pasteFragment(definition, fragmentOf(definition, new Set(['search', 'model', 'input'])));
  expect(copy.ids).toEqual(['search_2', 'model_2']);
  expect(nodeOf(copy.definition, 'model_2')).toMatchObject({
    prompt: '{{ search_2.text }} {{input.text}}',
    passages: ['search_2.passages'],
  });
  expect(edgesOf(copy.definition)).toContain('search_2>model_2');
});

test('what is copied with its container stays in the copy of it', () => {
  const definition = definitionOf(
    [node('input', 'input'), node('loop', 'repeat'), node('model', 'inner', { parent: 'repeat' })],
    ['input>repeat'],
  );
  const copy = pasteFragment(definition, fragmentOf(definition, new Set(['repeat'])));
  expect(nodeOf(copy.definition, 'inner_2')?.parent).toBe('repeat_2');
  expect(copy.ids).toEqual(['repeat_2']);
});

test('copies never lie on each other, and go to the place that was pointed at', () => {
  const definition = simple();
  const fragment = fragmentOf(definition, new Set(['model']));
  const first = pasteFragment(definition, fragment);
  const second = pasteFragment(first.definition, fragment);
  const places = second.definition.nodes
    .filter(({ kind }) => kind === 'model')
    .map(({ position: { x, y } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(3);
  const there = pasteFragment(definition, fragment, { container: null, point: { x: 700, y: -50 } });
  expect(nodeOf(there.definition, 'model_2')?.position).toEqual({ x: 700, y: -50 });
});

test('a fragment that is put in a container becomes its child', () => {
  const loop = node('loop', 'repeat', { position: { x: 300, y: 100 } });
  const definition = definitionOf([node('input', 'input'), loop, node('model', 'model')], ['input>repeat']);
  const point = { x: 400, y: 200 };
  const copy = pasteFragment(definition, fragmentOf(definition, new Set(['model'])), { container: 'repeat', point });
  expect(nodeOf(copy.definition, 'model_2')).toMatchObject({ parent: 'repeat', position: { x: 100, y: 100 } });
});

test('of another agent, what stood in a container that is not here stands on its own', () => {
  const other = definitionOf([node('loop', 'repeat'), node('model', 'inner', { parent: 'repeat' })], []);
  const copy = pasteFragment(simple(), fragmentOf(other, new Set(['inner'])));
  expect(copy.ids).toEqual(['inner']);
  expect(nodeOf(copy.definition, 'inner')?.parent).toBeUndefined();
  // Under what is there, not on it.
  expect(nodeOf(copy.definition, 'inner')?.position.y).toBeGreaterThan(64);
});
