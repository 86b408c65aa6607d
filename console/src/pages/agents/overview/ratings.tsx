import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../agents.module.css';
import { feedbackQuery } from '../queries.ts';

/** Reasons that are shown. */
const MAX_REASONS = 5;

/** What people think of the answers of an agent, and the way to those that did not help. */
export function Ratings({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const { number } = useFormat();
  const query = useQuery(feedbackQuery(agent.id));
  if (!loaded) return null;
  return (
    <section className={classes['panel']} aria-label={t('ratings')}>
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {t('ratings')}
        </Title>
        <Loaded query={query}>
          {({ up, down, reasons }) =>
            up + down === 0 ? (
              <Text size="sm" c="dimmed">
                {t('ratings_none')}
              </Text>
            ) : (
              <>
                <Group gap="lg">
                  <Group gap={6}>
                    <IconThumbUp size={16} aria-hidden />
                    <Text size="sm">{t('ratings_up', { count: up })}</Text>
                  </Group>
                  <Group gap={6}>
                    <IconThumbDown size={16} aria-hidden />
                    <Text size="sm">{t('ratings_down', { count: down })}</Text>
                  </Group>
                </Group>
                {reasons.length === 0 ? null : (
                  <Group gap={6}>
                    {reasons.slice(0, MAX_REASONS).map(({ reason, count }) => (
                      <Badge key={reason} variant="default" tt="none" fw={500}>
                        {t(`reasons.${reason}`)} · {number(count)}
                      </Badge>
                    ))}
                  </Group>
                )}
                {down === 0 ? null : (
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to="/agents/$agentId"
                        params={{ agentId: agent.id }}
                        search={{ tab: 'sessions', rating: 'down' }}
                        {...props}
                      />
                    )}
                  >
                    {t('ratings_see')}
                  </Anchor>
                )}
              </>
            )
          }
        </Loaded>
      </Stack>
    </section>
  );
}
