import { Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../use-format.ts';
import { type Order, type SortValue, nextOrder, pageOf, sortRows } from './order.ts';
import { Pager } from './pager.tsx';
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

interface DataTableProps<T> {
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly initialOrder?: Order;
  /** Rows of a page; without it all are shown. */
  readonly pageSize?: number;
  /** Shown where there are no rows. */
  readonly empty?: ReactNode;
  /** Opens a row, on a click and on Enter. Give the first column a link or button too where it can be reached alone. */
  readonly onOpen?: (row: T) => void;
  readonly minWidth?: number;
}

interface HeadingProps<T> {
  readonly column: Column<T>;
  readonly order: Order | null;
  readonly onOrder: (order: Order | null) => void;
}

function Heading<T>({ column, order, onOrder }: HeadingProps<T>) {
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

/** Rows in columns, in an order that people choose, a page at a time. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, initialOrder, pageSize, empty, onOpen, minWidth = 480 } = props;
  const { t, i18n } = useTranslation('parts');
  const { number } = useFormat();
  const [order, setOrder] = useState<Order | null>(initialOrder ?? null);
  const [wantedPage, setPage] = useState(1);
  const sorted = useMemo(() => {
    const sort = columns.find(({ key }) => key === order?.column)?.sort;
    return sort === undefined ? rows : sortRows(rows, sort, order?.descending ?? false, i18n.language);
  }, [columns, rows, order, i18n.language]);
  const { page, pages, rows: shown } = pageOf(sorted, wantedPage, pageSize ?? Math.max(1, sorted.length));

  if (rows.length === 0)
    return (
      empty ?? (
        <Text c="dimmed" ta="center" py="xl">
          {t('table_empty')}
        </Text>
      )
    );
  return (
    <div className={classes['frame']}>
      <Table.ScrollContainer minWidth={minWidth} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover={onOpen !== undefined} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Heading key={column.key} column={column} order={order} onOrder={setOrder} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr
                key={rowKey(row)}
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
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages > 1 ? (
        <Group justify="space-between" className={classes['foot'] ?? ''}>
          <Text size="sm" c="dimmed" aria-live="polite">
            {t('rows_total', { total: number(rows.length) })} · {t('page_of', { page, total: pages })}
          </Text>
          <Pager label={label} page={page} pages={pages} onPage={setPage} />
        </Group>
      ) : null}
    </div>
  );
}
