import type { AgentChat } from '@ai-studio/contract/console/agent-talks.ts';
import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';

/** What the list at the side holds: conversations with models and talks with agents. */
export type Talk = ConversationSummary | AgentChat;

export const isWithAgent = (talk: Talk): talk is AgentChat => 'slug' in talk;

/** Names a talk among those of both kinds: numbers of sessions are shorter than ids of conversations. */
export const talkKey = ({ id }: Talk): string => String(id);

/** One of two lists, as far as it is loaded, the last touched first. */
interface Loaded<T extends Talk> {
  readonly items: readonly T[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** Down to which time nothing of a list is missing. Times are of ISO 8601 in UTC, all of one length, and so in the order of their letters. */
const endOf = ({ items, hasMore }: Loaded<Talk>): string => (hasMore ? (items.at(-1)?.updated_at ?? '9') : '');

interface Merged {
  /** Talks of both lists, the last touched first, as far as none between them is missing. */
  readonly talks: readonly Talk[];
  /** The list that has to be loaded further before more can be shown; null at the end of both. */
  readonly behind: 'conversations' | 'chats' | null;
}

/** Two lists that are loaded page by page as one. */
export function mergeTalks(conversations: Loaded<ConversationSummary>, chats: Loaded<AgentChat>): Merged {
  const ends = { conversations: endOf(conversations), chats: endOf(chats) };
  const behind = ends.conversations >= ends.chats ? 'conversations' : 'chats';
  const end = ends[behind];
  const talks = [...conversations.items, ...chats.items]
    .filter(({ updated_at: at }) => at >= end)
    .toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : one.updated_at > other.updated_at ? -1 : 0));
  return { talks, behind: end === '' ? null : behind };
}
