import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  /** For addresses that lead here. */
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  /** Whether what the section is about is in use. */
  readonly state?: { readonly on: boolean; readonly label: string };
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of the profile with a heading of its own. */
export function Section({ id, title, hint, state, actions, children }: SectionProps) {
  const heading = useId();
  return (
    <Paper component="section" id={id} aria-labelledby={heading} withBorder radius="md" p={{ base: 'md', sm: 'lg' }}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} flex="1 1 18rem">
            <Group gap="sm">
              <Title id={heading} order={2} size="h4">
                {title}
              </Title>
              {state === undefined ? null : (
                <Badge variant="light" color={state.on ? 'green' : 'gray'} tt="none">
                  {state.label}
                </Badge>
              )}
            </Group>
            {hint === undefined ? null : (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </Stack>
          {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
