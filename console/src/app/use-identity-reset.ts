import type { Me } from '@ai-studio/contract/console/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { meQuery } from '../api/session.ts';

/**
 * Resets the query cache when the person or tenant changes: windows share one session, which any of them may switch. Returns a
 * key that identifies person and tenant, for components that must remount then.
 */
export function useIdentityReset({ user, tenant }: Me): string {
  const queries = useQueryClient();
  const identityKey = `${user.id} ${tenant?.id ?? ''}`;
  const before = useRef(identityKey);
  useLayoutEffect(() => {
    if (before.current === identityKey) return;
    before.current = identityKey;
    void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
  }, [identityKey, queries]);
  return identityKey;
}
