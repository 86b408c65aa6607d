import { Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconColumns3, IconFilter, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../use-format.ts';

/** Filters of a table beside its search. */
export interface TableFilters {
  readonly fields: ReactNode;
  /** How many of them leave rows out now. */
  readonly count: number;
}

interface ToolbarProps {
  readonly label: string;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  /** Rows that are shown, and all; null where nobody counts them. */
  readonly shown: number;
  readonly total: number | null;
  /** Columns that may be put away. */
  readonly columns: readonly { readonly key: string; readonly header: string }[];
  readonly hidden: ReadonlySet<string>;
  readonly onColumn: (key: string) => void;
  readonly filters: TableFilters | undefined;
}

function ColumnMenu({ columns, hidden, onColumn }: Pick<ToolbarProps, 'columns' | 'hidden' | 'onColumn'>) {
  const { t } = useTranslation('parts');
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns3 size={14} aria-hidden />}>
          {t('table_columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, header }) => (
          <Menu.Item
            key={key}
            role="menuitemcheckbox"
            aria-checked={!hidden.has(key)}
            onClick={() => onColumn(key)}
            leftSection={<Checkbox.Indicator size="xs" checked={!hidden.has(key)} aria-hidden />}
          >
            {header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Filters beside the search; on a phone behind one button, which says how many leave something out. */
function Filters({ fields, count }: TableFilters) {
  const { t } = useTranslation('parts');
  const [unfolded, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Button
        size="xs"
        variant={count === 0 ? 'default' : 'light'}
        leftSection={<IconFilter size={14} aria-hidden />}
        hiddenFrom="xs"
        aria-expanded={unfolded}
        aria-controls={id}
        onClick={toggle}
      >
        {count === 0 ? t('table_filters') : t('table_filters_set', { count })}
      </Button>
      <Group id={id} gap="sm" w={{ base: '100%', xs: 'auto' }} {...(unfolded ? {} : { visibleFrom: 'xs' })}>
        {fields}
      </Group>
    </>
  );
}

/** What is looked for in a table, how much of it there is, and which columns are shown. */
export function Toolbar({ label, typed, onTyped, shown, total, filters, ...menu }: ToolbarProps) {
  const { t } = useTranslation('parts');
  const { number } = useFormat();
  return (
    <Group gap="sm" justify="space-between">
      <Group gap="sm" flex="1 1 18rem">
        <TextInput
          type="search"
          size="xs"
          aria-label={t('table_find', { label })}
          placeholder={t('table_find_short')}
          leftSection={<IconSearch size={14} aria-hidden />}
          maxLength={200}
          w={{ base: filters === undefined ? '100%' : 'auto', xs: '16rem' }}
          flex={{ base: 1, xs: 'none' }}
          value={typed}
          onChange={({ currentTarget }) => onTyped(currentTarget.value)}
        />
        {filters === undefined ? null : <Filters {...filters} />}
      </Group>
      <Group gap="sm">
        <Text size="xs" c="dimmed" role="status">
          {total === null
            ? t('rows_here', { shown: number(shown) })
            : shown === total
              ? t('rows_total', { total: number(total) })
              : t('rows_found', { shown: number(shown), total: number(total) })}
        </Text>
        {menu.columns.length === 0 ? null : <ColumnMenu {...menu} />}
      </Group>
    </Group>
  );
}

interface BulkBarProps {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Takes the place of the toolbar while rows are selected: what can be done with them. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const { t } = useTranslation('parts');
  return (
    <Group gap="sm" mih={30}>
      <Text size="sm" fw={600} role="status">
        {t('rows_selected', { count })}
      </Text>
      {children}
      <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={onClear}>
        {t('clear_selection')}
      </Button>
    </Group>
  );
}
