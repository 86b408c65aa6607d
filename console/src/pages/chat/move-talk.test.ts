import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import { agentDraftPlace, deployedAgentsQuery, takeCarried } from './agents.ts';
import { draftPlace } from './conversations.ts';
import { moveToAgent, moveToModel } from './move-talk.ts';

const owner = 'kim.city';
const held = new Map<string, string>();
const storage = {
  get length() {
    return held.size;
  },
  key: (at) => [...held.keys()][at] ?? null,
  getItem: (key) => held.get(key) ?? null,
  setItem: (key, value) => void held.set(key, value),
  removeItem: (key) => void held.delete(key),
  clear: () => held.clear(),
} as Storage;
const written = (text: string) => ({ storage, owner, text });
const draftAt = (place: string) => readDraft(storage, owner, place);
const file = new File(['x'], 'rules.pdf');

beforeEach(() => held.clear());

test('words go along to an agent, behind what waits there, and files where it takes some', () => {
  const queries = new QueryClient();
  const agent = { name: '', description: '', greeting: '', examples: [] };
  queries.setQueryData(deployedAgentsQuery.queryKey, {
    items: [
      { ...agent, slug: 'reads', files: true },
      { ...agent, slug: 'talks', files: false },
    ],
  });
  const takeFiles = vi.fn(() => [file]);
  const place = agentDraftPlace('talks', null);
  writeDraft(storage, owner, place, { text: 'Before' });
  moveToAgent(written(' How long? '), 'talks', { queries, takeFiles });
  expect(draftAt(place)?.text).toBe('Before\n\nHow long?');
  // Nothing written takes nothing away.
  moveToAgent(written(''), 'talks', { queries, takeFiles });
  expect(draftAt(place)?.text).toBe('Before\n\nHow long?');
  expect(takeFiles).not.toHaveBeenCalled();
  expect(takeCarried(place)).toEqual([]);
  moveToAgent(written(''), 'reads', { queries, takeFiles });
  expect(takeCarried(agentDraftPlace('reads', null))).toEqual([file]);
  // Once.
  expect(takeCarried(agentDraftPlace('reads', null))).toEqual([]);
});

test('words and files go along to a model, which is chosen for the new conversation', () => {
  const place = draftPlace(null);
  const extra = {
    files: [],
    collections: [{ id: 'c', name: 'Rules' }],
    settings: { systemPrompt: 'Briefly.', modelsBeside: ['b', 'c'] },
  };
  writeDraft(storage, owner, place, { text: '', extra });
  moveToModel(written('How long?'), 'b', [file]);
  expect(draftAt(place)).toMatchObject({
    text: 'How long?',
    extra: { ...extra, settings: { systemPrompt: 'Briefly.', model: 'b', modelsBeside: ['c'] } },
  });
  // Only where they were meant to go.
  expect(takeCarried(agentDraftPlace('reads', null))).toEqual([]);
  held.clear();
  moveToModel(written(''), 'a', [file]);
  expect(draftAt(place)).toMatchObject({ text: '', extra: { settings: { model: 'a' } } });
  expect(takeCarried(place)).toEqual([file]);
});
