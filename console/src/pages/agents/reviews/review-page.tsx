import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Alert, Anchor, Badge, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconClipboardCheck, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingPage, LoadingRows } from '../../../parts/loading.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { DetailHeader } from '../../../parts/detail-header.tsx';
import classes from '../agents.module.css';
import { differenceQuery, reviewsQuery, versionQuery } from '../queries.ts';
import { allNew } from '../versions/all-new.ts';
import { Decision } from './decision.tsx';

const Difference = lazy(async () => ({ default: (await import('../versions/difference.tsx')).Difference }));
const Trial = lazy(async () => ({ default: (await import('./trial.tsx')).Trial }));

interface PartProps {
  readonly review: AgentReview;
}

function Head({ review }: PartProps) {
  const { t } = useTranslation('reviews');
  const { agent_id: agentId, agent_name: name, version_number: number, submitted_by: by, submitted_at: at } = review;
  return (
    <DetailHeader
      back="/agent-reviews"
      backLabel={t('back')}
      title={t('review_of', { name })}
      actions={<Decision review={review} />}
    >
      <Group gap="sm">
        <Badge variant="light" tt="none">
          {t('version')} {number}
        </Badge>
        <Text size="sm" c="dimmed">
          {by} · <RelativeTime at={at} />
        </Text>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId }} search={{}} {...props} />}
        >
          {t('agent')}
        </Anchor>
      </Group>
    </DetailHeader>
  );
}

/** Why the person may not decide, or what was decided. */
function Standing({ review }: PartProps) {
  const { t } = useTranslation('reviews');
  const { state, may_decide: mayDecide, own, reason, decided_by: by } = review;
  if (state !== 'pending')
    return (
      <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} aria-hidden />} role="status">
        {t('decided')} {t(`states.${state}`)}
        {by === null ? '' : ` · ${by}`}
        {reason === null ? null : <Text size="sm">{reason}</Text>}
      </Alert>
    );
  if (mayDecide) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconInfoCircle size={18} aria-hidden />} role="status">
      {t(own ? 'own' : 'may_not')}
    </Alert>
  );
}

/** What of it is new: beside what is deployed, or all of it. */
function Changes({ review }: PartProps) {
  const { t } = useTranslation('agents');
  const { agent_id: agentId, version_id: version, deployed_version_id: deployed } = review;
  const { state, deployed_version_number: number } = review;
  const difference = useQuery({ ...differenceQuery(agentId, deployed ?? '', version), enabled: deployed !== null });
  const whole = useQuery({ ...versionQuery(agentId, version), enabled: deployed === null });
  return (
    <section aria-label={t('difference.title')}>
      <Title order={2} size="h4" mb="sm">
        {t('difference.title')}
      </Title>
      {deployed === null ? (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t(state === 'pending' ? 'difference.first' : 'difference.first_then')}
          </Text>
          <Loaded query={whole}>
            {({ definition, names }) => (
              <Suspense fallback={<LoadingRows />}>
                <Difference difference={allNew(definition, names)} />
              </Suspense>
            )}
          </Loaded>
        </Stack>
      ) : (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t(state === 'pending' ? 'difference.beside_now' : 'difference.beside_then', { number: number ?? '' })}
          </Text>
          <Loaded query={difference}>
            {(found) => (
              <Suspense fallback={<LoadingRows />}>
                <Difference difference={found} />
              </Suspense>
            )}
          </Loaded>
        </Stack>
      )}
    </section>
  );
}

/** A request to deploy a version: what is new in it, how it works, and the decision. */
export function Page() {
  const { t } = useTranslation('reviews');
  const { reviewId } = useParams({ strict: false });
  const query = useQuery(reviewsQuery(null));
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items }) => {
        const review = items.find(({ id }) => id === reviewId);
        if (review === undefined)
          return <EmptyState level={1} icon={IconClipboardCheck} title={t('missing')} hint={t('missing_hint')} />;
        return (
          <Fragment key={review.id}>
            <Head review={review} />
            <Stack gap="lg">
              <Standing review={review} />
              {review.note === '' ? null : (
                <div className={classes['panel']}>
                  <Text size="xs" c="dimmed">
                    {t('note')}
                  </Text>
                  <Text size="sm" className={classes['wraps'] ?? ''}>
                    {review.note}
                  </Text>
                </div>
              )}
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                <Changes review={review} />
                {review.state === 'pending' ? (
                  <Suspense fallback={<LoadingRows />}>
                    <Trial review={review} />
                  </Suspense>
                ) : null}
              </SimpleGrid>
              <Text size="xs" c="dimmed">
                {t('hash')} <Code className={classes['id'] ?? ''}>{review.hash}</Code>
              </Text>
            </Stack>
          </Fragment>
        );
      }}
    </Loaded>
  );
}
