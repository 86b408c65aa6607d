import type { AgentChat } from '@ai-studio/contract/console/agent-talks.ts';
import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { expect, test } from 'vitest';
import { isWithAgent, mergeTalks, talkKey } from './talks.ts';

const at = (minute: number) => `2026-11-26T10:${String(minute).padStart(2, '0')}:00.000Z`;
const conversation = (minute: number) => ({ id: `c${minute}`, updated_at: at(minute) }) as ConversationSummary;
const chat = (minute: number) => ({ id: minute, slug: 'leave', updated_at: at(minute) }) as AgentChat;

/** Loads pages of two lists as the list at the side does, and returns what it shows after each. */
function paged(
  minutes: { readonly conversations: readonly number[]; readonly chats: readonly number[] },
  size: number,
) {
  const loaded = { conversations: size, chats: size };
  const shown: string[][] = [];
  for (;;) {
    const { talks, behind } = mergeTalks(
      {
        items: minutes.conversations.slice(0, loaded.conversations).map(conversation),
        hasMore: minutes.conversations.length > loaded.conversations,
      },
      { items: minutes.chats.slice(0, loaded.chats).map(chat), hasMore: minutes.chats.length > loaded.chats },
    );
    shown.push(talks.map(talkKey));
    if (behind === null) return shown;
    loaded[behind] += size;
  }
}

test('two lists are shown by their time, and only as far as nothing between is missing', () => {
  // Conversations are loaded down to 40, chats down to 10: what lies between 40 and 10 may be missing.
  expect(paged({ conversations: [50, 40, 30, 20], chats: [45, 10, 5] }, 2)).toEqual([
    ['c50', '45', 'c40'],
    ['c50', '45', 'c40', 'c30', 'c20', '10'],
    ['c50', '45', 'c40', 'c30', 'c20', '10', '5'],
  ]);
});

test('nothing that was shown moves when more is loaded, and everything is shown at the end', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => 59 - minute);
  for (const isChat of [(n: number) => n % 7 === 0, (n: number) => n > 30, () => false, () => true]) {
    const pages = paged(
      { conversations: minutes.filter((one) => !isChat(one)), chats: minutes.filter((one) => isChat(one)) },
      5,
    );
    const all = minutes.map((one) => (isChat(one) ? String(one) : `c${one}`));
    expect(pages.at(-1)).toEqual(all);
    for (const page of pages) expect(page).toEqual(all.slice(0, page.length));
  }
});

test('where a list is not there yet, nothing is shown that might stand below one of its talks', () => {
  const none = { items: [], hasMore: true };
  expect(mergeTalks({ items: [conversation(1)], hasMore: false }, none)).toEqual({ talks: [], behind: 'chats' });
  expect(mergeTalks({ items: [], hasMore: false }, { items: [], hasMore: false })).toEqual({ talks: [], behind: null });
  expect([conversation(1), chat(1)].map(isWithAgent)).toEqual([false, true]);
});
