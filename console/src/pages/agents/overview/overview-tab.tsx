import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../../api/session.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import classes from '../agents.module.css';
import { historyQuery } from '../queries.ts';
import { Ratings } from './ratings.tsx';
import { useKindLabels } from '../use-kind-labels.ts';

interface PartProps {
  readonly agent: AgentDetails;
}

/** The review that waits, or what became of the last one. */
function Review({ agent }: PartProps) {
  const { t } = useTranslation('agents');
  const approves = hasPermission(useMe(), ['agents.approve']);
  const { review } = agent;
  if (review === null) return null;
  if (review.state === 'pending')
    return (
      <Alert variant="light" color="orange" icon={<IconClock size={18} aria-hidden />} role="status">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('overview.pending', { number: review.version_number, name: review.submitted_by })}</Text>
          {review.note === '' ? null : (
            <Text size="sm">
              {t('overview.note')}: {review.note}
            </Text>
          )}
          {approves ? (
            <Button
              size="xs"
              renderRoot={(props) => <Link to="/agent-reviews/$reviewId" params={{ reviewId: review.id }} {...props} />}
            >
              {t('overview.to_review')}
            </Button>
          ) : null}
        </Stack>
      </Alert>
    );
  if (review.state === 'rejected')
    return (
      <Alert variant="light" color="red" icon={<IconX size={18} aria-hidden />} role="status">
        <Text size="sm" fw={600}>
          {t('overview.rejected', { number: review.version_number })}
        </Text>
        <Text size="sm" className={classes['wraps'] ?? ''}>
          {t('overview.reason')}: {review.reason}
        </Text>
        {review.decided_by === null ? null : (
          <Text size="xs" c="dimmed">
            {t('overview.rejected_by', { name: review.decided_by })}{' '}
            {review.decided_at === null ? null : <RelativeTime at={review.decided_at} />}
          </Text>
        )}
      </Alert>
    );
  return null;
}

function Standing({ agent }: PartProps) {
  const { t } = useTranslation('agents');
  const { deployed_version: version, slug } = agent;
  return (
    <section className={classes['panel']} aria-label={t('overview.standing')}>
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {t('overview.standing')}
        </Title>
        <Text size="sm">
          {version === null ? t('overview.deployed_none') : t('overview.deployed_now', { number: version })}
        </Text>
        {version === null ? null : (
          <Button
            variant="light"
            size="xs"
            renderRoot={(props) => <Link to="/chat/agents/$slug" params={{ slug }} {...props} />}
          >
            {t('overview.talk')}
          </Button>
        )}
      </Stack>
    </section>
  );
}

function Problems({ agent: { problems, draft } }: PartProps) {
  const { t } = useTranslation('agents');
  const labels = useKindLabels();
  const nameOf = (id: string) => {
    const node = draft.nodes.find((one) => one.id === id);
    return node === undefined ? id : node.name || labels.kind(node.kind);
  };
  return (
    <section className={classes['panel']} aria-label={t('overview.problems')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('overview.problems')}
        </Title>
        {problems.length === 0 ? (
          <Group gap="xs">
            <IconCheck size={18} color="var(--mantine-color-green-filled)" aria-hidden />
            <Text size="sm">{t('overview.no_problems')}</Text>
          </Group>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {t('overview.problems_hint')}
            </Text>
            <ul className={classes['plain']}>
              {problems.map(({ severity, message, node, field, code }) => (
                <li key={`${code} ${node ?? ''} ${field ?? ''} ${message}`} className={classes['problem']}>
                  <Badge
                    variant="light"
                    color={severity === 'error' ? 'red' : 'orange'}
                    tt="none"
                    leftSection={<IconAlertTriangle size={12} aria-hidden />}
                  >
                    {t(`overview.${severity}`)}
                  </Badge>
                  <Text size="sm">
                    {node === null ? '' : `${nameOf(node)}: `}
                    {labels.problem({ code, message })}
                    {field === null ? '' : ` (${field})`}
                  </Text>
                </li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </section>
  );
}

function History({ agent }: PartProps) {
  const { t } = useTranslation('agents');
  return (
    <section className={classes['panel']} aria-label={t('overview.history')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('overview.history')}
        </Title>
        <Loaded query={useQuery(historyQuery(agent.id))}>
          {({ items }) =>
            items.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('overview.no_history')}
              </Text>
            ) : (
              <ol className={classes['plain']}>
                {items.map(({ action, at, by, version_number: version, reason }) => (
                  <li key={`${at} ${action}`} className={classes['event']}>
                    <Text size="sm">
                      <b>{by}</b> {t(`history.${action}`)}
                      {version === null ? null : ` · ${t('overview.version_of', { number: version })}`}
                    </Text>
                    {reason === null || reason === '' ? null : (
                      <Text size="sm" c="dimmed" className={classes['wraps'] ?? ''}>
                        {reason}
                      </Text>
                    )}
                    <Text size="xs" c="dimmed">
                      <RelativeTime at={at} />
                    </Text>
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
      </Stack>
    </section>
  );
}

/** How an agent stands: what is deployed, what is wrong, what was done. */
export function OverviewTab({ agent }: PartProps) {
  return (
    <Stack gap="md">
      <Review agent={agent} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          <Standing agent={agent} />
          <Ratings agent={agent} />
          <Problems agent={agent} />
        </Stack>
        <History agent={agent} />
      </SimpleGrid>
    </Stack>
  );
}
