import { Menu, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import classes from '../builder.module.css';

/** An entry of a menu. */
export interface MenuAction {
  readonly key: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** Keys that do the same, as ARIA writes them: `Control+D`. */
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

/** Entries in groups, with a divider between groups. */
export type ActionGroups = readonly (readonly MenuAction[])[];

const shown = (keys: string) => keys.replace('Control', 'Ctrl').replace('Delete', 'Del');

/** The entries of a menu, with the keys that do the same. */
export function ActionItems({ groups }: { readonly groups: ActionGroups }) {
  return groups
    .filter((actions) => actions.length > 0)
    .map((actions, place) => (
      <div key={actions[0]?.key} role="group">
        {place === 0 ? null : <Menu.Divider />}
        {actions.map(({ key, label, icon: Picture, keys, danger, disabled, onSelect }) => (
          <Menu.Item
            key={key}
            leftSection={<Picture size={16} aria-hidden />}
            {...(keys === undefined
              ? {}
              : {
                  'aria-keyshortcuts': keys,
                  rightSection: (
                    <Text size="xs" c="dimmed" className={classes['keys'] ?? ''} aria-hidden>
                      {shown(keys)}
                    </Text>
                  ),
                })}
            {...(danger === true ? { color: 'red' } : {})}
            disabled={disabled === true}
            onClick={onSelect}
          >
            {label}
          </Menu.Item>
        ))}
      </div>
    ));
}
