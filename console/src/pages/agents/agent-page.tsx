import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Group, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { storeSeenNote } from '../../app/browser-storage.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { TabPanels } from '../../parts/tab-panels.tsx';
import { DetailHeader } from '../../parts/detail-header.tsx';
import classes from './agents.module.css';
import { AgentActions } from './overview/actions.tsx';
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
    <DetailHeader back="/agents" backLabel={t('back')} title={name} actions={<AgentActions agent={agent} />}>
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
    </DetailHeader>
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

function LoadedAgent({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('agents');
  usePutAway(agent.review);
  return (
    <>
      <Head agent={agent} />
      <TabPanels tabs={tabs} labelOf={(tab) => t(`tabs.${tab}`)} panels={panels} panelProps={{ agent }} />
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
      {(agent) => <LoadedAgent key={agent.id} agent={agent} />}
    </Loaded>
  );
}
