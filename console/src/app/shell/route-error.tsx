import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../../parts/error-state.tsx';
import { isMissingChunk, reloadIfReachable, reloadWhenBack } from '../reload-when-stale.ts';

/** Shown in place of a page that failed. One that could not be loaded while the service was away is loaded once it is back. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    if (isMissingChunk(error)) return void reloadIfReachable(window);
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    if (!isMissingChunk(error)) return undefined;
    const abort = new AbortController();
    void reloadWhenBack(window, abort.signal);
    return () => abort.abort();
  }, [error]);
  return <ErrorState error={error} onRetry={retry} />;
}
