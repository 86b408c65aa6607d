import { Group, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './entries.module.css';

interface EntryProps {
  readonly icon: Icon;
  readonly name: string;
  readonly badge?: ReactNode;
  /** Short texts, each kept whole. */
  readonly facts: ReactNode;
  readonly actions?: ReactNode;
}

/** One thing of a list: what it is called, what is known of it, what can be done with it. */
export function Entry({ icon: Picture, name, badge, facts, actions }: EntryProps) {
  return (
    <li className={classes['entry']}>
      <Picture size={22} stroke={1.6} aria-hidden />
      <div className={classes['text']}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {badge}
        </Group>
        <Text size="xs" c="dimmed" component="div" className={classes['facts'] ?? ''}>
          {facts}
        </Text>
      </div>
      {actions}
    </li>
  );
}

interface EntriesProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Entries({ label, children }: EntriesProps) {
  return (
    <ul className={classes['entries']} aria-label={label}>
      {children}
    </ul>
  );
}
