import { ActionIcon, Group, Stack, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './detail-header.module.css';

interface DetailHeaderProps {
  /** The list that it stands in, and what going there is called. */
  readonly back: '/agents' | '/agent-reviews' | '/collections';
  readonly backLabel: string;
  readonly title: string;
  /** Beneath the title. */
  readonly children: ReactNode;
  /** What can be done with it. */
  readonly actions?: ReactNode;
}

/** Header of a detail page: link back to the list, title, and state. */
export function DetailHeader({ back, backLabel, title, children, actions = null }: DetailHeaderProps) {
  return (
    <Group component="header" gap="sm" align="flex-start" justify="space-between" mb="lg">
      <Group gap="sm" align="flex-start" wrap="nowrap" className={classes['titles'] ?? ''} miw="min(16rem, 100%)">
        <ActionIcon
          component={Link}
          to={back}
          variant="subtle"
          color="gray"
          mt={4}
          aria-label={backLabel}
          title={backLabel}
        >
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
        <Stack gap={6} className={classes['titles'] ?? ''}>
          <Title order={1} size="h2" className={classes['title'] ?? ''}>
            {title}
          </Title>
          {children}
        </Stack>
      </Group>
      {actions}
    </Group>
  );
}
