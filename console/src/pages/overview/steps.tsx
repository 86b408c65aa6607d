import { Anchor, Card, Group, List, Progress, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Step {
  readonly id: string;
  readonly done: boolean;
  readonly label: string;
  readonly hint: string;
  readonly to: NonNullable<LinkProps['to']>;
}

interface StepsProps {
  readonly title: string;
  readonly steps: readonly Step[];
  /** Another way to begin. */
  readonly children?: ReactNode;
}

/** What to do one after the other, and how much of it is done; nothing once all is. */
export function Steps({ title, steps, children }: StepsProps) {
  const { t } = useTranslation('overview');
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card withBorder radius="md" padding="lg" component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {t('steps_done', { done, all: steps.length })}
          </Text>
        </Group>
        <Progress value={(done / steps.length) * 100} aria-label={title} size="sm" />
        <List spacing="sm" listStyleType="none" center>
          {steps.map(({ id, done: finished, label, hint, to }) => (
            <List.Item
              key={id}
              icon={
                finished ? (
                  <IconCircleCheckFilled size={20} aria-label={t('done')} color="var(--mantine-primary-color-filled)" />
                ) : (
                  <IconCircle size={20} aria-label={t('to_do')} />
                )
              }
            >
              <Anchor component={Link} to={to} fw={600}>
                {label}
              </Anchor>
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            </List.Item>
          ))}
        </List>
        {children}
      </Stack>
    </Card>
  );
}

const places = { model: '/models', key: '/keys', first_call: '/playground', invite: '/users' } as const;

/** What a new installation needs. */
export function FirstSteps({ steps }: { readonly steps: readonly { id: keyof typeof places; done: boolean }[] }) {
  const { t } = useTranslation('overview');
  return (
    <Steps
      title={t('first_steps')}
      steps={steps.map(({ id, done }) => ({
        id,
        done,
        label: t(`steps.${id}`),
        hint: t(`step_hints.${id}`),
        to: places[id],
      }))}
    />
  );
}

const pathPlaces = { collection: '/collections', agent: '/agents', try: '/agents', review: '/agents' } as const;

interface PathProps {
  readonly path: readonly { id: keyof typeof pathPlaces; done: boolean }[];
  readonly children?: ReactNode;
}

/** From documents to an agent that people use. */
export function Path({ path, children }: PathProps) {
  const { t } = useTranslation('overview');
  return (
    <Steps
      title={t('path')}
      steps={path.map(({ id, done }) => ({
        id,
        done,
        label: t(`path_steps.${id}`),
        hint: t(`path_hints.${id}`),
        to: pathPlaces[id],
      }))}
    >
      {children}
    </Steps>
  );
}
