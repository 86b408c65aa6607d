import { describe, expect, test } from 'vitest';
import { draftOwner, readDraft, removeDraftsOf, writeDraft } from './drafts.ts';

/** A storage as browsers have it; `fails` lets it refuse, as a full or forbidden one does. */
function createStorage(fails = false): Storage {
  const held = new Map<string, string>();
  return {
    get length() {
      return held.size;
    },
    key: (at) => [...held.keys()][at] ?? null,
    getItem: (key) => held.get(key) ?? null,
    removeItem: (key) => void held.delete(key),
    clear: () => held.clear(),
    setItem(key, value) {
      if (fails) throw new Error('QuotaExceededError');
      held.set(key, value);
    },
  };
}

const kim = draftOwner('kim', 'city');

describe('drafts', () => {
  test('are kept for each person, tenant and place', () => {
    const storage = createStorage();
    writeDraft(storage, kim, 'chat/1', { text: 'one', extra: ['file'] });
    writeDraft(storage, draftOwner('kim', 'county'), 'chat/1', { text: 'other tenant' });
    writeDraft(storage, draftOwner('lee', 'city'), 'chat/1', { text: 'other person' });
    expect(readDraft(storage, kim, 'chat/1')).toMatchObject({ text: 'one', extra: ['file'] });
    expect(readDraft(storage, kim, 'chat/2')).toBeNull();
    expect(readDraft(storage, draftOwner('lee', 'city'), 'chat/1')?.text).toBe('other person');
  });

  test('go when nothing is left of them, and with the person who signs out', () => {
    const storage = createStorage();
    writeDraft(storage, kim, 'chat/1', { text: 'one' });
    writeDraft(storage, kim, 'chat/1', { text: '' });
    expect(storage.length).toBe(0);
    writeDraft(storage, kim, 'chat/1', { text: '', extra: ['file'] });
    writeDraft(storage, draftOwner('kim', 'county'), 'chat/1', { text: 'two' });
    writeDraft(storage, draftOwner('kimberly', 'city'), 'chat/1', { text: 'hers' });
    storage.setItem('studio.theme', 'dark');
    removeDraftsOf(storage, 'kim');
    expect(storage.length).toBe(2);
    expect(readDraft(storage, draftOwner('kimberly', 'city'), 'chat/1')?.text).toBe('hers');
  });

  test('the oldest make room', () => {
    const storage = createStorage();
    for (let at = 0; at < 130; at += 1) writeDraft(storage, kim, `chat/${at}`, { text: String(at) });
    expect(storage.length).toBe(100);
    expect(readDraft(storage, kim, 'chat/129')?.text).toBe('129');
  });

  test('a storage that refuses, or holds something else, stops nobody from writing', () => {
    expect(() => writeDraft(createStorage(true), kim, 'chat/1', { text: 'x' })).not.toThrow();
    const storage = createStorage();
    for (const other of ['nonsense', 'null', '[]', '{"text":1}']) {
      storage.setItem('studio.draft.kim.city.chat/1', other);
      expect(readDraft(storage, kim, 'chat/1')).toBeNull();
    }
  });
});
