import { describe, expect, test } from 'vitest';
import { fromJsonText } from '../../../kernel/json-text.ts';
import { createToolCalls } from './tool-calls.ts';

type Element = Parameters<ReturnType<typeof createToolCalls>['take']>[0];

/** The calls that pieces come to: id, name and arguments, in the order of their numbers. */
function read(elements: readonly Element[]): (readonly [string | null, string, string])[] {
  const found: { id: string; name: string; json: string }[] = [];
  const calls = createToolCalls(
    0,
    (event) => {
      if (event.type === 'tool_call') {
        expect(found[event.call]).toBeUndefined();
        found[event.call] = { id: event.id, name: event.name, json: '' };
      }
      const call = event.type === 'tool_arguments' ? found[event.call] : undefined;
      if (call && event.type === 'tool_arguments') call.json += fromJsonText(event.json);
    },
    () => undefined,
  );
  for (const element of elements) calls.take(element, [], false);
  calls.flush();
  return found.map(({ id, name, json }) => [/^call_[0-9a-f]{24}$/.test(id) ? null : id, name, json]);
}

const named = (name: string | null, more: object = {}, json: string | null = null) => ({
  index: 0,
  function: { name, arguments: json },
  ...more,
});

describe('a name that comes in pieces', () => {
  test.each<[string, readonly Element[]]>([
    ['each the next one', [named('get_', { id: 'a' }), named('wea'), named('ther'), named(null, {}, '{}')]],
    ['each all of it so far', [named('get_', { id: 'a' }), named('get_wea'), named('get_weather', {}, '{}')]],
    ['with its id each time', [named('get_', { id: 'a' }), named('weather', { id: 'a' }), named(null, {}, '{}')]],
    ['the id last', [named('get_'), named('weather', { id: 'a' }), named(null, {}, '{'), named(null, {}, '}')]],
    [
      'without an index',
      [named('get_', { id: 'a', index: undefined }), { function: { name: 'weather', arguments: '{}' } }],
    ],
  ])('is put together: %s', (_name, elements) => {
    expect(read(elements)).toEqual([['a', 'get_weather', '{}']]);
  });

  test('is whole where the reply ends, or the next call begins', () => {
    expect(read([named('a', { id: '1' }), named('b', { id: '1' })])).toEqual([['1', 'ab', '']]);
    expect(read([named('a'), named('b'), named('c', { index: 1 }), named('d', { index: 1 }, '{}')])).toEqual([
      [null, 'ab', ''],
      [null, 'cd', '{}'],
    ]);
  });

  test('of two calls at one index is told by their ids', () => {
    expect(read([named('a', { id: '1' }), named('b', { id: '2' })])).toEqual([
      ['1', 'a', ''],
      ['2', 'b', ''],
    ]);
  });

  test('that is repeated with each piece of the arguments is one name', () => {
    expect(read([named('a', { id: '1' }, '{"x"'), named('a', { id: '1' }, ':1}')])).toEqual([['1', 'a', '{"x":1}']]);
  });
});
