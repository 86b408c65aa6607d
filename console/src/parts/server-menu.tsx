import { Menu } from '@mantine/core';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RowMenu } from './row-menu.tsx';

interface ServerMenuProps {
  /** What the button is called. */
  readonly label: string;
  readonly refreshLabel: string;
  /** Left out where the person may not do it. */
  readonly onRefresh?: (() => void) | undefined;
  readonly removeLabel: string;
  /** Changes and removes the server; left out where it is not to be changed here. */
  readonly change?: { readonly onEdit: () => void; readonly onRemove: () => void } | undefined;
  /** Entries before these. */
  readonly children?: ReactNode;
}

/** What can be done with a server that the console knows: ask it anew, change it, remove it. */
export function ServerMenu({ label, refreshLabel, onRefresh, removeLabel, change, children }: ServerMenuProps) {
  const { t: common } = useTranslation('common');
  return (
    <RowMenu label={label}>
      {children}
      {onRefresh === undefined ? null : (
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRefresh}>
          {refreshLabel}
        </Menu.Item>
      )}
      {change === undefined ? null : (
        <>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={change.onEdit}>
            {common('edit')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={change.onRemove}
          >
            {removeLabel}
          </Menu.Item>
        </>
      )}
    </RowMenu>
  );
}
