import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './table.module.css';

/** Rows that come from the service a part at a time; it looks through them and orders them. */
export interface RemoteRows {
  /** Number of rows of the whole list, of which some are here; null where nobody counts them. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

/** How far below the window the next rows are asked for. */
const AHEAD = '400px';

/** Has the next rows fetched as people come near the end of those that are here; a button for those who do not scroll. */
export function MoreRows({ hasMore, isLoading, onMore }: RemoteRows) {
  const { t } = useTranslation('common');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = place.current;
    if (end === null || !hasMore || isLoading) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: AHEAD },
    );
    watch.observe(end);
    return () => watch.disconnect();
  }, [hasMore, isLoading, onMore]);
  if (!hasMore) return null;
  return (
    <div ref={place} className={classes['more']}>
      <Button size="xs" variant="subtle" loading={isLoading} onClick={onMore}>
        {t('more')}
      </Button>
    </div>
  );
}
