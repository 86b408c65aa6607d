import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Badge, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import classes from '../agents.module.css';
import { reviewsQuery } from '../queries.ts';

const colors = { pending: 'orange', approved: 'green', rejected: 'red', withdrawn: 'gray' } as const;
const states = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
type State = (typeof states)[number];

function useColumns(state: State): Column<AgentReview>[] {
  const { t } = useTranslation('reviews');
  const columns: Column<AgentReview>[] = [
    {
      key: 'agent',
      header: t('agent'),
      cell: ({ id: reviewId, agent_name: name }) => (
        <Link to="/agent-reviews/$reviewId" params={{ reviewId }} className={classes['link']}>
          {name}
        </Link>
      ),
    },
    { key: 'version', header: t('version'), align: 'end', from: 'xs', cell: ({ version_number: number }) => number },
    { key: 'by', header: t('by'), cell: ({ submitted_by: by }) => <Text size="sm">{by}</Text> },
    {
      key: 'note',
      header: t('note'),
      from: 'md',
      cell: ({ note }) => (
        <Text size="sm" lineClamp={2}>
          {note}
        </Text>
      ),
    },
    { key: 'at', header: t('at'), from: 'sm', cell: ({ submitted_at: at }) => <RelativeTime at={at} size="sm" /> },
    {
      key: 'state',
      header: t('state'),
      from: 'xs',
      cell: (review) => (
        <Badge variant="light" color={colors[review.state]} tt="none">
          {t(`states.${review.state}`)}
        </Badge>
      ),
    },
  ];
  if (state === 'pending') return columns;
  return [
    ...columns,
    {
      key: 'decided',
      header: t('decided_by'),
      from: 'md',
      cell: ({ decided_by: by }) => <Text size="sm">{by ?? '–'}</Text>,
    },
  ];
}

/** Agents that wait for an administrator. */
export function Page() {
  const { t } = useTranslation('reviews');
  const navigate = useNavigate();
  const [state, setState] = useState<State>('pending');
  const columns = useColumns(state);
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Stack gap="md" align="stretch">
        <SegmentedControl
          aria-label={t('filter')}
          className={classes['start'] ?? ''}
          value={state}
          onChange={(chosen) => setState(states.find((one) => one === chosen) ?? 'pending')}
          data={states.map((one) => ({ value: one, label: t(`states.${one}`) }))}
        />
        <Loaded query={useQuery(reviewsQuery(state))}>
          {({ items }) => (
            <DataTable
              label={t('title')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              pageSize={20}
              minWidth={300}
              empty={
                <EmptyState
                  icon={IconClipboardCheck}
                  title={t(state === 'pending' ? 'none' : 'none_of')}
                  {...(state === 'pending' ? { hint: t('none_hint') } : {})}
                />
              }
              onOpen={({ id: reviewId }) => void navigate({ to: '/agent-reviews/$reviewId', params: { reviewId } })}
            />
          )}
        </Loaded>
      </Stack>
    </>
  );
}
