import { IconRobotOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/error.ts';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingPage } from '../../../parts/loading.tsx';
import { agentQuery } from '../queries.ts';

const AgentBuilder = lazy(async () => {
  // All that is seen first is fetched side by side.
  const [{ AgentBuilder: whole }] = await Promise.all([
    import('./whole.tsx'),
    import('./canvas/canvas.tsx'),
    import('./side/node-panel.tsx'),
  ]);
  return { default: whole };
});

/** An agent as a graph: built, checked and tried. */
export function Page() {
  const { t } = useTranslation('agents');
  const { agentId = '' } = useParams({ strict: false });
  const messagesLoaded = useLazyNamespace('agentBuilder');
  const query = useQuery(agentQuery(agentId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconRobotOff} title={t('missing')} hint={t('missing_hint')} />;
  if (!messagesLoaded) return <LoadingPage />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(agent) => (
        <Suspense fallback={<LoadingPage />}>
          <AgentBuilder key={agent.id} agent={agent} />
        </Suspense>
      )}
    </Loaded>
  );
}
