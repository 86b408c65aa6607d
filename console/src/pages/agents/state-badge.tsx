import type { AgentSummary } from '@ai-studio/contract/console/agents.ts';
import { Badge, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const colors = { draft: 'gray', pending_review: 'orange', deployed: 'green', archived: 'gray' } as const;

type Standing = Pick<AgentSummary, 'state' | 'deployed_version' | 'has_changes'>;

/** How an agent stands, and which version callers get. */
export function StateBadge({ agent }: { readonly agent: Standing }) {
  const { t } = useTranslation('agents');
  const { state, deployed_version: version, has_changes: changed } = agent;
  return (
    <Group gap={6}>
      <Badge variant={state === 'archived' ? 'outline' : 'light'} color={colors[state]} tt="none">
        {t(`states.${state}`)}
      </Badge>
      {version !== null && state !== 'archived' ? (
        <Badge variant="default" tt="none" fw={500}>
          {t('version_number', { number: version })}
        </Badge>
      ) : null}
      {changed && version !== null && state === 'deployed' ? (
        <Tooltip label={t('changed_hint')} withArrow>
          <Badge variant="default" tt="none" fw={500}>
            {t('changed')}
          </Badge>
        </Tooltip>
      ) : null}
    </Group>
  );
}
