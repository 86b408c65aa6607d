import { ConsoleSearched } from '@ai-studio/contract/console/retrieval.ts';
import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { FoldedPassage } from '../../../parts/passage/folded-passage.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { pathOf } from '../queries.ts';

/** Passages of other documents that say something like a hit. */
export function SimilarList({ hit: { chunk_id: id, collection_id: collectionId } }: { readonly hit: SearchHit }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const query = useQuery({
    queryKey: ['similar', collectionId, id],
    queryFn: ({ signal }) =>
      api.post(`${pathOf(collectionId)}/chunks/${encodeURIComponent(id)}/similar`, { top_k: 5 }, ConsoleSearched, {
        signal,
      }),
  });
  return (
    <Loaded query={query}>
      {({ result: { hits } }) => (
        <Stack gap="sm" pl="md" role="group" aria-label={t('search.similar')}>
          {hits.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('search.similar_none')}
            </Text>
          ) : (
            hits.map((one) => (
              <div key={one.chunk_id}>
                <Text size="xs" c="dimmed">
                  {one.document_name}
                  {one.page === null ? '' : ` · ${t('search.page', { page: number(one.page) })}`}
                  {` · ${one.score.toFixed(3)}`}
                </Text>
                <FoldedPassage text={one.content} found={one.parent?.matches} />
              </div>
            ))
          )}
        </Stack>
      )}
    </Loaded>
  );
}
