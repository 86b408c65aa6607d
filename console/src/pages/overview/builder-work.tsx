import type { AgentSummary } from '@ai-studio/contract/console/agents.ts';
import type { Overview } from '@ai-studio/contract/console/overview.ts';
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';
import { type Line, Lines } from './lines.tsx';
import { lastAgentsQuery } from './queries.ts';

/** What an agent needs next. */
function nextOf({ state, has_changes: changed, deployed_version: version }: AgentSummary) {
  if (state === 'pending_review') return 'waits';
  if (state === 'deployed') return changed ? 'resubmit' : 'used';
  return version === null ? 'try' : 'resubmit';
}

/** Agents with what each needs next, documents that failed, and keys that expire. */
export function BuilderWork({ work }: { readonly work: NonNullable<Overview['work']> }) {
  const { t } = useTranslation('overview');
  const { date, number } = useFormat();
  const { data } = useQuery(lastAgentsQuery);
  const agents = (data?.items ?? [])
    .filter(({ state }) => state !== 'archived')
    .map((agent): Line => {
      const next = nextOf(agent);
      const params = { agentId: agent.id };
      return {
        key: agent.id,
        text: agent.name,
        beside: t(`next.${next}`),
        link:
          next === 'try'
            ? { to: '/agents/$agentId/build', params, search: {} }
            : { to: '/agents/$agentId', params, search: {} },
      };
    });
  const documents = work.failed_documents.map(
    ({ collection_id: collectionId, collection_name: name, failed }): Line => ({
      key: collectionId,
      text: name,
      beside: t('failed_documents', { shown: number(failed) }),
      link: { to: '/collections/$collectionId', params: { collectionId }, search: {} },
    }),
  );
  const keys = work.expiring_keys.map(({ id, name, expires_at: at }): Line => ({
    key: id,
    text: name,
    beside: t('key_expires', { date: date(new Date(at).getTime()) }),
    link: { to: '/keys' },
  }));
  if (agents.length + documents.length + keys.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Lines title={t('agents_work')} lines={agents} />
      <Lines title={t('documents_failed')} lines={documents} />
      <Lines title={t('keys_expiring')} lines={keys} />
    </SimpleGrid>
  );
}
