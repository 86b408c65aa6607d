import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingRows } from './loading.tsx';

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Shown until the answer is here. */
  readonly loading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query, or its loading and error state. Data stays visible during a refetch. */
export function Loaded<T>({ query, loading = <LoadingRows />, children }: LoadedProps<T>) {
  const { data, error, isPending, refetch } = query;
  if (data !== undefined) return children(data);
  if (isPending) return loading;
  return <ErrorState error={error} onRetry={() => void refetch()} />;
}
