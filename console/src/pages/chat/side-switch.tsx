import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deployedAgentsQuery } from './agents.ts';

/** From talks with models to talks with agents and back. Not there while no agent is deployed. */
export function SideSwitch({ current }: { readonly current: 'models' | 'agents' }) {
  const { t } = useTranslation('chat');
  const navigate = useNavigate();
  const { data } = useQuery(deployedAgentsQuery);
  const [first] = data?.items ?? [];
  if (current === 'models' && first === undefined) return null;
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('talk_with')}
      value={current}
      onChange={(chosen) => {
        if (chosen === 'models') void navigate({ to: '/chat' });
        else if (first !== undefined) void navigate({ to: '/chat/agents/$slug', params: { slug: first.slug } });
      }}
      data={[
        { value: 'models', label: t('with_models') },
        { value: 'agents', label: t('with_agents') },
      ]}
    />
  );
}
