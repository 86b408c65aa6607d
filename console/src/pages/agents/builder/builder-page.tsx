import { IconRobotOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/error.ts';
import { useLaterWords } from '../../../i18n/use-later-words.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingPage } from '../../../parts/loading.tsx';
import { agentQuery } from '../queries.ts';

const Whole = lazy(async () => {
  // All that is seen first is fetched side by side.
  const [{ Whole: whole }] = await Promise.all([
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
  const spoken = useLaterWords('agentBuilder');
  const query = useQuery(agentQuery(agentId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconRobotOff} title={t('missing')} hint={t('missing_hint')} />;
  if (!spoken) return <LoadingPage />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(agent) => (
        <Suspense fallback={<LoadingPage />}>
          <Whole key={agent.id} agent={agent} />
        </Suspense>
      )}
    </Loaded>
  );
}
