import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Stack, Text, Title } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { collectionOptionsQuery } from '../../../api/collection-options.ts';
import { StartEvaluation } from './start-evaluation.tsx';
import { runsQuery } from './queries.ts';
import { Questions } from './questions.tsx';
import { Run } from './runs.tsx';
import classes from '../search/search.module.css';

interface TabProps {
  readonly collection: ConsoleCollection;
}

/** How well searches find what questions expect, so that people can tune with figures. */
export function EvaluationTab({ collection }: TabProps) {
  const { t } = useTranslation('collectionsPage');
  const { collection_id: id, may_change: mayChange } = collection;
  const options = useQuery(collectionOptionsQuery);
  const runs = useQuery(runsQuery(id));
  return (
    <Stack gap="lg">
      <Questions collection={collection} />
      {mayChange ? (
        <Loaded query={options}>{(known) => <StartEvaluation collection={collection} options={known} />}</Loaded>
      ) : null}
      <section aria-labelledby="evaluation-results">
        <Title order={2} size="h4" id="evaluation-results">
          {t('evaluation.results')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('evaluation.figures_hint')}
        </Text>
        <Loaded query={runs}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState level={3} icon={IconReportAnalytics} title={t('evaluation.no_runs')} />
            ) : (
              <ol className={classes['list']}>
                {items.map((run) => (
                  <Run key={run.id} id={id} run={run} />
                ))}
              </ol>
            )
          }
        </Loaded>
      </section>
    </Stack>
  );
}
