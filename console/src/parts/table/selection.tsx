import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './table-row.tsx';

/** Rows that can be selected, and what is done with them. */
export interface Selection<T> {
  /** Of a row, for those who do not see the table. */
  readonly nameOf: (row: T) => string;
  /** Whether a row can be selected; all where it is left out. */
  readonly canSelect?: (row: T) => boolean;
  /** Buttons of what is done with the rows that are selected; `clear` ends the selection. */
  readonly renderActions: (chosen: readonly T[], clear: () => void) => ReactNode;
}

/** The column in which rows are selected. */
export function selectionColumn<T>(
  { nameOf, canSelect = () => true }: Selection<T>,
  label: (name: string) => string,
  { heading, isSelected, onSelect }: { heading: string; isSelected: (row: T) => boolean; onSelect: (row: T) => void },
): Column<T> {
  return {
    key: 'selection',
    header: heading,
    hiddenHeader: true,
    width: 44,
    cell: (row) =>
      canSelect(row) ? (
        <Checkbox size="xs" aria-label={label(nameOf(row))} checked={isSelected(row)} onChange={() => onSelect(row)} />
      ) : null,
  };
}
