import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyOf } from './history.ts';

describe('what a model is told of a conversation', () => {
  const user = (content: string) => ({ role: 'user', content }) as const;
  const assistant = (content: string) => ({ role: 'assistant', content }) as const;

  it('holds no empty answer and no two questions in a row', () => {
    expect(historyOf([user('a'), assistant(''), user('b'), assistant('c'), user('d')], 'Be kind.', 1_000)).toEqual([
      { role: 'system', content: 'Be kind.' },
      user('a\n\nb'),
      assistant('c'),
      user('d'),
    ]);
  });

  it('leaves the beginning out where there is no room for it', () => {
    const turns = [user('1'.repeat(300)), assistant('2'.repeat(300)), user('3'.repeat(300)), assistant('4'), user('5')];
    expect(historyOf(turns, null, 1_000)).toEqual(turns);
    expect(historyOf(turns, null, 400)).toEqual(turns.slice(2));
    expect(historyOf(turns, 'x'.repeat(400), 400)).toEqual([
      { role: 'system', content: 'x'.repeat(400) },
      ...turns.slice(2),
    ]);
    expect(historyOf(turns, null, 100)).toEqual(turns.slice(4));
    expect(historyOf([user('x'.repeat(9_000))], null, 100)).toEqual([user('x'.repeat(9_000))]);
  });

  it('has room for two bytes of each token, the system prompt among them, to the byte', () => {
    const turns = [user('가나'), assistant('1234'), user('56789')];
    // 6, 4 and 5 bytes: what fits just so is kept.
    expect(historyOf([user('a'), ...turns.slice(1)], null, 5)).toEqual([user('a'), ...turns.slice(1)]);
    expect(historyOf([user('ab'), ...turns.slice(1)], null, 5)).toEqual(turns.slice(2));
    expect(historyOf(turns, null, 7.5)).toEqual(turns);
    expect(historyOf(turns, null, 7)).toEqual(turns.slice(2));
    const system = { role: 'system', content: '다' };
    expect(historyOf(turns, '다', 9)).toEqual([system, ...turns]);
    expect(historyOf(turns, '다', 8.5)).toEqual([system, ...turns.slice(2)]);
  });

  it('has its last turn in any case, whoever said it', () => {
    expect(historyOf([user('1'.repeat(50)), assistant('2'.repeat(50))], null, 10)).toEqual([assistant('2'.repeat(50))]);
    expect(historyOf([assistant('1'), user('2')], null, 1_000)).toEqual([assistant('1'), user('2')]);
    expect(historyOf([], null, 1_000)).toEqual([]);
  });

  it('begins and ends with a question, whatever came before', () => {
    const said = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.string({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(said), fc.nat(1_000), (messages, room) => {
        const turns = historyOf([user('first'), ...messages, user('last')], null, room);
        expect(turns[0]?.role).toBe('user');
        expect(turns.at(-1)?.role).toBe('user');
        expect(turns.at(-1)?.content).toMatch(/last$/);
        for (const [i, { role }] of turns.entries()) expect(role).toBe(i % 2 === 0 ? 'user' : 'assistant');
      }),
    );
  });
});
