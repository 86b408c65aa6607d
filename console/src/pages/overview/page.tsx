import { Overview } from '@ai-studio/contract/console/overview.ts';
import {
  Anchor,
  Badge,
  Button,
  Card,
  Group,
  List,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuilding,
  IconCheck,
  IconCircle,
  IconCircleCheckFilled,
  IconMessage,
} from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { AgentNotes } from './agent-notes.tsx';

const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => api.get('/overview', Overview, { signal }),
  refetchInterval: 15_000,
});

const places = { model: '/models', key: '/keys', first_call: '/playground', invite: '/users' } as const;

function Steps({ steps }: { readonly steps: NonNullable<Overview['steps']> }) {
  const { t } = useTranslation('overview');
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Card withBorder radius="md" padding="lg">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('first_steps')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('steps_done', { done, all: steps.length })}
          </Text>
        </Group>
        <Progress value={(done / steps.length) * 100} aria-label={t('first_steps')} size="sm" />
        <List spacing="sm" listStyleType="none" center>
          {steps.map(({ id, done: finished }) => (
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
              <Anchor component={Link} to={places[id]} fw={600}>
                {t(`steps.${id}`)}
              </Anchor>
              <Text size="sm" c="dimmed">
                {t(`step_hints.${id}`)}
              </Text>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  );
}

/** Parts of the service that there are words for. */
const partOf = (name: string) => (name === 'database' || name === 'redis' || name === 'service' ? name : 'other');

function Health({ health }: Pick<Overview, 'health'>) {
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

function Models({ models, mayManage }: Pick<Overview, 'models'> & { readonly mayManage: boolean }) {
  const { t } = useTranslation('overview');
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
        {mayManage ? (
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

function Address() {
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

function Today({ today }: { readonly today: NonNullable<Overview['today']> }) {
  const { t } = useTranslation('overview');
  const { number, compact, duration } = useFormat();
  return (
    <section aria-label={t('today')}>
      <Title order={2} size="h4" mb="sm">
        {t('today')}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <Figure label={t('requests')} value={number(today.requests)} />
        <Figure label={t('tokens')} value={compact(today.prompt_tokens + today.completion_tokens)} />
        <Figure label={t('errors')} value={number(today.errors)} />
        <Figure
          label={t('first_token')}
          value={today.first_token_p50 === null ? '–' : duration(today.first_token_p50)}
        />
      </SimpleGrid>
    </section>
  );
}

/** For an operator in a tenant that is not theirs: nothing of it is shown to them. */
function ForOperator() {
  const { t } = useTranslation('overview');
  return (
    <EmptyState
      icon={IconBuilding}
      title={t('as_operator')}
      hint={t('as_operator_hint')}
      action={
        <Button component={Link} to="/tenants">
          {t('to_tenants')}
        </Button>
      }
    />
  );
}

/** How the service is, what runs, and what to do first. */
export function Page() {
  const { t } = useTranslation('overview');
  const me = useMe();
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('welcome', { name: me.user.name })}
        actions={
          me.role === null ? undefined : (
            <Button component={Link} to="/chat" leftSection={<IconMessage size={16} aria-hidden />}>
              {t('begin_chat')}
            </Button>
          )
        }
      />
      {me.role === null ? <ForOperator /> : <OverviewBody />}
    </>
  );
}

function OverviewBody() {
  const me = useMe();
  return (
    <Loaded query={useQuery(overviewQuery)} loading={<LoadingPage />}>
      {({ health, models, today, steps }) => (
        <Stack gap="lg">
          <AgentNotes />
          {steps === null ? null : <Steps steps={steps} />}
          {today === null ? null : <Today today={today} />}
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
            <Health health={health} />
            <Models models={models} mayManage={me.actions.includes('models.view')} />
            {me.actions.includes('keys.own') ? <Address /> : null}
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}
