import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './overview.module.css';

/** A line that leads to where something is to be done. */
export interface Line {
  readonly key: string;
  readonly text: ReactNode;
  /** What it needs next, or how much of it there is. */
  readonly beside?: ReactNode;
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Said where there are no lines; the card is left out where this is. */
  readonly none?: string;
}

/** A card of lines, each of which opens what it names. */
export function Lines({ title, lines, none }: LinesProps) {
  if (lines.length === 0 && none === undefined) return null;
  return (
    <Card withBorder radius="md" padding="lg" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {lines.length === 0 ? (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        ) : (
          <ul className={classes['lines']}>
            {lines.map(({ key, text, beside, link }) => (
              <li key={key}>
                <Link {...link} className={classes['line']}>
                  <Group justify="space-between" gap="sm" wrap="nowrap">
                    <Text span size="sm" className={classes['text'] ?? ''}>
                      {text}
                    </Text>
                    {beside === undefined ? null : (
                      <Text span size="sm" c="dimmed" className={classes['beside'] ?? ''}>
                        {beside}
                      </Text>
                    )}
                  </Group>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Card>
  );
}
