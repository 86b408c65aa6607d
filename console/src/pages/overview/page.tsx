import type { Overview } from '@ai-studio/contract/console/overview.ts';
import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconBuilding, IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { AgentNotes } from './agent-notes.tsx';
import { BuilderWork } from './builder-work.tsx';
import { Address, Health, Models } from './health.tsx';
import classes from './overview.module.css';
import { overviewQuery } from './queries.ts';
import { SampleCard } from './sample.tsx';
import { FirstSteps, Path } from './steps.tsx';
import { Waits } from './waits.tsx';
import { Week } from './week.tsx';

/** Fetched for who looks after the installation alone. */
const SearchIndex = lazy(async () => ({ default: (await import('./search-index.tsx')).SearchIndex }));

function Installation() {
  if (!hasPermission(useMe(), ['index.view'])) return null;
  return (
    <Suspense>
      <SearchIndex />
    </Suspense>
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

/** For people who build agents: what they have begun, and what it needs next. */
function DeveloperHome({ work, models }: Overview) {
  return (
    <Stack gap="lg">
      <AgentNotes />
      {work === null ? null : <Path path={work.path} />}
      <SampleCard begun={work?.path.some(({ id, done }) => id === 'agent' && done) ?? true} />
      {work === null ? null : <BuilderWork work={work} />}
      <Week everybody={false} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Models models={models} />
        <Address />
      </SimpleGrid>
    </Stack>
  );
}

/** For administrators: what waits for them, how much is used, and how the service fares. */
function AdministratorHome({ health, models, steps, work, waits }: Overview) {
  return (
    <Stack gap="lg">
      <AgentNotes />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" className={classes['steps'] ?? ''}>
        {steps === null ? null : <FirstSteps steps={steps} />}
        {work === null ? null : <Path path={work.path} />}
      </SimpleGrid>
      <SampleCard begun={work?.path.some(({ id, done }) => id === 'agent' && done) ?? true} />
      {waits === null ? null : <Waits waits={waits} />}
      <Week everybody />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Health health={health} />
        <Models models={models} />
        <Address />
      </SimpleGrid>
      {work === null ? null : <BuilderWork work={work} />}
    </Stack>
  );
}

function Home() {
  const manages = hasPermission(useMe(), ['users.manage']);
  return (
    <Loaded query={useQuery(overviewQuery)} loading={<LoadingPage />}>
      {(overview) => (manages ? <AdministratorHome {...overview} /> : <DeveloperHome {...overview} />)}
    </Loaded>
  );
}

/** The first page of people who build or manage. */
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
      {me.role === null ? <ForOperator /> : <Home />}
      <Installation />
    </>
  );
}
