import type { Me } from '@ai-studio/contract/console/session.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Choices, readUnsavedChoices } from './browser-storage.ts';
import { saveChoices } from './save-choices.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
beforeEach(() => stored.clear());

const me = {} as Me;

test('choices are sent one after the other, and the last ones hold', async () => {
  const patches: { readonly choices: Choices; readonly done: (saved: Me) => void }[] = [];
  const patch = (choices: Choices) => new Promise<Me>((done) => void patches.push({ choices, done }));
  const onSaved = vi.fn();
  saveChoices('ada', { language: 'ko' }, patch, onSaved);
  await vi.waitFor(() => expect(patches).toHaveLength(1));
  saveChoices('ada', { language: 'en' }, patch, onSaved);
  saveChoices('ada', { theme: 'dark' }, patch, onSaved);
  await Promise.resolve();
  expect(patches).toHaveLength(1);
  patches[0]?.done(me);
  await vi.waitFor(() => expect(patches).toHaveLength(2));
  expect(patches[1]?.choices).toEqual({ language: 'en', theme: 'dark' });
  expect(onSaved).not.toHaveBeenCalled();
  patches[1]?.done(me);
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(readUnsavedChoices('ada')).toBeNull();
  expect(patches).toHaveLength(2);
});

test('what did not arrive is kept for that person, and goes along with the next choice', async () => {
  const patch = vi.fn<(choices: Choices) => Promise<Me>>();
  patch.mockRejectedValueOnce(new Error('away'));
  saveChoices('ada', { language: 'ko' }, patch, () => undefined);
  await vi.waitFor(() => expect(patch).toHaveBeenCalledOnce());
  expect(readUnsavedChoices('ada')).toEqual({ language: 'ko' });
  expect(readUnsavedChoices('bob')).toBeNull();
  patch.mockResolvedValueOnce(me);
  saveChoices('ada', { theme: 'light' }, patch, () => undefined);
  await vi.waitFor(() => expect(readUnsavedChoices('ada')).toBeNull());
  expect(patch).toHaveBeenLastCalledWith({ language: 'ko', theme: 'light' });
});

test('where a browser forbids storage, choices are saved all the same', async () => {
  vi.stubGlobal('localStorage', undefined);
  const patch = vi.fn<(choices: Choices) => Promise<Me>>().mockResolvedValue(me);
  saveChoices('ada', { theme: 'dark' }, patch, () => undefined);
  await vi.waitFor(() => expect(patch).toHaveBeenCalledExactlyOnceWith({ theme: 'dark' }));
  await vi.waitFor(() => expect(readUnsavedChoices('ada')).toBeNull());
});
