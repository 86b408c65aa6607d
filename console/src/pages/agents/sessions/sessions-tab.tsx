import { answerRatings } from '@ai-studio/contract/console/feedback.ts';
import { type AgentSession } from '@ai-studio/contract/console/agent-talks.ts';
import { type AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Badge, Button, Group, Select, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconMessages, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { LoadingRows } from '../../../parts/loading.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../agents.module.css';
import { sessionsQuery } from '../queries.ts';
import { SessionView } from './session-view.tsx';

interface TabProps {
  readonly agent: AgentDetails;
}

const types = ['api', 'chat', 'test'] as const;

interface RatedProps {
  readonly icon: typeof IconThumbUp;
  /** In words. */
  readonly label: string;
  readonly count: number;
}

function Rated({ icon: Icon, label, count }: RatedProps) {
  const { number } = useFormat();
  return (
    <Group gap={4} wrap="nowrap" title={label}>
      <Icon size={14} aria-hidden />
      <Text size="sm" aria-hidden>
        {number(count)}
      </Text>
      <VisuallyHidden>{label}</VisuallyHidden>
    </Group>
  );
}

function useColumns(agentId: string): Column<AgentSession>[] {
  const { t } = useTranslation('agents');
  const { t: answers } = useTranslation('answers');
  const { number } = useFormat();
  return [
    {
      key: 'title',
      header: t('sessions.title'),
      cell: ({ id, title }) => (
        <Link
          to="/agents/$agentId"
          params={{ agentId }}
          search={{ tab: 'sessions', session: id }}
          className={classes['link']}
        >
          {title || t('sessions.untitled')}
        </Link>
      ),
    },
    {
      key: 'number',
      header: t('id'),
      from: 'sm',
      cell: ({ id }) => (
        <Text size="xs" ff="monospace">
          {id}
        </Text>
      ),
    },
    {
      key: 'type',
      header: t('sessions.type'),
      cell: ({ type }) => (
        <Badge variant="default" tt="none" fw={500}>
          {t(`sessions.types.${type}`)}
        </Badge>
      ),
    },
    {
      key: 'by',
      header: t('sessions.by'),
      from: 'md',
      cell: ({ by, rated_only: isRated }) => <Text size="sm">{isRated ? answers('someone') : by}</Text>,
    },
    {
      key: 'rating',
      header: answers('rating'),
      from: 'xs',
      cell: ({ up, down }) => (
        <Group gap="xs" wrap="nowrap">
          {up === 0 ? null : <Rated icon={IconThumbUp} label={answers('ratings_up', { count: up })} count={up} />}
          {down === 0 ? null : (
            <Rated icon={IconThumbDown} label={answers('ratings_down', { count: down })} count={down} />
          )}
        </Group>
      ),
    },
    { key: 'runs', header: t('sessions.runs'), align: 'end', from: 'xs', cell: ({ runs }) => number(runs) },
    {
      key: 'updated',
      header: t('updated'),
      from: 'sm',
      cell: ({ updated_at: at }) => <RelativeTime at={at} size="sm" />,
    },
  ];
}

function SessionList({ agent }: TabProps) {
  const { t } = useTranslation('agents');
  const { t: answers } = useTranslation('answers');
  const navigate = useNavigate();
  const { rating = null } = useSearch({ strict: false });
  const [type, setType] = useState<AgentSession['type'] | null>(null);
  const columns = useColumns(agent.id);
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    sessionsQuery(agent.id, type, rating),
  );
  const sessions = data?.pages.flatMap(({ items }) => items) ?? [];
  if (isPending) return <LoadingRows />;
  if (error !== null && sessions.length === 0) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <Group>
        <Select
          aria-label={t('sessions.type')}
          placeholder={t('sessions.all')}
          clearable
          w="11rem"
          data={types.map((one) => ({ value: one, label: t(`sessions.types.${one}`) }))}
          value={type}
          onChange={(chosen) => setType(types.find((one) => one === chosen) ?? null)}
        />
        <Select
          aria-label={answers('rating')}
          placeholder={answers('rating_any')}
          clearable
          w="13rem"
          data={answerRatings.map((one) => ({ value: one, label: answers(`rating_of.${one}`) }))}
          value={rating}
          onChange={(chosen) => {
            const next = answerRatings.find((one) => one === chosen);
            void navigate({
              to: '/agents/$agentId',
              params: { agentId: agent.id },
              search: { tab: 'sessions', ...(next === undefined ? {} : { rating: next }) },
              replace: true,
            });
          }}
        />
      </Group>
      <DataTable
        label={t('sessions.title')}
        columns={columns}
        rows={sessions}
        rowKey={({ id }) => String(id)}
        minWidth={300}
        empty={<EmptyState icon={IconMessages} title={t('sessions.none')} hint={t('sessions.none_hint')} />}
        onOpen={({ id }) =>
          void navigate({
            to: '/agents/$agentId',
            params: { agentId: agent.id },
            search: { tab: 'sessions', session: id },
          })
        }
      />
      {hasNextPage ? (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('sessions.older')}
        </Button>
      ) : null}
    </Stack>
  );
}

/** Sessions of an agent, and the messages and traces of one. */
export function SessionsTab({ agent }: TabProps) {
  const { session } = useSearch({ strict: false });
  const loaded = useLazyNamespace('answers');
  if (!loaded) return <LoadingRows />;
  if (session === undefined) return <SessionList agent={agent} />;
  return <SessionView key={session} agent={agent} session={session} />;
}
