import { useState } from 'react';
import { readHiddenColumns, storeHiddenColumns } from '../../app/browser-storage.ts';

/** Columns of a table that the person has put away in this browser. */
export function useHiddenColumns(table: string): {
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (column: string) => void;
} {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(readHiddenColumns(table)));
  return {
    hidden,
    toggle(column) {
      const next = new Set(hidden);
      if (!next.delete(column)) next.add(column);
      setHidden(next);
      storeHiddenColumns(table, [...next]);
    },
  };
}
