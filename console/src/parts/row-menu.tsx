import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface RowMenuProps extends Pick<ActionIconProps, 'mr' | 'size'> {
  /** What the button is called: it names the row, as every row has one. */
  readonly label: string;
  /** The entries. */
  readonly children: ReactNode;
}

/** The button of a row that opens what can be done with it. */
export function RowMenu({ label, children, ...look }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} {...look}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
