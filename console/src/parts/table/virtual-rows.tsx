import { Table } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { type Column, Row } from './table-row.tsx';

interface VirtualRowsProps<T> {
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
  readonly onOpen?: ((row: T) => void) | undefined;
  readonly isSelected: (row: T) => boolean;
  /** What scrolls. */
  readonly frame: RefObject<HTMLDivElement | null>;
}

/** Height of a row before it was drawn. */
const USUAL_HEIGHT = 44;
const OVERSCAN = 12;

/** The rows that are in sight, and space for those that are not: a list of ten thousand is as quick as one of ten. */
export function VirtualRows<T>({ rows, columns, rowKey, onOpen, isSelected, frame }: VirtualRowsProps<T>) {
  // It keeps what it measures by itself, so that the compiler leaves this component as it is.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => USUAL_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (at) => rowKey(rows[at] as T),
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Table.Tbody>
      {before > 0 ? <tr aria-hidden style={{ height: before }} /> : null}
      {items.map(({ index, key }) => {
        const row = rows[index] as T;
        return (
          <Row
            key={key}
            row={row}
            columns={columns}
            onOpen={onOpen}
            index={index}
            selected={isSelected(row)}
            rowRef={virtual.measureElement}
          />
        );
      })}
      {after > 0 ? <tr aria-hidden style={{ height: after }} /> : null}
    </Table.Tbody>
  );
}
