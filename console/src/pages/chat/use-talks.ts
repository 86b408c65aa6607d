import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { agentChatsQuery, pinnedChatsQuery } from './agents.ts';
import { listQuery, pinnedQuery } from './conversations.ts';
import { mergeTalks, type Talk } from './talks.ts';

/** All that are pinned, the last touched first. */
export function usePinned(): readonly Talk[] {
  const whole = <T>(items: readonly T[] = []) => ({ items, hasMore: false });
  const [conversations, chats] = [useQuery(pinnedQuery).data?.items, useQuery(pinnedChatsQuery).data?.items];
  return mergeTalks(whole(conversations), whole(chats)).talks;
}

/**
 * Conversations with models and talks with agents as one list, page by page: with `text` those that hold its words, without those of a
 * folder, or of none, that are not pinned.
 */
export function useTalks(text: string, folder: string | null = null) {
  const conversations = useInfiniteQuery(listQuery(text, folder));
  const chats = useInfiniteQuery(agentChatsQuery(text, folder));
  const lists = { conversations, chats };
  const loadedOf = <T>({
    data,
    hasNextPage: hasMore,
  }: {
    data: { pages: { items: T[] }[] } | undefined;
    hasNextPage: boolean;
  }) => ({
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    hasMore,
  });
  const isPending = conversations.isPending || chats.isPending;
  const { talks, behind } = mergeTalks(loadedOf(conversations), loadedOf(chats));
  const missing = [conversations, chats].filter(({ data, error }) => data === undefined && error !== null);
  return {
    talks: isPending ? [] : talks,
    isPending,
    /** Why one of the two is not there; the other one is shown. */
    error: missing[0]?.error ?? null,
    refetch: () => Promise.all(missing.map(({ refetch }) => refetch())),
    hasNextPage: behind !== null && !isPending,
    isFetchingNextPage: conversations.isFetchingNextPage || chats.isFetchingNextPage,
    fetchNextPage: async () => (behind === null ? undefined : lists[behind].fetchNextPage()),
  };
}
