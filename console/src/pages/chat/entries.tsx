import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../parts/error-state.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import classes from './chat.module.css';

interface EntriesProps {
  /** What fetches the entries, page by page. */
  readonly query: {
    /** Why some of them are not there. */
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
    refetch(): Promise<unknown>;
  };
  /** Entries of the pages that are here, each an item of a list. */
  readonly children: readonly ReactNode[];
  readonly isEmpty: boolean;
  /** What is said where there are none. */
  readonly none: string;
}

/** What was talked about before, in the list at the side: as far as it is here, and the way to more. */
export function Entries({ query, children, none, isEmpty }: EntriesProps) {
  const { t: common } = useTranslation('common');
  const { error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  return (
    <ul className={classes['list']}>
      {isPending ? (
        <li>
          <LoadingRows rows={4} />
        </li>
      ) : null}
      {error !== null ? (
        <li>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </li>
      ) : null}
      {children}
      {isEmpty && !isPending && error === null ? (
        <li>
          <Text size="sm" c="dimmed" ta="center" mt="md">
            {none}
          </Text>
        </li>
      ) : null}
      {hasNextPage ? (
        <li>
          <Button
            fullWidth
            size="xs"
            variant="subtle"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {common('more')}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}
