import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FoldedPassage } from '../../../parts/passage/folded-passage.tsx';
import { titlesAtBegin } from '../../../parts/passage/titles.ts';
import { useFormat } from '../../../parts/use-format.ts';
import classes from './search.module.css';
import { Marked } from './marked.tsx';
import { SimilarList } from './similar-list.tsx';

interface HitViewProps {
  readonly hit: SearchHit;
  readonly rank: number;
  /** Its place with the other settings: null where it is not there, undefined where nothing is compared. */
  readonly other?: number | null | undefined;
  /** Whether the person may open documents. */
  readonly opens: boolean;
}

const scoreNames = ['vector', 'keyword', 'rerank', 'weight'] as const;

function Scores({ hit: { score, scores } }: { readonly hit: SearchHit }) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Group gap={6} className={classes['scores'] ?? ''}>
      <Badge variant="light" tt="none" size="md">
        {t('search.score')} {score.toFixed(3)}
      </Badge>
      {scoreNames.map((name) => {
        const value = scores[name];
        return value === undefined ? null : (
          <Badge key={name} variant="light" color="gray" tt="none" size="md">
            {t(`search.scores.${name}`)} {value.toFixed(3)}
          </Badge>
        );
      })}
    </Group>
  );
}

function Rank({ rank, other }: Pick<HitViewProps, 'rank' | 'other'>) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return (
    <Group gap="xs">
      <Text size="sm" fw={650}>
        {t('search.rank', { rank: number(rank) })}
      </Text>
      {other === undefined || other === rank ? null : (
        <Text size="xs" c="dimmed">
          {other === null ? t('search.rank_missing') : t('search.rank_change', { rank: number(other) })}
        </Text>
      )}
    </Group>
  );
}

/** A passage that was found. */
export function HitView({ hit, rank, other, opens }: HitViewProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [similar, { toggle }] = useDisclosure(false);
  const { title, content, highlights = [], page, document_name: name, duplicates = [], parent } = hit;
  const inTitle = highlights.filter(({ field }) => field === 'title');
  const spans = useMemo(() => (hit.highlights ?? []).filter(({ field }) => field === 'content'), [hit]);
  return (
    <Paper withBorder radius="md" p="md" component="li">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Rank rank={rank} other={other} />
          <Scores hit={hit} />
        </Group>
        {title === '' || titlesAtBegin(content).has(title) ? null : (
          <Text fw={600} size="sm">
            <Marked text={title} spans={inTitle} />
          </Text>
        )}
        <FoldedPassage text={content} spans={spans} found={parent?.matches} />
        {parent === undefined || parent.matches.length < 2 ? null : (
          <Text size="xs" c="dimmed">
            {t('search.matches', { count: parent.matches.length })}
          </Text>
        )}
        {duplicates.length === 0 ? null : (
          <Text size="xs" c="dimmed">
            {t('search.duplicates', { names: [...new Set(duplicates.map((one) => one.document_name))].join(', ') })}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {name}
            {page === null ? '' : ` · ${t('search.page', { page: number(page) })}`}
          </Text>
          <Group gap="sm">
            <Button size="compact-xs" variant="subtle" aria-expanded={similar} onClick={toggle}>
              {t('search.similar')}
            </Button>
            {opens ? (
              <Link
                className={classes['open']}
                to="/collections/$collectionId/documents/$documentId"
                params={{ collectionId: hit.collection_id, documentId: hit.document_id }}
                search={{ chunk: hit.chunk_id, ...(page === null ? {} : { page }) }}
              >
                {t('search.open_hit')}
              </Link>
            ) : null}
          </Group>
        </Group>
        {similar ? <SimilarList hit={hit} /> : null}
      </Stack>
    </Paper>
  );
}
