import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Stack, Title } from '@mantine/core';
import { IconTableExport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import classes from '../search/search.module.css';
import { ExtractionCard } from './extraction-card.tsx';
import { extractionsQuery } from './queries.ts';
import { StartExtraction } from './start-extraction.tsx';

interface TabProps {
  readonly collection: ConsoleCollection;
}

/** Values from all documents of a collection, as a table. */
export function ExtractionTab({ collection: { collection_id: id, may_change: mayChange } }: TabProps) {
  const { t } = useTranslation('collectionsPage');
  const extractions = useQuery(extractionsQuery(id));
  return (
    <Stack gap="lg">
      {mayChange ? <StartExtraction id={id} /> : null}
      <section aria-labelledby="extraction-results">
        <Title order={2} size="h4" id="extraction-results" mb="md">
          {t('extraction.results')}
        </Title>
        <Loaded query={extractions}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState level={3} icon={IconTableExport} title={t('extraction.none')} />
            ) : (
              <ol className={classes['list']}>
                {items.map((one, at) => (
                  <ExtractionCard key={one.extraction_id} extraction={one} mayChange={mayChange} opened={at === 0} />
                ))}
              </ol>
            )
          }
        </Loaded>
      </section>
    </Stack>
  );
}
