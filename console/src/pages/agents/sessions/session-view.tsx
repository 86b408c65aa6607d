import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconMessageOff, IconSitemap } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionExportAddress } from '../../../api/export-session.ts';
import { ApiError } from '../../../api/error.ts';
import { SourceDrawer } from '../../../parts/agent-talk/source-drawer.tsx';
import { RunView } from '../../../parts/agent-talk/run-view.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { agentPath, sessionQuery } from '../queries.ts';
import { GivenFeedback } from './given-feedback.tsx';
import { TraceButton, TraceDrawer } from './trace.tsx';

interface SessionViewProps {
  readonly agent: AgentDetails;
  readonly session: number;
}

/** What was said in a session, and the way to the traces of its runs. */
export function SessionView({ agent, session }: SessionViewProps) {
  const { t, i18n } = useTranslation('agents');
  const { t: answers } = useTranslation('answers');
  const [traced, setTraced] = useState<string | null>(null);
  const [shown, setShown] = useState<{ readonly run: AgentRun; readonly number: number } | null>(null);
  const query = useQuery(sessionQuery(agent.id, session));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState icon={IconMessageOff} title={t('sessions.missing')} />;
  const name = shown?.run.citations.find(({ number }) => number === shown.number)?.document_name ?? '';
  return (
    <Stack gap="md" maw="56rem">
      <Group>
        <Button
          renderRoot={(props) => (
            <Link to="/agents/$agentId" params={{ agentId: agent.id }} search={{ tab: 'sessions' }} {...props} />
          )}
          variant="subtle"
          size="xs"
          leftSection={<IconArrowLeft size={14} aria-hidden />}
        >
          {t('sessions.back')}
        </Button>
      </Group>
      <Loaded query={query}>
        {({ session: head, items }) => (
          <Stack gap="lg">
            <Group gap="sm">
              <Title order={2} size="h4">
                {head.title || t('sessions.number', { number: head.id })}
              </Title>
              <Badge variant="default" tt="none" fw={500}>
                {t(`sessions.types.${head.type}`)}
              </Badge>
              <Text size="sm" c="dimmed">
                {t('sessions.number', { number: head.id })} · {head.rated_only ? answers('someone') : head.by} ·{' '}
                <RelativeTime at={head.updated_at} />
              </Text>
              <Button
                component="a"
                href={sessionExportAddress(agentPath(agent.id), head.id, i18n.language)}
                download
                size="compact-xs"
                variant="default"
                leftSection={<IconDownload size={14} aria-hidden />}
              >
                {t('sessions.export')}
              </Button>
              {head.type === 'test' && agent.state !== 'archived' ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconSitemap size={14} aria-hidden />}
                  renderRoot={(props) => (
                    <Link
                      to="/agents/$agentId/build"
                      params={{ agentId: agent.id }}
                      search={{ session: head.id }}
                      {...props}
                    />
                  )}
                >
                  {t('sessions.on_canvas')}
                </Button>
              ) : null}
            </Group>
            {head.rated_only ? (
              <Text size="sm" c="dimmed">
                {answers('rated_only')}
              </Text>
            ) : null}
            {items.map((run) => (
              <RunView
                key={run.id}
                root={agentPath(agent.id)}
                run={run}
                onSource={(of, number) => setShown({ run: of, number })}
                beside={head.rated_only ? null : <TraceButton onOpen={() => setTraced(run.id)} />}
                after={run.feedback === null ? null : <GivenFeedback agentId={agent.id} run={run} />}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <TraceDrawer agentId={agent.id} run={traced} onClose={() => setTraced(null)} />
      <SourceDrawer
        place={shown === null ? null : { answer: `${agentPath(agent.id)}/runs/${shown.run.id}`, number: shown.number }}
        name={name}
        onClose={() => setShown(null)}
      />
    </Stack>
  );
}
