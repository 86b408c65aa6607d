import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { ActionIcon, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconRobot } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { storeSeenNote } from '../../app/stored.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import classes from './agents.module.css';
import { AgentActs } from './overview/acts.tsx';
import { agentQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

const Overview = lazy(async () => ({ default: (await import('./overview/overview-tab.tsx')).OverviewTab }));
const Versions = lazy(async () => ({ default: (await import('./versions/versions-tab.tsx')).VersionsTab }));
const Sessions = lazy(async () => ({ default: (await import('./sessions/sessions-tab.tsx')).SessionsTab }));
const Call = lazy(async () => ({ default: (await import('./call/call-tab.tsx')).CallTab }));
const Usage = lazy(async () => ({ default: (await import('./usage/usage-tab.tsx')).UsageTab }));

const tabs = ['overview', 'versions', 'sessions', 'call', 'usage'] as const;
const panels = { overview: Overview, versions: Versions, sessions: Sessions, call: Call, usage: Usage } as const;

function Head({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  const { name, slug, description } = agent;
  return (
    <Group component="header" gap="sm" align="flex-start" mb="lg" justify="space-between">
      <Group gap="sm" align="flex-start" wrap="nowrap" className={classes['titles'] ?? ''} miw="16rem">
        <ActionIcon
          component={Link}
          to="/agents"
          variant="subtle"
          color="gray"
          mt={4}
          aria-label={t('back')}
          title={t('back')}
        >
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
        <Stack gap={6} className={classes['titles'] ?? ''}>
          <Title order={1} size="h2" className={classes['title'] ?? ''}>
            {name}
          </Title>
          {description === '' ? null : <Text c="dimmed">{description}</Text>}
          <Group gap="sm">
            <StateBadge agent={agent} />
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed">
                {t('id')}
              </Text>
              <Text size="xs" ff="monospace" className={classes['id'] ?? ''}>
                {slug}
              </Text>
              <CopyButton value={slug} label={t('copy_id', { name })} />
            </Group>
          </Group>
        </Stack>
      </Group>
      <AgentActs agent={agent} />
    </Group>
  );
}

/** Who sees what was decided need not be told of it elsewhere any more. */
function usePutAway(review: AgentDetails['review']) {
  const queries = useQueryClient();
  const decided = review !== null && review.own && review.state !== 'pending' ? review.id : null;
  useEffect(() => {
    if (decided === null) return;
    storeSeenNote(decided);
    void queries.invalidateQueries({ queryKey: ['agent-notes'] });
  }, [decided, queries]);
}

function Whole({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false });
  const current = tabs.find((one) => one === tab) ?? 'overview';
  usePutAway(agent.review);
  return (
    <>
      <Head agent={agent} />
      <Tabs
        value={current}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            to: '/agents/$agentId',
            params: { agentId: agent.id },
            search: { tab: value ?? undefined },
            replace: true,
            resetScroll: false,
          })
        }
      >
        <Tabs.List className={classes['tabs'] ?? ''} mb="lg">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => {
          const Panel = panels[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <Suspense fallback={<LoadingRows />}>
                <Panel agent={agent} />
              </Suspense>
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}

/** An agent: how it stands, its versions, what was done with it, and how it is called. */
export function Page() {
  const { t } = useTranslation('agents');
  const { agentId = '' } = useParams({ strict: false });
  const query = useQuery(agentQuery(agentId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconRobot} title={t('missing')} hint={t('missing_hint')} />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(agent) => <Whole key={agent.id} agent={agent} />}
    </Loaded>
  );
}
