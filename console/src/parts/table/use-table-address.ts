import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Order } from './order.ts';
import { orderOf, sortText } from './table-address.ts';
import { type TableSearch } from './table-search.ts';

/** Order and search, which stand in the address, so that they survive a reload and can be sent to a colleague. */
export function useTableAddress(columns: readonly string[], usual: Order | null) {
  const { sort, q = '' } = useSearch({ strict: false }) as TableSearch;
  const navigate = useNavigate();
  // Typing is not kept up by the router.
  const [typed, setTyped] = useState(q);
  const write = (change: TableSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true, hash: true });
  return {
    order: orderOf(sort, columns, usual),
    onOrder: (order: Order | null) => write({ sort: sortText(order, usual) }),
    typed,
    onTyped(text: string) {
      setTyped(text);
      write({ q: text.trim() === '' ? undefined : text.trim() });
    },
  };
}

/** The same for whoever asks the service for the rows: what is looked for, once the typing pauses, and in which of its orders. */
export function useTableQuery<Sort extends string>(
  sorts: readonly Sort[],
): {
  readonly q: string;
  readonly sort: Sort | undefined;
} {
  const { sort, q = '' } = useSearch({ strict: false }) as TableSearch;
  const [wanted] = useDebouncedValue(q, 250);
  return { q: wanted, sort: sorts.find((known) => known === sort) };
}
