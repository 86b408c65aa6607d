import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromJsonText, toJsonText } from '../kernel/json-text.ts';
import { readHalfTurn, Replay } from './half-turn.ts';

const frame = (type: string, data: object) => ({
  seq: 0,
  frame: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}`,
});
const added = (type: string, id: string, index: number) =>
  frame('response.output_item.added', { output_index: index, item: { id, type } });
const delta = (id: string, text: string, type = 'response.output_text.delta') =>
  frame(type, { item_id: id, output_index: 0, delta: text });
const done = (type: string, id: string, index: number) =>
  frame('response.output_item.done', { output_index: index, item: { id, type, status: 'completed' } });

test('what was told of thinking and a text is read from the events', () => {
  const half = readHalfTurn([
    added('reasoning', 'rs', 3),
    delta('rs', 'I ', 'response.reasoning_text.delta'),
    delta('rs', 'think', 'response.reasoning_summary_text.delta'),
    done('reasoning', 'rs', 3),
    added('message', 'msg', 4),
    delta('msg', 'so '),
    delta('msg', '한'),
  ]);
  expect(half).toMatchObject({
    thinking: { id: 'rs', index: 3, text: 'I think', whole: expect.stringContaining('"rs"') as string },
    message: { id: 'msg', index: 4, text: 'so 한', whole: null },
  });
});

test('nobody can go on with calls, with several texts, or behind the end of one', () => {
  expect(readHalfTurn([added('function_call', 'fc', 0)])).toBeNull();
  expect(readHalfTurn([added('message', 'a', 0), added('message', 'b', 1)])).toBeNull();
  expect(readHalfTurn([added('message', 'a', 0), done('message', 'a', 0)])).toBeNull();
  expect(readHalfTurn([])).toEqual({ thinking: null, message: null });
});

/** What a replay lets through of a text in pieces. */
function replayed(told: string, pieces: readonly string[]): { text: string; isShort: boolean } {
  let text = '';
  const item = { id: 'm', index: 0, text: told, whole: null };
  const replay = new Replay(
    { thinking: null, message: item },
    { thinking: () => expect.fail('no thinking'), content: (json) => (text += fromJsonText(json)) },
  );
  for (const piece of pieces) expect(replay.takesContent(toJsonText(piece))).toBe(true);
  return { text, isShort: replay.isShort };
}

const cut = (text: string, at: readonly number[]) => {
  const places = [...new Set(at.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
};

test('a text that is said again is told once, wherever it was cut and in whatever pieces it comes', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z가-힣 ]{1,40}$/),
      fc.nat(),
      fc.array(fc.nat(), { maxLength: 8 }),
      (whole, at, cuts) => {
        const told = whole.slice(0, at % (whole.length + 1));
        const { text, isShort } = replayed(told, cut(whole, cuts));
        expect(told + text).toBe(whole);
        expect(isShort).toBe(false);
      },
    ),
  );
});

test('a text that differs, or ends before what was told, is gone on with from there', () => {
  expect(replayed('one two', ['one ', 'three', ' four five six'])).toEqual({ text: '', isShort: true });
  expect(replayed('one two', ['one'])).toEqual({ text: '', isShort: true });
});

test('thinking whose end was told is not told again, and one that goes on is', () => {
  const said: string[] = [];
  const push = {
    thinking: (json: Parameters<typeof fromJsonText>[0]) => void said.push(fromJsonText(json)),
    content: () => undefined,
  };
  const item = { id: 'r', index: 0, text: 'ab' };
  const ended = new Replay({ thinking: { ...item, whole: '{}' }, message: null }, push);
  expect(ended.takesThinking(toJsonText('abc'))).toBe(true);
  expect(ended.takesContent(toJsonText('x'))).toBe(false);
  expect(said).toEqual([]);
  const going = new Replay({ thinking: { ...item, whole: null }, message: null }, push);
  for (const piece of ['a', 'bc', 'd']) expect(going.takesThinking(toJsonText(piece))).toBe(true);
  expect(said.join('')).toBe('cd');
});
