import { describe, expect, test } from 'vitest';
import { newestLeaf, pathTo, type Placed, shownPath, versionsOf } from './branches.ts';

const message = (position: number, id: string, parent_id: string | null): Placed => ({
  id,
  parent_id,
  position,
  role: id.startsWith('q') ? 'user' : 'assistant',
});

// q1 ─ a1 ─ q2 ─ a2, q1 ─ b1 (answered anew) ─ q3 ─ a3, and r1 (the first question in other words) ─ c1.
const all = [
  message(1, 'q1', null),
  message(2, 'a1', 'q1'),
  message(3, 'q2', 'a1'),
  message(4, 'a2', 'q2'),
  message(5, 'b1', 'q1'),
  message(6, 'q3', 'b1'),
  message(7, 'a3', 'q3'),
  message(8, 'q9', null),
  message(9, 'c1', 'q9'),
];
const ids = (path: readonly Placed[]) => path.map(({ id }) => id);

describe('versions of a conversation', () => {
  test('are each the path to their last message; the newest is shown where none was chosen', () => {
    expect(ids(pathTo(all, 'a2'))).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(ids(shownPath(all, 'a3'))).toEqual(['q1', 'b1', 'q3', 'a3']);
    expect(ids(shownPath(all, null))).toEqual(['q9', 'c1']);
    expect(ids(shownPath(all, 'gone'))).toEqual(['q9', 'c1']);
    expect(shownPath([], null)).toEqual([]);
  });

  test('of a message are those beside it, and choosing one leads to the newest below it', () => {
    expect(versionsOf(all, message(2, 'a1', 'q1'))).toEqual(['a1', 'b1']);
    expect(versionsOf(all, message(1, 'q1', null))).toEqual(['q1', 'q9']);
    expect(newestLeaf(all, 'q1')).toBe('a3');
    expect(newestLeaf(all, 'a1')).toBe('a2');
    expect(newestLeaf(all, 'c1')).toBe('c1');
  });

  test('a circle, which no message makes, ends', () => {
    expect(ids(pathTo([message(1, 'q1', 'a1'), message(2, 'a1', 'q1')], 'a1'))).toEqual(['q1', 'a1']);
  });
});
