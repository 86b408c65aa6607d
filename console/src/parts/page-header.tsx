import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { HelpButton } from './help/help-button.tsx';

interface PageHeaderProps {
  readonly title: string;
  readonly description?: string;
  /** Buttons of the whole page. */
  readonly actions?: ReactNode;
}

/** Title of a page, the only heading of level 1 on it. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md" mb="xl" wrap="wrap">
      <Stack gap={4} maw="var(--studio-reading)">
        <Group gap={6} wrap="nowrap">
          <Title order={1} size="h2">
            {title}
          </Title>
          <HelpButton />
        </Group>
        {description === undefined ? null : <Text c="dimmed">{description}</Text>}
      </Stack>
      {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
