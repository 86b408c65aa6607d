import type { RemoteRows } from './more-rows.tsx';

/** What a table is told of an infinite query, and of the number of rows of the whole list; null where nobody counts them. */
export const remoteRows = (
  {
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  }: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  },
  total: number | null,
): RemoteRows => ({
  total,
  hasMore: hasNextPage,
  isLoading: isFetchingNextPage,
  onMore: () => void fetchNextPage(),
});

/** Rows that one call brings. */
export const ROWS_AT_ONCE = 100;

/** Where the next part of a list begins, of which these are here; null at its end. */
export function nextFrom(pages: readonly { readonly items: readonly unknown[]; readonly total: number }[]) {
  const read = pages.reduce((sum, { items }) => sum + items.length, 0);
  const last = pages.at(-1);
  return last !== undefined && last.items.length > 0 && read < last.total ? read : null;
}
