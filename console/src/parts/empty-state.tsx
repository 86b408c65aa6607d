import { Stack, Text, Title } from '@mantine/core';
import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly icon?: Icon;
  /** 1 where it is all that the page has. */
  readonly level?: 1 | 2 | 3;
  /** What to do about it. */
  readonly action?: ReactNode;
}

/** Sheets on a desk with what they are about on the first of them: the drawing of every place where there is nothing yet. */
function Drawing({ picture: Picture }: { readonly picture: Icon }) {
  return (
    <div className={classes['drawing']} aria-hidden>
      <svg viewBox="0 0 168 104" width="168" height="104" fill="none">
        <path className={classes['far']} d="M34 30 60 22l20 62-26 8z" />
        <path className={classes['far']} d="m108 22 26 8-20 62-26-8z" />
        <rect className={classes['sheet']} x="54" y="12" width="60" height="78" rx="8" />
        <path className={classes['line']} d="M66 70h36M66 78h22" />
        <path
          className={classes['line']}
          d="M14 96h140M142 66v-8m0 26v-6m-8-7h-6m28 0h-6M24 60v-6m0 20v-6m-6-4h-4m20 0h-4"
        />
      </svg>
      <Picture size={30} stroke={1.5} className={classes['picture'] ?? ''} />
    </div>
  );
}

/** Shown where there is nothing yet. */
export function EmptyState({ title, hint, icon = IconInbox, level = 2, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <Drawing picture={icon} />
      <Title order={level} size="h4">
        {title}
      </Title>
      {hint === undefined ? null : (
        <Text c="dimmed" maw="28rem">
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  );
}
