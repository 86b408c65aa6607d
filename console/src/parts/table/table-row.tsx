import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { type Order, type SortValue, nextOrder } from './order.ts';
import classes from './table.module.css';

/** A column; `sort` makes its heading a button. */
export interface Column<T> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly sort?: (row: T) => SortValue;
  /** Numbers stand at the end. */
  readonly align?: 'end';
  readonly width?: number | string;
  /** Left out on windows narrower than this. */
  readonly from?: 'xs' | 'sm' | 'md' | 'lg';
  /** The heading is for those who do not see the table: a column of buttons. */
  readonly hiddenHeader?: boolean;
}

interface HeadingProps<T> {
  readonly column: Column<T>;
  readonly order: Order | null;
  readonly onOrder: (order: Order | null) => void;
}

export function Heading<T>({ column, order, onOrder }: HeadingProps<T>) {
  const { key, header, sort, align, from, width, hiddenHeader = false } = column;
  const mine = order?.column === key ? order : null;
  const Arrow = mine === null ? IconArrowsSort : mine.descending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th
      scope="col"
      w={width}
      {...(from === undefined ? {} : { visibleFrom: from })}
      ta={align}
      aria-sort={sort === undefined ? undefined : mine === null ? 'none' : mine.descending ? 'descending' : 'ascending'}
    >
      {sort === undefined ? (
        <span className={hiddenHeader ? classes['hidden'] : undefined}>{header}</span>
      ) : (
        <UnstyledButton className={classes['heading'] ?? ''} onClick={() => onOrder(nextOrder(order, key))}>
          {header}
          <Arrow size={14} aria-hidden className={mine === null ? classes['quiet'] : undefined} />
        </UnstyledButton>
      )}
    </Table.Th>
  );
}

/** Arrow keys move between rows that can be opened; Enter opens one. */
function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return;
  const { nextElementSibling: next, previousElementSibling: previous } = event.currentTarget;
  const other = event.key === 'ArrowDown' ? next : event.key === 'ArrowUp' ? previous : null;
  if (event.key === 'Enter') open();
  else if (other instanceof HTMLElement) other.focus();
  else return;
  event.preventDefault();
}

/** Whether a click was meant for something in the row, or in a menu that opened from it, which stands elsewhere in the document. */
const isForOther = (target: EventTarget, row: Element) =>
  target instanceof Element &&
  (!row.contains(target) || target.closest('a, button, input, label, [role="menuitem"]') !== null);

interface RowProps<T> {
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly onOpen?: ((row: T) => void) | undefined;
  /** Place in the whole list, from 0, where not all of its rows are drawn. */
  readonly index?: number;
  readonly selected?: boolean;
  readonly rowRef?: Ref<HTMLTableRowElement>;
}

/** One row. */
export function Row<T>({ row, columns, onOpen, index, selected, rowRef }: RowProps<T>) {
  return (
    <Table.Tr
      {...(rowRef === undefined ? {} : { ref: rowRef })}
      {...(index === undefined ? {} : { 'data-index': index, 'aria-rowindex': index + 2 })}
      {...(selected === true ? { 'data-selected': true, 'aria-selected': true } : {})}
      {...(onOpen === undefined
        ? {}
        : {
            className: classes['opens'],
            tabIndex: 0,
            onClick: (event) => {
              if (!isForOther(event.target, event.currentTarget)) onOpen(row);
            },
            onKeyDown: (event) => onRowKey(event, () => onOpen(row)),
          })}
    >
      {columns.map(({ key, cell, align, from }) => (
        <Table.Td
          key={key}
          ta={align}
          {...(from === undefined ? {} : { visibleFrom: from })}
          className={align === 'end' ? classes['number'] : undefined}
        >
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
