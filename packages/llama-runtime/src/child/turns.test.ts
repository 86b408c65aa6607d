import { describe, expect, test } from 'vitest';
import { MAX_PASSED, createTurns, priorityOf } from './turns.ts';

/** Serves all that wait, in their turns. */
function serveAll<T>(turns: ReturnType<typeof createTurns<T>>): T[] {
  const order: T[] = [];
  for (let next = turns.next(); next !== undefined; next = turns.next()) {
    turns.serve(next);
    order.push(next);
  }
  return order;
}

describe('turns', () => {
  test('the more urgent come first, and equals as they came', () => {
    const turns = createTurns<string>();
    turns.push('ingest', 'ingest');
    turns.push('batch 1', 'batch');
    turns.push('asked 1', 'interactive');
    turns.push('batch 2', 'batch');
    turns.push('asked 2', 'interactive');
    expect(turns.size()).toBe(5);
    expect([turns.size('interactive'), turns.size('batch')]).toEqual([2, 4]);
    expect(serveAll(turns)).toEqual(['asked 1', 'asked 2', 'batch 1', 'batch 2', 'ingest']);
  });

  test('nobody waits for ever: after so many it is the turn of one that was passed', () => {
    const turns = createTurns<string>();
    turns.push('ingest', 'ingest');
    turns.push('batch', 'batch');
    const order: string[] = [];
    // One more that is urgent for each that is served, as of a service that is never idle.
    for (let i = 0; i < 4 * MAX_PASSED; i++) {
      turns.push(`asked ${i}`, 'interactive');
      const next = turns.next() ?? '';
      turns.serve(next);
      order.push(next);
    }
    expect(order.indexOf('batch')).toBe(MAX_PASSED);
    expect(order.indexOf('ingest')).toBe(MAX_PASSED + 1);
  });

  test('where there is a place for the urgent alone nobody else is next, however long passed', () => {
    const turns = createTurns<string>();
    turns.push('batch', 'batch');
    for (let i = 0; i < 2 * MAX_PASSED; i++) {
      turns.push(`asked ${i}`, 'interactive');
      const next = turns.next(true) ?? '';
      expect(next).toBe(`asked ${i}`);
      turns.serve(next);
    }
    expect(turns.next(true)).toBeUndefined();
    expect(turns.next()).toBe('batch');
  });

  test('who gave up has no turn', () => {
    const turns = createTurns<string>();
    turns.push('a', 'interactive');
    turns.push('b', 'batch');
    expect(turns.remove('a')).toBe(true);
    expect(turns.remove('a')).toBe(false);
    expect(turns.next()).toBe('b');
    expect(turns.clear()).toEqual(['b']);
    expect(turns.size()).toBe(0);
  });

  test.each([
    ['batch', 'batch'],
    ['ingest', 'ingest'],
    ['interactive', 'interactive'],
    [undefined, 'interactive'],
    ['soon', 'interactive'],
  ])('a header that says %s means %s', (header, priority) => {
    expect(priorityOf(header)).toBe(priority);
  });
});
