import type { Me } from '@ai-studio/contract/console/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { meQuery } from '../api/session.ts';

/**
 * Drops what was fetched for another tenant or person: windows share one session, which may move in any of them. Returns
 * a key of where the person stands now, for what must begin anew then.
 */
export function useOneStanding({ user, tenant }: Me): string {
  const queries = useQueryClient();
  const standing = `${user.id} ${tenant?.id ?? ''}`;
  const before = useRef(standing);
  useLayoutEffect(() => {
    if (before.current === standing) return;
    before.current = standing;
    void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
  }, [standing, queries]);
  return standing;
}
