import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SlotsOptions, createSlots } from './slots.ts';

/** A fake of the native memory: how many tokens each sequence holds. */
function fakeContext(options: { recurrent?: boolean; forgets?: number } = {}) {
  const held = new Map<number, number>();
  const context: SlotsOptions['context'] = {
    removeTokenCellsFromSequence(id, start) {
      if (options.recurrent === true) return false;
      held.set(id, Math.min(held.get(id) ?? 0, start));
      return true;
    },
    disposeSequence: (id) => void held.set(id, 0),
    getSequenceKvCacheMinPosition: () => options.forgets ?? 0,
    copySequenceStateFromOtherSequence(target, source) {
      held.set(target, held.get(source) ?? 0);
      return Promise.resolve((held.get(source) ?? 0) - 1);
    },
  };
  return { context, held };
}
const tokens = (text: string) => Uint32Array.from(text, (char) => char.charCodeAt(0));

function createUse(options: Parameters<typeof fakeContext>[0] = {}, count = 2, slidingWindow: number | null = null) {
  const { context, held } = fakeContext(options);
  const slots = createSlots({ context, count, contextLength: 256, slidingWindow });
  /** Reads a prompt and a reply into a slot, as the scheduler does. */
  const use = (prompt: string, reply = '') => {
    const taken = slots.take(tokens(prompt));
    if (!taken) return null;
    const rest = tokens(prompt + reply).subarray(taken.cached);
    slots.append(taken.slot, rest);
    held.set(taken.slot.id, taken.slot.length);
    slots.release(taken.slot);
    return { id: taken.slot.id, cached: taken.cached };
  };
  return { slots, use, held };
}

describe('slots of the context', () => {
  test('the next turn of a conversation finds its slot', () => {
    const { use } = createUse();
    const first = use('hello', ' you');
    use('something else');
    expect(use('hello you, again')).toEqual({ id: first?.id, cached: 9 });
  });

  test('the last token of a prompt is always read', () => {
    const { use } = createUse();
    use('same');
    expect(use('same')?.cached).toBe(3);
  });

  test('a short common beginning does not cost another conversation its place', () => {
    const { use } = createUse();
    const first = use(`sys ${'long conversation '.repeat(8)}`);
    const other = use('sys and a new one');
    expect(other).toEqual({ id: 1 - (first?.id ?? 0), cached: 0 });
  });

  test('of other conversations the one that rested longest goes', () => {
    const { use } = createUse();
    const [a] = [use('aaaaaaaa'), use('bbbbbbbb')];
    expect(use('cccccccc')?.id).toBe(a?.id);
  });

  test('a busy slot is not taken', () => {
    const { slots } = createUse();
    const taken = [slots.take(tokens('x')), slots.take(tokens('x')), slots.take(tokens('x'))];
    expect(new Set(taken.map((one) => one?.slot.id)).size).toBe(3);
    expect(taken[2]).toBeNull();
  });

  test('a model that cannot go back begins anew', () => {
    const { use, held } = createUse({ recurrent: true }, 1);
    use('hello', ' you');
    expect(use('hello me')).toEqual({ id: 0, cached: 0 });
    expect(use('hello me too')).toEqual({ id: 0, cached: 8 });
    expect(held.get(0)).toBe(12);
  });

  test.each([
    ['as far as it is wanted', {}, 4],
    ['not at all where a model cannot go back', { recurrent: true }, 0],
  ])('a copy holds what the other holds, %s', async (_name, options, wanted) => {
    const { slots, use, held } = createUse(options);
    use('hello', ' you');
    const from = slots.take(tokens('hello you!'))?.slot;
    const to = slots.take(tokens('something else'))?.slot;
    if (!from || !to) throw new Error('No slot');
    expect(await slots.copy(from, to, 4)).toBe(wanted);
    expect(held.get(to.id)).toBe(wanted);
    expect(to.length).toBe(wanted);
    expect(from.length).toBe(9);
  });

  test('a window that has moved on is read anew', () => {
    const { use } = createUse({ forgets: 4 }, 1, 3);
    use('0123456789', 'ab');
    expect(use('0123456789abc')?.cached).toBe(12);
    // Of the token after "01234" the window begins at 2, and that is gone.
    expect(use('01234xyz')?.cached).toBe(0);
  });

  test('whatever comes, what a slot is said to hold is what it holds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (turns) => {
        const { use } = createUse({}, 2);
        const contents = ['', ''];
        for (const [prompt, reply] of turns) {
          const taken = use(prompt, reply);
          if (!taken) throw new Error('No slot');
          expect(contents[taken.id]?.slice(0, taken.cached)).toBe(prompt.slice(0, taken.cached));
          contents[taken.id] = prompt + reply;
        }
      }),
    );
  });
});
