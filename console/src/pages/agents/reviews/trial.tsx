import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TalkView } from '../../../parts/agent-talk/talk-view.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import classes from '../agents.module.css';
import { agentPath, versionQuery } from '../queries.ts';
import { TraceButton, TraceDrawer } from '../sessions/trace.tsx';

/** A talk with the version that approval is asked for, and what it did for each answer. */
export function Trial({ review }: { readonly review: AgentReview }) {
  const { t } = useTranslation('reviews');
  const [traced, setTraced] = useState<string | null>(null);
  const { agent_id: agentId, version_id: version } = review;
  const query = useQuery(versionQuery(agentId, version));
  return (
    <section aria-label={t('try')}>
      <Title order={2} size="h4" mb={4}>
        {t('try')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('try_hint')}
      </Text>
      <Loaded query={query}>
        {({ definition }) => {
          const input = definition.nodes.find((node) => node.kind === 'input');
          return (
            <div className={classes['trial']}>
              <TalkView
                root={agentPath(agentId)}
                version={version}
                initial={[]}
                sessionId={null}
                welcome={{
                  greeting: input?.greeting ?? '',
                  examples: input?.examples ?? [],
                  files: input?.files ?? false,
                }}
                renderBeside={({ id }) => <TraceButton onOpen={() => setTraced(id)} />}
              />
            </div>
          );
        }}
      </Loaded>
      <TraceDrawer agentId={agentId} run={traced} onClose={() => setTraced(null)} />
    </section>
  );
}
