import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../parts/use-format.ts';
import classes from './search.module.css';
import { Marked } from './marked.tsx';

interface HitViewProps {
  readonly hit: SearchHit;
  readonly rank: number;
  /** Its place with the other settings: null where it is not there, undefined where nothing is compared. */
  readonly other?: number | null | undefined;
  /** Whether the person may open documents. */
  readonly opens: boolean;
}

/** Passages longer than this are folded. */
const FOLDED = 420;
/** Where a folded passage begins before the first word that was found. */
const BEFORE = 60;

/** The part of a long passage that shows why it was found, with its places there. */
function folded(content: string, spans: readonly { start: number; end: number }[]) {
  const first = spans[0]?.start ?? 0;
  const from = first > FOLDED - BEFORE ? first - BEFORE : 0;
  const to = Math.min(content.length, from + FOLDED);
  return {
    text: `${from > 0 ? '…' : ''}${content.slice(from, to)}${to < content.length ? '…' : ''}`,
    spans: spans
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from + (from > 0 ? 1 : 0), end: end - from + (from > 0 ? 1 : 0) })),
  };
}

const scoreNames = ['vector', 'keyword', 'rerank'] as const;

function Scores({ hit: { score, scores } }: { readonly hit: SearchHit }) {
  const { t } = useTranslation('collections');
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
  const { t } = useTranslation('collections');
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
  const { t } = useTranslation('collections');
  const { number } = useFormat();
  const [whole, { toggle }] = useDisclosure(false);
  const { title, content, highlights = [], page, document_name: name } = hit;
  const inTitle = highlights.filter(({ field }) => field === 'title');
  const inContent = highlights.filter(({ field }) => field === 'content');
  const long = content.length > FOLDED;
  const shown = long && !whole ? folded(content, inContent) : { text: content, spans: inContent };
  return (
    <Paper withBorder radius="md" p="md" component="li">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Rank rank={rank} other={other} />
          <Scores hit={hit} />
        </Group>
        {title === '' ? null : (
          <Text fw={600} size="sm">
            <Marked text={title} spans={inTitle} />
          </Text>
        )}
        <Text size="sm" className={classes['content'] ?? ''} lang="">
          <Marked text={shown.text} spans={shown.spans} />
        </Text>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {name}
            {page === null ? '' : ` · ${t('search.page', { page: number(page) })}`}
          </Text>
          <Group gap="xs">
            {long ? (
              <Button size="compact-xs" variant="subtle" aria-expanded={whole} onClick={toggle}>
                {t(whole ? 'search.show_less' : 'search.show_all')}
              </Button>
            ) : null}
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
      </Stack>
    </Paper>
  );
}
