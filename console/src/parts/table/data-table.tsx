import { Group, Table, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../use-format.ts';
import { type Order, pageOf, sortRows } from './order.ts';
import { Pager } from './pager.tsx';
import { type Column, Heading, Row } from './table-row.tsx';
import classes from './table.module.css';

export type { Column } from './table-row.tsx';

interface DataTableProps<T> {
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly initialOrder?: Order;
  /** Where the rows are ordered elsewhere, as they come a page at a time: how they are, and what is told when people want another order. */
  readonly ordered?: { readonly order: Order | null; readonly onOrder: (order: Order | null) => void };
  /** Rows of a page; without it all are shown. */
  readonly pageSize?: number;
  /** Shown where there are no rows. */
  readonly empty?: ReactNode;
  /** Opens a row, on a click and on Enter. Give the first column a link or button too where it can be reached alone. */
  readonly onOpen?: (row: T) => void;
  readonly minWidth?: number;
}

/** Rows in columns, in an order that people choose, a page at a time. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, initialOrder, ordered, pageSize, empty, onOpen, minWidth = 480 } = props;
  const { t, i18n } = useTranslation('parts');
  const { number } = useFormat();
  const [ownOrder, setOwnOrder] = useState<Order | null>(initialOrder ?? null);
  const order = ordered === undefined ? ownOrder : ordered.order;
  const setOrder = ordered?.onOrder ?? setOwnOrder;
  const isOrderedHere = ordered === undefined;
  const [wantedPage, setPage] = useState(1);
  const sorted = useMemo(() => {
    const sort = isOrderedHere ? columns.find(({ key }) => key === order?.column)?.sort : undefined;
    return sort === undefined ? rows : sortRows(rows, sort, order?.descending ?? false, i18n.language);
  }, [columns, rows, order, isOrderedHere, i18n.language]);
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
              <Row key={rowKey(row)} row={row} columns={columns} onOpen={onOpen} />
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
