import { Alert, Badge, type DefaultMantineColor, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

const colors = {
  running: 'blue',
  done: 'green',
  failed: 'red',
  stopped: 'gray',
  cancelled: 'gray',
} as const satisfies Record<string, DefaultMantineColor>;

interface JobCardProps {
  readonly state: keyof typeof colors;
  readonly stateLabel: string;
  /** When it began, by whom, how much it is. */
  readonly about: ReactNode;
  readonly acts: ReactNode;
  /** How far it is, while it runs. */
  readonly progress: { readonly done: number; readonly total: number; readonly text?: string };
  /** Why it failed; null where it did not. */
  readonly failure: string | null;
  /** What it came to. */
  readonly children: ReactNode;
}

/** Work in the background, in a list of such: how far it is, what can be done with it, and what it came to. */
export function JobCard({ state, stateLabel, about, acts, progress, failure, children }: JobCardProps) {
  const { done, total, text } = progress;
  return (
    <Paper withBorder radius="md" p="md" component="li">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Badge variant="light" tt="none" color={colors[state]}>
              {stateLabel}
            </Badge>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          </Group>
          <Group gap="xs">{acts}</Group>
        </Group>
        {state === 'running' ? (
          <Stack gap={4} role="status">
            {text === undefined ? null : (
              <Text size="xs" c="dimmed">
                {text}
              </Text>
            )}
            <Progress value={(100 * done) / Math.max(1, total)} aria-label={stateLabel} />
          </Stack>
        ) : null}
        {failure === null ? null : (
          <Alert color="red" variant="light">
            {failure}
          </Alert>
        )}
        {children}
      </Stack>
    </Paper>
  );
}
