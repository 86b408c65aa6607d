import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly icon?: Icon;
  /** 1 where it is all that the page has. */
  readonly level?: 1 | 2 | 3;
  /** What to do about it. */
  readonly action?: ReactNode;
}

/** Shown where there is nothing yet. */
export function EmptyState({ title, hint, icon: Picture = IconInbox, level = 2, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={64} px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <Picture size={28} stroke={1.5} />
      </ThemeIcon>
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
