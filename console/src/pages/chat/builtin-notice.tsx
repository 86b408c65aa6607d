import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { deployedAgentsQuery } from './agents.ts';

/** Said where no language model answers: what to connect to those who may, to others the agents below. */
export function BuiltinNotice() {
  const { t } = useTranslation('chat');
  const manages = hasPermission(useMe(), ['models.manage']);
  const { data } = useQuery(deployedAgentsQuery);
  const hasAgents = (data?.items.length ?? 0) > 0;
  return (
    <Text size="sm" c="dimmed">
      {t('builtin')}{' '}
      {manages ? (
        <Anchor component={Link} to="/models" size="sm" underline="always">
          {t('builtin_connect')}
        </Anchor>
      ) : (
        t(hasAgents ? 'builtin_agents' : 'builtin_ask')
      )}
    </Text>
  );
}
