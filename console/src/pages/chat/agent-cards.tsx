import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deployedAgentsQuery } from './agents.ts';
import classes from './chat.module.css';

/** Agents to talk with instead. */
export function AgentCards() {
  const { t } = useTranslation('chat');
  const { data } = useQuery(deployedAgentsQuery);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label={t('agents')}>
      <Text component="h2" size="sm" fw={600} mb="xs">
        {t('agents')}
      </Text>
      <ul className={classes['cards']}>
        {data.items.map(({ slug, name, description }) => (
          <li key={slug}>
            <Link to="/chat/agents/$slug" params={{ slug }} className={classes['card']}>
              <Text size="sm" fw={600} lineClamp={1}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
