import { Paper, Stack, Text } from '@mantine/core';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** One number that matters. */
export function Figure({ label, value, hint }: FigureProps) {
  return (
    <Paper withBorder radius="md" p="md">
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text size="xl" fw={650} lh={1.2}>
          {value}
        </Text>
        {hint === undefined ? null : (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
