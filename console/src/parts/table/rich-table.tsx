import { Checkbox, Stack, Table, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHiddenColumns } from './chosen-columns.ts';
import { MoreRows, type RemoteRows } from './more-rows.tsx';
import { type Order, sortRows } from './order.ts';
import { type Selection, selectionColumn } from './selection.tsx';
import { holdsWords } from './table-address.ts';
import { type Column, Heading, Row } from './table-row.tsx';
import { BulkBar, type TableFilters, Toolbar } from './toolbar.tsx';
import { useTableAddress } from './use-table-address.ts';
import type { VirtualRows as Virtual } from './virtual-rows.tsx';
import classes from './table.module.css';

/** Of more rows only those in sight are drawn. */
const MAX_DRAWN = 100;

const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows })) as <T>(
  props: Parameters<typeof Virtual<T>>[0],
) => ReactNode;

interface RichTableProps<T> {
  /** Of this table among all of the console: what is kept in the browser is kept under it. */
  readonly name: string;
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** What words are looked for in; not asked for rows of the service, which looks for them itself. */
  readonly textOf: (row: T) => string;
  /** Left out where all rows are here. */
  readonly remote?: RemoteRows;
  /** Shown in place of rows where the search or the filters leave none. */
  readonly none?: ReactNode;
  readonly initialOrder?: Order;
  readonly onOpen?: (row: T) => void;
  readonly minWidth?: number;
  readonly selection?: Selection<T>;
  /** More filters, beside the search. */
  readonly filters?: TableFilters;
}

/** Whether a column may be put away: not the first, which names the row, and none of buttons. */
const isOptional = <T,>({ hiddenHeader = false }: Column<T>, at: number) => at > 0 && !hiddenHeader;

/**
 * Rows of a list that people work with: looked through by words and ordered in the address, columns of their choice, many at once, ten thousand as
 * quick as ten.
 */
export function RichTable<T>(props: RichTableProps<T>) {
  const {
    name,
    label,
    columns,
    rows,
    rowKey,
    textOf,
    initialOrder,
    onOpen,
    minWidth = 480,
    selection,
    filters,
    remote,
    none,
  } = props;
  const { t, i18n } = useTranslation('parts');
  const frame = useRef<HTMLDivElement>(null);
  const keys = columns.flatMap(({ key, sort }) => (sort === undefined ? [] : [key]));
  const { order, onOrder, typed, onTyped } = useTableAddress(keys, initialOrder ?? null);
  const { hidden, toggle } = useHiddenColumns(name);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(typed.trim());
  const isRemote = remote !== undefined;
  const shown = useMemo(() => {
    if (isRemote) return rows;
    const found = wanted === '' ? rows : rows.filter((row) => holdsWords(textOf(row), wanted));
    const sort = columns.find(({ key }) => key === order?.column)?.sort;
    return sort === undefined ? found : sortRows(found, sort, order?.descending ?? false, i18n.language);
  }, [isRemote, rows, wanted, textOf, columns, order?.column, order?.descending, i18n.language]);
  const isSelected = (row: T) => selected.has(rowKey(row));
  const onSelect = (row: T) => {
    const next = new Set(selected);
    if (!next.delete(rowKey(row))) next.add(rowKey(row));
    setSelected(next);
  };
  const clear = () => setSelected(new Set());
  // Rows that are gone, or that the search has put out of sight, are not acted on.
  const chosen = shown.filter(isSelected);
  const selectable = selection === undefined ? [] : shown.filter(selection.canSelect ?? (() => true));
  const visible = columns.filter((column, at) => !isOptional(column, at) || !hidden.has(column.key));
  const all =
    selection === undefined
      ? visible
      : [
          selectionColumn(selection, (row) => t('select_row', { name: row }), {
            heading: t('selection'),
            isSelected,
            onSelect,
          }),
          ...visible,
        ];
  const isLong = shown.length > MAX_DRAWN || remote?.hasMore === true;
  const drawn = isLong ? shown.slice(0, MAX_DRAWN) : shown;
  const body = (
    <Table.Tbody>
      {drawn.map((row) => (
        <Row key={rowKey(row)} row={row} columns={all} onOpen={onOpen} selected={isSelected(row)} />
      ))}
    </Table.Tbody>
  );
  return (
    <Stack gap="sm">
      {chosen.length > 0 && selection !== undefined ? (
        <BulkBar count={chosen.length} onClear={clear}>
          {selectable.length > 1 ? (
            <Checkbox
              size="xs"
              label={t('select_all', { count: selectable.length })}
              checked={chosen.length === selectable.length}
              indeterminate={chosen.length < selectable.length}
              onChange={({ currentTarget }) =>
                setSelected(new Set(currentTarget.checked ? selectable.map(rowKey) : []))
              }
            />
          ) : null}
          {selection.renderActions(chosen, clear)}
        </BulkBar>
      ) : (
        <Toolbar
          label={label}
          typed={typed}
          onTyped={onTyped}
          shown={remote === undefined ? shown.length : (remote.total ?? shown.length)}
          // Where nobody counts, all are known once they are here.
          total={remote === undefined ? rows.length : (remote.total ?? (remote.hasMore ? null : shown.length))}
          columns={columns.filter(isOptional)}
          hidden={hidden}
          onColumn={toggle}
          filters={filters}
        />
      )}
      {shown.length === 0 && none !== undefined ? (
        none
      ) : shown.length === 0 ? (
        <Text c="dimmed" ta="center" py="xl">
          {t(rows.length === 0 ? 'table_empty' : 'table_none_found')}
        </Text>
      ) : (
        <div className={classes['frame']}>
          <Table.ScrollContainer
            ref={frame}
            minWidth={minWidth}
            type="native"
            {...(isLong ? { maxHeight: 'min(70vh, 60rem)' } : {})}
          >
            <Table
              verticalSpacing={6}
              horizontalSpacing="sm"
              highlightOnHover
              stickyHeader={isLong}
              aria-label={label}
              {...(isLong ? { 'aria-rowcount': shown.length + 1 } : {})}
              className={classes['dense'] ?? ''}
            >
              <Table.Thead>
                <Table.Tr>
                  {all.map((column) => (
                    <Heading key={column.key} column={column} order={order} onOrder={onOrder} />
                  ))}
                </Table.Tr>
              </Table.Thead>
              {isLong ? (
                <Suspense fallback={body}>
                  <VirtualRows
                    rows={shown}
                    columns={all}
                    rowKey={rowKey}
                    onOpen={onOpen}
                    isSelected={isSelected}
                    frame={frame}
                  />
                </Suspense>
              ) : (
                body
              )}
            </Table>
            {remote === undefined ? null : <MoreRows {...remote} />}
          </Table.ScrollContainer>
        </div>
      )}
    </Stack>
  );
}
