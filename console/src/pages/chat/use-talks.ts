import { useInfiniteQuery } from '@tanstack/react-query';
import { agentChatsQuery } from './agents.ts';
import { listQuery } from './conversations.ts';
import { mergeTalks } from './talks.ts';

/** Conversations with models and talks with agents as one list, page by page; with `text` those that hold its words. */
export function useTalks(text: string) {
  const conversations = useInfiniteQuery(listQuery(text));
  const chats = useInfiniteQuery(agentChatsQuery(text));
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
