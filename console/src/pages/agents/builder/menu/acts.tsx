import { Menu, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import classes from '../builder.module.css';

/** One thing that a menu offers. */
export interface Act {
  readonly key: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** Keys that do the same, as ARIA writes them: `Control+D`. */
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly act: () => void;
}

/** Acts that belong together; a line stands between groups. */
export type ActGroups = readonly (readonly Act[])[];

const shown = (keys: string) => keys.replace('Control', 'Ctrl').replace('Delete', 'Del');

/** The entries of a menu, with the keys that do the same. */
export function ActItems({ groups }: { readonly groups: ActGroups }) {
  return groups
    .filter((acts) => acts.length > 0)
    .map((acts, place) => (
      <div key={acts[0]?.key} role="group">
        {place === 0 ? null : <Menu.Divider />}
        {acts.map(({ key, label, icon: Picture, keys, danger, disabled, act }) => (
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
            onClick={act}
          >
            {label}
          </Menu.Item>
        ))}
      </div>
    ));
}
