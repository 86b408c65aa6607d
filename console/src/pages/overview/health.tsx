import type { Overview } from '@ai-studio/contract/console/overview.ts';
import { Anchor, Badge, Button, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

/** Parts of the service that there are words for. */
const partOf = (name: string) =>
  name === 'database' || name === 'redis' || name === 'search' || name === 'service' ? name : 'other';

/** How the service fares, and why not well where it does not. */
export function Health({ health }: Pick<Overview, 'health'>) {
  const { t } = useTranslation('overview');
  const Sign = health.ready ? IconCheck : IconAlertTriangle;
  return (
    <Card withBorder radius="md" padding="lg">
      <Stack gap="sm">
        <Group gap="sm">
          <ThemeIcon variant="light" color={health.ready ? 'green' : 'red'} radius="xl" aria-hidden>
            <Sign size={18} />
          </ThemeIcon>
          <Title order={2} size="h4">
            {t(health.ready ? 'healthy' : 'unhealthy')}
          </Title>
        </Group>
        {health.parts
          .filter(({ ok }) => !ok)
          .map(({ name, reason }) => (
            <Text key={name} size="sm">
              {t(`parts.${partOf(name)}`)}: {reason ?? ''}
            </Text>
          ))}
        <Group gap="xs">
          {health.parts.map(({ name, ok }) => (
            <Badge key={name} variant="light" color={ok ? 'green' : 'red'} tt="none">
              {t(`parts.${partOf(name)}`)}
            </Badge>
          ))}
        </Group>
      </Stack>
    </Card>
  );
}

/** How many models answer. */
export function Models({ models }: Pick<Overview, 'models'>) {
  const { t } = useTranslation('overview');
  const sees = hasPermission(useMe(), ['models.view']);
  return (
    <Card withBorder radius="md" padding="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('models')}
        </Title>
        <Text>{t('models_ready', { ready: models.ready, total: models.total })}</Text>
        {models.builtin_only ? (
          <Text size="sm" c="dimmed">
            {t('builtin_only')}
          </Text>
        ) : null}
        {models.loaded.length > 0 ? (
          <Text size="sm" c="dimmed">
            {t('loaded', { models: models.loaded.join(', ') })}
          </Text>
        ) : null}
        {sees ? (
          <Group>
            <Button component={Link} to="/models" variant="light" size="xs">
              {t('to_models')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Card>
  );
}

/** The address for programs. */
export function Address() {
  const { t } = useTranslation('overview');
  const { api_base: base } = useMe();
  return (
    <Card withBorder radius="md" padding="lg">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t('address')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('address_hint')}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text ff="monospace" size="sm">
            {base}
          </Text>
          <CopyButton value={base} label={t('copy_address')} />
        </Group>
        <Anchor href="/docs" size="sm">
          {t('reference')}
        </Anchor>
      </Stack>
    </Card>
  );
}
