import type { DeployedAgent } from '@ai-studio/contract/console/agent-talks.ts';
import { Button, Text, ThemeIcon } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './agent-cards.module.css';
import { deployedAgentsQuery } from './agents.ts';

/** Cards that are shown until more are asked for. */
const FEW = 6;
/** Questions on a card. */
const EXAMPLES = 2;

function AgentCard({ agent: { slug, name, description, examples } }: { readonly agent: DeployedAgent }) {
  const { t } = useTranslation('chat');
  return (
    <li className={classes['card']}>
      <Link to="/chat/agents/$slug" params={{ slug }} className={classes['name']}>
        <ThemeIcon variant="light" size={28} radius="md" aria-hidden>
          <IconRobot size={18} stroke={1.6} />
        </ThemeIcon>
        <Text span size="sm" fw={600} lineClamp={1}>
          {name}
        </Text>
      </Link>
      {description === '' ? null : (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      )}
      {examples.length === 0 ? null : (
        <ul className={classes['examples']} aria-label={t('examples_of', { name })}>
          {examples.slice(0, EXAMPLES).map((question) => (
            <li key={question}>
              <Link to="/chat/agents/$slug" params={{ slug }} state={{ question }} className={classes['example']}>
                {question}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Deployed agents, each with questions to begin with; a question is asked at once. */
export function AgentCards() {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const { data } = useQuery(deployedAgentsQuery);
  const [all, setAll] = useState(false);
  if (data === undefined || data.items.length === 0) return null;
  const shown = all ? data.items : data.items.slice(0, FEW);
  return (
    <section aria-label={t('agents')}>
      <Text component="h2" size="sm" fw={600} mb="xs">
        {t('agents')}
      </Text>
      <ul className={classes['cards']}>
        {shown.map((agent) => (
          <AgentCard key={agent.slug} agent={agent} />
        ))}
      </ul>
      {shown.length < data.items.length ? (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setAll(true)}>
          {common('more')}
        </Button>
      ) : null}
    </section>
  );
}
